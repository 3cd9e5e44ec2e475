"""Wishes: what the user says of the hook, in two variables and the user's own file, whatever else in either is wrong.

A project's file is not asked, and neither is the rest of the settings: what stands wrong there is no reason to speak, to
hold a turn up or to let one go against what the user said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from claimjury.surfaces.hooks.off import is_off

__all__ = ["Wishes", "read_wishes"]

_MODES: Final = ("off", "note", "block")
_FAILS: Final = ("open", "closed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the user says.

    Attributes:
        mode: `off`, `note` or `block`.
        closed: Whether a turn is held up where the hook itself fails.
        faults: What was said and means nothing, in sentences.
    """

    mode: str = "note"
    closed: bool = False
    faults: tuple[str, ...] = ()


def read_wishes(environ: Mapping[str, str], file: Path) -> Wishes:
    """Give what the user says; a variable counts before the file, and what means nothing is passed over and named."""
    values, faults = _read(file)
    modes = [("CLAIMJURY_HOOK", environ.get("CLAIMJURY_HOOK")), ("hook", values.get("hook"))]
    fails = [
        ("CLAIMJURY_HOOK_FAIL", environ.get("CLAIMJURY_HOOK_FAIL")),
        ("hook_fail", values.get("hook_fail")),
    ]
    mode = _chosen(modes, _MODES, faults)
    fail = _chosen(fails, _FAILS, faults)
    return Wishes(mode=mode or "note", closed=fail == "closed", faults=tuple(faults))


def _read(file: Path) -> tuple[dict[str, Any], list[str]]:
    import tomllib

    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig")), []
    except FileNotFoundError:
        return {}, []
    except (OSError, ValueError) as error:
        return {}, [
            f"Your settings file cannot be read ({type(error).__name__}), so what it says of the hook is not known."
        ]


def _chosen(said: list[tuple[str, Any]], known: tuple[str, ...], faults: list[str]) -> str | None:
    """Give the first that means something."""
    for name, value in said:
        if value is None or value == "":
            continue
        word = str(value).strip().casefold()
        if "off" in known and is_off(word):
            return "off"
        if word in known:
            return word
        faults.append(f"`{name}` is {word[:40]!r}, which is none of {', '.join(known)}.")
    return None
