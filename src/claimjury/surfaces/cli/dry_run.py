"""`--dry-run`: every byte that would be sent, and where; no key, no connection."""

from __future__ import annotations

import json
import sys
from typing import Any, Final

from claimjury.jury.plan import Plan, juror_params
from claimjury.jury.prompt import PROMPT_VERSION
from claimjury.models.traits import traits_of
from claimjury.surfaces.cli.outputs import print_json, reader_may_leave, write_file
from claimjury.surfaces.cli.running import Display
from claimjury.text import clean, safe_json

__all__ = ["show_plan"]

_NOTE: Final = (
    "Dry run: nothing was sent. The nonce is drawn anew for each run; thinking and output budget follow the live "
    "catalogue where it knows better. A reply that lacks votes is answered once with it and a correction."
)


def show_plan(plan: Plan, display: Display) -> int:
    """Print or write what a run would send. Always gives 0."""
    requests = [_request(plan, model) for model in plan.request.panel]
    if display.output_format == "json":
        value = {
            "dry_run": True,
            "prompt_version": PROMPT_VERSION,
            "prompt_bytes": plan.prompt.bytes,
            "warnings": list(plan.warnings),
            "requests": requests,
        }
        if display.output is None:
            with reader_may_leave():
                print_json(value)
        else:
            write_file(display.output, safe_json(value) + "\n")
        return 0
    text = _text(plan, requests)
    if display.output is not None:
        write_file(display.output, text)
    else:
        # Evidence may hold what would act on a terminal; a pipe gets it as it is.
        with reader_may_leave():
            sys.stdout.write(clean(text) if sys.stdout.isatty() else text)
            sys.stdout.flush()
    return 0


def _request(plan: Plan, model: str) -> dict[str, Any]:
    """Give the body as the adapter would make it, without importing the adapter's libraries."""
    params = juror_params(model, traits_of(model), len(plan.request.claims))
    options: dict[str, Any] = {} if params.temperature is None else {"temperature": params.temperature}
    body: dict[str, Any] = {
        "model": params.sent_model,
        "messages": [
            {"role": "system", "content": plan.prompt.system},
            {"role": "user", "content": plan.prompt.user},
        ],
        "stream": True,
        "options": {**options, "num_predict": params.num_predict},
    }
    if params.think is not None:
        body["think"] = params.think
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
