"""Follow a run while it goes, and stop it once two jurors agree on a single claim.

Run it with OLLAMA_API_KEY in the environment: python examples/watch_seats.py CLAIM
"""

from __future__ import annotations

import sys

import anyio

from claimjury import SeatResult, verify_claims


async def main(claim: str) -> None:
    stop = anyio.Event()
    included: list[SeatResult] = []

    def on_seat(seat: SeatResult) -> None:
        print(f"{seat.model}: {'counts' if seat.included else seat.exclude_reason}")
        if seat.included:
            included.append(seat)
        if len(included) == 2:
            stop.set()

    result = await verify_claims([claim], on_seat=on_seat, stop=stop)
    print(result.summary)


if __name__ == "__main__":
    anyio.run(main, sys.argv[1])
