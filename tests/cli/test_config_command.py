"""`claimjury config`, and how settings reach a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimjury.models.providers import PROVIDERS
from claimjury.settings.files import user_file
from claimjury.settings.model import Settings
from claimjury.testing import ScriptedOllama
from cli.helpers import Cli
from jury.helpers import CLAIM, CONFIRM, FIRST, REFUTE, TRIO, trio


def user(text: str) -> None:
    user_file().parent.mkdir(parents=True, exist_ok=True)
    user_file().write_text(text, encoding="utf-8")


def test_config_shows_every_setting_with_its_origin_and_never_the_key(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_API_KEY", "sk-canary-0123456789")
    monkeypatch.setenv("CLAIMJURY_MIN_REFUTE_VOTES", "3")
    Path("claimjury.toml").write_text('panel = ["glm-5.2:cloud"]\n', encoding="utf-8")
    text, rows = cli("config"), cli("config", "--json").json["settings"]
    assert text.status == 0
    keys = {f"api_key.{name}" for name in PROVIDERS}
    assert set(Settings.model_fields) | {"cloud_host", "api_key"} | keys == set(rows)
    assert rows["min_refute_votes"] == {"value": 3, "origin": "CLAIMJURY_MIN_REFUTE_VOTES"}
    assert rows["panel"] == {"value": ["glm-5.2:cloud"], "origin": str(Path.cwd() / "claimjury.toml")}
    assert rows["api_key"] == {"value": "set", "origin": "OLLAMA_API_KEY"}
    for name in rows:
        assert name in text.out
    assert "canary" not in text.out


def test_a_hostile_project_file_stops_a_run_before_anything_is_sent(cli: Cli) -> None:
    Path("claimjury.toml").write_text("allow_secrets = true\n", encoding="utf-8")
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        ran = cli("verify", "--claim", CLAIM, "--json")
        assert server.paths == []
    assert (ran.status, ran.json["error"]["code"]) == (2, "CONFIG_INVALID")


def test_settings_reach_the_run_and_flags_beat_them(cli: Cli) -> None:
    user(f'panel = ["{FIRST}", "{TRIO[1]}"]\nformat = "json"\npolarity = "findings"\n')
    Path("loop.py").write_text("pass\n", encoding="utf-8")
    Path("claimjury.toml").write_text('sources = ["loop.py"]\n', encoding="utf-8")
    with ScriptedOllama(dict.fromkeys(TRIO, [REFUTE])) as server:
        cli.use(server)
        ran = cli("verify", "--claim", CLAIM)
        result = ran.json["result"]
        assert [seat["model"] for seat in result["panel"]] == list(TRIO[:2])
        assert result["params"]["polarity"] == "findings"
        assert [row["path"] for row in result["evidence"]] == ["loop.py"]
        other = cli(
            "verify", "--claim", CLAIM, "--panel", TRIO[2], "--as", "assertions", "--format", "json"
        ).json
    assert [seat["model"] for seat in other["result"]["panel"]] == [TRIO[2]]
    assert other["result"]["params"]["polarity"] == "assertions"


def test_a_host_that_the_user_trusts_makes_a_firm_verdict_possible(cli: Cli) -> None:
    Path("loop.py").write_text("pass\n", encoding="utf-8")
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        user(f'trusted_hosts = ["{server.url}"]\n')
        ran = cli("verify", "--claim", CLAIM, "--source", "loop.py", "--json")
    assert ran.json["result"]["claims"][0]["standing"] == {"grade": "firm"}
    assert ran.status == 0


def test_the_demo_is_not_moved_by_settings_and_live_is(cli: Cli) -> None:
    user(f'panel = ["{FIRST}"]\n')
    assert len(cli("demo", "--json").json["result"]["panel"]) == 4
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        live = cli("demo", "--live", "--json")
    assert [seat["model"] for seat in live.json["result"]["panel"]] == [FIRST]
    assert live.status == live.json["exit_status"]


def test_markdown_escapes_what_a_juror_wrote(cli: Cli) -> None:
    from claimjury.testing import Reply, ballot

    evil = "![x](https://evil.example/p.png) <script>alert(1)</script> @everyone | `code` **bold** & www.evil.example"
    vote = {"verdict": "REFUTED", "rationale": evil}
    with ScriptedOllama(dict.fromkeys(TRIO, [Reply(content=ballot({"c1": vote}))])) as server:
        cli.use(server)
        ran = cli("verify", "--claim", CLAIM, "--format", "markdown")
    assert ran.status == 10
    for live in ("![x]", "<script>", "@everyone", "https://evil", "www.evil", "**bold**"):
        assert live not in ran.out
    assert "### REFUTED, 3 of 3 seats" in ran.out
    assert "supporting evidence, not proof" in ran.out


def test_rules_that_the_project_set_are_named_in_the_result(cli: Cli) -> None:
    Path("claimjury.toml").write_text("min_refute_votes = 1\nreask = false\n", encoding="utf-8")
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        ran = cli("verify", "--claim", CLAIM, "--json")
        overruled = cli("verify", "--claim", CLAIM, "--json", "--min-refute-votes", "2", "--no-reask")
    assert ran.json["warnings"] == ["lone_refute_allowed", "rules_from_project:min_refute_votes, reask"]
    assert overruled.json["warnings"] == []


def test_a_failure_is_json_where_the_settings_say_json(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAIMJURY_FORMAT", "json")
    assert cli("verify", "--claim", "").json["error"]["code"] == "INVALID_REQUEST"
    assert cli("verify", "--claim", "", "--format", "text").out == ""
