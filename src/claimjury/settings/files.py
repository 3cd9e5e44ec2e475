"""The settings files: where they are, and what each may not say.

A project's file is written by whoever wrote the project, which may be the author that is judged. So it may set the
defaults of a claim and narrow what the user allows, and nothing that moves evidence, keys or commands.
"""

from __future__ import annotations

import difflib
import math
import os
import stat
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import platformdirs

from claimjury.errors import ConfigInvalid
from claimjury.settings.model import LOWERED, PROJECT_KEYS, PROJECT_NARROWS, Settings
from claimjury.settings.panels import refuse_providers
from claimjury.text import clean_line, clip

__all__ = ["PROJECT_FILE", "find_project_file", "nearest", "read_project", "read_user", "user_file"]

PROJECT_FILE: Final = "claimjury.toml"
_USER_FILE: Final = "config.toml"
_UNITS: Final = {"deadline": "seconds", "max_cost": "US dollars", "max_tokens": "a number of tokens"}
_SECRETS: Final = ("api_key", "key", "ollama_api_key", "token", "password")
_KEYS_IN_FILES: Final = (
    "Keys come from the environment alone: `export OLLAMA_API_KEY=...`. Take it out, and revoke it."
)
_REFUSALS: Final[dict[str, str]] = {
    **dict.fromkeys(
        ("host", "hosts", "trusted_hosts", "cloud_host", "ollama_cloud_host", "base_url", "url", "proxy"),
        "A project's file must not say where evidence and the key go.",
    ),
    "allow_secrets": "A project's file must not let files of secrets be sent.",
    **dict.fromkeys(
        ("command", "commands", "check", "checks", "hooks", "run"),
        "A project's file must not name a command to run.",
    ),
    **dict.fromkeys(
        ("check_roots", "mcp_checks"),
        "Whether and where a project's code is run is yours to say, not the project's.",
    ),
    **dict.fromkeys(("hook", "hook_fail"), "What a hook does at the end of a turn is yours to say."),
    **dict.fromkeys(
        ("servers", "server", "project_providers", "caller_providers", "providers"),
        "A project's file must not say where evidence and the key go.",
    ),
    **dict.fromkeys(
        ("author", "families", "allow_same_family"),
        "A project's file must not say who the author is or which family a model is of.",
    ),
    "windows": "A project's file must not say how much a model takes.",
    **dict.fromkeys(
        ("daily_cost", "daily_tokens", "daily_runs"), "Caps over all runs are yours, not a project's."
    ),
    **dict.fromkeys(
        ("key_name", "key_variable", "api_key_env"), "A project's file must not say which key is used."
    ),
}


def user_file() -> Path:
    """Give where the user's settings file is, or would be."""
    return platformdirs.user_config_path("claimjury", appauthor=False) / _USER_FILE


def find_project_file(start: Path) -> tuple[Path, tuple[str, ...]] | None:
    """Give the nearest project file and the table that holds the settings, looking up to the repository's top.

    Raises:
        ConfigInvalid: One folder has settings in both `claimjury.toml` and `pyproject.toml`, or one of them
            cannot be read. It may narrow what is sent, so it is never passed over.
    """
    for folder in (start, *start.parents):
        own, shared = folder / PROJECT_FILE, folder / "pyproject.toml"
        in_own, in_shared = _is_there(own), _is_there(shared) and _has_table(shared)
        if in_own and in_shared:
            raise ConfigInvalid(
                f"{own.name} and [tool.claimjury] of {shared.name} both hold settings.",
                hint="Keep one of them.",
            )
        if in_own:
            return own, ()
        if in_shared:
            return shared, ("tool", "claimjury")
        if os.path.lexists(folder / ".git"):
            return None
    return None


def read_user(path: Path) -> dict[str, Any]:
    """Give the user's settings; none where there is no file.

    Raises:
        ConfigInvalid: It is not TOML, holds an unknown key, or a key of a vendor.
    """
    values = _read(path) if _is_there(path) else {}
    _refuse_unknown(values, str(path), known=Settings.model_fields)
    return values


def read_project(path: Path, table: Iterable[str], *, allowed: Mapping[str, Any]) -> dict[str, Any]:
    """Give a project's settings, its paths made absolute.

    Args:
        path: The file.
        table: The table in it that holds the settings.
        allowed: What the user's settings say: what the project may narrow, and which providers it may name.

    Raises:
        ConfigInvalid: It says something that is not a project's to say, each with its own message.
    """
    values: Any = _read(path)
    for name in table:
        values = values[name]
    shown = path.name
    for name in values:
        if refusal := _REFUSALS.get(name.casefold()):
            raise ConfigInvalid(f"{shown} sets `{clean_line(name)}`. {refusal}", hint=_users_own())
    _refuse_unknown(values, shown, known=(*PROJECT_KEYS, *PROJECT_NARROWS))
    if "sources" in values:
        values["sources"] = _below(values["sources"], path.parent, shown)
    if "roots" in values:
        values["roots"] = _narrowed(values["roots"], path.parent, allowed.get("roots"), shown)
    refuse_providers(
        values,
        shown,
        allowed=allowed.get("project_providers") or (),
        servers=allowed.get("servers") or (),
        where=str(user_file()),
    )
    for name in LOWERED:
        if name in values:
            values[name] = _lowered(name, values[name], allowed.get(name), shown)
    return dict(values)


def _users_own() -> str:
    return f"Set it in your own settings ({user_file()}) or by flag, if you mean it."


def _below(sources: Any, folder: Path, shown: str) -> list[str]:
    if not isinstance(sources, list) or not all(
        isinstance(source, str) and source.strip() for source in sources
    ):
        raise ConfigInvalid(
            f"{shown} sets `sources` to something else than a list of paths.",
            hint='Like sources = ["src/a.py"].',
        )
    return [str(folder / source) for source in sources]


def _narrowed(roots: Any, folder: Path, allowed: Any, shown: str) -> list[Path]:
    # An empty list would stand for the working directory, which may be wider than what the user allows.
    if not isinstance(roots, list) or not roots or not all(isinstance(root, str) for root in roots):
        raise ConfigInvalid(
            f"{shown} sets `roots` to something else than a list of paths.", hint='Like roots = ["src"].'
        )
    outer = [_resolved(Path(root)) for root in allowed or [folder]]
    inner = [_resolved(folder / root) for root in roots]
    for root in inner:
        if not any(root.is_relative_to(wide) for wide in outer):
            raise ConfigInvalid(
                f"{shown} sets the root {clean_line(str(root))}, which is wider than what you allow. "
                "A project's file may narrow the roots, not widen them.",
                hint=_users_own(),
            )
    return inner


def _resolved(root: Path) -> Path:
    try:
        return root.expanduser().resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise ConfigInvalid(
            f"The root {clean_line(str(root))} cannot be a path: {error}.", hint="Correct `roots`."
        ) from error


def _lowered(name: str, value: Any, allowed: Any, shown: str) -> Any:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    # Not a number is below nothing, so it would lift the user's own.
    if not number or not math.isfinite(value):
        raise ConfigInvalid(
            f"{shown} sets `{name}` to something else than {_UNITS[name]}.", hint=f"Like {name} = 120."
        )
    return min(value, allowed) if allowed is not None else value


def _is_there(path: Path) -> bool:
    """Whether there is a settings file; what has its name and is none is an error, not an absence."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError) as error:
        if path.is_symlink():
            raise ConfigInvalid(f"{path} is a link that leads nowhere.", hint="Mend or remove it.") from error
        return False
    except OSError as error:
        raise ConfigInvalid(
            f"{path} cannot be read: {error.strerror}.", hint="Check its permissions."
        ) from error
    if not stat.S_ISREG(mode):
        raise ConfigInvalid(
            f"{path} is {'a directory' if stat.S_ISDIR(mode) else 'no regular file'}, not a file of settings.",
            hint="Remove or rename it.",
        )
    return True


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigInvalid(f"{path} is not TOML: {error}.", hint="Correct it there.") from error
    except OSError as error:
        raise ConfigInvalid(
            f"{path} cannot be read: {error.strerror}.", hint="Check its permissions."
        ) from error


def _has_table(path: Path) -> bool:
    """Whether a pyproject.toml has `[tool.claimjury]`."""
    tool = _read(path).get("tool")
    if not isinstance(tool, dict) or "claimjury" not in tool:
        return False
    if not isinstance(tool["claimjury"], dict):
        raise ConfigInvalid(
            f"{path} sets `tool.claimjury` to something else than a table.",
            hint="Write [tool.claimjury], and the settings below it.",
        )
    return True


def _refuse_unknown(values: Mapping[str, Any], where: str, *, known: Iterable[str]) -> None:
    names = list(known)
    for name in values:
        if name.casefold() in _SECRETS:
            raise ConfigInvalid(
                f"{where} sets `{clean_line(name)}`, which looks like a key.", hint=_KEYS_IN_FILES
            )
        if name not in names:
            shown = clip(clean_line(name), 60)
            raise ConfigInvalid(f"{where} sets `{shown}`, which is no setting.", hint=nearest(name, names))


def nearest(name: str, names: Iterable[str]) -> str:
    """Say which known name a wrong one is close to, or all of them."""
    known = list(names)
    close = difflib.get_close_matches(name.casefold(), known, n=1, cutoff=0.6)
    return f"Did you mean `{close[0]}`?" if close else f"Settings are: {', '.join(known)}."
