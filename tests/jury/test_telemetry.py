"""Telemetry: what an OpenTelemetry SDK sees of a run, and that it sees no content unless it is asked for."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from opentelemetry import _logs, trace
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from claimjury import verify_claims
from claimjury.jury.telemetry import CONTENT_VARIABLE, EVALUATION_EVENT, EVALUATION_NAME, RUN_SPAN
from claimjury.testing import Reply, ScriptedOllama
from jury.helpers import CONFIRM, FIRST, TRIO, trio

SECRET = "The launch code is 0000."


class Seen:
    def __init__(self) -> None:
        self.spans = InMemorySpanExporter()
        self.logs = InMemoryLogRecordExporter()  # type: ignore[no-untyped-call]

    def named(self, name: str) -> Any:
        return next(span for span in self.spans.get_finished_spans() if span.name == name)

    @property
    def events(self) -> list[Any]:
        return [row.log_record for row in self.logs.get_finished_logs()]

    @property
    def text(self) -> str:
        spans = [(span.name, dict(span.attributes or {})) for span in self.spans.get_finished_spans()]
        return repr(spans) + repr([dict(event.attributes or {}) for event in self.events])


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Seen]:
    """Put a fresh SDK in the place of the global one, which can be set but once in a process."""
    seen = Seen()
    tracers, loggers = TracerProvider(), LoggerProvider()
    tracers.add_span_processor(SimpleSpanProcessor(seen.spans))
    loggers.add_log_record_processor(SimpleLogRecordProcessor(seen.logs))
    monkeypatch.setattr(trace, "get_tracer", tracers.get_tracer)
    monkeypatch.setattr("claimjury.jury.telemetry.get_logger", loggers.get_logger)
    yield seen
    tracers.shutdown()
    loggers.shutdown()


async def run(**options: Any) -> Any:
    with ScriptedOllama(options.pop("scripts", trio(CONFIRM))) as server:
        return await verify_claims([SECRET], cloud=server.cloud, **options)


async def test_a_run_and_each_seat_are_spans_and_each_verdict_is_an_evaluation_event(seen: Seen) -> None:
    result = await run()
    whole, seat = seen.named(RUN_SPAN), seen.named(f"chat {FIRST}")
    assert len(seen.spans.get_finished_spans()) == 1 + len(TRIO)
    assert seat.parent.span_id == whole.context.span_id
    assert whole.attributes["claimjury.run.id"] == result.run_id
    assert dict(seat.attributes)["gen_ai.request.model"] == FIRST
    assert dict(seat.attributes)["gen_ai.usage.input_tokens"] == result.panel[0].usage.tokens_in
    (event,) = seen.events
    assert event.event_name == EVALUATION_EVENT
    assert event.attributes["gen_ai.evaluation.name"] == EVALUATION_NAME
    assert event.attributes["gen_ai.evaluation.score.label"] == "CONFIRMED"
    assert (event.trace_id, event.span_id) == (whole.context.trace_id, whole.context.span_id)


async def test_no_content_is_recorded_unless_it_is_asked_for(
    seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    await run()
    assert "0000" not in seen.text
    assert "evidence decides" not in seen.text
    assert seen.events[0].attributes["claimjury.claim.id"] == "#1"
    monkeypatch.setenv(CONTENT_VARIABLE, "true")
    await run()
    assert seen.events[1].attributes["claimjury.claim.statement"] == SECRET
    assert "CONFIRMED by deepseek-v4-pro:cloud" in seen.events[1].attributes["gen_ai.evaluation.explanation"]


async def test_a_seat_that_fell_out_says_why_and_a_failed_call_is_an_error(seen: Seen) -> None:
    await run(scripts={**trio(CONFIRM), FIRST: [Reply(status=401, error="no")]})
    seat = seen.named(f"chat {FIRST}")
    assert seat.attributes["error.type"] == "call_failed:AUTH_FAILED"
    assert seat.status.status_code is trace.StatusCode.ERROR


async def test_a_run_below_a_span_of_the_callers_is_part_of_its_trace(seen: Seen) -> None:
    tracer = trace.get_tracer("caller")
    with tracer.start_as_current_span("agent turn") as turn:
        await run()
    assert seen.named(RUN_SPAN).parent.span_id == turn.get_span_context().span_id


async def test_a_run_that_is_refused_leaves_no_open_span(seen: Seen) -> None:
    from claimjury.errors import BudgetExceeded

    with pytest.raises(BudgetExceeded):
        await run(max_tokens=10)
    assert seen.spans.get_finished_spans() == ()


def test_without_an_sdk_a_run_works_and_imports_none() -> None:
    assert _logs is not None
    code = (
        "import sys, claimjury\n"
        "from claimjury.testing import Reply, ScriptedOllama, ballot\n"
        "reply = Reply(content=ballot({'c1': 'CONFIRMED'}))\n"
        "with ScriptedOllama(dict.fromkeys(claimjury.DEFAULT_PANEL, [reply])) as server:\n"
        "    result = claimjury.verify_claims_sync(['It ends.'], cloud=server.cloud)\n"
        "assert result.claims[0].confirm_votes == 3\n"
        "assert 'opentelemetry.sdk' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
