"""`claimjury doctor` and `claimjury panel`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from claimjury.settings.files import user_file
from claimjury.testing import ScriptedOllama
from cli.helpers import Cli
from jury.helpers import CONFIRM, FIRST, TRIO, trio

KEY = "sk-canary-0123456789"
LISTED = [{"model": name.removesuffix(":cloud")} for name in TRIO]


def trust(server: ScriptedOllama) -> None:
    user_file().parent.mkdir(parents=True, exist_ok=True)
    user_file().write_text(f'trusted_hosts = ["{server.url}"]\n', encoding="utf-8")


def look(cli: Cli, *args: str, trusted: bool = True, **host: Any) -> tuple[int, Mapping[str, Any], str]:
    with ScriptedOllama(trio(CONFIRM), **host) as server:
        cli.use(server)
        if trusted:
            trust(server)
        ran, text = cli("doctor", *args, "--json"), cli("doctor", *args)
        assert server.asked == []
    assert ran.status == text.status == ran.json["exit_status"]
    assert KEY not in ran.out + ran.err + text.out + text.err
    return ran.status, ran.json["health"], text.out


def test_everything_there_exits_with_0_and_spends_no_tokens(cli: Cli) -> None:
    status, health, text = look(cli, catalogue=LISTED, keys=[KEY], plan="Pro")
    assert status == 0
    assert (health["key"], health["plan"], health["slots"]) == ("accepted", "Pro", 3)
    assert abs(health["clock_skew_s"]) < 60
    assert [model["listed"] for model in health["models"]] == [True, True, True]
    assert [model["traits"]["window"] for model in health["models"]] == [1_048_576, 262_144, 976_000]
    assert "Pro: 3 call(s) at once, 3 seat(s)" in text
    for code in ("401", "402", "403", "404", "410"):
        assert f"\n  {code}  " in text


def test_a_refused_key_exits_with_3(cli: Cli) -> None:
    status, health, text = look(cli, catalogue=LISTED, keys=["another"])
    assert (status, health["key"]) == (3, "refused")
    assert "refuses it (401)" in text


def test_no_key_exits_with_3_and_says_where_to_make_one(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedOllama(trio(CONFIRM), catalogue=LISTED) as server:
        cli.use(server)
        monkeypatch.delenv("OLLAMA_API_KEY")
        ran = cli("doctor")
    assert ran.status == 3
    assert "https://ollama.com/settings/keys" in ran.out


def test_a_host_that_must_not_see_the_key_is_not_sent_it(cli: Cli) -> None:
    status, health, text = look(cli, trusted=False, catalogue=LISTED, keys=[KEY])
    assert (status, health["key"]) == (0, "not_sent")
    assert "not for this host" in text


def test_a_host_that_does_not_answer_exits_with_4(cli: Cli) -> None:
    with ScriptedOllama({}) as server:
        cli.use(server)
    ran = cli("doctor", "--json")
    assert (ran.status, ran.json["health"]["reachable"]) == (4, False)
    assert "HTTPS_PROXY" in ran.json["health"]["trouble"]


def test_a_missing_id_is_shown_with_those_that_look_like_it(cli: Cli) -> None:
    status, health, text = look(cli, "--panel", f"{FIRST},glm-52:cloud", catalogue=LISTED, keys=[KEY])
    assert status == 0
    assert health["models"][1]["listed"] is False
    assert health["models"][1]["close"] == ["glm-5.2"]
    assert "glm-52:cloud (zai): NOT LISTED; close: glm-5.2" in text


def test_a_panel_of_which_nothing_is_listed_exits_with_4(cli: Cli) -> None:
    status, _, _ = look(cli, catalogue=["gemma4:31b"], keys=[KEY])
    assert status == 4


def test_a_plan_with_fewer_slots_than_seats_says_that_seats_will_wait(cli: Cli) -> None:
    _, health, text = look(cli, catalogue=LISTED, keys=[KEY], plan="free")
    assert health["slots"] == 1
    assert "seats will wait in line" in text


def test_a_panel_of_one_family_is_called_weak_beforehand(cli: Cli) -> None:
    _, _, text = look(cli, "--panel", "glm-5.2:cloud,glm-5.1:cloud", catalogue=LISTED, keys=[KEY])
    assert "every verdict will be weak" in text
    assert "every verdict will be weak" in cli("panel", "--panel", "glm-5.2:cloud,glm-5.1:cloud").out


def test_an_id_that_cannot_sit_is_a_usage_error(cli: Cli) -> None:
    assert cli("doctor", "--panel", "a,b,c,d,e,f").status == 2
    assert cli("panel", "--panel", "glm-5.2,glm-5.2:cloud").status == 2


def test_the_panel_is_shown_with_families_and_hosts_and_nobody_is_asked(cli: Cli) -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        text, rows = cli("panel"), cli("panel", "--json").json["panel"]
        assert server.paths == []
        assert {row["host"] for row in rows} == {server.url}
    assert [(row["model"], row["family"]) for row in rows] == [
        ("deepseek-v4-pro:cloud", "deepseek"),
        ("kimi-k2.7-code:cloud", "moonshot"),
        ("glm-5.2:cloud", "zai"),
    ]
    for row in rows:
        assert row["model"] in text.out
        assert row["family"] in text.out
