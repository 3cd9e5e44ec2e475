"""Secrets in texts: what has the form of one is found, told without it, and taken out; what only looks like one is sent."""

from __future__ import annotations

import base64
import hashlib
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimjury import plan_verify
from claimjury.errors import ConfigInvalid, InvalidRequest, SourceDenied, SourceNotFound
from claimjury.evidence.secrets import excerpt_of, find_secrets, redact
from claimjury.evidence.sources import load_sources
from claimjury.jury.plan import Plan
from claimjury.skeptics.tools.toolbox import Toolbox
from unit.git_helpers import commit, git
from unit.git_helpers import repository as git_repository
from unit.test_injection import rows

# A value that begins as a reference does.
MISSED = {"se33"}
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
        assert all(
            part not in excerpt_of(text, one, found) for part in [secret, *(secret.split("\n")[1:])] if part
        )


def test_of_forty_secrets_one_is_missed() -> None:
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


# Where a secret stands.

KEY_LINES = [
    base64.b64encode(hashlib.sha512(f"{number}".encode()).digest()[:48]).decode() for number in range(12)
]
HEAD, FOOT = "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"


def key_file(prefix: str = "", *, foot: bool = True, encrypted: bool = False) -> str:
    marks = ["Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-256-CBC,9F2B", ""] if encrypted else []
    lines = [HEAD, *marks, *KEY_LINES, *([FOOT] if foot else [])]
    return "".join(f"{prefix}{line}\n" for line in lines)


def left_of(text: str, *, diff: bool = False) -> list[str]:
    bare = redact(text, find_secrets(text, diff=diff))
    assert bare.count("\n") == text.count("\n")
    return [line for line in KEY_LINES if line in bare]


@pytest.mark.parametrize("prefix", ["", "; ", " | ", "// ", "+", "-", "    ", "> ", "12| ", "10:00 INFO "])
@pytest.mark.parametrize("encrypted", [False, True])
@pytest.mark.parametrize("foot", [False, True])
def test_a_key_goes_whole_behind_any_prefix_encrypted_or_cut(
    prefix: str, encrypted: bool, foot: bool
) -> None:
    assert left_of(f"one\n{key_file(prefix, foot=foot, encrypted=encrypted)}two\n") == []


def test_a_key_of_which_only_the_end_is_there_goes_by_its_footer() -> None:
    assert left_of("".join(f"{line}\n" for line in [*KEY_LINES[5:], FOOT])) == KEY_LINES[:0]


def test_in_a_diff_lines_of_a_key_are_known_without_heading_and_footer() -> None:
    head = "diff --git a/k.txt b/k.txt\n--- a/k.txt\n+++ b/k.txt\n@@ -4,7 +4,7 @@\n"
    hunk = (
        "".join(f" {line}\n" for line in KEY_LINES[:4]) + f"-{KEY_LINES[5]}\n+{'A' * 64}\n {KEY_LINES[6]}\n"
    )
    assert left_of(head + hunk, diff=True) == []
    assert find_secrets(head + hunk) == []
    locked = (head + hunk).replace("k.txt", "yarn.lock")
    assert find_secrets(locked, diff=True) == []
    image = f"{head} iVBORw0KGgo{'Ab1+' * 14}\n{hunk}"
    assert find_secrets(image, diff=True) == []
    public = f"{head} -----BEGIN CERTIFICATE-----\n{hunk}"
    assert find_secrets(public, diff=True) == []


def test_code_between_a_heading_and_a_footer_stays() -> None:
    code = "".join(f"    step_{number}(data)\n" for number in range(300))
    text = f'BEGIN = "{HEAD}"\nFormat = 1\ndef parse(data):\n{code}END = "{FOOT}"\n'
    assert find_secrets(text) == []
    assert find_secrets(f'lines = ["{HEAD}", *body, "{FOOT}"]\n') == []


def test_an_excerpt_is_looked_through_as_a_part_of_its_file() -> None:
    Path("k.txt").write_text(f"one\n{key_file()}", encoding="utf-8")
    with pytest.raises(SourceDenied, match="Private key in line 4"):
        plan(source_paths=["k.txt:4-9"])
    sent = plan(source_paths=["k.txt:4-9"], redact=True)
    assert not any(line in sent.prompt.user for line in KEY_LINES)
    assert sent.sources[0].text.count("\n") == 6
    assert plan(source_paths=["k.txt:1"]).sources[0].text == "one\n"


def test_a_secret_that_stands_twice_goes_twice_and_no_refusal_shows_it() -> None:
    for text in (
        f"a={TOKEN} b={TOKEN}\n",
        f'"{TOKEN}" and x{TOKEN}\n',
        f"password={TOKEN[4:]} ({TOKEN[4:]})\n",
    ):
        found = find_secrets(text)
        assert TOKEN[4:] not in redact(text, found)
        assert all(TOKEN[4:] not in excerpt_of(text, one, found) for one in found)
        with pytest.raises(SourceDenied) as caught:
            plan(claims=[f"It says {text.strip()}."])
        assert TOKEN[4:] not in str(caught.value)


@pytest.mark.parametrize("before", [0, 3_950, 5_970, 5_999, 7_990, 9_000, 60_000])
def test_a_line_is_looked_through_to_its_end(before: int) -> None:
    text = f'{"x=1;" * (before // 4)}var t="{TOKEN}";{"y=2;" * 3_000}\n'
    assert TOKEN not in redact(text, find_secrets(text))


@pytest.mark.parametrize(
    "unit",
    ["sk-", "eyJhbGciOiJIUzI1NiJ9.", "//", HEAD, FOOT, "machine ", "password=", "://a:b", "A1b", "\\n"],
)
def test_no_text_takes_a_time_out_of_proportion(unit: str) -> None:
    took = []
    for size in (20_000, 160_000):
        began = time.process_time()
        find_secrets(unit * (size // len(unit)))
        took.append(time.process_time() - began)
    assert took[1] < 24 * max(took[0], 0.02)


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("redis://:s3cr3tPassw0rdZ9@cache:6379/0\n", "s3cr3tPassw0rdZ9"),
        ("postgres://app:%23Xk29mQzRt7@db/x\n", "Xk29mQzRt7"),
        ("postgres://app:$Xk29mQzRt7@db/x\n", "Xk29mQzRt7"),
        ('PASSWORD="aB3$kL9!mN2@pQ7#,rest9Zz8Yx"\n', "rest9Zz8Yx"),
        ("API_KEY=9f8e7d6c5b4a39281706f5e4d3c2b1a0\n", "9f8e7d6c5b4a3928"),
        ("machine h\n  login u\n  password Zx81kkq92\n", "Zx81kkq92"),
        ("+machine h login u password Zx81kkq92\n", "Zx81kkq92"),
    ],
)
def test_a_password_is_known_by_what_stands_around_it(text: str, secret: str) -> None:
    assert secret not in redact(text, find_secrets(text))


@pytest.mark.parametrize(
    "text",
    [
        f'if data.startswith("{HEAD}"):\n    pass\n',
        f'HEAD = "{HEAD}"  # heading\nvalue = 3\n',
        "BEGIN RSA PRIVATE KEY is what a heading says\n",
        "postgresql://scott:tiger@localhost/test\n",
        "mysql+pymysql://user:pass123@localhost/db\n",
        "postgres://myuser:mypassword@db:5432/mydb\n",
        "redis://:$REDIS_PASSWORD@cache:6379/0\n",
        '"tokenizer_class": "Qwen2TokenizerFast2024"\n',
        "private_key: Ed25519PrivateKeyBytes\n",
        '"nextPageToken": "CAoQAA1b2c3D4e5F6g7H8i9J0"\n',
        "checkout@v4 # token: 8e5e7e5ab8b370d6c329ec480221332ada57f0ab\n",
    ],
)
def test_a_heading_an_example_a_class_or_a_type_is_no_secret(text: str) -> None:
    assert find_secrets(text) == []


def test_ids_of_claims_and_names_of_files_are_looked_through_and_never_redacted() -> None:
    for options in ({}, {"redact": True}):
        with pytest.raises(SourceDenied, match="The id of claim 1 holds") as caught:
            plan(claims=[{"id": TOKEN, "statement": "It is so and so."}], **options)
        assert TOKEN not in str(caught.value)
        assert "--redact" not in caught.value.hint
    Path(TOKEN).mkdir()
    Path(TOKEN, "a.py").write_text("x = 1\n", encoding="utf-8")
    with pytest.raises(SourceDenied, match="The name of a source holds"):
        plan(source_paths=[f"{TOKEN}/a.py"], redact=True)


def test_no_tool_shows_a_part_of_a_secret_however_it_cuts() -> None:
    git_repository()
    commit({"k.txt": f"one\n{key_file()}two\n", "m.js": f'{"x=1;" * 990}t="{TOKEN}";\n'})
    commit({"k.txt": f"one\n{key_file().replace(KEY_LINES[8], 'A' * 64)}two\n"})
    git("commit", "--quiet", "--allow-empty", f"--message=Use it\n\n{'x' * 3_970} {TOKEN}")
    box = Toolbox(Path())
    told = [
        box.call("read", {"path": "k.txt"}),
        box.call("read", {"path": "k.txt", "start": 4, "end": 6}),
        box.call("read", {"path": "m.js"}),
        box.call("grep", {"pattern": "^[A-Za-z0-9+/=]{40,}$"}),
        box.call("grep", {"pattern": "x=1;x=1;t="}),
        box.call("grep", {"pattern": TOKEN[8:20]}),
        box.call("git_diff", {"range": "HEAD~2..HEAD"}),
        box.call("git_log", {}),
    ]
    for reply in told:
        assert not reply.failed
        assert not any(line in reply.text for line in [*KEY_LINES, TOKEN[:9], TOKEN[-9:]])
    assert [reply.secrets > 0 for reply in told] == [True, True, True, False, True, False, True, True]
    assert "two" in told[0].text


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
    Path(".claimjuryignore").unlink()
    Path(".claimjuryignore").symlink_to("nowhere")
    with pytest.raises(ConfigInvalid, match="cannot be read"):
        load_sources(["a.py"])
    assert "cannot be read" in Toolbox(Path()).call("read", {"path": "a.py"}).text


def test_a_diff_leaves_out_what_is_kept_back_and_says_so() -> None:
    git_repository()
    commit({"a.txt": "a\n", "plans.md": "old\n", ".claimjuryignore": "/plans.md\n", "sub/plans.md": "old\n"})
    commit({"a.txt": "b\n", "plans.md": "HIDDEN\n"})
    sent = plan(diff="HEAD~1..HEAD")
    assert "HIDDEN" not in sent.prompt.user
    assert "+b" in sent.prompt.user
    assert "ignored:plans.md" in sent.warnings
    assert sent.sources[0].diff is not None
    assert sent.sources[0].diff.files == ("a.txt",)
    commit({"plans.md": "NEW\n"})
    with pytest.raises(InvalidRequest, match="nothing but what"):
        plan(diff="HEAD~1..HEAD")


def test_the_ignore_file_of_every_root_and_both_names_of_a_link_count() -> None:
    git_repository()
    files = {"sub/plans.md": "old\n", "sub/.claimjuryignore": "/plans.md\n", ".claimjuryignore": "/link.md\n"}
    commit({**files, "a.md": "x\n"})
    commit({"sub/plans.md": "HIDDEN\n"})
    Path("link.md").symlink_to("a.md")
    for roots in ([Path(), Path("sub")], [Path("sub"), Path()]):
        with pytest.raises(SourceDenied, match="kept back"):
            load_sources(["sub/plans.md"], roots=roots)
    with pytest.raises(SourceDenied, match="kept back"):
        load_sources(["link.md"])
    told = Toolbox(Path("sub")).call("git_diff", {"range": "HEAD~1..HEAD"}).text
    assert "HIDDEN" not in told
    assert "kept back: sub/plans.md" in told
