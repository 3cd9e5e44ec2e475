"""Panels on the command line: vendors, families, this machine, money, and the look before use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from claimjury.settings.files import user_file
from claimjury.testing import Reply, ScriptedOllama, ballot
from cli.helpers import Cli
from jury.helpers import CLAIM, CONFIRM, FIRST, TRIO, trio
from vendors.vendor_host import KEY, Say, VendorHost

LLAMA, QWEN = "llama3.2:3b", "qwen3:8b"
VOTE = Say(votes={"c1": "CONFIRMED"})


def user(text: str) -> None:
    user_file().parent.mkdir(parents=True, exist_ok=True)
    user_file().write_text(text, encoding="utf-8")


def serve(host: VendorHost, *, key: str | None = "LAB_API_KEY", rest: str = "") -> None:
    named = "" if key is None else f'key_variable = "{key}"\n'
    user(f'{rest}[servers.lab]\nbase_url = "{host.url}/v1"\n{named}')


def installed(*names: str) -> list[dict[str, Any]]:
    return [
        {"name": name, "model": name, "size": place, "digest": f"sha-{name}", "capabilities": ["completion"]}
        for place, name in enumerate(names)
    ]


def test_a_server_of_the_users_own_sits_beside_ollamas_models(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB_API_KEY", KEY)
    with ScriptedOllama(trio(CONFIRM)) as ollama, VendorHost({"llama-3.3-70b": VOTE}) as host:
        cli.use(ollama)
        serve(host)
        ran = cli("verify", "--claim", CLAIM, "--panel", f"lab/llama-3.3-70b,{FIRST}", "--json")
    seat = ran.json["result"]["panel"][0]
    assert (seat["provider"], seat["family"], seat["included"], seat["host"]) == (
        "lab",
        "meta",
        True,
        host.url,
    )
    assert ran.json["backend"] == "cloud"
    assert host.heard[0].headers["authorization"] == f"Bearer {KEY}"
    assert f"at {host.url} (your server lab)" in ran.err
    assert f"at {ollama.url}" in ran.err
    assert KEY not in ran.out + ran.err


def test_a_server_without_a_key_is_sent_none(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-mine")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-of-mine")
    with VendorHost({"llama-3.3-70b": VOTE}) as host:
        serve(host, key=None)
        ran = cli("verify", "--claim", CLAIM, "--panel", "lab/llama-3.3-70b", "--json")
    assert ran.json["result"]["panel"][0]["included"] is True
    sent = host.heard[0].headers
    assert "authorization" not in sent
    assert not [name for name in sent if name.startswith(("openai-", "x-stainless"))]
    assert KEY not in str(sent)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('[servers.openai]\nbase_url = "https://x.example/v1"\n', "the name is taken"),
        ('[servers."a b"]\nbase_url = "https://x.example/v1"\n', "the name cannot be one"),
        ('[servers.lab]\nbase_url = "http://x.example/v1"\n', "plain http to another machine"),
        ('[servers.lab]\nbase_url = "https://me:pw@x.example/v1"\n', "a user or a password"),
        ('[servers.lab]\nbase_url = "x"\n', "is not a base URL"),
        ('[servers.lab]\nkey_variable = "X"\n', "base_url"),
        (
            '[servers.lab]\nbase_url = "https://x.example/v1"\nkey_variable = "OPENAI_API_KEY"\n',
            "is bound to its vendor's own host",
        ),
        (
            '[servers.lab]\nbase_url = "https://x.example/v1"\nkey_variable = "sk-abc-123"\n',
            "is not the name of a variable",
        ),
        ('[families]\nacme = "unknown"\n', "which is no family"),
        ("daily_runs = 0\n", "daily_runs"),
        ("max_cost = -1\n", "max_cost"),
    ],
)
def test_a_setting_of_panels_that_cannot_be_used_is_refused_with_its_reason(
    cli: Cli, lines: str, said: str
) -> None:
    user(lines)
    ran = cli("verify", "--claim", CLAIM, "--dry-run")
    assert ran.status == 2
    assert "CONFIG_INVALID" in ran.err
    assert said in ran.err
    assert "sk-abc-123" not in ran.err


def test_a_projects_panel_may_name_only_providers_that_the_user_lets_projects_name(cli: Cli) -> None:
    Path("claimjury.toml").write_text('panel = ["openai/gpt-5.2"]\n', encoding="utf-8")
    ran = cli("verify", "--claim", CLAIM, "--dry-run")
    assert ran.status == 2
    assert "you let projects name ollama alone: evidence would go to openai" in ran.err
    user('project_providers = ["ollama", "openai"]\n')
    assert cli("verify", "--claim", CLAIM, "--dry-run").status == 0
    Path("claimjury.toml").write_text('alternates = ["anthropic/claude-opus-5"]\n', encoding="utf-8")
    assert "evidence would go to anthropic" in cli("verify", "--claim", CLAIM, "--dry-run").err


@pytest.mark.parametrize(
    "line", ['author = "zai"', "allow_same_family = true", "daily_runs = 5", "servers = {}"]
)
def test_a_project_says_neither_who_the_author_is_nor_what_the_users_caps_are(cli: Cli, line: str) -> None:
    Path("claimjury.toml").write_text(f"{line}\n", encoding="utf-8")
    ran = cli("verify", "--claim", CLAIM, "--dry-run")
    assert (ran.status, "CONFIG_INVALID" in ran.err) == (2, True)


def test_a_project_may_lower_the_users_limits_and_not_raise_them(cli: Cli) -> None:
    user("max_tokens = 1000\n")
    for named, shown in (("500", "500"), ("9000", "1000")):
        Path("claimjury.toml").write_text(f"max_tokens = {named}\n", encoding="utf-8")
        assert cli("config", "--json").json["settings"]["max_tokens"]["value"] == int(shown)


def test_the_environment_raises_no_limit(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAIMJURY_MAX_TOKENS", "9000000")
    ran = cli("verify", "--claim", CLAIM, "--dry-run")
    assert (ran.status, "CLAIMJURY_MAX_TOKENS" in ran.err) == (2, True)


def test_a_dry_run_prints_every_byte_that_a_vendors_sdk_would_send_and_opens_no_connection(cli: Cli) -> None:
    panel = "openai/gpt-5.2,anthropic/claude-opus-5,google/gemini-2.5-flash,glm-5.2:cloud"
    args = [
        "verify",
        "--claim",
        CLAIM,
        "--panel",
        panel,
        "--alternates",
        "mistral/mistral-large-2512",
        "--dry-run",
    ]
    ran, text = cli(*args, "--json"), cli(*args)
    assert (ran.status, text.status) == (0, 0)
    rows = {row["for"]: row for row in ran.json["requests"]}
    assert list(rows) == [*panel.split(","), "mistral/mistral-large-2512"]
    assert rows["openai/gpt-5.2"]["url"] == "https://api.openai.com/v1/chat/completions"
    assert rows["anthropic/claude-opus-5"]["url"].startswith("https://api.anthropic.com/v1/messages")
    assert rows["google/gemini-2.5-flash"]["url"].startswith(
        "https://generativelanguage.googleapis.com/v1beta/models/"
    )
    for row in rows.values():
        assert CLAIM in json.dumps(row["body"])
    assert "mistral.ai/v1/chat/completions" in text.out
    assert "(only if a seat falls out)" in text.out
    assert "at https://api.anthropic.com (Anthropic)" in text.out


def test_what_a_dry_run_shows_is_what_a_run_sends(cli: Cli) -> None:
    with VendorHost({"llama-3.3-70b": VOTE}) as host:
        serve(host, key=None)
        args = ["verify", "--claim", CLAIM, "--panel", "lab/llama-3.3-70b", "--json"]
        shown = cli(*args, "--dry-run").json["requests"][0]
        assert host.heard == []
        cli(*args)
        sent = host.heard[0]
    assert shown["url"] == f"{host.url}{sent.path}"
    without = [{**body, "messages": None} for body in (shown["body"], sent.body)]
    assert without[0] == without[1]
    nonces = [next(iter(body["messages"]))["content"] for body in (shown["body"], sent.body)]
    assert nonces[0] == nonces[1]


def test_author_alternates_and_families_reach_the_run(cli: Cli) -> None:
    scripts = dict.fromkeys([*TRIO, "minimax-m3:cloud"], [CONFIRM])
    with ScriptedOllama(scripts) as server:
        cli.use(server)
        flags = ["--author", "zai", "--alternates", "minimax-m3:cloud"]
        ran = cli("verify", "--claim", CLAIM, *flags, "--json")
        text = cli("verify", "--claim", CLAIM, *flags, "--no-save")
    seats = {seat["model"]: seat for seat in ran.json["result"]["panel"]}
    assert seats["glm-5.2:cloud"]["exclude_reason"] == "author_family"
    assert seats["minimax-m3:cloud"]["stands_in_for"] == "glm-5.2:cloud"
    shown = " ".join(text.out.split())
    assert "it is of the author's family" in shown
    assert "stands in for glm-5.2:cloud" in shown
    assert "stands in for glm-5.2:cloud" in text.err


def test_local_picks_installed_models_of_disjoint_families(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedOllama({LLAMA: [CONFIRM], QWEN: [CONFIRM]}, catalogue=installed(LLAMA, QWEN)) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        ran = cli("verify", "--claim", CLAIM, "--local", "--json")
    assert f"the local panel is {QWEN}, {LLAMA}" in ran.err
    assert (ran.status, ran.json["backend"], ran.json["result"]["local"]) == (20, "local", True)
    assert [seat["model"] for seat in ran.json["result"]["panel"]] == [QWEN, LLAMA]
    assert ran.json["result"]["panel"][0]["digest"] == f"sha-{QWEN}"


def test_local_asks_the_models_that_are_named(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedOllama({LLAMA: [CONFIRM], QWEN: [CONFIRM]}, catalogue=installed(LLAMA, QWEN)) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        ran = cli("verify", "--claim", CLAIM, "--local", "--panel", LLAMA, "--json")
        dry = cli("verify", "--claim", CLAIM, "--local", "--dry-run")
    assert [seat["model"] for seat in ran.json["result"]["panel"]] == [LLAMA]
    assert dry.status == 2
    assert "--local --panel" in dry.err


def test_local_without_a_daemon_says_how_to_start_one(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedOllama({}) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
    ran = cli("verify", "--claim", CLAIM, "--local")
    assert (ran.status, "`ollama serve`" in ran.err) == (3, True)


def test_limits_of_flags_are_refused_up_front(cli: Cli) -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        tokens = cli("verify", "--claim", CLAIM, "--max-tokens", "1000", "--json")
        dollars = cli("verify", "--claim", CLAIM, "--max-cost", "5")
        assert server.asked == []
    assert (tokens.status, tokens.json["error"]["code"]) == (5, "BUDGET_EXCEEDED")
    assert (dollars.status, "--max-tokens N" in dollars.err) == (2, True)


def test_daily_caps_count_all_runs_of_a_day_even_those_that_are_not_kept(cli: Cli) -> None:
    user("daily_runs = 2\n")
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        assert cli("verify", "--claim", CLAIM).status == 20
        assert cli("verify", "--claim", CLAIM, "--no-save").status == 20
        asked = len(server.asked)
        ran = cli("verify", "--claim", CLAIM, "--json")
        assert len(server.asked) == asked
    assert (ran.status, ran.json["error"]["code"]) == (5, "BUDGET_EXCEEDED")
    assert "daily_runs is 2, and 2 were started today" in ran.json["error"]["message"]


def test_a_days_tokens_are_what_its_runs_took_and_not_what_they_might_have(cli: Cli) -> None:
    user("daily_tokens = 1_300_000\n")
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        for _ in range(3):
            assert cli("verify", "--claim", CLAIM).status == 20
        user("daily_tokens = 1_000\n")
        assert cli("verify", "--claim", CLAIM).status == 5


def test_what_no_host_reported_counts_as_the_worst_case(cli: Cli) -> None:
    user("daily_tokens = 1_300_000\n")
    silent = Reply(content=ballot({"c1": "CONFIRMED"}), prompt_tokens=-1)
    with ScriptedOllama(trio(silent)) as server:
        cli.use(server)
        statuses = [cli("verify", "--claim", CLAIM).status for _ in range(20)]
    assert statuses[0] == 20
    assert statuses[-1] == 5


def test_forgetting_a_run_does_not_give_its_money_back(cli: Cli) -> None:
    user("daily_runs = 1\n")
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        cli("verify", "--claim", CLAIM)
        assert cli("runs", "forget", "last").status == 0
        assert cli("verify", "--claim", CLAIM).status == 5


def test_caps_that_cannot_be_counted_refuse_the_run(cli: Cli) -> None:
    user("daily_runs = 5\n")
    Path("taken").mkdir()
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        ran = cli("verify", "--claim", CLAIM, "--ledger", "taken")
        assert server.asked == []
    assert ran.status == 2


def test_a_daily_cap_in_dollars_is_refused_where_a_price_is_not_known(cli: Cli) -> None:
    user("daily_cost = 1.0\n")
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        ran = cli("verify", "--claim", CLAIM)
        assert server.asked == []
    assert (ran.status, "daily_tokens" in ran.err) == (2, True)


def test_panel_check_shows_families_prices_keys_and_hosts_and_sends_no_evidence(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB_API_KEY", KEY)
    listed = [{"model": name.removesuffix(":cloud")} for name in TRIO]
    with (
        ScriptedOllama(trio(CONFIRM), catalogue=listed, keys=["sk-canary-0123456789"]) as ollama,
        VendorHost({}) as host,
    ):
        host.models, host.key = ["llama-3.3-70b"], KEY
        cli.use(ollama)
        serve(host, rest=f'trusted_hosts = ["{ollama.url}"]\n')
        args = ["panel", "check", f"{FIRST},lab/llama-3.3-70b"]
        ran, text = cli(*args, "--json"), cli(*args)
        assert ollama.asked == []
        assert host.heard == []
    assert ran.status == 0, ran.out
    rows = {row["model"]: row for row in ran.json["panel"]}
    assert (rows["lab/llama-3.3-70b"]["key"], rows["lab/llama-3.3-70b"]["listed"]) == ("accepted", True)
    assert rows["lab/llama-3.3-70b"]["family"] == "meta"
    assert rows[FIRST]["key"] == "accepted"
    assert "its price is not known" in text.out
    assert KEY not in ran.out + text.out


def test_panel_check_exits_with_3_where_a_key_is_missing_or_refused(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    with VendorHost({}) as host:
        host.models, host.key = ["m-1"], KEY
        serve(host)
        missing = cli("panel", "check", "lab/m-1", "--json")
        monkeypatch.setenv("LAB_API_KEY", "sk-a-wrong-one")
        refused = cli("panel", "check", "lab/m-1", "--json")
    assert (missing.status, missing.json["panel"][0]["key"]) == (3, "missing")
    assert (refused.status, refused.json["panel"][0]["key"]) == (3, "refused")


def test_panel_check_exits_with_4_where_a_host_does_not_answer_or_list_the_model(cli: Cli) -> None:
    with VendorHost({}) as host:
        host.models = ["other"]
        serve(host, key=None)
        unlisted = cli("panel", "check", "lab/m-1")
    gone = cli("panel", "check", "lab/m-1", "--json")
    assert (unlisted.status, "does NOT LIST it" in unlisted.out) == (4, True)
    assert (gone.status, gone.json["panel"][0]["reachable"]) == (4, False)


def test_panel_check_exits_with_2_where_an_id_would_not_be_asked(cli: Cli) -> None:
    with ScriptedOllama({}, catalogue=["glm-5.2", "glm-5.1"]) as server:
        cli.use(server)
        twins = cli("panel", "check", "glm-5.2:cloud,glm-5.1:cloud")
        author = cli("panel", "check", "glm-5.2:cloud", "--author", "zai")
        router = cli("panel", "check", "openrouter/auto")
    assert (twins.status, "sits for the family zai already" in twins.out) == (2, True)
    assert (author.status, "would not be asked" in author.out) == (2, True)
    assert (router.status, "who votes must be known" in router.err) == (2, True)


def test_panel_check_shows_the_list_price(cli: Cli) -> None:
    ran = cli("panel", "--panel", "openai/gpt-4o", "--json")
    assert ran.json["panel"][0]["window"] == 128_000


def test_a_receipt_of_a_mixed_panel_with_a_stand_in_is_whole(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB_API_KEY", KEY)
    gone = [Reply(status=410, error="it was retired")]
    with (
        ScriptedOllama({**trio(CONFIRM), FIRST: gone}) as ollama,
        VendorHost({"llama-3.3-70b": VOTE}) as host,
    ):
        cli.use(ollama)
        serve(host)
        flags = [
            "--panel",
            ",".join([*TRIO, "glm-5.1:cloud"]),
            "--alternates",
            "lab/llama-3.3-70b",
            "--author",
            "openai",
        ]
        cli("verify", "--claim", CLAIM, *flags)
        assert cli("runs", "export", "last", "--receipt", "r.json").status == 0
    checked = cli("receipt", "verify", "r.json", "--json")
    assert checked.json["check"]["outcome"] == "scripted"
    assert KEY not in Path("r.json").read_text(encoding="utf-8")
