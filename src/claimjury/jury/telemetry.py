"""Telemetry: a span for a run and for each seat, and an event for each verdict. Without an OpenTelemetry SDK, nothing.

Names are those of OpenTelemetry's conventions for generative AI (semantic-conventions-genai, in development), as of
November 2026, and of our own where they have none. No claim, rationale or id is recorded unless
`OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` asks for content.
"""

from __future__ import annotations

import os
from typing import Final
from urllib.parse import urlsplit

from opentelemetry import context, trace
from opentelemetry._logs import LogRecord, SeverityNumber, get_logger
from opentelemetry.trace import Span, SpanKind, Status, StatusCode

from claimjury.jury.events import Event, RunEnded, RunPlanned, SeatAsked, SeatEnded
from claimjury.jury.result import ClaimResult, SeatResult, VerifyResult

__all__ = ["CONTENT_VARIABLE", "EVALUATION_EVENT", "EVALUATION_NAME", "RUN_SPAN", "Telemetry"]

CONTENT_VARIABLE: Final = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
EVALUATION_EVENT: Final = "gen_ai.evaluation.result"
EVALUATION_NAME: Final = "claimjury.verdict"
RUN_SPAN: Final = "claimjury.verify"
_SCOPE: Final = "claimjury"
Attribute = str | bool | int | float | tuple[str, ...]


class Telemetry:
    """Hears the events of one run and tells them as spans and events, below the span that is current when it is made."""

    def __init__(self) -> None:
        self._tracer = trace.get_tracer(_SCOPE)
        self._parent = context.get_current()
        self._run: Span | None = None
        self._seats: dict[str, Span] = {}
        self._places: dict[str, str] = {}
        self._content = os.environ.get(CONTENT_VARIABLE, "").strip().casefold() in ("true", "1")

    def record(self, event: Event, /) -> None:
        """Take one event."""
        match event:
            case RunPlanned():
                self._begin(event)
            case SeatAsked():
                self._seats[event.model] = self._tracer.start_span(
                    f"chat {event.model}", context=self._context, kind=SpanKind.CLIENT
                )
            case SeatEnded():
                self._end_seat(event.seat)
            case RunEnded():
                self._end(event.result)
            case _:
                pass

    def close(self) -> None:
        """End what is open: a run that raised."""
        for span in (*self._seats.values(), *([self._run] if self._run else [])):
            span.set_status(Status(StatusCode.ERROR))
            span.end()
        self._seats, self._run = {}, None

    @property
    def _context(self) -> context.Context:
        return self._parent if self._run is None else trace.set_span_in_context(self._run, self._parent)

    def _begin(self, event: RunPlanned) -> None:
        request = event.plan.request
        self._places = {claim.id: f"#{place}" for place, claim in enumerate(event.plan.claims, start=1)}
        self._run = self._tracer.start_span(RUN_SPAN, context=self._parent)
        _set(
            self._run,
            {
                "claimjury.run.id": event.run_id,
                "claimjury.panel": request.panel,
                "claimjury.claims": len(event.plan.claims),
                "claimjury.min_refute_votes": request.min_refute_votes,
            },
        )

    def _end_seat(self, seat: SeatResult) -> None:
        span = self._seats.pop(seat.model, None) or self._tracer.start_span(
            f"chat {seat.model}", context=self._context, kind=SpanKind.CLIENT
        )
        usage, reason = seat.usage, seat.exclude_reason
        _set(
            span,
            {
                "gen_ai.operation.name": "chat",
                "gen_ai.provider.name": seat.provider,
                "gen_ai.request.model": seat.model,
                "gen_ai.response.model": seat.served_model,
                "gen_ai.response.id": seat.request_id,
                "gen_ai.usage.input_tokens": usage.tokens_in if usage else None,
                "gen_ai.usage.output_tokens": usage.tokens_out if usage else None,
                "server.address": urlsplit(seat.host).hostname,
                "error.type": _error_type(reason),
                "claimjury.family": seat.family,
                "claimjury.included": seat.included,
                "claimjury.attempts": seat.attempts,
            },
        )
        if reason is not None and reason.startswith("call_failed:"):
            span.set_status(Status(StatusCode.ERROR, reason))
        span.end()

    def _end(self, result: VerifyResult) -> None:
        if self._run is None:
            return
        logger = get_logger(_SCOPE)
        for claim in result.claims:
            logger.emit(
                LogRecord(
                    context=self._context,
                    severity_number=SeverityNumber.INFO,
                    event_name=EVALUATION_EVENT,
                    attributes=_present(self._evaluation(claim)),
                )
            )
        _set(self._run, {"claimjury.status": result.status, "claimjury.weak": result.weak})
        self._run.end()
        self._run = None

    def _evaluation(self, claim: ClaimResult) -> dict[str, Attribute | None]:
        said = [f"{vote.verdict} by {vote.model}: {vote.rationale}" for vote in claim.jurors]
        return {
            "gen_ai.evaluation.name": EVALUATION_NAME,
            "gen_ai.evaluation.score.label": claim.verdict,
            "gen_ai.evaluation.explanation": "\n".join(said) if self._content else None,
            "claimjury.claim.id": claim.id if self._content else self._places.get(claim.id),
            "claimjury.claim.statement": claim.statement if self._content else None,
            "claimjury.confirm_votes": claim.confirm_votes,
            "claimjury.refute_votes": claim.refute_votes,
            "claimjury.uncertain_votes": claim.uncertain_votes,
            "claimjury.standing": claim.standing.grade if claim.standing else None,
            "claimjury.weak": claim.weak,
        }


def _error_type(reason: str | None) -> str | None:
    """Give a reason of few values: what a host called itself would make as many as there are names."""
    if reason is None or reason.startswith("call_failed:"):
        return reason
    return reason.partition(":")[0]


def _present(attributes: dict[str, Attribute | None]) -> dict[str, Attribute]:
    return {name: value for name, value in attributes.items() if value is not None}


def _set(span: Span, attributes: dict[str, Attribute | None]) -> None:
    span.set_attributes(_present(attributes))
