"""What a vendor's seat costs over a bare POST: SDK, provenance and reading against the same request by httpx2 alone."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import anyio
import httpx2

from claimjury import plan_verify, verify_claims
from claimjury.jury.rehearsal import rehearse
from claimjury.models.hosts import Cloud
from claimjury.models.providers import ProviderHost, make_server
from claimjury.models.routes import Access

ROUNDS = 40
CLAIM = "The cache drops the oldest entry."
MODELS = ("llama-4", "qwen3", "gemma4", "glm-5", "mistral-large")
"""One of each family, so that all of them sit."""


@contextmanager
def scripted_vendor() -> Iterator[str]:
    command = [sys.executable, str(Path(__file__).with_name("provider_host.py"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate()


def access(url: str) -> Access:
    return Access(cloud=Cloud(), hosts={"lab": ProviderHost.of(make_server("lab", f"{url}/v1"), {})})


async def seated(reach: Access, panel: list[str]) -> float:
    """Give the CPU seconds of one run."""
    began = time.process_time()
    result = await verify_claims([CLAIM], panel=panel, access=reach)
    took = time.process_time() - began
    assert all(seat.included for seat in result.panel), result.panel
    return took


async def bare(url: str, bodies: list[bytes]) -> float:
    """Give the CPU seconds of the same requests, all at once, by one client."""
    began = time.process_time()

    async def post(client: httpx2.AsyncClient, body: bytes) -> None:
        response = await client.post(url, content=body, headers={"Content-Type": "application/json"})
        json.loads(response.content)

    async with httpx2.AsyncClient(verify=False) as client, anyio.create_task_group() as group:
        for body in bodies:
            group.start_soon(post, client, body)
    return time.process_time() - began


async def measure(url: str, seats: int) -> float:
    reach = access(url)
    panel = [f"lab/{name}" for name in MODELS[:seats]]
    plan = plan_verify([CLAIM], panel=panel, access=reach)
    requests = await rehearse(plan, plan.sitting)
    bodies = [json.dumps(requests[model]["body"]).encode() for model in panel]
    target = requests[panel[0]]["url"]
    await seated(reach, panel)  # The first run of a process pays for its imports.
    await bare(target, bodies)
    pairs = [(await seated(reach, panel), await bare(target, bodies)) for _ in range(ROUNDS)]
    return median(run for run, _ in pairs) / median(post for _, post in pairs)


def main() -> None:
    print(f"{'CPU of a run / of the same requests by bare httpx2':<54}{'ratio':>8}")
    with scripted_vendor() as url:
        for seats in (1, 3, 5):
            print(f"{f'{seats} seat(s)':<54}{anyio.run(measure, url, seats):>8.2f}")


if __name__ == "__main__":
    main()
