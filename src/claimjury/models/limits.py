"""Limits of a call, importable without the libraries that make it."""

from __future__ import annotations

from typing import Final

__all__ = ["MAX_ATTEMPTS"]

MAX_ATTEMPTS: Final = 3
"""How often a call is tried, the first time included."""
