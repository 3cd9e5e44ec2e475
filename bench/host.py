"""The scripted jurors of the other scripts, in a process of their own, so that only claimjury is measured.

`python bench/host.py SECONDS` prints its URL and serves until standard input ends. Each juror of the default
panel thinks SECONDS and confirms one claim.
"""

from __future__ import annotations

import sys

from claimjury import DEFAULT_PANEL
from claimjury.testing import Reply, ScriptedOllama, ballot


def main(think_s: float) -> None:
    reply = Reply(content=ballot({"c1": "CONFIRMED"}), delay_s=think_s)
    with ScriptedOllama({model: [reply] for model in DEFAULT_PANEL}, catalogue=DEFAULT_PANEL) as server:
        sys.stdout.write(server.url + "\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main(float(sys.argv[1]))
