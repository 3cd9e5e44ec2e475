"""What settings, files of a project and the environment may say of panels, and what they may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimjury.jury.request import Seating
from claimjury.surfaces.cli.panel_check import check_panel
from claimjury.testing import ScriptedOllama
from cli.helpers import Cli
from cli.test_panels_command import LLAMA, VOTE, installed, serve, user
from jury.helpers import CLAIM, CONFIRM, TRIO, trio
from vendors.vendor_host import VendorHost

WINDOWLESS = "lab/llama-3.3-70b"


@pytest.mark.parametrize(
    ("panel", "said"),
    [
        ('"openai/gpt-5.2"', "evidence would go to openai"),
        ('"glm-5.2:cloud, openai/gpt-5.2"', "evidence would go to openai"),
        ("5", "panel"),
        ("{}", "panel"),
        ("[5]", "panel"),
    ],
)
def test_a_projects_panel_of_any_type_is_read_or_refused_as_a_setting(
    cli: Cli, panel: str, said: str
) -> None:
    Path("claimjury.toml").write_text(f"panel = {panel}\n", encoding="utf-8")
    for form in (["--json"], []):
        ran = cli("verify", "--claim", CLAIM, "--dry-run", *form)
        assert ran.status == 2
        assert "CONFIG_INVALID" in ran.err + ran.out
        assert said in ran.err + ran.out


def test_a_window_that_nobody_says_is_assumed_told_and_can_be_set(cli: Cli) -> None:
    Path("big.py").write_text("x = 1\n" * 16_000, encoding="utf-8")
    asks = ["verify", "--claim", CLAIM, "--source", "big.py", "--panel", WINDOWLESS]
    with VendorHost({"llama-3.3-70b": VOTE}) as host:
        serve(host, key=None)
        for more in (["--dry-run"], []):
            ran = cli(*asks, *more)
            assert ran.status == 2
            assert f"{WINDOWLESS} is assumed to take 32,768 in all" in ran.err
            assert f'[windows] "{WINDOWLESS}" = TOKENS' in ran.err
        assert host.heard == []
        serve(host, key=None, rest=f'windows = {{ "{WINDOWLESS}" = 131072 }}\n')
        ran = cli(*asks, "--json")
    assert ran.json["result"]["panel"][0]["included"]
    assert "window_unknown" not in str(ran.json["result"].get("warnings"))


def test_a_dry_run_says_which_windows_nobody_knows(cli: Cli) -> None:
    with VendorHost({}) as host:
        serve(host, key=None)
        args = ["verify", "--claim", CLAIM, "--panel", f"{WINDOWLESS},openai/gpt-4o", "--dry-run"]
        assert f"Warning: window_unknown:{WINDOWLESS}" in cli(*args).out
        assert cli(*args, "--json").json["warnings"] == [f"window_unknown:{WINDOWLESS}"]


def test_a_key_that_cannot_be_one_stops_only_those_who_ask_its_provider(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MISTRAL_API_KEY", "two words\nand a line")
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        assert cli("verify", "--claim", CLAIM).status == 20
    assert cli("config").status == 0
    assert cli("demo", "-q").status == 0
    ran = cli("verify", "--claim", CLAIM, "--panel", "mistral/mistral-large-2512")
    assert (ran.status, "MISTRAL_API_KEY" in ran.err, "two words" in ran.err) == (2, True, False)


def test_alternates_of_the_settings_do_not_leave_a_machine_that_was_asked_for_by_name(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    user(f'alternates = ["{TRIO[0]}"]\n')
    with ScriptedOllama({LLAMA: [CONFIRM]}, catalogue=installed(LLAMA)) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        ran = cli("verify", "--claim", CLAIM, "--local", "--panel", LLAMA, "--json")
    assert ran.json["result"]["params"].get("alternates") is None
    assert TRIO[0] not in ran.err


def test_a_dry_run_of_a_local_panel_shows_the_context_that_the_model_is_loaded_with(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedOllama({LLAMA: [CONFIRM]}, catalogue=installed(LLAMA)) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        args = ["verify", "--claim", CLAIM, "--local", "--panel", LLAMA, "--json"]
        shown = cli(*args, "--dry-run").json["requests"][0]
        assert server.paths == []
        cli(*args)
        sent = server.asked[0].body
    assert shown["url"] == f"{server.url}/api/chat"
    # The daemon knows better what a model thinks and takes; a dry run asks it nothing.
    assert shown["body"]["options"]["num_ctx"] % 1_024 == 0
    assert shown["body"]["options"]["num_ctx"] >= sent["options"]["num_ctx"] > 0


def test_the_order_of_twins_and_a_family_of_the_users_own_make_another_question(cli: Cli) -> None:
    old = "glm-5.1:cloud"
    scripts = dict.fromkeys([*TRIO, old], [CONFIRM])

    def ask(panel: list[str]) -> bool:
        ran = cli("verify", "--claim", CLAIM, "--panel", ",".join(panel), "--json").json
        return "prior_runs" in ran["result"]["claims"][0]

    with ScriptedOllama(scripts) as server:
        cli.use(server)
        assert not ask([TRIO[0], TRIO[2], old])
        assert ask([TRIO[2], TRIO[0], old])
        assert not ask([TRIO[0], old, TRIO[2]])
        user(f'[families]\n"{TRIO[0].partition(":")[0]}" = "alibaba"\n')
        assert not ask([TRIO[0], TRIO[2], old])


def test_a_price_per_million_tokens_is_that_of_a_prompt_of_usual_size() -> None:
    with VendorHost({}) as host:
        [row] = check_panel(host.access(), Seating(panel=("google/gemini-2.5-pro",)))
    assert (row.usd_in, row.usd_out) == (1.25, 10.0)
