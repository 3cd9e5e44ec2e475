"""Which vendor's lineage trained a model: the map, the user's extension of it, and ids that do not say who answers."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from claimjury.models.families import (
    UNKNOWN,
    Lineage,
    author_family,
    family_names,
    family_of,
    is_router,
    known_families,
    lineage_of,
)

DATA: dict[str, Any] = tomllib.loads(
    resources.files("claimjury.models").joinpath("families.toml").read_text(encoding="utf-8")
)
IDS = [
    tuple(line.split("\t"))
    for line in Path(__file__).with_name("family_ids.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
# A name as a vendor gives it, without host, tag or Bedrock's vendor part.
PLAIN = [row for row in IDS if not re.search(r"[/:@]|^[a-z-]+\.", row[0])]
ROW_KEYS = ("starts", "words", "closed")
KNOWN = [
    *(
        row
        for table in DATA["family"].values()
        for key in (*ROW_KEYS, "organisations")
        for row in table.get(key, ())
    ),
    *(row for table in DATA["derived"] for key in ROW_KEYS for row in table.get(key, ())),
]
KNOWN_WORDS = sorted({re.split(r"[-_.:#]", row)[0] for row in KNOWN})


def kin_of(row: tuple[str, ...]) -> frozenset[str]:
    named = {row[1], *row[2].split(",")} if row[1] != UNKNOWN else set()
    return frozenset(named - {""})


@pytest.mark.parametrize("row", IDS, ids=lambda row: row[0])
def test_an_id_gives_the_lineage_that_was_written_down_by_hand(row: tuple[str, ...]) -> None:
    assert lineage_of(row[0]) == Lineage(row[1], kin_of(row))
    assert family_of(row[0]) == row[1]
    assert not is_router(row[0])


def test_the_ids_written_down_are_many_and_of_many_families() -> None:
    assert len({row[0] for row in IDS}) == len(IDS) >= 150
    assert len({row[1] for row in IDS} - {UNKNOWN}) >= 25
    assert {row[1] for row in IDS} - {UNKNOWN} <= family_names()


@pytest.mark.parametrize("row", IDS, ids=lambda row: row[0])
def test_case_blanks_and_the_cloud_suffix_do_not_change_the_lineage(row: tuple[str, ...]) -> None:
    lineage = lineage_of(row[0])
    for spelling in (row[0].upper(), row[0].title(), f"  {row[0]}\n", f"{row[0]}:cloud"):
        assert lineage_of(spelling) == lineage


@pytest.mark.parametrize("row", PLAIN, ids=lambda row: row[0])
def test_a_strangers_quantised_copy_keeps_the_lineage(row: tuple[str, ...]) -> None:
    for copy in ("hf.co/anyone/{}-GGUF:Q4_K_M", "anyone/{}", "openrouter/anyone/{}:free", "ollama:anyone/{}"):
        assert lineage_of(copy.format(row[0])) == lineage_of(row[0])


@pytest.mark.parametrize(
    "model",
    [
        *["gpt4all-j", "gpt-ossified", "gpt-ossify:7b", "gpt-13b", "gpt-111m", "gpt", "minigpt-4", "o11"],
        *["o1x-mini"],
        *["qwenish:7b", "gemmable", "mistrallite:7b", "openllama:7b", "tinyllama", "llamafied", "deepseeker"],
        *["my-glm-5.2", "glmx", "a-command-r", "super-o1", "not-gpt-5", "no-claude", "my-yi", "my-nova-pro"],
        *["command", "nova", "nova-3", "titan", "step-by-step", "ling", "ringer-1", "seedling-1", "kimi"],
        *["kimi-"],
        *["", "  ", ":", "/", "//", ":cloud", "unknown", "7b", "@", "~", "."],
    ],
)
def test_only_whole_words_count_and_ambiguous_ones_only_at_the_beginning(model: str) -> None:
    assert lineage_of(model) == Lineage(UNKNOWN, frozenset())


def test_a_version_may_be_glued_to_a_word_and_another_word_may_not() -> None:
    for glued in ("llama3", "llama3.2", "llama-v3p1", "llamav2", "llama13b", "llama2_70b", "llama3-8b"):
        assert family_of(glued) == "meta"
    for other in ("llama3chat", "llamas", "llamaindex", "llama3chat-8b", "l-lama"):
        assert family_of(other) == UNKNOWN


def test_a_row_that_ends_in_a_version_is_that_version_alone() -> None:
    assert family_of("hermes-4") == "meta"
    assert family_of("hermes-4.5") == family_of("hermes-41") == UNKNOWN


def test_the_base_weights_in_a_name_beat_its_publisher() -> None:
    assert family_of("nvidia/llama-3.1-nemotron-70b-instruct") == "meta"
    assert family_of("microsoft/qwen3-8b") == "alibaba"
    assert family_of("microsoft/something-new") == "microsoft"


def test_the_publisher_nearest_to_the_name_decides() -> None:
    assert family_of("groq/openai/something") == "openai"
    assert family_of("openai/mistralai/something") == "mistral"


def test_lineages_share_where_one_vendors_training_is_in_both() -> None:
    distilled = lineage_of("deepseek-r1-distill-llama-70b")
    assert distilled.shares_with(lineage_of("llama4"))
    assert distilled.shares_with(lineage_of("deepseek-v4-pro"))
    assert not distilled.shares_with(lineage_of("qwen3"))


def test_two_unknown_lineages_share_nothing_that_is_known() -> None:
    assert not lineage_of("rnj-1").shares_with(lineage_of("rnj-1"))


def test_an_unknown_family_adds_none_to_the_known_ones() -> None:
    assert known_families(["glm-5.2", "user/GLM-5", "kimi-k3", "gpt4all-j", "rnj-1"]) == ["moonshot", "zai"]
    assert known_families(["rnj-1", "glm-5.2"], {"rnj-1": "essential"}) == ["essential", "zai"]


OWN = {
    "rnj-1": "Essential",
    "acme/": "acme",
    "acme-tune": "claude",
    "acme-tune-2": "acme",
    "glm-5.2": "mine",
    "gpt-5.2": UNKNOWN,
    "": "nobody",
}


@pytest.mark.parametrize(
    ("model", "family"),
    [
        *[("rnj-1", "essential"), ("RNJ-1:8b-cloud", "essential"), ("hf.co/x/rnj-1-GGUF", "essential")],
        *[("rnj-1.5", UNKNOWN), ("rnj-12", UNKNOWN), ("rnj", UNKNOWN), ("my-rnj-1", UNKNOWN)],
        *[("acme/llama3", "acme"), ("acme", UNKNOWN), ("acmes/llama3", "meta")],
        *[("hf.co/acme/llama3", "meta")],
        *[("acme-tune", "anthropic"), ("acme-tune-2:7b", "acme"), ("acme-tune3", "anthropic")],
        *[("acme-tuned", UNKNOWN)],
        *[("glm-5.2:cloud", "mine"), ("openrouter/z-ai/glm-5.2", "mine"), ("glm-5.1", "zai")],
        *[("gpt-5.2", UNKNOWN), ("gpt-5.1", "openai")],
    ],
)
def test_the_users_extension_wins_over_the_map(model: str, family: str) -> None:
    lineage = lineage_of(model, OWN)
    assert lineage.family == family_of(model, OWN) == family
    if family in {"essential", "acme", "mine"}:
        assert lineage.kin == {family}


def test_an_exact_id_of_the_users_wins_over_a_longer_prefix() -> None:
    own = {"x/tune-v1": "first", "tune-v1:7b": "second"}
    assert family_of("x/tune-v1:7b", own) == "second"
    assert family_of("x/tune-v1:8b", own) == "first"


@pytest.mark.parametrize(
    "model",
    [
        *["auto", "Auto", "auto:free", "router", "model-router", "azure/model-router", "compound-beta"],
        *["notdiamond"],
        *["openrouter/auto", "openrouter/openrouter/auto:online", "openrouter:openrouter/auto"],
        *["openrouter/free"],
        *["groq/compound", "groq/compound-mini", "groq:compound", "groq/groq/compound"],
        *["groq/compound-beta-mini"],
        *["switchpoint/router", "nvidia/switchyard", "typesafe/jev-router", "openrouter/pareto-code:nitro"],
        *["openrouter/fusion", "openrouter/bodybuilder", "sakana/fugu-ultra", "kilo-auto/free"],
        *["kilocode/kilo/auto"],
        *["azure_ai/model_router/my-deployment", "auto_router/mine", "@preset/reviewer"],
        *["openrouter/@preset/llama"],
        *["router-mf-0.11593", "policy/reliable", "route-llm", "AUTO-MODEL-PREMIUM", "litellm/fusion-1"],
    ],
)
def test_a_router_is_told_and_has_no_family(model: str) -> None:
    assert is_router(model)
    assert lineage_of(model) == Lineage(UNKNOWN, frozenset())


@pytest.mark.parametrize(
    "model",
    [
        *["autoglm-phone-9b", "autocoder", "router-r1-qwen", "arch-router-1.5b", "my-auto", "auto-7b"],
        *["free"],
        *["model-router-7b", "openrouter/owl-alpha", "groq/llama3", "fusion", "compound", "auto/llama3"],
        *["router/gpt-5"],
        *["~anthropic/claude-opus-latest", "openai/gpt-4o@preset/reviewer", "presets/x", "", "/"],
    ],
)
def test_a_name_that_only_sounds_like_a_router_is_none(model: str) -> None:
    assert not is_router(model)


def test_a_router_can_be_given_a_family_by_the_user_alone() -> None:
    assert family_of("azure/model-router", {"azure/model-router": "openai"}) == "openai"


@pytest.mark.parametrize(
    ("author", "family"),
    [
        *[("anthropic", "anthropic"), (" Claude ", "anthropic"), ("opus", "anthropic")],
        *[("Claude-Code", "anthropic")],
        *[("gpt", "openai"), ("OpenAI", "openai"), ("codex", "openai"), ("kimi", "moonshot")],
        *[("moonshotai", "moonshot")],
        *[("Moonshot AI", "moonshot"), ("x-ai", "xai"), ("x.ai", "xai"), ("z.ai", "zai"), ("zhipu", "zai")],
        *[("meta-llama", "meta"), ("01.AI", "01ai"), ("Google  DeepMind", "google"), ("nous", "nous")],
        *[("openai/gpt-5.2", "openai"), ("glm-5.2:cloud", "zai"), ("hf.co/x/Llama-3.2-3B-GGUF", "meta")],
        *[("gemini", "google"), ("qwen", "alibaba"), ("llama", "meta"), ("grok", "xai")],
        *[("nobody", None), ("", None), ("unknown", None), ("auto", None), ("openrouter/auto", None)],
        *[("me", None)],
    ],
)
def test_an_author_is_a_family_one_of_its_names_or_a_model(author: str, family: str | None) -> None:
    assert author_family(author) == family


def test_an_author_may_be_of_a_family_that_the_user_added() -> None:
    own = {"rnj-1": "essential", "ours": "claude", "theirs": UNKNOWN}
    assert author_family("Essential", own) == author_family("rnj-1:8b", own) == "essential"
    assert author_family("ours", own) == "anthropic"
    assert author_family("theirs", own) is author_family("essential") is None


FREE_TEXT = st.one_of(st.text(max_size=60), st.text(alphabet="abcx0195.:/@_-~# ", max_size=60))


@given(FREE_TEXT)
def test_an_id_with_no_known_word_is_unknown(model: str) -> None:
    assume(not any(word in model.casefold() for word in KNOWN_WORDS))
    assert lineage_of(model) == Lineage(UNKNOWN, frozenset())


@given(FREE_TEXT, FREE_TEXT)
def test_no_id_and_no_author_breaks_the_reading_and_a_known_family_is_its_own_kin(
    model: str, key: str
) -> None:
    lineage = lineage_of(model, {key: "mine"})
    assert (lineage.family in lineage.kin) == (lineage.family != UNKNOWN) == bool(lineage.kin)
    assert author_family(model, {key: "mine"}) != UNKNOWN
    assert is_router(model) in (True, False)


@given(st.sampled_from(PLAIN), st.sampled_from(["x/", "groq/", "a/b/c/", "openrouter:", "litellm:x/"]))
def test_a_host_or_a_strangers_name_before_an_id_does_not_change_the_lineage(
    row: tuple[str, ...], prefix: str
) -> None:
    assert lineage_of(prefix + row[0]) == Lineage(row[1], kin_of(row))


def test_every_row_of_the_map_stands_once_and_names_families_that_exist() -> None:
    for key in (*ROW_KEYS, "organisations", "aliases"):
        rows = [row for table in DATA["family"].values() for row in table.get(key, ())]
        assert sorted(rows) == sorted(set(rows))
        derived = [row for table in DATA["derived"] for row in table.get(key, ())]
        assert sorted(derived) == sorted(set(derived))
    for table in DATA["derived"]:
        assert {table.get("family", UNKNOWN), *table.get("kin", ())} - {UNKNOWN} <= family_names()
        assert table["source"]
        assert table.get("family") not in table.get("kin", ())


def test_every_key_of_the_map_is_one_that_its_header_explains() -> None:
    assert set(DATA) == {"family", "derived", "routers", "hosts"}
    assert {key for table in DATA["family"].values() for key in table} == {
        *ROW_KEYS,
        "organisations",
        "aliases",
    }
    assert {key for table in DATA["derived"] for key in table} <= {
        "starts",
        "words",
        "family",
        "kin",
        "source",
    }
    assert all(
        row == row.casefold().strip() for row in (*KNOWN, *DATA["routers"]["ids"], *DATA["hosts"]["names"])
    )


@pytest.mark.parametrize(
    ("row", "family"),
    [
        (row, family)
        for family, table in DATA["family"].items()
        for key in ROW_KEYS
        for row in table.get(key, ())
        if not row.endswith("-")
    ],
)
def test_no_row_of_a_family_is_hidden_by_another(row: str, family: str) -> None:
    lineage = lineage_of(row.replace("#", "9"))
    assert family in lineage.kin


def test_an_organisation_is_an_alias_of_no_other_family() -> None:
    for family, table in DATA["family"].items():
        for name in (*table.get("organisations", ()), *table.get("aliases", ())):
            assert author_family(name) == family
            assert name == family or name not in family_names()


def test_importing_the_package_does_not_read_the_map() -> None:
    code = (
        "import claimjury, sys; assert 'claimjury.models.families' not in sys.modules;"
        "import claimjury.models.families as f; assert f._map.cache_info().currsize == 0"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
