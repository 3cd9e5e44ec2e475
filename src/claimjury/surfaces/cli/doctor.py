"""`claimjury doctor`: is everything there that a run needs? Spends no tokens and sends no evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from claimjury.surfaces.cli import options as opt

if TYPE_CHECKING:
    from claimjury.models.ollama.health import Health, ModelHealth

__all__ = ["doctor"]

_MAX_SKEW_S: Final = 60.0
_MEANINGS: Final = {
    "401": "the key was refused: make a new one and export it",
    "402": "the model is billed as extra usage, and the balance does not cover it",
    "403": "the plan of the key does not serve the model: name another, or raise the plan",
    "404": "no such id: check its spelling against the catalogue",
    "410": "the model was retired: name another; a suggested successor may be another vendor's",
}
_KEYS: Final = {
    "accepted": "the host takes it (checked with an empty request, which costs nothing)",
    "refused": "the host refuses it (401): make a new one at https://ollama.com/settings/keys",
    "missing": "OLLAMA_API_KEY is not set: make one at https://ollama.com/settings/keys and export it",
    "not_sent": "set, but not for this host: the key goes to Ollama's own host and to trusted_hosts of your settings",
    "unknown": "set; the host did not say whether it takes it",
}


def doctor(panel: opt.Panel = None, as_json: opt.Json = False) -> int:
    """Check key, host, clock and every model of the panel, without sending evidence or spending tokens.

    Exit status: 0 all that a run needs is there; 3 no key, or it was refused; 4 the host or the whole panel cannot be reached; 2 a setting is wrong.
    """
    import os

    import anyio

    from claimjury.settings.load import load_settings
    from claimjury.surfaces.cli.outputs import print_json, print_text

    loaded = load_settings(os.environ).with_flags({"panel": None if panel is None else panel.split(",")})
    health = anyio.run(_examine, loaded.access, list(loaded.settings.panel))
    status = _status(health)
    if as_json:
        print_json({**_as_json(health), "exit_status": status})
    else:
        print_text(_as_report(health, status))
    return status


async def _examine(access: Any, panel: list[str]) -> Health:
    """Look at Ollama's host and its models; those of other vendors are looked at by `panel check`."""
    from claimjury.jury.request import checked_seats
    from claimjury.models.clients import EgressMeter
    from claimjury.models.ollama.client import open_client
    from claimjury.models.ollama.health import examine

    seats = checked_seats(panel, access)
    own = [model for model in seats if access.route(model).host.host == access.cloud.host]
    async with open_client(access.cloud, EgressMeter()) as client:
        return await examine(client, access.cloud, own)


def _status(health: Health) -> int:
    if health.key in ("missing", "refused"):
        return 3
    nobody = bool(health.models) and all(model.listed is False for model in health.models)
    return 4 if nobody or not health.reachable else 0


def _as_json(health: Health) -> dict[str, Any]:
    from dataclasses import asdict

    rows = asdict(health)
    rows["clock_skew_s"] = None if health.clock_skew_s is None else round(health.clock_skew_s)
    return {"health": _present(rows)}


def _present(value: Any) -> Any:
    """Leave out what does not apply, at every depth."""
    if isinstance(value, dict):
        return {name: _present(item) for name, item in value.items() if item is not None and item != ""}
    return [_present(item) for item in value] if isinstance(value, (list, tuple)) else value


def _as_report(health: Health, status: int) -> Any:
    from rich.console import Group
    from rich.text import Text

    from claimjury.text import clean_line

    lines = [
        f"Host      {health.host}: {'answers' if health.reachable else 'NOT REACHED. ' + clean_line(health.trouble)}",
        f"Key       {_KEYS[health.key]}",
        f"Clock     {_clock(health.clock_skew_s)}",
        f"Plan      {_plan(health)}",
        *(f"Juror     {_model(model)}" for model in health.models),
        *_families(health),
        "",
        "What an excluded seat's status means here:",
        *(f"  {code}  {meaning}" for code, meaning in _MEANINGS.items()),
        "",
        f"Exit status {status}.",
    ]
    return Group(*map(Text, lines))


def _clock(skew_s: float | None) -> str:
    if skew_s is None:
        return "the host did not say its time"
    if abs(skew_s) <= _MAX_SKEW_S:
        return "agrees with the host's"
    return f"{abs(skew_s):,.0f} s {'ahead of' if skew_s > 0 else 'behind'} the host's: certificates and limits may fail"


def _plan(health: Health) -> str:
    if health.plan is None:
        return "the host did not say it; Free lets 1 call run at once, Pro 3, Max 10"
    seats = len(health.models)
    slots = "an unknown number of" if health.slots is None else str(health.slots)
    waits = health.slots is not None and health.slots < seats
    return f"{health.plan}: {slots} call(s) at once, {seats} seat(s){'; seats will wait in line' if waits else ''}"


def _model(model: ModelHealth) -> str:
    from claimjury.models.families import family_of
    from claimjury.text import clean_line

    window = f"{model.traits.window:,} tokens" if model.traits.window else "window unknown, 32,768 assumed"
    if model.listed is None:
        state = "the host gave no catalogue"
    elif model.listed:
        state = "listed (which proves no plan)"
    else:
        close = ", ".join(map(clean_line, model.close))
        state = f"NOT LISTED{f'; close: {close}' if close else ''}"
    return f"{model.model} ({family_of(model.model)}): {state}; {window}"


def _families(health: Health) -> list[str]:
    from claimjury.models.families import known_families

    known = known_families([model.model for model in health.models])
    if not health.models or len(known) >= 2:
        return []
    return ["Families  fewer than 2 known vendor families: every verdict will be weak"]
