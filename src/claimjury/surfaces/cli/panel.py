"""`claimjury panel`: who would sit, of which family, and where each is served; `panel check` looks whether all is there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import typer

from claimjury.surfaces.cli import options as opt

__all__ = ["panel"]

panel = typer.Typer(
    name="panel",
    help="Show who would sit, or look whether all is there that a panel needs (check).",
    invoke_without_command=True,
)

Ids = Annotated[
    str | None,
    typer.Argument(
        metavar="ID,ID,...", show_default=False, help="Model ids; the panel of your settings by default."
    ),
]


@panel.callback()
def show(context: typer.Context, models: opt.Panel = None, as_json: opt.Json = False) -> int:
    """Show the panel with the family of each model, where it is served, and what is known of it. Asks nobody.

    Exit status: 0, or 2 where an id cannot sit.
    """
    if context.invoked_subcommand is not None:
        return 0
    import os

    from claimjury.settings.load import load_settings
    from claimjury.surfaces.cli.outputs import print_json, print_text

    loaded = load_settings(os.environ).with_flags({"panel": None if models is None else models.split(",")})
    rows = _rows(loaded)
    if as_json:
        print_json({"panel": [_present(row) for row in rows], "origin": loaded.origins["panel"]})
    else:
        print_text(_as_table(rows, loaded.origins["panel"]))
    return 0


@panel.command()
def check(
    models: Ids = None,
    author: opt.Author = None,
    alternates: opt.Alternates = None,
    allow_same_family: opt.AllowSameFamily = False,
    local: opt.Local = False,
    as_json: opt.Json = False,
) -> int:
    """Look at families, twins, windows, prices, keys and hosts before use. Sends names and keys, spends no tokens.

    Exit status: 0 all that the panel needs is there; 2 an id would not be asked; 3 a key or an SDK is missing, or a key was refused; 4 a host does not answer, or does not list a model.
    """
    from dataclasses import asdict

    from claimjury.surfaces.cli.outputs import print_json, print_text
    from claimjury.surfaces.cli.panel_check import check_panel, panel_status

    flags = {
        "panel": None if models is None else models.split(","),
        "alternates": None if alternates is None else alternates.split(","),
        "author": author,
        "allow_same_family": allow_same_family or None,
    }
    found = check_panel(*_seating(flags, local=local))
    rows, status = [asdict(row) for row in found], panel_status(found)
    if as_json:
        print_json({"panel": [_present(row) for row in rows], "exit_status": status})
    else:
        print_text(_as_report(rows, status))
    return status


def _seating(flags: dict[str, Any], *, local: bool) -> tuple[Any, Any]:
    """Give what is reached, and who would sit by settings and flags."""
    import os

    from claimjury.jury.request import Seating
    from claimjury.settings.load import load_settings
    from claimjury.surfaces.cli.local import on_this_machine

    loaded = load_settings(os.environ).with_flags(flags)
    if local:
        loaded = on_this_machine(
            loaded,
            named=flags["panel"] is not None,
            alternates=flags["alternates"] is not None,
            dry_run=False,
        )
    chosen = loaded.settings
    seating = Seating(
        panel=chosen.panel,
        author=chosen.author,
        alternates=chosen.alternates,
        allow_same_family=chosen.allow_same_family,
    )
    return loaded.access, seating


def _present(row: dict[str, Any]) -> dict[str, Any]:
    return {name: cell for name, cell in row.items() if cell is not None and cell != ""}


def _rows(loaded: Any) -> list[dict[str, Any]]:
    from claimjury.jury.plan import juror_params
    from claimjury.jury.request import checked_seats
    from claimjury.models.traits import route_traits

    rows: list[dict[str, Any]] = []
    for model in checked_seats(loaded.settings.panel, loaded.access):
        route = loaded.access.route(model)
        traits = route_traits(route)
        asked = juror_params(route, traits, 1)
        rows.append(
            {
                "model": model,
                "family": route.family,
                "family_source": "settings" if route.own_family else None,
                "host": route.host.host,
                "sent_model": asked.sent_model,
                "window": traits.window,
                "think": asked.think,
            }
        )
    return rows


def _table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Any:
    from rich.table import Table
    from rich.text import Text

    from claimjury.text import clean_line

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for title in titles:
        table.add_column(title, overflow="fold")
    for row in rows:
        table.add_row(*(Text(clean_line(cell)) for cell in row))
    return table


def _as_table(rows: list[dict[str, Any]], origin: str) -> Any:
    from rich.console import Group
    from rich.text import Text

    from claimjury.surfaces.cli.panel_check import families_line
    from claimjury.text import clean_line

    cells = (
        (
            row["model"],
            row["family"],
            row["host"],
            row["sent_model"],
            _tokens(row["window"]),
            str(row["think"] or "no"),
        )
        for row in rows
    )
    table = _table(("model", "family", "served by", "as", "window", "thinks"), cells)
    return Group(table, Text(), Text(f"From: {clean_line(origin)}"), Text(families_line(rows)))


def _tokens(window: int | None) -> str:
    return f"{window:,}" if window else "unknown"


def _as_report(rows: list[dict[str, Any]], status: int) -> Any:
    from rich.console import Group
    from rich.text import Text

    from claimjury.surfaces.cli.panel_check import families_line
    from claimjury.text import clean_line

    lines = [Text(clean_line(line)) for row in rows for line in _block(row)]
    weak = families_line(rows)
    return Group(*lines, *([Text(weak)] if weak else []), Text(f"Exit status {status}."))


def _block(row: dict[str, Any]) -> Iterable[str]:
    """Give the lines of one model: nothing of an id or a host is cut for want of columns."""
    yield f"{row['model']} ({row['family']}){', an alternate' if row['seat'] == 'alternate' else ''}"
    yield f"  window  {_tokens(row['window'])} tokens; {_price(row)}"
    yield f"  key     {_key(row)}"
    yield f"  host    {_host(row)}"
    yield from (f"  note    {note}" for note in _notes(row))


def _price(row: dict[str, Any]) -> str:
    if row["usd_in"] is None or row["usd_out"] is None:
        return "its price is not known"
    return f"${row['usd_in']:g} in, ${row['usd_out']:g} out per million tokens by the price list"


def _key(row: dict[str, Any]) -> str:
    states = {
        "accepted": "the host takes it",
        "refused": "the host REFUSES it",
        "missing": "NOT SET",
        "not_needed": "none is needed",
        "not_sent": "set, and not sent to this host",
        "unknown": "set; the host did not say whether it takes it",
    }
    variable = "" if row["key_variable"] is None else f"{row['key_variable']}: "
    return f"{variable}{states.get(row['key'], row['key'])}"


def _host(row: dict[str, Any]) -> str:
    if not row["reachable"]:
        return f"{row['host']}: NOT REACHED. {row['trouble']}".rstrip()
    states = {True: "lists it", False: "does NOT LIST it", None: "gave no list"}
    return f"{row['host']} ({row['vendor']}) {states[row['listed']]}"


def _notes(row: dict[str, Any]) -> Iterable[str]:
    if row["excluded"]:
        yield f"it would not be asked. {row['excluded']}"
    if row["seat"] == "alternate":
        yield "it is asked only if a seat falls out."
    if row["family"] == "unknown":
        yield "its family is unknown, so it adds none to the count; your settings can say it ([families])."
    if row["family_source"]:
        yield "its family is the word of your settings."
    if row["install"]:
        yield f"its SDK is not installed: {row['install']}"
