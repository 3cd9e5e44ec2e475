"""The settings files: where they are, and what each may not say.

A project's file is written by whoever wrote the project, which may be the author that is judged. So it may set the
defaults of a claim and narrow what the user allows, and nothing that moves evidence, keys or commands.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import platformdirs

from claimjury.errors import ConfigInvalid
from claimjury.settings.model import PROJECT_KEYS, PROJECT_NARROWS, Settings
from claimjury.text import clean_line, clip

__all__ = ["PROJECT_FILE", "find_project_file", "nearest", "read_project", "read_user", "user_file"]

PROJECT_FILE: Final = "claimjury.toml"
_USER_FILE: Final = "config.toml"
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
        ("command", "commands", "check", "checks", "hook", "hooks", "run"),
        "A project's file must not name a command to run.",
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
        ConfigInvalid: One folder has settings in both `claimjury.toml` and `pyproject.toml`.
    """
    for folder in (start, *start.parents):
        own, shared = folder / PROJECT_FILE, folder / "pyproject.toml"
        in_shared = shared.is_file() and isinstance(_tool_table(shared), dict)
        if own.is_file() and in_shared:
            raise ConfigInvalid(
                f"{own.name} and [tool.claimjury] of {shared.name} both hold settings.",
                hint="Keep one of them.",
            )
        if own.is_file():
            return own, ()
        if in_shared:
            return shared, ("tool", "claimjury")
        if (folder / ".git").exists():
            return None
    return None


def read_user(path: Path) -> dict[str, Any]:
    """Give the user's settings; none where there is no file.

    Raises:
        ConfigInvalid: It is not TOML, holds an unknown key, or a key of a vendor.
    """
    values = _read(path) if path.is_file() else {}
    _refuse_unknown(values, str(path), known=Settings.model_fields)
    return values


def read_project(path: Path, table: Iterable[str], *, allowed: Mapping[str, Any]) -> dict[str, Any]:
    """Give a project's settings, its paths made absolute.

    Args:
        path: The file.
        table: The table in it that holds the settings.
        allowed: What the user's settings say, which the project may narrow: `roots` and `deadline`.

    Raises:
        ConfigInvalid: It says something that is not a project's to say, each with its own message.
    """
    values: Any = _read(path)
    for name in table:
        values = values[name]
    shown = path.name
    for name in values:
        if refusal := _REFUSALS.get(name.casefold()):
            raise ConfigInvalid(f"{shown} sets `{clean_line(name)}`. {refusal}", hint=_USERS_OWN)
    _refuse_unknown(values, shown, known=(*PROJECT_KEYS, *PROJECT_NARROWS))
    if "sources" in values:
        values["sources"] = _below(values["sources"], path.parent, shown)
    if "roots" in values:
        values["roots"] = _narrowed(values["roots"], path.parent, allowed.get("roots"), shown)
    if "deadline" in values:
        values["deadline"] = _lowered(values["deadline"], allowed.get("deadline"), shown)
    return dict(values)


_USERS_OWN: Final = (
    "Set it in your own settings (`claimjury config` says where they are) or by flag, if you mean it."
)


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
    if not isinstance(roots, list) or not all(isinstance(root, str) for root in roots):
        raise ConfigInvalid(
            f"{shown} sets `roots` to something else than a list of paths.", hint='Like roots = ["src"].'
        )
    outer = [Path(root).expanduser().resolve() for root in allowed or [folder]]
    inner = [(folder / root).resolve() for root in roots]
    for root in inner:
        if not any(root.is_relative_to(wide) for wide in outer):
            raise ConfigInvalid(
                f"{shown} sets the root {clean_line(str(root))}, which is wider than what you allow. "
                "A project's file may narrow the roots, not widen them.",
                hint=_USERS_OWN,
            )
    return inner


def _lowered(deadline: Any, allowed: Any, shown: str) -> float:
    if isinstance(deadline, bool) or not isinstance(deadline, (int, float)):
        raise ConfigInvalid(
            f"{shown} sets `deadline` to something else than seconds.", hint="Like deadline = 120."
        )
    return min(float(deadline), float(allowed)) if allowed is not None else float(deadline)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigInvalid(f"{path} is not TOML: {error}.", hint="Correct it there.") from error
    except OSError as error:
        raise ConfigInvalid(
            f"{path} cannot be read: {error.strerror}.", hint="Check its permissions."
        ) from error


def _tool_table(path: Path) -> Any:
    """Give `[tool.claimjury]` of a pyproject.toml; a file that is not TOML is somebody else's to mend."""
    try:
        tool = tomllib.loads(path.read_text(encoding="utf-8")).get("tool")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError):
        return None
    return tool.get("claimjury") if isinstance(tool, dict) else None


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
