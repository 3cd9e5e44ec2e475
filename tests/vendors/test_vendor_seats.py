"""Seats at vendors' own hosts, through pydantic-ai and the vendors' real SDKs, over real HTTP."""

from __future__ import annotations

import json
from typing import Any

import pytest

from claimjury import verify_claims
from claimjury.errors import CloudNotConfigured
from claimjury.models.providers import PROVIDERS
from claimjury.models.routes import Access
from claimjury.testing import ScriptedOllama
from jury.helpers import CLAIM, CONFIRM, FIRST, trio
from vendors.vendor_host import KEY, Say, Script, VendorHost

CONFIRMED = Say(votes={"c1": "CONFIRMED"})
OPENAI, CLAUDE, GEMINI = "openai/gpt-5.2", "anthropic/claude-opus-5", "google/gemini-2.5-flash"
PANEL = (OPENAI, CLAUDE, GEMINI)
EVERY = {
    "openai": "openai/gpt-5.2",
    "anthropic": "anthropic/claude-opus-5",
    "google": "google/gemini-2.5-flash",
    "mistral": "mistral/mistral-large-2512",
    "groq": "groq/llama-3.3-70b-versatile",
    "openrouter": "openrouter/x-ai/grok-4",
}


def named(model: str) -> str:
    return model.split("/", 1)[1]


def scripts(*models: str, say: Script = CONFIRMED) -> dict[str, Script]:
    return {named(model): say for model in models}


async def ask(
    scripted: dict[str, Script], *, panel: tuple[str, ...] = PANEL, **options: Any
) -> tuple[Any, VendorHost]:
    with VendorHost(scripted) as host:
        result = await verify_claims([CLAIM], panel=panel, access=host.access(), **options)
    return result, host


async def test_a_panel_of_three_vendors_own_hosts_votes() -> None:
    result, host = await ask(scripts(*PANEL))
    assert [claim.verdict for claim in result.claims] == ["CONFIRMED"]
    assert [(seat.family, seat.provider, seat.included) for seat in result.panel] == [
        ("openai", "openai", True),
        ("anthropic", "anthropic", True),
        ("google", "google", True),
    ]
    assert [seat.served_model for seat in result.panel] == [named(model) for model in PANEL]
    assert not result.weak
    assert {heard.path.partition("?")[0] for heard in host.heard} == {
        "/v1/chat/completions",
        "/v1/messages",
        "/v1beta/models/gemini-2.5-flash:generateContent",
    }


@pytest.mark.parametrize("provider", EVERY)
async def test_every_provider_of_the_table_can_sit(provider: str) -> None:
    model = EVERY[provider]
    result, host = await ask(scripts(model), panel=(model,))
    seat = result.panel[0]
    assert (seat.included, seat.provider, seat.attempts) == (True, provider, 1)
    assert seat.usage is not None
    assert seat.usage.tokens_in == len(host.heard[0].raw) // 4
    assert (seat.host, len(host.heard)) == (host.url, 1)
    assert set(EVERY) == set(PROVIDERS)


async def test_a_mixed_panel_of_ollama_and_vendors_votes_and_says_what_left_for_each_host() -> None:
    with ScriptedOllama(trio(CONFIRM)) as ollama, VendorHost(scripts(OPENAI, CLAUDE)) as host:
        access = host.access(cloud=ollama.trusted_cloud)
        result = await verify_claims([CLAIM], panel=[FIRST, OPENAI, CLAUDE], access=access)
    assert result.claims[0].confirm_votes == 3
    rows = {row.host: row.bytes for row in result.egress}
    assert set(rows) == {ollama.url, host.url}
    assert rows[host.url] == sum(len(heard.raw) for heard in host.heard)


@pytest.mark.parametrize("provider", EVERY)
@pytest.mark.parametrize(
    ("served", "reason"), [("other-1", "served_model_mismatch:other-1"), ("", "served_model_unknown")]
)
async def test_another_model_or_none_named_excludes_the_seat_at_every_provider(
    provider: str, served: str, reason: str
) -> None:
    model = EVERY[provider]
    say = Say(votes={"c1": "CONFIRMED"}, served=served)
    result, _ = await ask(scripts(model, say=say), panel=(model,))
    assert result.panel[0].exclude_reason == reason
    assert result.claims[0].confirm_votes == 0


@pytest.mark.parametrize(
    ("model", "served"),
    [
        ("openai/gpt-4o", "gpt-4o-2024-08-06"),
        ("openai/gpt-4", "gpt-4-0613"),
        ("anthropic/claude-sonnet-4-5", "claude-sonnet-4-5-20250929"),
        ("anthropic/claude-3-7-sonnet-latest", "claude-3-7-sonnet-20250219"),
        ("anthropic/claude-sonnet-4-0", "claude-sonnet-4-20250514"),
        ("google/gemini-2.0-flash", "models/gemini-2.0-flash-001"),
        ("mistral/mistral-large-latest", "mistral-large-2512"),
        ("openrouter/openai/gpt-5-mini", "openai/gpt-5-mini-2025-08-07"),
        ("openrouter/anthropic/claude-sonnet-4.5", "anthropic/claude-4.5-sonnet-20250929"),
    ],
)
@pytest.mark.filterwarnings("ignore:The model .* is deprecated")
async def test_a_vendors_documented_dated_snapshot_counts_as_the_model(model: str, served: str) -> None:
    say = Say(votes={"c1": "CONFIRMED"}, served=served)
    result, _ = await ask(scripts(model, say=say), panel=(model,))
    assert (result.panel[0].included, result.panel[0].served_model) == (True, served)


@pytest.mark.parametrize(
    ("model", "served"),
    [
        ("openai/gpt-4o", "gpt-4o-mini"),
        ("openai/gpt-4o", "gpt-4o-mini-2024-07-18"),
        ("openai/gpt-4o", "gpt-4o-0806"),
        ("openai/gpt-5.2", "gpt-5.2-20251211"),
        ("anthropic/claude-sonnet-4-5", "claude-sonnet-4-20250514"),
        ("anthropic/claude-opus-4-5", "claude-sonnet-4-5-20250929"),
        ("google/gemini-2.5-flash", "gemini-2.5-flash-lite"),
        ("google/gemini-flash-latest", "gemini-3.6-flash"),
        ("mistral/mistral-large-latest", "mistral-medium-2508"),
        ("groq/llama-3.3-70b-versatile", "llama-3.3-70b-versatile-2025-01-01"),
        ("openrouter/anthropic/claude-sonnet-4.5", "anthropic/claude-4.5-haiku-20251001"),
    ],
)
@pytest.mark.filterwarnings("ignore:The model .* is deprecated")
async def test_what_no_vendor_documents_is_another_model(model: str, served: str) -> None:
    say = Say(votes={"c1": "CONFIRMED"}, served=served)
    result, _ = await ask(scripts(model, say=say), panel=(model,))
    assert result.panel[0].exclude_reason == f"served_model_mismatch:{served}"


async def test_host_request_id_and_fingerprint_are_on_the_seat() -> None:
    say = Say(
        votes={"c1": "CONFIRMED"},
        headers={"x-request-id": "req-77"},
        fields={"system_fingerprint": "fp_abc"},
    )
    claude = Say(votes={"c1": "CONFIRMED"}, headers={"request-id": "req_011"})
    result, host = await ask({**scripts(OPENAI, say=say), **scripts(CLAUDE, say=claude), **scripts(GEMINI)})
    said = [(seat.host, seat.request_id, seat.fingerprint) for seat in result.panel]
    assert said == [(host.url, "req-77", "fp_abc"), (host.url, "req_011", None), (host.url, "resp-1", None)]


async def test_a_reply_that_is_cut_at_the_limit_says_so_and_its_votes_count() -> None:
    say = Say(votes={"c1": "CONFIRMED"}, finish="length")
    for model in PANEL:
        result, _ = await ask(scripts(model, say=say), panel=(model,), reask=False)
        assert (result.panel[0].included, result.panel[0].truncated) == (True, True)


async def test_a_host_that_counts_no_tokens_is_kept_with_a_warning() -> None:
    for model in (OPENAI, GEMINI):
        say = Say(votes={"c1": "CONFIRMED"}, tokens=())
        result, _ = await ask(scripts(model, say=say), panel=(model,))
        assert result.panel[0].usage is None
        assert f"prompt_tokens_unknown:{model}" in result.warnings


@pytest.mark.parametrize(
    ("model", "usage"),
    [
        (CLAUDE, {"usage": {"output_tokens": 9}}),
        (GEMINI, {"usageMetadata": {"promptTokenCount": 9_000}}),
        (GEMINI, {"usageMetadata": {}}),
    ],
)
@pytest.mark.filterwarnings("ignore:Failed to extract usage")
async def test_a_count_that_is_missing_is_unknown_and_never_read_as_none(
    model: str, usage: dict[str, Any]
) -> None:
    say = Say(votes={"c1": "CONFIRMED"}, fields=usage)
    result, _ = await ask(scripts(model, say=say), panel=(model,))
    seat = result.panel[0]
    assert (seat.included, seat.usage, seat.cost_usd, seat.cost_source) == (True, None, None, "unknown")


async def test_a_host_that_counts_far_too_few_tokens_has_not_seen_the_evidence() -> None:
    say = Say(votes={"c1": "CONFIRMED"}, tokens=(20, 5))
    result, _ = await ask(scripts(OPENAI, say=say), panel=(OPENAI,))
    assert result.panel[0].exclude_reason == "evidence_not_seen"


async def test_a_seat_is_asked_once_more_for_what_its_ballot_lacks() -> None:
    first = Say(votes={"c1": "CONFIRMED"})
    second = Say(votes={"c2": "REFUTED"})
    for model in PANEL:
        with VendorHost(scripts(model, say=[first, second])) as host:
            result = await verify_claims([CLAIM, "Another one."], panel=[model], access=host.access())
        assert [claim.jurors[0].verdict for claim in result.claims] == ["CONFIRMED", "REFUTED"]
        assert result.panel[0].reasked == ("c2",)


async def test_byte_equal_ballots_of_two_families_are_flagged() -> None:
    text = json.dumps(
        {"verdicts": [{"id": "c1", "rationale": "Yes.", "verdict": "CONFIRMED", "severity": "low"}]}
    )
    same = Say(text=text, mark=False)
    result, _ = await ask(scripts(*PANEL, say=same))
    assert [warning for warning in result.warnings if warning.startswith("identical_ballots")] == [
        f"identical_ballots:{OPENAI}, {CLAUDE}",
        f"identical_ballots:{OPENAI}, {GEMINI}",
    ]
    assert result.scripted is None


async def test_different_ballots_are_not_flagged() -> None:
    result, _ = await ask(scripts(*PANEL, say=Say(votes={"c1": "CONFIRMED"}, mark=False)))
    assert not [warning for warning in result.warnings if warning.startswith("identical_ballots")]


@pytest.mark.parametrize(
    ("model", "variable"),
    [(OPENAI, "OPENAI_API_KEY"), (CLAUDE, "ANTHROPIC_API_KEY"), (GEMINI, "GOOGLE_API_KEY")],
)
async def test_a_missing_key_names_its_variable_and_what_would_be_sent(model: str, variable: str) -> None:
    with pytest.raises(CloudNotConfigured) as caught:
        await verify_claims([CLAIM], panel=[model, "openrouter/z-ai/glm-5.2"], access=Access.from_env({}))
    assert f"There is no {variable} and no OPENROUTER_API_KEY in the environment" in caught.value.message
    assert f"to each of {model} at https://" in caught.value.hint
    assert "at https://openrouter.ai (OpenRouter)" in caught.value.hint
    assert f"export {variable}=" in caught.value.hint


async def test_googles_older_variable_is_read_too() -> None:
    access = Access.from_env({"GEMINI_API_KEY": KEY})
    assert access.hosts["google"].api_key == KEY
    both = Access.from_env({"GEMINI_API_KEY": KEY, "GOOGLE_API_KEY": "another-key-1"})
    assert both.hosts["google"].api_key == "another-key-1"


async def test_a_missing_sdk_gives_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimjury.jury.plan.is_installed", lambda _module: False)
    with pytest.raises(CloudNotConfigured) as caught:
        await verify_claims([CLAIM], panel=[CLAUDE], access=Access.from_env({}))
    assert caught.value.message.startswith(f"{CLAUDE} needs the SDK `anthropic`, which is not installed")
    assert caught.value.hint == "Install it: pip install 'claimjury[anthropic]'"


async def test_a_scripted_vendor_marks_its_answers_and_the_mark_reaches_the_result() -> None:
    result, _ = await ask(scripts(OPENAI), panel=(OPENAI,))
    assert result.scripted is True
