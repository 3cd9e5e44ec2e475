"""`claimjury config`: every setting, its value, and where it comes from."""

from __future__ import annotations

from typing import Any

from claimjury.surfaces.cli import options as opt

__all__ = ["config"]


def config(as_json: opt.Json = False) -> int:
    """Show every setting with its value and its origin: a variable, a file, or the default.

    Exit status: 0, or 2 where a file or a variable says something that it may not.
    """
    import os

    from claimjury.settings.load import load_settings
    from claimjury.surfaces.cli.outputs import print_json, print_text

    loaded = load_settings(os.environ)
    if as_json:
        print_json(_as_json(loaded))
    else:
        print_text(_as_table(loaded))
    return 0


def _rows(loaded: Any) -> list[tuple[str, Any, str]]:
    from claimjury.models.hosts import DEFAULT_HOST, HOST_VARIABLE, KEY_VARIABLE

    settings = loaded.settings.model_dump(mode="json")
    host_origin = "default" if loaded.cloud.host == DEFAULT_HOST else HOST_VARIABLE
    return [
        *((name, value, loaded.origins[name]) for name, value in settings.items()),
        ("cloud_host", loaded.cloud.host, host_origin),
        ("api_key", "set" if loaded.cloud.api_key else "not set", KEY_VARIABLE),
        *(
            (f"api_key.{name}", "set" if host.api_key else "not set", " or ".join(host.provider.keys))
            for name, host in loaded.access.hosts.items()
            if host.provider.keys
        ),
    ]


def _as_json(loaded: Any) -> dict[str, Any]:
    from claimjury.settings.files import user_file

    rows = {
        name: {"origin": origin} if value is None else {"value": value, "origin": origin}
        for name, value, origin in _rows(loaded)
    }
    return {"settings": rows, "user_file": str(user_file())}


def _as_table(loaded: Any) -> Any:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from claimjury.settings.files import user_file
    from claimjury.text import clean_line

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for title in ("setting", "value", "from"):
        table.add_column(title)
    for name, value, origin in _rows(loaded):
        shown = ", ".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)
        table.add_row(name, Text(clean_line(shown) or "-"), Text(clean_line(origin)))
    path = user_file()
    there = "" if path.is_file() else " (not there)"
    return Group(table, Text(), Text(f"Your settings file: {path}{there}"))
