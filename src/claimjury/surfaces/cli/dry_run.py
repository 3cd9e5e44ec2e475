"""`--dry-run`: every byte that would be sent, and where; no key, no connection."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final

from claimjury.jury.plan import Plan, refuse_without_sdks, seat_params
from claimjury.jury.prompt import PROMPT_VERSION
from claimjury.models.ollama.body import chat_body
from claimjury.models.providers import ProviderHost
from claimjury.models.routes import Route
from claimjury.models.traits import route_traits
from claimjury.report.wording import settlement_lines
from claimjury.surfaces.cli.display import Display
from claimjury.surfaces.cli.outputs import write_file
from claimjury.surfaces.cli.streams import emit
from claimjury.text import clean_line, safe_json, show_harmful

__all__ = ["show_plan"]

_PROMPTS: Final = ("messages", "system", "contents", "systemInstruction")

_NOTE: Final = (
    "Dry run: nothing was sent. The nonce is drawn anew for each run; thinking, output budget and a local "
    "model's context follow the live catalogue where it knows better, which is asked first, by GET and, for a model that no table knows, by its name. "
    "A reply that lacks votes is answered once with it and a correction."
)


_NOTHING: Final = "Dry run: no juror would be asked, so nothing would be sent."


def show_plan(plan: Plan, display: Display) -> int:
    """Print or write what a run would send. Always gives 0."""
    requests = _requests(plan)
    if display.output_format == "json":
        text = safe_json(_as_json(plan, requests)) + "\n"
    else:
        text = _text(plan, requests)
    if display.output is not None:
        write_file(display.output, text)
    elif display.output_format != "json" and sys.stdout is not None and sys.stdout.isatty():
        # Evidence may hold what would act on a terminal, so it is shown as escapes; a pipe gets it as it is.
        emit(show_harmful(text))
    else:
        emit(text)
    return 0


def _as_json(plan: Plan, requests: list[dict[str, Any]]) -> dict[str, Any]:
    settled = [row.to_json() for row in plan.settling.rows.values()] if plan.settling else []
    return {
        "dry_run": True,
        **({"settled": settled} if settled else {}),
        "prompt_version": PROMPT_VERSION,
        "prompt_bytes": plan.prompt.bytes,
        "warnings": [*plan.warnings, *_windows(plan)],
        "requests": requests,
    }


def _windows(plan: Plan) -> list[str]:
    """Say of which models nobody knows the window, as a run would; a catalogue may still know that of Ollama's."""
    vendors = [route for route in plan.sitting if isinstance(route.host, ProviderHost)]
    return [f"window_unknown:{route.model}" for route in vendors if route_traits(route).window is None]


def _requests(plan: Plan) -> list[dict[str, Any]]:
    """Give what each model would be sent first: the panel, then the alternates, which are asked only if a seat falls out."""
    asked = [*plan.sitting, *(plan.routes[model] for model in plan.request.alternates)]
    vendors = [route for route in asked if isinstance(route.host, ProviderHost)]
    made = _vendor_requests(plan, vendors) if vendors else {}
    return [made.get(route.model) or _ollama_request(plan, route) for route in asked]


def _ollama_request(plan: Plan, route: Route) -> dict[str, Any]:
    params = seat_params(plan, route, route_traits(route))
    body = chat_body(
        params.sent_model,
        [
            {"role": "system", "content": plan.prompt.system},
            {"role": "user", "content": plan.prompt.user},
        ],
        num_predict=params.num_predict,
        num_ctx=params.num_ctx,
        temperature=params.temperature,
        think=params.think,
    )
    return {"for": route.model, "url": f"{route.host.host}/api/chat", "body": body}


def _vendor_requests(plan: Plan, routes: Sequence[Route]) -> dict[str, dict[str, Any]]:
    """Let the vendors' SDKs make their requests, which a dry client takes in the place of the network."""
    import anyio

    from claimjury.jury.rehearsal import rehearse

    refuse_without_sdks(routes)
    return anyio.run(rehearse, plan, routes)


def _settled_lines(plan: Plan) -> Iterator[str]:
    """Say what came of each claim that goes to no juror."""
    for row in plan.settling.rows.values() if plan.settling else ():
        if row.verdict is not None:
            yield from settlement_lines(row)
        elif plan.settling is not None and plan.settling.only:
            yield f"Not settled: {clean_line(row.id)}: {clean_line(row.statement)}"
            yield f"  {clean_line(row.silent or '')}"


def _text(plan: Plan, requests: list[dict[str, Any]]) -> str:
    if not requests and plan.settling is not None:
        return "\n".join([_NOTHING, "", *_settled_lines(plan), ""])
    lines = [
        _NOTE,
        "",
        *(_settled_lines(plan)),
        *(f"Would send {row.line}." for row in plan.egress_lines()),
        *(f"Would not ask {model}: {bar.detail}" for model, bar in plan.barred.items()),
        *(f"Warning: {warning}" for warning in (*plan.warnings, *_windows(plan))),
        "",
    ]
    for request in requests:
        rest = {name: value for name, value in request["body"].items() if name not in _PROMPTS}
        standby = " (only if a seat falls out)" if request["for"] in plan.request.alternates else ""
        lines.append(f"POST {request['url']}  {json.dumps(rest)}{standby}")
    lines += ["", "--- system message, the same for all ---", plan.prompt.system]
    lines += ["--- user message, the same for all ---", plan.prompt.user]
    return "\n".join(lines)
