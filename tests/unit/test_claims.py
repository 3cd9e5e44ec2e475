"""Claims are read strictly: every form of file, every limit, every fault named with its place."""

from __future__ import annotations

import json
import os
from collections import ChainMap
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimjury.claims import Claim, parse_claims, read_claims
from claimjury.errors import (
    InvalidRequest,
    RequestError,
    SourceDenied,
    SourceNotFound,
    SourceNotText,
    SourceTooLarge,
)
from claimjury.surfaces.cli.claims_file import load_claims_file
from claimjury.text import fold_blanks


def refusal(items: Any) -> str:
    with pytest.raises(InvalidRequest) as caught:
        parse_claims(items)
    assert caught.value.code == "INVALID_REQUEST"
    assert caught.value.hint
    return caught.value.message


def refused_text(text: str, path: Path | None = None) -> str:
    with pytest.raises(InvalidRequest) as caught:
        read_claims(path, text)
    return caught.value.message


def test_strings_mappings_and_claims_are_all_accepted() -> None:
    claims = parse_claims(["one", {"id": " x ", "statement": " two "}, Claim(id="y", statement="three")])

    assert claims == (
        Claim(id="c1", statement="one"),
        Claim(id="x", statement="two"),
        Claim(id="y", statement="three"),
    )


@pytest.mark.parametrize("key", ["statement", "claim", "finding"])
def test_a_statement_goes_by_any_of_three_names(key: str) -> None:
    assert parse_claims([{key: "It holds."}]) == (Claim(id="c1", statement="It holds."),)


@pytest.mark.parametrize("item", ["It holds.", {"statement": "It holds."}, ChainMap({"claim": "It holds."})])
def test_one_claim_needs_no_list(item: Any) -> None:
    assert parse_claims(item) == (Claim(id="c1", statement="It holds."),)


def test_one_claim_object_needs_no_list() -> None:
    assert parse_claims(Claim(id="a", statement="x")) == (Claim(id="a", statement="x"),)  # type: ignore[arg-type]


def test_an_iterator_is_read_once() -> None:
    assert [claim.id for claim in parse_claims(iter(["a", "b"]))] == ["c1", "c2"]


def test_a_minted_id_is_the_position() -> None:
    assert [claim.id for claim in parse_claims(["a", {"id": "x", "statement": "b"}, "c"])] == [
        "c1",
        "x",
        "c3",
    ]


def test_a_minted_id_steps_over_those_that_are_taken_before_and_after() -> None:
    items: list[Any] = ["a", {"id": "c1", "statement": "b"}, {"id": "c2", "statement": "c"}, "d", "e"]

    assert [claim.id for claim in parse_claims(items)] == ["c3", "c1", "c2", "c4", "c5"]


def test_a_null_id_is_an_absent_one() -> None:
    assert parse_claims([{"id": None, "statement": "a"}])[0].id == "c1"


def test_ids_keep_their_case() -> None:
    items = [{"id": "A", "statement": "one"}, {"id": "a", "statement": "two"}]

    assert [claim.id for claim in parse_claims(items)] == ["A", "a"]


@given(st.lists(st.none() | st.sampled_from([f"c{n}" for n in range(1, 25)]), min_size=1, max_size=20))
def test_every_claim_gets_an_id_of_its_own_and_keeps_the_one_it_has(ids: list[str | None]) -> None:
    given_ids = [ident for ident in ids if ident]
    items: list[Any] = [{"id": ident, "statement": "x"} for ident in ids]
    if len(set(given_ids)) < len(given_ids):
        assert "same id" in refusal(items)
        return

    claims = parse_claims(items)

    assert len({claim.id for claim in claims}) == len(ids)
    assert all(claim.id == ident for claim, ident in zip(claims, ids, strict=True) if ident)


def test_no_claim_is_refused() -> None:
    assert refusal([]) == "There is no claim to judge."


def test_twenty_claims_are_accepted() -> None:
    assert len(parse_claims([f"Claim number {n}." for n in range(20)])) == 20


def test_the_21st_claim_is_refused_rather_than_dropped() -> None:
    assert refusal(["x"] * 21) == "There are 21 claims; a run takes at most 20."


def test_an_id_of_64_characters_is_accepted_after_trimming() -> None:
    assert parse_claims([{"id": f"  {'é' * 64}\n", "statement": "x"}])[0].id == "é" * 64


def test_an_id_of_65_characters_is_refused() -> None:
    message = refusal(["ok", {"id": "a" * 65, "statement": "x"}])

    assert message == "Claim 2 has an id of 65 characters; 1 to 64 are allowed."


@pytest.mark.parametrize("blank", ["", " ", "\t\n"])
def test_a_blank_id_is_refused(blank: str) -> None:
    assert "Claim 1 has an id of 0 characters" in refusal([{"id": blank, "statement": "x"}])


def test_a_statement_of_4000_characters_is_accepted_after_trimming() -> None:
    assert parse_claims([f"\n{'é' * 4000} "])[0].statement == "é" * 4000


def test_a_statement_of_4001_characters_is_refused_rather_than_cut() -> None:
    assert refusal(["ok", "a" * 4001]) == "Claim 2 has 4,001 characters; at most 4,000 are allowed."


@pytest.mark.parametrize("item", ["", " \n\t", {"statement": ""}, {"claim": "  "}])
def test_a_blank_statement_is_refused(item: Any) -> None:
    assert refusal(["ok", "ok", item]) == "Claim 3 is empty."


@pytest.mark.parametrize(
    ("value", "kind"),
    [(None, "null"), (True, "boolean"), (7, "number"), (1.5, "number"), ([], "array"), ({}, "object")],
)
def test_a_statement_that_is_no_string_is_refused(value: object, kind: str) -> None:
    assert refusal([{"statement": value}]) == f"Claim 1 has a statement that is a JSON {kind}."


@pytest.mark.parametrize(("value", "kind"), [(7, "number"), (False, "boolean"), (["a"], "array")])
def test_an_id_that_is_no_string_is_refused(value: object, kind: str) -> None:
    assert refusal([{"id": value, "statement": "x"}]) == f"Claim 1 has an id that is a JSON {kind}."


@pytest.mark.parametrize(("item", "kind"), [(None, "null"), (3, "number"), (["x"], "array"), ({1}, "set")])
def test_an_item_that_is_no_claim_is_refused_by_its_position(item: object, kind: str) -> None:
    assert refusal(["ok", item]) == f"Claim 2 is a JSON {kind}, not a string or an object."


@pytest.mark.parametrize("field", ["reasoning", "Statement", "ID", "evidence", "\x1b[2Jproof"])
def test_an_unknown_field_is_refused_so_that_no_reasoning_rides_along(field: str) -> None:
    message = refusal(["ok", {"statement": "x", field: "trust me"}])

    assert message.startswith("Claim 2 has the unknown field '")
    assert "trust me" not in message
    assert "\x1b" not in message


def test_all_unknown_fields_are_named() -> None:
    assert "'why', 'proof'" in refusal([{"statement": "x", "why": 1, "proof": 2}])


def test_a_mapping_without_a_statement_is_refused() -> None:
    assert refusal([{"id": "a"}]).endswith("it has none of them.")


def test_a_mapping_with_two_statements_is_refused() -> None:
    assert refusal([{"claim": "a", "statement": "b"}]).endswith("it has statement and claim.")


def test_an_id_that_comes_twice_is_refused_with_both_positions() -> None:
    items: list[Any] = [{"id": "a", "statement": "1"}, "2", {"id": " a", "statement": "3"}]

    assert refusal(items) == "Claims 1 and 3 have the same id 'a'."


def test_half_of_a_surrogate_pair_in_a_statement_is_refused() -> None:
    assert refusal(["ok", "bad \ud83d"]) == "Claim 2 holds half of a surrogate pair."


def test_half_of_a_surrogate_pair_in_an_id_is_refused() -> None:
    assert (
        refusal([{"id": "\udc00", "statement": "x"}])
        == "Claim 1 has an id that holds half of a surrogate pair."
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("claims.json", '["one", {"id": "b", "statement": "two"}]'),
        ("claims.JSON", '\n ["one", {"id": "b", "statement": "two"}] '),
        ("claims.jsonl", '"one"\n\n{"id": "b", "statement": "two"}\n'),
        ("claims.ndjson", '"one"\r\n{"id": "b", "statement": "two"}\r\n'),
        ("claims.txt", '["one", {"id": "b", "statement": "two"}]'),
        (None, '\ufeff["one", {"id": "b", "statement": "two"}]'),
    ],
)
def test_json_forms_give_the_same_items(name: str | None, text: str) -> None:
    items = read_claims(None if name is None else Path(name), text)

    assert items == ["one", {"id": "b", "statement": "two"}]


def test_an_opening_brace_without_a_suffix_is_json_lines() -> None:
    assert read_claims(None, '{"claim": "a"}\n{"claim": "b"}') == [{"claim": "a"}, {"claim": "b"}]


@pytest.mark.parametrize("name", ["claims.md", "claims.markdown", "claims", None])
def test_a_markdown_list_gives_its_items(name: str | None) -> None:
    text = "# Claims\n\n- one\n* two,\n  which goes on\n\tand on\n+ three\r\n\n1. four\n2) five\n"

    items = read_claims(None if name is None else Path(name), text)

    assert items == ["one", "two, which goes on and on", "three", "four", "five"]


def test_a_suffix_beats_the_look_of_the_text() -> None:
    assert read_claims(Path("a.md"), "- [1] is the first\n") == ["[1] is the first"]
    assert "a.json is not JSON" in refused_text("- one", Path("a.json"))


def test_broken_json_is_refused_with_its_place() -> None:
    message = refused_text('["one",\n oops]', Path("claims.json"))

    assert message.startswith("claims.json is not JSON: ")
    assert "line 2" in message


@pytest.mark.parametrize(
    ("text", "kind"),
    [('{"claim": "a"}', "object"), ("null", "null"), ("3", "number"), ('"a"', "string"), ("true", "boolean")],
)
def test_json_that_is_no_array_is_refused(text: str, kind: str) -> None:
    assert refused_text(text, Path("a.json")) == f"a.json holds a JSON {kind}, not an array of claims."


def test_json_nested_too_deep_is_refused_rather_than_a_crash() -> None:
    assert "standard input is not JSON" in refused_text("[" * 100_000)
    assert "standard input, line 1 is not JSON" in refused_text('{"a":' * 100_000)


def test_a_broken_json_line_is_refused_by_its_number() -> None:
    assert refused_text('{"claim": "a"}\n\n{"claim": }\n').startswith("standard input, line 3 is not JSON: ")


@pytest.mark.parametrize("line", ["Just prose.", "-no blank", "---"])
def test_a_line_that_is_no_list_item_is_refused_by_its_number(line: str) -> None:
    message = refused_text(f"- one\n\n{line}\n")

    assert message == f"standard input, line 3 is not a list item: {line.strip()!r}."


@pytest.mark.parametrize("text", ["- one\n  - nested", "\n - nested", "- one\n\t1. nested"])
def test_a_nested_item_is_refused_as_one_rather_than_joined(text: str) -> None:
    with pytest.raises(
        InvalidRequest, match=r"standard input, line 2 is a nested list item: '.* nested'\."
    ) as caught:
        read_claims(None, text)

    assert "one level" in caught.value.hint


@pytest.mark.parametrize("box", ["[ ] ", "[x] ", "[X]  ", ""])
def test_the_box_of_a_task_list_is_not_part_of_the_claim(box: str) -> None:
    assert read_claims(None, f"- {box}It holds.\n1. {box}[x]y holds.") == ["It holds.", "[x]y holds."]


def test_an_empty_task_is_an_empty_claim() -> None:
    assert refusal(read_claims(None, "- one\n- [ ]\n")) == "Claim 2 is empty."


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *[("claims.json", text) for text in ("", " \n", "[]", "\ufeff[ ]")],
        *[("claims.jsonl", text) for text in ("", "\n\n")],
        *[("claims.md", text) for text in ("", "# Claims\n\n## None yet\n")],
    ],
)
def test_a_text_without_a_claim_is_refused_by_its_name(name: str, text: str) -> None:
    assert refused_text(text, Path(name)) == f"{name} holds no claim."
    assert refused_text(text) == "standard input holds no claim."


@pytest.mark.parametrize("name", ["claims.yaml", "claims.YML"])
def test_yaml_is_refused_with_what_to_use_in_its_place(name: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        read_claims(Path(name), "- one\n")

    assert caught.value.message == f"{name} is YAML, which claims are not read from."
    assert "JSON array" in caught.value.hint
    assert "Markdown list" in caught.value.hint


def test_a_key_that_comes_twice_in_an_array_is_refused_rather_than_the_last_taken() -> None:
    message = refused_text('["one", {"claim": "It holds.", "claim": "It fails."}]', Path("a.json"))

    assert message == "a.json has an object that gives 'claim' twice."


def test_a_key_that_comes_twice_on_a_json_line_is_refused_by_the_line() -> None:
    message = refused_text('{"claim": "a"}\n\n{"id": "x", "\x7fid": "y", "id": "z"}', None)

    assert message == "standard input, line 3 has an object that gives 'id' twice."


def test_a_bad_item_of_an_array_is_refused_by_its_position() -> None:
    assert (
        refusal(read_claims(Path("a.json"), '["one", 7]'))
        == "Claim 2 is a JSON number, not a string or an object."
    )


def test_an_indented_line_after_a_blank_one_belongs_to_no_item() -> None:
    assert "line 3 is not a list item" in refused_text("- one\n\n  astray")


def test_a_long_line_is_clipped_and_cleaned_in_the_refusal() -> None:
    message = refused_text(f"\x1b[31m{'x' * 100}")

    assert "[cut: 100 characters in all]" in message
    assert "\x1b" not in message


def test_a_claims_file_is_loaded_with_or_without_a_byte_order_mark() -> None:
    plain, marked = Path("a.json"), Path("b.json")
    plain.write_bytes('["é"]'.encode())
    marked.write_bytes(b"\xef\xbb\xbf" + '["é"]'.encode())

    assert load_claims_file(plain) == load_claims_file(marked) == ["é"]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_claims_file_that_is_not_utf8_is_refused_at_the_byte_of_the_file(mark: bytes) -> None:
    Path("a.md").write_bytes(mark + b"- caf\xe9\n")

    with pytest.raises(InvalidRequest) as caught:
        load_claims_file(Path("a.md"))

    assert caught.value.message == f"a.md is not UTF-8 (byte {len(mark) + 5})."


@pytest.mark.parametrize("path", ["absent.json", "a\0b.json", "link.json"])
def test_a_claims_file_that_cannot_be_read_is_refused(path: str) -> None:
    Path("link.json").symlink_to("link.json")

    with pytest.raises(SourceNotFound) as caught:
        load_claims_file(Path(path))

    assert caught.value.code == "SOURCE_PATH_NOT_FOUND"
    assert caught.value.message.startswith("The claims file ")
    assert "cannot be read: " in caught.value.message


def refused_file(kind: type[RequestError], path: str | Path) -> str:
    with pytest.raises(kind) as caught:
        load_claims_file(Path(path))
    assert caught.value.hint
    return caught.value.message


def test_a_claims_file_is_a_regular_file_and_nothing_else_is_waited_for() -> None:
    os.mkfifo("pipe.json")
    Path("claims").mkdir()

    assert (
        refused_file(SourceNotText, "pipe.json") == "The claims file pipe.json is a FIFO, not a regular file."
    )
    assert (
        refused_file(SourceNotText, "claims") == "The claims file claims is a directory, not a regular file."
    )
    assert (
        refused_file(SourceNotText, "/dev/zero")
        == "The claims file /dev/zero is a device, not a regular file."
    )


def test_a_claims_file_over_5_mb_is_refused() -> None:
    Path("a.json").write_bytes(b" " * 5_000_001)

    assert (
        refused_file(SourceTooLarge, "a.json")
        == "The claims file a.json has 5,000,001 bytes; at most 5,000,000 bytes are read."
    )


def test_a_claims_file_of_5_mb_is_read() -> None:
    Path("a.json").write_bytes(b'["It holds."]'.ljust(5_000_000))

    assert load_claims_file(Path("a.json")) == ["It holds."]


def test_a_claims_file_that_is_named_like_a_secret_is_refused_by_any_name_of_it() -> None:
    Path(".env").write_text("- KEY=hunter2\n")
    Path("claims.md").symlink_to(".env")

    for name in (".env", "claims.md"):
        message = refused_file(SourceDenied, name)
        assert message == f"The claims file {name} is denied: `.env*` names files that hold secrets."


def test_a_claims_file_may_be_a_link() -> None:
    Path("real.md").write_text("- It holds.\r\n  And more.\r- Old.\r", newline="")
    Path("claims.md").symlink_to("real.md")

    assert load_claims_file(Path("claims.md")) == ["It holds. And more.", "Old."]


@pytest.mark.parametrize("items", [5, None, 1.5, b"It holds.", True])
def test_claims_that_are_no_list_are_refused(items: Any) -> None:
    assert refusal(items) == f"The claims are a {type(items).__name__}, not a list."


def test_a_claim_typed_in_a_locale_that_is_not_utf8_is_refused_with_the_locale_as_the_cause() -> None:
    with pytest.raises(InvalidRequest) as typed:
        parse_claims(
            [os.fsencode("It takes caf\xe9").replace(b"\xc3\xa9", b"\xe9").decode("utf-8", "surrogateescape")]
        )
    with pytest.raises(InvalidRequest) as other:
        parse_claims(["It takes \ud83d"])

    assert "the terminal's locale (LC_ALL, LANG) is not UTF-8" in typed.value.hint
    assert "locale" not in other.value.hint


@given(
    st.lists(
        # A box is taken off a Markdown item, and is part of a JSON string.
        st.text(max_size=20).map(fold_blanks).filter(lambda text: text and not text.startswith("[")),
        min_size=1,
        max_size=5,
    )
)
def test_each_form_gives_back_the_statements_that_were_written(statements: list[str]) -> None:
    lines = "\n".join(json.dumps(statement) for statement in statements)
    markdown = "".join(f"- {statement}\n" for statement in statements)

    assert read_claims(Path("a.json"), json.dumps(statements)) == statements
    assert read_claims(Path("a.jsonl"), lines) == statements
    assert read_claims(Path("a.md"), markdown) == statements


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_and_never_a_crash(text: str) -> None:
    with suppress(InvalidRequest):
        assert isinstance(read_claims(None, text), list)
