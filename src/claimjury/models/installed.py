"""Installed: whether an SDK is there, without importing it."""

from __future__ import annotations

import importlib.util

__all__ = ["is_installed"]


def is_installed(module: str) -> bool:
    """Whether a module could be imported."""
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False
