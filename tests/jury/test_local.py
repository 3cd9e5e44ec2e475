"""The local daemon: asked only by name, told apart from the cloud, and never more than weak."""

from __future__ import annotations

from typing import Any

import pytest

from claimjury import ConfigInvalid, InvalidRequest, verify_claims
from claimjury.errors import CloudNotConfigured
from claimjury.models.daemon import Daemon
from claimjury.models.installed_models import pick_installed
from claimjury.models.routes import Access
from claimjury.testing import Reply, ScriptedOllama, ballot
from jury.helpers import CLAIM, CONFIRM, TRIO

LLAMA, QWEN, GEMMA = "llama3.2:3b", "qwen3:8b", "gemma3:4b"
CHAT = ["completion"]


def row(name: str, size: int = 1_000, **rest: Any) -> dict[str, Any]:
    return {"name": name, "model": name, "size": size, "digest": f"sha-{name}", "capabilities": CHAT, **rest}


def local(server: ScriptedOllama, **rest: Any) -> Access:
    return Access(daemon=Daemon(host=server.url), **rest)


async def ask(scripts: dict[str, Any], catalogue: list[Any], **options: Any) -> tuple[Any, ScriptedOllama]:
    listed = {name: said if isinstance(said, list) else [said] for name, said in scripts.items()}
    with ScriptedOllama(listed, catalogue=catalogue) as server:
        result = await verify_claims(
            [CLAIM], panel=options.pop("panel", list(scripts)), access=local(server), **options
        )
    return result, server


async def test_a_local_panel_says_so_is_weak_and_never_of_high_confidence() -> None:
    models = [LLAMA, QWEN, GEMMA]
    result, server = await ask(dict.fromkeys(models, CONFIRM), [row(name) for name in models])
    claim = result.claims[0]
    assert (result.local, result.weak, claim.weak) == (True, True, True)
    assert (claim.verdict, claim.confirm_votes, claim.confidence) == ("CONFIRMED", 3, "medium")
    assert "local" in claim.standing.reasons
    assert [seat.backend for seat in result.panel] == ["local"] * 3
    assert [seat.digest for seat in result.panel] == [f"sha-{name}" for name in models]
    assert "0/3 cloud-served, 3 local; WEAK: a local model sat" in result.summary
    assert [seat.cost_source for seat in result.panel] == [None] * 3
    assert all("authorization" not in asked.headers for asked in server.asked)
    assert result.egress[0].vendor == "the Ollama daemon of this machine"


async def test_a_local_model_is_loaded_with_room_for_the_whole_prompt_and_answer() -> None:
    from pathlib import Path

    Path("big.py").write_text("x = 1\n" * 4_000, encoding="utf-8")
    with ScriptedOllama(
        {LLAMA: [CONFIRM]}, catalogue=[row(LLAMA, details={"context_length": 131_072})]
    ) as server:
        result = await verify_claims([CLAIM], source_paths=["big.py"], panel=[LLAMA], access=local(server))
        options = server.asked[0].body["options"]
    prompt = len(server.asked[0].prompt.encode())
    assert options["num_ctx"] >= prompt / 3 + options["num_predict"]
    assert options["num_ctx"] % 1_024 == 0
    assert result.params.jurors[LLAMA].num_ctx == options["num_ctx"]


async def test_a_name_behind_which_the_daemon_keeps_a_cloud_model_is_refused_before_anything_is_sent() -> (
    None
):
    stub = row("glm-5.2", remote_host="https://ollama.com:443", remote_model="glm-5.2")
    with ScriptedOllama({"glm-5.2": [CONFIRM]}, catalogue=[stub]) as server:
        with pytest.raises(InvalidRequest, match=r"hands it on to https://ollama\.com:443 glm-5\.2"):
            await verify_claims([CLAIM], panel=["glm-5.2"], access=local(server))
        assert server.asked == []


async def test_a_model_that_is_not_installed_says_how_to_install_it() -> None:
    result, _ = await ask({}, [], panel=[LLAMA])
    assert result.panel[0].exclude_reason == "call_failed:OLLAMA_MODEL_MISSING"
    assert "`ollama pull llama3.2:3b`" in (result.panel[0].detail or "")


async def test_a_daemon_that_does_not_list_its_models_is_sent_nothing_since_any_name_may_be_the_clouds() -> (
    None
):
    with ScriptedOllama({LLAMA: [CONFIRM]}, catalogue=None) as server:
        with pytest.raises(CloudNotConfigured, match="does not list its models"):
            await verify_claims([CLAIM], panel=[LLAMA], access=local(server))
        assert server.asked == []


async def test_the_names_of_a_daemon_are_told_apart_by_their_whole_tags() -> None:
    stub = row("llama3.2:1b", remote_host="https://ollama.com:443", remote_model="llama3.2:1b")
    result, _ = await ask({LLAMA: CONFIRM}, [stub, row(LLAMA)])
    assert result.panel[0].digest == f"sha-{LLAMA}"
    with ScriptedOllama({"llama3.2": [CONFIRM]}, catalogue=[row(LLAMA), row("llama3.2:latest")]) as server:
        short = await verify_claims([CLAIM], panel=["llama3.2"], access=local(server))
    assert short.panel[0].digest == "sha-llama3.2:latest"


async def test_an_answer_that_the_daemon_got_elsewhere_does_not_count_as_local() -> None:
    far = Reply(
        content=ballot({"c1": "CONFIRMED"}), fields={"remote_model": LLAMA, "remote_host": "https://x"}
    )
    result, _ = await ask({LLAMA: far}, [row(LLAMA)])
    assert result.panel[0].exclude_reason == "local_fallback:names_written_by_a_daemon"


class TestThroughTheDaemonToTheCloud:
    """A signed-in daemon hands on what has the cloud suffix (docs of Ollama; server/cloud proxy)."""

    async def test_an_answer_under_the_clouds_own_name_counts(self) -> None:
        said = Reply(content=ballot({"c1": "CONFIRMED"}), served="glm-5.2")
        with ScriptedOllama({"unused": [CONFIRM]}) as server:
            server._scripts["glm-5.2:cloud"] = [said]
            result = await verify_claims([CLAIM], panel=["glm-5.2:cloud"], access=local(server))
        seat = result.panel[0]
        assert (seat.included, seat.backend, seat.provider) == (True, "cloud", "daemon")
        assert server.asked[0].body["model"] == "glm-5.2:cloud"
        assert result.local is None
        assert "num_ctx" not in server.asked[0].body["options"]

    @pytest.mark.parametrize(
        ("said", "reason"),
        [
            (
                Reply(content=ballot({"c1": "CONFIRMED"}), served="glm-5.2:cloud"),
                "local_fallback:names_written_by_a_daemon",
            ),
            (
                Reply(
                    content=ballot({"c1": "CONFIRMED"}),
                    served="glm-5.2",
                    fields={"remote_model": "glm-5.2", "remote_host": "https://ollama.com:443"},
                ),
                "local_fallback:names_written_by_a_daemon",
            ),
            (Reply(content=ballot({"c1": "CONFIRMED"}), served=""), "served_model_unknown"),
            (Reply(content=ballot({"c1": "CONFIRMED"}), served="glm-5.1"), "served_model_mismatch:glm-5.1"),
        ],
        ids=["the caller's spelling", "stub fields", "no name", "another model"],
    )
    async def test_what_proves_nothing_does_not_count_and_says_what_would(
        self, said: Reply, reason: str
    ) -> None:
        with ScriptedOllama({"unused": [CONFIRM]}) as server:
            server._scripts["glm-5.2:cloud"] = [said]
            result = await verify_claims([CLAIM], panel=["glm-5.2:cloud"], access=local(server))
        seat = result.panel[0]
        assert seat.exclude_reason == reason
        if reason.startswith("local_fallback"):
            assert "export OLLAMA_API_KEY and leave out --local" in (seat.detail or "")
            assert "v0.17" in (seat.detail or "")

    async def test_the_line_of_what_leaves_says_that_the_daemon_hands_it_on(self) -> None:
        from claimjury import plan_verify

        access = Access(daemon=Daemon(host="http://127.0.0.1:11434"))
        plan = plan_verify([CLAIM], panel=["glm-5.2:cloud", LLAMA], access=access)
        line = plan.egress_lines()[0].line
        assert line.endswith(
            "the Ollama daemon of this machine), which hands glm-5.2:cloud on to Ollama Cloud"
        )


async def test_up_to_three_installed_models_of_disjoint_families_are_picked_the_largest_of_each_first() -> (
    None
):
    catalogue = [
        row("llama3.2:1b", 1),
        row("llama3.3:70b", 70),
        row(QWEN, 8),
        row(GEMMA, 4),
        row("mistral:7b", 7),
        row("novel-1", 900),
        row("glm-5.2:cloud", 800, remote_host="https://ollama.com"),
        row("nomic-embed-text", 999, capabilities=["embedding"]),
        row("deepseek-r1-distill-llama-70b", 60),
    ]
    with ScriptedOllama({}, catalogue=catalogue) as server:
        daemon = Daemon(host=server.url)
        assert await pick_installed(daemon, {}) == ("llama3.3:70b", QWEN, "mistral:7b")
        assert await pick_installed(daemon, {}, author=frozenset({"meta"})) == (QWEN, "mistral:7b", GEMMA)
        assert server.asked == []
        assert server.paths == ["GET /api/tags"] * 2


async def test_a_daemon_without_a_model_that_may_sit_is_not_configured() -> None:
    with ScriptedOllama({}, catalogue=["novel-1"]) as server:
        daemon = Daemon(host=server.url)
        with pytest.raises(CloudNotConfigured, match="has no model of a known family"):
            await pick_installed(daemon, {})
    with pytest.raises(CloudNotConfigured, match="No local panel can be made") as caught:
        await pick_installed(daemon, {})
    assert "ollama serve" in caught.value.hint


@pytest.mark.parametrize(
    ("given", "host"),
    [
        ("", "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:8080", "http://127.0.0.1:8080"),
        (":8080", "http://127.0.0.1:8080"),
        ("localhost", "http://localhost:11434"),
        ("127.0.0.1:9999", "http://127.0.0.1:9999"),
        ("http://127.0.0.1", "http://127.0.0.1"),
        ("https://localhost", "https://localhost"),
        ("http://localhost:1234/", "http://localhost:1234"),
        ("[::]:11434", "http://[::1]:11434"),
        ('"127.0.0.1:1"', "http://127.0.0.1:1"),
    ],
)
def test_where_the_daemon_listens_is_read_as_ollama_reads_it(given: str, host: str) -> None:
    assert Daemon.from_env({"OLLAMA_HOST": given}).host == host


@pytest.mark.parametrize(
    "given", ["192.168.1.5", "https://ollama.example", "ftp://localhost", "localhost:x", "a b"]
)
def test_another_machine_is_not_local(given: str) -> None:
    with pytest.raises(ConfigInvalid):
        Daemon.from_env({"OLLAMA_HOST": given})


async def test_a_local_model_never_sits_in_a_cloud_seat() -> None:
    with ScriptedOllama(dict.fromkeys(TRIO, [CONFIRM])) as server:
        result = await verify_claims([CLAIM], cloud=server.cloud)
    assert {seat.backend for seat in result.panel} == {"cloud"}
    assert result.local is None
