"""Secrets in texts: what has the form of one is found, told without it, and taken out; what only looks like one is sent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimjury import plan_verify
from claimjury.errors import ConfigInvalid, SourceDenied, SourceNotFound
from claimjury.evidence.secrets import excerpt_of, find_secrets, redact
from claimjury.evidence.sources import load_sources
from claimjury.jury.plan import Plan
from claimjury.skeptics.tools.toolbox import Toolbox
from unit.git_helpers import commit
from unit.git_helpers import repository as git_repository
from unit.test_injection import rows

# What stands for a value of no form of its own, beside a name that says too little.
MISSED = {"se27", "se33"}
TOKEN = "ghp_" + "9fK2mQ7xW4rT8vB3nZ6yL1cD5gH0jP2sA4eU"


def with_secret(row: dict[str, Any]) -> tuple[str, str]:
    secret = "".join(row["parts"])
    return row["text"].replace("{{SECRET}}", secret), secret


@pytest.mark.parametrize(
    "row",
    [row for row in rows("secrets") if row["id"] not in MISSED],
    ids=lambda row: f"{row['id']}-{row['kind']}",
)
def test_a_secret_is_found_at_its_line_and_taken_out_whole(row: dict[str, Any]) -> None:
    text, secret = with_secret(row)
    found = find_secrets(text)
    assert row["line"] in {one.line for one in found}
    bare = redact(text, found)
    assert secret not in bare
    assert "[REDACTED: " in bare
    assert bare.count("\n") == text.count("\n")
    for one in found:
        assert all(part not in excerpt_of(text, one) for part in [secret, *(secret.split("\n")[1:])] if part)


def test_of_forty_secrets_two_are_missed() -> None:
    missed = {row["id"] for row in rows("secrets") if not find_secrets(with_secret(row)[0])}
    assert (len(rows("secrets")), missed) == (40, MISSED)


@pytest.mark.parametrize("row", rows("no_secrets"), ids=lambda row: f"{row['id']}-{row['kind']}")
def test_what_only_looks_like_a_secret_is_sent(row: dict[str, Any]) -> None:
    assert find_secrets(row["text"]) == []


@given(st.text(max_size=300))
def test_what_is_taken_out_leaves_every_line_in_its_place(text: str) -> None:
    bare = redact(text, find_secrets(text))
    assert bare.count("\n") == text.count("\n")


def plan(**options: Any) -> Plan:
    return plan_verify(options.pop("claims", ["The token is read from the file."]), **options)


def write_source() -> None:
    Path("a.py").write_text(f'one = 1\ntoken = "{TOKEN}"\ntwo = 2\n', encoding="utf-8")


def test_a_source_with_a_secret_is_refused_with_its_form_its_line_and_the_line_without_it() -> None:
    write_source()
    with pytest.raises(SourceDenied) as caught:
        plan(source_paths=["a.py"])
    assert "GitHub Token in line 2" in caught.value.message
    assert 'token = "[REDACTED' in caught.value.message
    assert TOKEN not in str(caught.value)
    assert "--redact" in caught.value.hint
    with pytest.raises(SourceDenied, match="in line 2"):
        plan(source_paths=["a.py:2-3"])
    plan(source_paths=["a.py:3"])


def test_redacted_it_is_sent_without_it_and_says_so_where() -> None:
    write_source()
    sent = plan(source_paths=["a.py"], redact=True)
    assert TOKEN not in sent.prompt.user
    assert '2| token = "[REDACTED: GitHub Token]"' in sent.prompt.user
    assert "(1 secret(s) taken out)" in sent.prompt.user
    assert sent.sources[0].redacted == ((2, "GitHub Token"),)
    assert TOKEN in plan(source_paths=["a.py"], allow_secrets=True).prompt.user


def test_a_claim_is_refused_and_never_redacted_and_a_reference_is_either() -> None:
    claim = f"The client sends {TOKEN} to the host."
    for options in ({}, {"redact": True}):
        with pytest.raises(SourceDenied, match="The claim 'c1' holds"):
            plan(claims=[claim], **options)
    with pytest.raises(SourceDenied, match="The reference holds"):
        plan(reference=f"token: {TOKEN}")
    assert TOKEN not in plan(reference=f"token: {TOKEN}", redact=True).prompt.user


def test_what_a_skeptics_tools_show_is_without_it() -> None:
    write_source()
    for call in (("read", {"path": "a.py"}), ("grep", {"pattern": "token"})):
        reply = Toolbox(Path()).call(*call)
        assert TOKEN not in reply.text
        assert "[REDACTED: GitHub Token]" in reply.text
        assert reply.text.endswith("1 secret taken out.")


# What is kept back.


def repository() -> None:
    git_repository()
    ignore = "# ours\ngen/\n*.md\n!keep.md\n"
    names = ("src/a.py", "src/gen/b.py", "notes.md")
    commit({**dict.fromkeys(names, "x = 1\n"), ".claimjuryignore": ignore})


def test_what_the_ignore_file_names_is_refused_by_name_and_left_out_of_folders_and_told() -> None:
    repository()
    ignored: list[str] = []
    sources = load_sources(["src"], ignored=ignored)
    assert ([source.path for source in sources], ignored) == (["src/a.py"], ["src/gen/b.py"])
    with pytest.raises(SourceDenied, match=r"notes\.md is kept back by \.claimjuryignore"):
        load_sources(["notes.md"])
    with pytest.raises(SourceNotFound, match="nothing but what"):
        load_sources(["src/gen"])
    assert "ignored:src/gen/b.py" in plan(source_paths=["src/**/*.py"]).warnings


def test_skeptics_neither_read_nor_find_nor_list_what_is_kept_back() -> None:
    repository()
    box = Toolbox(Path())
    assert "notes.md is kept back by .claimjuryignore" in box.call("read", {"path": "notes.md"}).text
    assert box.call("grep", {"pattern": "x = 1"}).text.count("| x = 1") == 1
    assert "kept back by .claimjuryignore" in box.call("glob", {"pattern": "**/*.py"}).text


def test_an_ignore_file_that_cannot_be_read_stops_everything() -> None:
    Path("a.py").write_text("x = 1\n", encoding="utf-8")
    Path(".claimjuryignore").write_bytes(b"\xff\xfe\x00broken")
    with pytest.raises(ConfigInvalid, match="cannot be read"):
        load_sources(["a.py"])
