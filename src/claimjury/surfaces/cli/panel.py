"""`claimjury panel`: who would sit, of which family, and where each is served. Opens no connection."""

from __future__ import annotations

from typing import Any

from claimjury.surfaces.cli import options as opt

__all__ = ["panel"]


def panel(models: opt.Panel = None, as_json: opt.Json = False) -> int:
    """Show the panel with the family of each model, where it is served, and what is known of it. Asks nobody.

    Exit status: 0, or 2 where an id cannot sit.
    """
    import os

    from claimjury.settings.load import load_settings
    from claimjury.surfaces.cli.outputs import print_json, print_text

    loaded = load_settings(os.environ).with_flags({"panel": None if models is None else models.split(",")})
    rows = _rows(loaded)
    if as_json:
        print_json(
            {
                "panel": [{name: cell for name, cell in row.items() if cell is not None} for row in rows],
                "origin": loaded.origins["panel"],
            }
        )
    else:
        print_text(_as_table(rows, loaded.origins["panel"]))
    return 0


def _rows(loaded: Any) -> list[dict[str, Any]]:
    from claimjury.jury.plan import juror_params
    from claimjury.jury.request import checked_seats
    from claimjury.models.families import family_of
    from claimjury.models.traits import traits_of

    rows: list[dict[str, Any]] = []
    for model in checked_seats(loaded.settings.panel):
        traits = traits_of(model)
        asked = juror_params(model, traits, 1)
        rows.append(
            {
                "model": model,
                "family": family_of(model),
                "host": loaded.cloud.host,
                "sent_model": asked.sent_model,
                "window": traits.window,
                "think": asked.think,
            }
        )
    return rows


def _as_table(rows: list[dict[str, Any]], origin: str) -> Any:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from claimjury.models.families import UNKNOWN
    from claimjury.text import clean_line

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for title in ("model", "family", "served by", "as", "window", "thinks"):
        table.add_column(title)
    for row in rows:
        window = f"{row['window']:,}" if row["window"] else "unknown"
        cells = (
            row["model"],
            row["family"],
            row["host"],
            row["sent_model"],
            window,
            str(row["think"] or "no"),
        )
        table.add_row(*(Text(clean_line(str(cell))) for cell in cells))
    known = {row["family"] for row in rows} - {UNKNOWN}
    weak = (
        Text("Fewer than 2 known vendor families: every verdict will be weak.") if len(known) < 2 else Text()
    )
    return Group(table, Text(), Text(f"From: {clean_line(origin)}"), weak)
