"""Keys and headers at vendors' hosts: each host sees its own key, and nothing of this machine."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import pytest

from claimjury import verify_claims
from claimjury.models.providers import PROVIDERS
from claimjury.models.routes import Access
from claimjury.testing import ScriptedOllama
from jury.helpers import CLAIM, CONFIRM, FIRST, trio
from vendors.test_vendor_seats import EVERY, named
from vendors.vendor_host import Say, VendorHost

CREDENTIALS = ("authorization", "x-api-key", "x-goog-api-key", "api-key")
NEEDED = {
    *CREDENTIALS,
    *("accept", "accept-encoding", "anthropic-beta", "anthropic-version", "connection", "content-length"),
    *("content-type", "host", "user-agent"),
}


def key_of(provider: str) -> str:
    return f"sk-{provider}-0123456789"


def keyed(host: VendorHost, **rest: Any) -> Access:
    hosts = {name: replace(host.host_of(name), api_key=key_of(name)) for name in PROVIDERS}
    return Access(hosts=hosts, **rest)


def scripts() -> dict[str, Any]:
    return {named(model): Say(votes={"c1": "CONFIRMED"}) for model in EVERY.values()}


@pytest.mark.parametrize("provider", EVERY)
async def test_each_host_sees_its_own_key_and_no_other(provider: str) -> None:
    with VendorHost(scripts()) as host:
        await verify_claims([CLAIM], panel=[EVERY[provider]], access=keyed(host))
    sent = str(host.heard[0].headers) + host.heard[0].path + host.heard[0].raw.decode()
    assert key_of(provider) in sent
    assert [name for name in EVERY if name != provider and key_of(name) in sent] == []
    assert key_of(provider) not in host.heard[0].path + host.heard[0].raw.decode()


@pytest.mark.parametrize("provider", EVERY)
async def test_no_variable_of_an_sdk_moves_a_request_to_another_host(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with VendorHost({}) as thief, VendorHost(scripts()) as host:
        for name in (
            *("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL", "GEMINI_BASE_URL"),
            *("MISTRAL_BASE_URL", "GROQ_BASE_URL", "OPENROUTER_BASE_URL", "GOOGLE_VERTEX_BASE_URL"),
        ):
            monkeypatch.setenv(name, thief.url)
        for name in ("ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY"):
            monkeypatch.setenv(name, "sk-of-the-environment")
        monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
        result = await verify_claims([CLAIM], panel=[EVERY[provider]], access=keyed(host))
    assert thief.heard == []
    assert result.panel[0].included
    assert "sk-of-the-environment" not in str(host.heard[0].headers)


@pytest.mark.parametrize("provider", EVERY)
async def test_no_header_says_more_of_this_machine_than_the_request_needs(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "OPENAI_ORG_ID": "org-mine",
        "OPENAI_PROJECT_ID": "proj-mine",
        "OPENROUTER_APP_URL": "https://mine.example",
        "OPENROUTER_APP_TITLE": "mine",
        "ANTHROPIC_CUSTOM_HEADERS": "X-Mine: mine",
    }.items():
        monkeypatch.setenv(name, value)
    with VendorHost(scripts()) as host:
        await verify_claims([CLAIM], panel=[EVERY[provider]], access=keyed(host))
    headers = host.heard[0].headers
    assert set(headers) <= NEEDED
    assert headers["user-agent"].startswith("claimjury ")
    assert "mine" not in str(headers)


async def test_ollamas_key_and_a_vendors_do_not_meet() -> None:
    with ScriptedOllama(trio(CONFIRM)) as ollama, VendorHost(scripts()) as host:
        access = keyed(host, cloud=ollama.trusted_cloud)
        await verify_claims([CLAIM], panel=[FIRST, *EVERY.values()][:5], access=access)
    assert "no-key-but-a-script" not in str([heard.headers for heard in host.heard])
    assert not [name for name in EVERY if key_of(name) in str([asked.headers for asked in ollama.asked])]


async def test_a_vendors_key_is_in_no_log_at_any_level_and_in_no_repr(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.DEBUG), VendorHost(scripts()) as host:
        access = keyed(host)
        for provider in ("openai", "anthropic", "google"):
            await verify_claims([CLAIM], panel=[EVERY[provider]], access=access)
    for provider in EVERY:
        assert key_of(provider) not in caplog.text
        assert key_of(provider) not in repr([vars(record) for record in caplog.records])
    assert "sk-" not in repr(access)


async def test_a_key_with_characters_that_no_header_carries_is_refused_without_being_shown() -> None:
    from claimjury import ConfigInvalid

    with pytest.raises(ConfigInvalid) as caught:
        Access.from_env({"ANTHROPIC_API_KEY": "sk-abc\ndef"}).route("anthropic/claude-opus-5")
    assert "ANTHROPIC_API_KEY" in caught.value.message
    assert "sk-abc" not in str(caught.value)


@pytest.mark.parametrize("mode", ["dedicated", "global"])
async def test_no_variable_has_mistrals_sdk_send_traces_of_prompts_elsewhere(
    monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    model = EVERY["mistral"]
    with VendorHost(scripts()) as host, VendorHost({}) as collector:
        monkeypatch.setenv("MISTRAL_SDK_TELEMETRY", mode)
        monkeypatch.setenv("MISTRAL_OTLP_TRACES_ENDPOINT", f"{collector.url}/v1/traces")
        result = await verify_claims([CLAIM], panel=[model], access=host.access())
    assert result.panel[0].included
    assert collector.heard == []
