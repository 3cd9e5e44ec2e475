"""A host that speaks OpenAI's chat completions and answers at once, in a process of its own. Prints its URL."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from vendors.vendor_host import Heard, Say, VendorHost

NAMES = ("llama-4", "qwen3", "gemma4", "glm-5", "mistral-large")


def main() -> None:
    def vote(_heard: Heard) -> Say:
        return Say(votes={"c1": "CONFIRMED"})

    with VendorHost(dict.fromkeys(NAMES, vote)) as host:
        print(host.url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
