"""`--dry-run`: every byte that would be sent, and where; no key, no connection."""

from __future__ import annotations

import json
import sys
from typing import Any, Final

from claimjury.jury.plan import Plan, juror_params
from claimjury.jury.prompt import PROMPT_VERSION
from claimjury.models.ollama.body import chat_body
from claimjury.models.traits import traits_of
from claimjury.surfaces.cli.display import Display
from claimjury.surfaces.cli.outputs import write_file
from claimjury.surfaces.cli.streams import emit
from claimjury.text import safe_json, show_harmful

__all__ = ["show_plan"]

_NOTE: Final = (
    "Dry run: nothing was sent. The nonce is drawn anew for each run; thinking and output budget follow the live "
    "catalogue where it knows better, which is asked first, by GET and, for a model that no table knows, by its name. "
    "A reply that lacks votes is answered once with it and a correction."
)


def show_plan(plan: Plan, display: Display) -> int:
    """Print or write what a run would send. Always gives 0."""
    requests = [_request(plan, model) for model in plan.request.panel]
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
    return {
        "dry_run": True,
        "prompt_version": PROMPT_VERSION,
        "prompt_bytes": plan.prompt.bytes,
        "warnings": list(plan.warnings),
        "requests": requests,
    }


def _request(plan: Plan, model: str) -> dict[str, Any]:
    params = juror_params(model, traits_of(model), len(plan.request.claims))
    body = chat_body(
        params.sent_model,
        [("system", plan.prompt.system), ("user", plan.prompt.user)],
        num_predict=params.num_predict,
        temperature=params.temperature,
        think=params.think,
    )
    return {"for": model, "url": f"{plan.cloud.host}/api/chat", "body": body}


def _text(plan: Plan, requests: list[dict[str, Any]]) -> str:
    lines = [
        _NOTE,
        "",
        f"Would send {plan.egress_line}.",
        *(f"Warning: {warning}" for warning in plan.warnings),
        "",
    ]
    for request in requests:
        rest = {name: value for name, value in request["body"].items() if name != "messages"}
        lines.append(f"POST {request['url']}  {json.dumps(rest)}")
    lines += ["", "--- system message, the same for all ---", plan.prompt.system]
    lines += ["--- user message, the same for all ---", plan.prompt.user]
    return "\n".join(lines)
