"""The mark that the project's own scripted server puts on each of its answers."""

from __future__ import annotations

from typing import Final

__all__ = ["SCRIPTED_FIELD", "SCRIPTED_HEADER"]

SCRIPTED_FIELD: Final = "claimjury_scripted"
SCRIPTED_HEADER: Final = "X-Claimjury-Scripted"
"""On every response, so that a script that writes a whole body by hand is marked too."""
