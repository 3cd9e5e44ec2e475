"""The least look at a text: could it cite anything? A hook asks this at the end of every turn, so `re` alone is imported."""

import re

__all__ = ["may_cite"]

# A name with a dot, a slash or a capital, or one like `justfile`, before a line: not `12:30`, not `localhost:8080`.
_QUICK = re.compile(r"(?:[./\\][^\s:]{0,200}|[A-Z][^\s:]{0,60}|file):L?\d|#L\d|\", line \d|\]\(")


def may_cite(text: str) -> bool:
    """Whether a text holds anything that could be a citation."""
    return _QUICK.search(text) is not None
