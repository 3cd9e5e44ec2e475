"""A host may answer anything at all; a run comes out of it with a result."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from claimjury import exit_status, verify_claims_sync
from claimjury.testing import Asked, Reply, ScriptedOllama, ballot
from jury.helpers import CLAIM, FIRST, TRIO, trio

statuses = st.sampled_from(
    [200, 201, 204, 301, 307, 400, 401, 402, 403, 404, 408, 410, 413, 429, 451, 500, 503, 599]
)
header_names = st.sampled_from(
    ["Content-Type", "Retry-After", "Location", "X-Any", "Set-Cookie", "Content-Encoding", "Content-Language"]
)
header_values = st.one_of(
    st.sampled_from(
        ["0", "-5", "1e400", "nan", "gzip", "br", "text/html", "application/json; charset=utf-16", "http://["]
    ),
    st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=20),
)
bodies = st.one_of(
    st.binary(max_size=300),
    st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")),
    st.sampled_from(
        [
            b'{"error": {"message": {"deep": 1}}}',
            b'{"error": null}',
            b'{"done": true}',
            b'{"done": true, "message": null, "model": 7}',
            b'{"done": true, "message": {"content": null}, "model": "deepseek-v4-pro"}',
            b'{"done": true, "message": {"content": "{}"}, "model": "deepseek-v4-pro", "prompt_eval_count": -4}',
            b'{"done": true, "message": {"content": "{}"}, "model": "deepseek-v4-pro", "prompt_eval_count": 1e999}',
            b'{"done": "true"}',
            b'{"StatusCode": 502, "Status": "502", "error": "x"}',
            b"[" * 100_000,
            b'{"a":' * 50_000,
            b"9" * 10_000,
            b"\xff\xfe{\x00}\x00",
            b"null",
        ]
    ),
)


class Host:
    """One server for all examples, whose answer each example sets."""

    def __init__(self) -> None:
        self.reply = Reply()

    def answer(self, _asked: Asked) -> Reply:
        return self.reply


@pytest.fixture(scope="module")
def host() -> Iterator[tuple[Host, ScriptedOllama]]:
    host = Host()
    with ScriptedOllama(trio(host.answer)) as server:
        yield host, server


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(statuses, st.dictionaries(header_names, header_values, max_size=3), bodies)
def test_no_status_headers_or_body_make_a_run_raise(
    host: tuple[Host, ScriptedOllama], status: int, headers: dict[str, str], body: bytes
) -> None:
    scripted, server = host
    scripted.reply = Reply(status=status, headers=headers, body=b"" if status in (204, 304) else body)
    result = verify_claims_sync([CLAIM], cloud=server.cloud)
    assert result.panel[0].model == FIRST
    assert result.panel[0].included or result.panel[0].exclude_reason
    assert result.claims[0].confirm_votes == len(TRIO) - 1
    assert exit_status(result) == 20


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=400))
def test_no_words_of_a_juror_make_a_run_raise(host: tuple[Host, ScriptedOllama], words: str) -> None:
    scripted, server = host
    scripted.reply = Reply(content=words.encode("utf-8", "replace").decode())
    result = verify_claims_sync([CLAIM], cloud=server.cloud)
    assert result.panel[0].exclude_reason == "no_valid_verdicts"


def test_the_synchronous_twin_refuses_to_run_inside_a_loop_and_says_what_to_do() -> None:
    import asyncio

    async def inside() -> None:
        verify_claims_sync([CLAIM])

    with pytest.raises(RuntimeError, match=r"await verify_claims\(\.\.\.\)"):
        asyncio.run(inside())


async def test_both_twins_give_the_same_result_and_take_the_same_arguments() -> None:
    import asyncio
    import inspect

    from claimjury import verify_claims

    with ScriptedOllama(trio(Reply(content=ballot({"c1": "REFUTED"})))) as server:
        waited = await verify_claims([CLAIM], cloud=server.cloud)
        called = await asyncio.to_thread(verify_claims_sync, [CLAIM], cloud=server.cloud)

    def lasting(result: object) -> object:
        shown = result.to_json()  # type: ignore[attr-defined]
        changing = {"run_id", "elapsed_ms", "params", "tokens_out"}
        shown["panel"] = [{**seat, "elapsed_ms": 0} for seat in shown["panel"]]
        return {name: value for name, value in shown.items() if name not in changing}

    assert lasting(waited) == lasting(called)
    assert inspect.signature(verify_claims) == inspect.signature(verify_claims_sync)
