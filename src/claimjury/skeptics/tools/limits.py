"""How much the tools give and take. What is over a limit is left out, and the reply says so."""

from __future__ import annotations

from typing import Final

__all__ = [
    "MAX_COMMITS",
    "MAX_COUNTED",
    "MAX_FILES",
    "MAX_LINE",
    "MAX_LISTED",
    "MAX_LOG_BYTES",
    "MAX_MATCHES",
    "MAX_MATCHES_PER_FILE",
    "MAX_MATCH_LINE",
    "MAX_MESSAGE",
    "MAX_NAMED",
    "MAX_PATH",
    "MAX_PATTERN",
    "MAX_PROGRAM",
    "MAX_REPLY_BYTES",
    "MAX_SEARCHED_BYTES",
    "SEARCH_S",
]

MAX_REPLY_BYTES: Final = 120_000
"""Bytes of UTF-8 in one reply."""
MAX_LINE: Final = 4_000
"""Characters shown of one line of a file or of a diff."""
MAX_MATCH_LINE: Final = 400
"""Characters shown of one line that grep found."""
MAX_MATCHES: Final = 200
"""Lines that one grep shows."""
MAX_MATCHES_PER_FILE: Final = 30
"""Lines that one grep shows of one file."""
MAX_COUNTED: Final = 10_000
"""Lines that grep counts in one file before it says `or more`."""
MAX_SEARCHED_BYTES: Final = 5_000_000
"""Bytes of the largest file that grep searches."""
MAX_FILES: Final = 50_000
"""Files that one grep or one glob looks at."""
SEARCH_S: Final = 20.0
"""Seconds after which grep begins no other file."""
MAX_PROGRAM: Final = 5_000
"""Instructions of a compiled pattern. At worst each byte of a file costs all of them."""
MAX_LISTED: Final = 1_000
"""Names that one glob shows."""
MAX_NAMED: Final = 20
"""Names in a note."""
MAX_COMMITS: Final = 200
"""Commits that one git_log shows."""
MAX_MESSAGE: Final = 4_000
"""Characters shown of one commit's message."""
MAX_LOG_BYTES: Final = 1_000_000
"""Bytes read of git's log."""
MAX_PATH: Final = 4_096
"""Characters of a path."""
MAX_PATTERN: Final = 1_000
"""Characters of a pattern or of a range."""
