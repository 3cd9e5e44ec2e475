"""How much one skeptic may do. What is over a limit ends its search, not the run."""

from __future__ import annotations

from typing import Final

__all__ = [
    "DEFAULT_SKEPTICS",
    "MAX_PARALLEL",
    "MAX_ROUNDS",
    "MAX_SKEPTICS",
    "PASS_TIMEOUT_S",
    "PASS_TOKENS",
    "TOOL_TIMEOUT_S",
]

DEFAULT_SKEPTICS: Final = 3
MAX_SKEPTICS: Final = 9
MAX_ROUNDS: Final = 16
"""Rounds of tool calls; then it is asked for its verdict."""
MAX_PARALLEL: Final = 32
"""Tool calls of one message that are run; the others are answered with that they were not."""
PASS_TOKENS: Final = 600_000
"""Prompts and answers of all its calls together."""
TOOL_TIMEOUT_S: Final = 60.0
"""Seconds that one tool call may take: a pattern's search is linear and still cannot be interrupted."""
PASS_TIMEOUT_S: Final = 1_200.0
"""Seconds; time in a host's queue is not counted."""
