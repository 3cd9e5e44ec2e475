"""Receipts: a run that others can check; whatever is changed in it is found, and what it proves is said."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from claimjury.errors import ConfigInvalid, InvalidRequest
from claimjury.jury import seat as jury_seat
from claimjury.jury.events import Event, SeatReasked
from claimjury.jury.prompt import PROMPT_VERSION
from claimjury.jury.verify import verify_claims
from claimjury.ledger import receipt_form
from claimjury.ledger.checking import stale_sources
from claimjury.ledger.reading import load_run
from claimjury.ledger.receipt_form import canonical
from claimjury.ledger.receipts import export_receipt, make_receipt
from claimjury.ledger.recorder import LedgerRecorder
from claimjury.ledger.store import open_ledger
from claimjury.models.hosts import DEFAULT_HOST, Cloud
from claimjury.testing import Reply, ScriptedOllama, ballot
from claimjury.testing.demo import EXAMPLE
from jury.helpers import CONFIRM, FIRST, TRIO, trio
from ledger.helpers import FILE
from ledger.receipt_helpers import (
    Path_,
    changed,
    check,
    demo_run,
    forged,
    leaves,
    real_receipt,
    resealed,
    stored_run,
)

SPOOF = Reply(content=ballot({"c1": "REFUTED"}), served="another-model")


def outcome_of(data: bytes) -> str:
    """Give the outcome; what is refused as no receipt counts as invalid."""
    try:
        return check(data).outcome
    except InvalidRequest:
        return "invalid"


async def demo_parts() -> dict[str, Any]:
    return make_receipt(await demo_run())


def fault_of(parts: dict[str, Any]) -> str:
    """Give what does not fit of a receipt whose hashes were all computed anew."""
    return check(forged(parts)).first_fault


# What it holds.


async def test_a_receipt_is_the_canonical_json_of_the_run() -> None:
    stored = await demo_run()
    parts = make_receipt(stored)
    data = export_receipt(stored)
    assert data == canonical(parts)
    assert json.loads(data) == parts
    assert parts["schema"] == "claimjury-receipt/v1"
    assert parts["run"]["run_id"] == stored.row["run_id"]
    assert parts["prompt"]["sha256"] == stored.row["prompt_sha256"]
    assert [row["kind"] for row in parts["evidence"]] == ["source", "source", "reference"]
    assert [len(seat["replies"]) for seat in parts["seats"]] == [1, 2, 1, 1]


async def test_a_receipt_holds_replies_whole_and_sources_by_their_hashes_alone() -> None:
    data = export_receipt(await demo_run())
    parts = json.loads(data)
    assert all(reply["text"] for seat in parts["seats"] for reply in seat["replies"])
    assert b"def _evict" not in data


async def test_no_path_of_the_machine_no_key_and_no_header_is_in_a_receipt() -> None:
    key = "sk-canary-0123456789"
    echo = Reply(
        content=lambda asked: f"{asked.headers.get('authorization')} " + ballot({"c1": "CONFIRMED"})(asked)
    )
    Path("loop.py").write_text("for n in range(7): pass\n", encoding="utf-8")
    with ScriptedOllama(trio(echo)) as server, open_ledger(FILE) as ledger:
        result = await verify_claims(
            ["The loop ends after 7 attempts."],
            panel=TRIO,
            source_paths=[Path("loop.py").resolve()],
            cloud=Cloud(host=server.url, api_key=key, trusted_hosts=(server.url,)),
            recorder=LedgerRecorder(ledger),
        )
        data = export_receipt(load_run(ledger, result.run_id))
        assert server.asked[0].headers["authorization"] == f"Bearer {key}"
    text = data.decode()
    assert key not in text
    assert str(Path.cwd()) not in text
    assert str(Path.home()) not in text
    assert "Bearer [key]" in text


async def test_a_key_that_a_host_spells_in_escapes_keeps_the_run_from_being_exported() -> None:
    key = "no-key-but-a-script"
    spelled = "".join(f"\\u{ord(char):04x}" for char in key)
    entry = {"id": "c1", "verdict": "CONFIRMED", "severity": "low", "rationale": "KEY"}
    hidden = Reply(json.dumps({"verdicts": [entry]}).replace("KEY", spelled))
    with pytest.raises(InvalidRequest, match="other words on record") as caught:
        export_receipt(await stored_run(trio(hidden)))
    assert key not in str(caught.value)


async def test_a_run_without_its_content_cannot_be_exported() -> None:
    with pytest.raises(InvalidRequest, match="without its content"):
        export_receipt(await stored_run(trio(CONFIRM), keep_content=False))


async def test_a_run_that_did_not_end_cannot_be_exported() -> None:
    stored = await stored_run(trio(CONFIRM))
    with open_ledger(FILE) as ledger, ledger.commit() as rows:
        rows.execute("DELETE FROM results")
    with open_ledger(FILE) as ledger, pytest.raises(InvalidRequest, match="did not end"):
        export_receipt(load_run(ledger, stored.row["run_id"]))


async def test_a_number_that_no_canonical_json_holds_is_refused_in_words() -> None:
    huge = Reply(content=ballot({"c1": "CONFIRMED"}), prompt_tokens=2**60)
    with pytest.raises(InvalidRequest, match="no canonical JSON"):
        export_receipt(await stored_run(trio(huge)))


async def test_a_ledger_that_was_changed_by_hand_gives_no_receipt() -> None:
    stored = await stored_run(trio(CONFIRM))
    with open_ledger(FILE) as ledger, ledger.commit() as rows:
        rows.execute("UPDATE results SET result = replace(result, 'CONFIRMED', 'REFUTED')")
    with open_ledger(FILE) as ledger, pytest.raises(InvalidRequest, match="REFUTED on record"):
        export_receipt(load_run(ledger, stored.row["run_id"]))


async def test_a_reply_that_is_no_valid_unicode_is_held_byte_for_byte() -> None:
    halves = Reply(body=_body('{"verdicts": []} \ud800 tail'))
    parts = make_receipt(await stored_run(trio(halves), reask=False))
    reply = parts["seats"][0]["replies"][0]
    assert "text" not in reply
    assert base64.b64decode(reply["text_base64"]) == b'{"verdicts": []} \xed\xa0\x80 tail'
    assert check(canonical(parts)).first_fault == ""


def _body(text: str) -> bytes:
    whole = {
        "model": "deepseek-v4-pro",
        "message": {"content": text},
        "done": True,
        "claimjury_scripted": True,
    }
    return json.dumps(whole).encode()


def test_the_numbers_of_the_seat_are_those_that_seats_are_read_by() -> None:
    assert receipt_form.MIN_SEEN_SHARE == jury_seat.MIN_SEEN_SHARE
    assert receipt_form.BYTES_PER_TOKEN == jury_seat.BYTES_PER_TOKEN


# Every kind of seat and run fits.


SEATS: dict[str, Any] = {
    "plain": CONFIRM,
    "spoofed": SPOOF,
    "silent about its model": Reply(content=ballot({"c1": "REFUTED"}), served=""),
    "of a daemon": Reply(content=ballot({"c1": "REFUTED"}), fields={"remote_host": "https://x.example"}),
    "blind": Reply(content=ballot({"c1": "REFUTED"}), prompt_tokens=3),
    "uncounted": Reply(content=ballot({"c1": "REFUTED"}), prompt_tokens=-1),
    "prose": Reply(content="I would rather not say."),
    "empty": Reply(content=""),
    "cut": Reply(content='{"verdicts": [', done_reason="length"),
    "unknown ids": Reply(content=ballot({"c9": "REFUTED", "c1": "CONFIRMED"})),
    "gone": Reply(status=410, error="retired"),
    "broken": Reply(hang_up=True),
}


@pytest.mark.parametrize("kind", SEATS)
@pytest.mark.parametrize("reask", [True, False])
async def test_the_receipt_of_every_kind_of_seat_fits(kind: str, reask: bool) -> None:
    data = export_receipt(await stored_run(trio(SEATS[kind]), reask=reask))
    assert check(data).outcome == "scripted"


async def test_the_receipt_of_a_second_reply_fits_whatever_it_is() -> None:
    for second in (
        CONFIRM,
        SPOOF,
        Reply(status=500),
        Reply(content=ballot({"c1": "REFUTED", "c2": "REFUTED"})),
    ):
        scripts = trio([Reply(content=ballot({"c2": "CONFIRMED"})), second])
        data = export_receipt(await stored_run(scripts, claims=["It ends.", "It begins."]))
        assert check(data).first_fault == ""


class StopsAtReask:
    """Keeps a run, and ends it when a seat is asked once more."""

    def __init__(self, inner: LedgerRecorder, stop: anyio.Event) -> None:
        self._inner = inner
        self._stop = stop

    def record(self, event: Event, /) -> None:
        self._inner.record(event)
        if isinstance(event, SeatReasked):
            self._stop.set()


async def test_the_receipt_of_a_run_that_was_cut_off_fits() -> None:
    stop, scripts = anyio.Event(), trio(Reply(content="prose"))
    with ScriptedOllama(scripts) as server, open_ledger(FILE) as ledger:
        result = await verify_claims(
            ["It ends."],
            panel=TRIO,
            cloud=server.trusted_cloud,
            stop=stop,
            recorder=StopsAtReask(LedgerRecorder(ledger), stop),
        )
        stored = load_run(ledger, result.run_id)
    assert (result.status, result.panel[0].exclude_reason) == ("interrupted", "cancelled")
    assert len(stored.replies[FIRST]) == 1
    assert check(export_receipt(stored)).first_fault == ""


# What a check says.


async def test_a_receipt_of_scripts_fits_and_never_verifies_as_real() -> None:
    report = check(export_receipt(await demo_run()))
    assert (report.outcome, report.first_fault) == ("scripted", "")
    parts = {**await demo_parts(), "scripted": False}
    assert fault_of(parts) == "`scripted` does not follow from the replies."


async def test_a_scripted_run_of_a_host_that_is_not_trusted_is_scripted_first() -> None:
    with ScriptedOllama(trio(CONFIRM)) as server, open_ledger(FILE) as ledger:
        recorder = LedgerRecorder(ledger)
        result = await verify_claims(["It ends."], panel=TRIO, cloud=server.cloud, recorder=recorder)
        parts = make_receipt(load_run(ledger, result.run_id))
    assert parts["unverified_host"] is True
    assert check(canonical(parts)).outcome == "scripted"


async def test_a_receipt_without_a_mark_of_a_script_is_valid_on_a_trusted_host() -> None:
    report = check(await real_receipt())
    assert report.outcome == "valid"
    assert report.host is not None
    assert report.host.startswith("http://127.0.0.1")


def distrusted(parts: dict[str, Any]) -> dict[str, Any]:
    """Say of a receipt, throughout, that its host is not verified."""
    verdicts = [
        {**row, "standing": {"grade": "thin", "reasons": [*row["standing"]["reasons"], "unverified_host"]}}
        for row in parts["verdicts"]
    ]
    return {**parts, "unverified_host": True, "verdicts": verdicts}


async def test_a_receipt_of_an_unverified_host_fits_and_never_verifies_as_real() -> None:
    parts = distrusted(json.loads(await real_receipt()))
    assert check(forged(parts)).outcome == "unverified_host"
    assert "`standing` of the claim c1 is" in fault_of({**parts, "unverified_host": False})


async def test_the_built_in_host_is_never_unverified() -> None:
    data = (await real_receipt()).decode()
    host = json.loads(data)["run"]["host"]
    parts = distrusted(json.loads(data.replace(host, DEFAULT_HOST)))
    assert fault_of(parts) == "`unverified_host` does not follow from the host."


async def test_without_any_standing_another_host_than_the_built_in_one_is_unverified() -> None:
    scripts = {model: [Reply(content=ballot({"c1": "UNCERTAIN"}))] for model in TRIO}
    assert make_receipt(await stored_run(scripts))["unverified_host"] is True
    nobody = {model: [Reply(status=410)] for model in TRIO}
    assert make_receipt(await stored_run(nobody))["unverified_host"] is False


# What is changed is found.


async def test_a_change_of_any_leaf_is_found_though_the_outer_hash_is_computed_anew() -> None:
    parts = await demo_parts()
    paths = [path for path in leaves(parts) if path != ("receipt_sha256",)]
    assert len(paths) > 300
    assert [path for path in paths if outcome_of(resealed(changed(parts, path))) != "invalid"] == []


async def test_a_field_more_or_less_is_found_though_every_hash_is_computed_anew() -> None:
    parts = await demo_parts()
    for name in parts:
        less = {key: value for key, value in parts.items() if key != name}
        assert outcome_of(canonical(less)) == "invalid"
    assert "`note` does not have the form" in fault_of({**parts, "note": "more"})
    assert "`claims` does not have the form" in fault_of({**parts, "claims": parts["claims"] * 21})


DERIVED = {
    "weak",
    "scripted",
    "unverified_host",
    "seats.*.family",
    "seats.*.included",
    "seats.*.exclude_reason",
    "seats.*.served_model",
    "seats.*.verdicts_returned",
    "seats.*.votes.*.id",
    "seats.*.votes.*.verdict",
    "seats.*.votes.*.severity",
    "seats.*.votes.*.rationale",
    "seats.*.votes.*.missing",
    "seats.*.excluded_votes.*.verdict",
    "seats.*.usage.tokens_in",
    "seats.*.reasked.*",
    "seats.*.replies.*.served_model",
    "seats.*.replies.*.prompt_tokens",
    "seats.*.replies.*.host",
    "verdicts.*.id",
    "verdicts.*.verdict",
    "verdicts.*.confidence",
    "verdicts.*.confirm_votes",
    "verdicts.*.refute_votes",
    "verdicts.*.uncertain_votes",
    "verdicts.*.missing_votes",
    "verdicts.*.weak",
    "verdicts.*.contested",
    "verdicts.*.standing.grade",
    "verdicts.*.standing.reasons.*",
    "verdicts.*.why",
    "verdicts.*.missing.*",
    "verdicts.*.agent_action",
    "rules.panel.*",
    "rules.thresholds.min_confirm_votes",
    "prompt.system_sha256",
}


async def test_what_follows_from_the_replies_cannot_be_forged_though_every_hash_is_computed_anew() -> None:
    parts = await demo_parts()
    seen: set[str] = set()
    free: list[Path_] = []
    for path in leaves(parts):
        shape = ".".join("*" if isinstance(key, int) else key for key in path)
        if shape in DERIVED:
            seen.add(shape)
            if outcome_of(forged(changed(parts, path))) != "invalid":
                free.append(path)
    assert free == []
    assert seen == DERIVED


async def test_a_forged_vote_is_named_with_what_its_reply_says() -> None:
    parts = await demo_parts()
    parts["seats"][0]["votes"][0]["verdict"] = "CONFIRMED"
    model, claim = FIRST, parts["claims"][0]["id"]
    assert fault_of(parts) == (
        f"The vote of {model} on {claim} is CONFIRMED on record, and REFUTED in its reply."
    )


async def test_a_forged_verdict_is_named_with_what_the_votes_say() -> None:
    parts = await demo_parts()
    row = next(row for row in parts["verdicts"] if row["verdict"] == "REFUTED")
    row["verdict"] = "CONFIRMED"
    assert fault_of(parts) == (
        f"`verdict` of the claim {row['id']} is CONFIRMED, and by the votes it is REFUTED."
    )


async def test_a_spoofed_seat_cannot_be_counted_nor_an_honest_one_left_out() -> None:
    parts = await demo_parts()
    spoofed = parts["seats"][3]
    spoofed |= {"included": True, "votes": spoofed.pop("excluded_votes"), "verdicts_returned": 6}
    del spoofed["exclude_reason"]
    assert fault_of(parts).startswith(
        f"The seat of {spoofed['model']} is included, and by its replies it is excluded as served_model_mismatch"
    )
    parts = await demo_parts()
    honest = parts["seats"][0]
    honest |= {
        "included": False,
        "exclude_reason": "deadline",
        "excluded_votes": honest["votes"],
        "votes": [],
    }
    assert fault_of(parts) == (
        f"The seat of {FIRST} is excluded as deadline, and by its replies it is included."
    )


async def test_a_vote_without_a_reply_and_a_reply_without_its_vote_are_found() -> None:
    parts = await demo_parts()
    model = parts["seats"][0]["model"]
    vote = parts["seats"][0]["votes"].pop()
    assert fault_of(parts) == f"The vote of {model} on {vote['id']} is in its replies and not on record."
    parts = await demo_parts()
    parts["seats"][0]["replies"] = []
    assert fault_of(parts) == f"The seat of {model} is included, and no reply of it is there."


async def test_a_reply_that_nobody_asked_for_is_found() -> None:
    parts = await demo_parts()
    seat = parts["seats"][0]
    seat["replies"] *= 2
    assert "a second reply, and nothing was missing" in fault_of(parts)
    seat["replies"] *= 2
    assert "4 replies; a seat is asked at most twice" in fault_of(parts)


async def test_a_seat_more_or_less_and_a_claim_more_or_less_are_found() -> None:
    parts = await demo_parts()
    assert fault_of({**parts, "seats": parts["seats"][1:]}) == "The seats are not those of the panel."
    twice = {
        **parts,
        "seats": parts["seats"] * 2,
        "rules": {**parts["rules"], "panel": parts["rules"]["panel"] * 2},
    }
    assert fault_of(twice) == "The panel names one model twice."
    assert fault_of({**parts, "claims": []}) == "There are no claims, or two of one id."
    assert "not on the claims" in fault_of({**parts, "verdicts": parts["verdicts"][1:]})


async def test_evidence_that_left_for_another_host_is_found() -> None:
    parts = await demo_parts()
    parts["egress"][0]["host"] = "https://elsewhere.example"
    assert fault_of(parts) == f"{FIRST} answered from a host that nothing was sent to."


async def test_a_run_with_a_cut_seat_cannot_be_called_complete() -> None:
    parts = json.loads(await real_receipt())
    silent = {
        "included": False,
        "exclude_reason": "deadline",
        "votes": [],
        "verdicts_returned": 0,
        "replies": [],
    }
    parts["seats"][0] |= silent
    del parts["seats"][0]["served_model"]
    parts["run"]["status"] = "complete"
    assert "excluded as deadline, and no reply" in fault_of(parts)
    parts["run"]["status"] = "partial"
    assert "by the votes it is" in fault_of(parts)


async def test_a_reply_has_its_text_once() -> None:
    parts = await demo_parts()
    parts["seats"][0]["replies"][0]["text_base64"] = "eA=="
    assert "cannot be computed: a reply has its text once" in fault_of(parts)


async def test_a_file_that_is_not_canonical_is_named_so() -> None:
    parts = await demo_parts()
    assert check(json.dumps(parts).encode()).first_fault == (
        "The file is not the canonical JSON (RFC 8785) of what it says."
    )
    twice = canonical(parts)[:-1] + b',"weak":false}'
    assert check(twice).outcome == "invalid"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "does not say that it is one"),
        (b'{"schema": "other/v1"}', "does not say that it is one"),
        (b'{"schema": "claimjury-receipt/v2"}', "knows claimjury-receipt/v1"),
        (b" " * 64_000_001, "none is so large"),
    ],
    ids=["empty", "bytes", "deep", "list", "other", "newer", "huge"],
)
def test_what_is_no_receipt_is_an_error(data: bytes, words: str) -> None:
    with pytest.raises(InvalidRequest, match=words):
        check(data)


async def test_what_a_receipt_says_cannot_act_on_a_terminal() -> None:
    parts = await demo_parts()
    parts["seats"][0]["exclude_reason"] = "\x1b[2J\u202egone"
    assert "excluded as gone" in fault_of(parts)


# The prompt, the folder.


async def test_with_its_evidence_the_prompt_is_built_again_and_fits() -> None:
    report = check(export_receipt(await demo_run()), EXAMPLE)
    assert {step.name: step.state for step in report.steps}["prompt"] == "fits"
    assert {step.state for step in report.steps} == {"fits"}


async def test_without_its_evidence_the_check_says_what_it_did_not_look_at() -> None:
    report = check(export_receipt(await demo_run()))
    unseen = {step.name: step.detail for step in report.steps if step.state == "not_checked"}
    assert set(unseen) == {"evidence", "prompt"}
    assert unseen["prompt"] == "It cannot be built once more. Its evidence is not at hand."


async def test_a_changed_claim_or_nonce_is_found_where_the_prompt_can_be_built() -> None:
    parts = json.loads(await real_receipt())
    parts["run"]["nonce"] = "0123456789abcdef"
    assert fault_of(parts) == "The prompt that claims, evidence and nonce give is not the one on record."
    parts = json.loads(await real_receipt())
    parts["prompt"]["sha256"] = "0" * 64
    assert fault_of(parts) == "`prompt.sha256` is not the hash of the prompt."
    parts = await demo_parts()
    parts["claims"][0]["statement"] += " Or not."
    assert "is not the one on record" in check(forged(parts), EXAMPLE).first_fault


async def test_a_prompt_of_another_version_is_not_held_against_a_receipt() -> None:
    parts = json.loads(await real_receipt())
    parts["run"]["prompt_version"] = "0"
    report = check(forged(parts))
    assert report.outcome == "valid"
    assert [step.detail for step in report.steps if step.name == "prompt"] == [
        f"It is of version 0, and this claimjury builds version {PROMPT_VERSION}."
    ]


async def with_file(**options: Any) -> bytes:
    Path("src").mkdir(exist_ok=True)
    Path("src/loop.py").write_text("a\nb\nc\nd\n", encoding="utf-8")
    return await real_receipt(**options)


async def test_an_excerpt_is_cut_again_and_fits() -> None:
    data = await with_file(source_paths=["src/loop.py:2-3", "src/loop.py:4"])
    row = json.loads(data)["evidence"][0]
    assert (row["name"], row["start_line"], row["end_line"]) == ("src/loop.py", 2, 3)
    assert {step.state for step in check(data, Path()).steps} == {"fits"}


async def test_a_file_that_changed_or_is_missing_is_named() -> None:
    data = await with_file(source_paths=["src/loop.py"])
    Path("src/loop.py").write_text("e\n", encoding="utf-8")
    fault = check(data, Path()).first_fault
    assert fault.startswith("The file src/loop.py is not the one that was judged: its hash is ")
    Path("src/loop.py").unlink()
    assert check(data, Path()).first_fault == "The file src/loop.py cannot be read in the folder."


async def test_a_forged_hash_of_what_was_sent_is_found_in_the_folder() -> None:
    parts = json.loads(await with_file(source_paths=["src/loop.py"]))
    parts["evidence"][0]["content_sha256"] = "0" * 64
    fault = check(forged(parts), Path()).first_fault
    assert fault == "What was sent of src/loop.py is not what the file says there."
    parts = json.loads(await with_file(source_paths=["src/loop.py"]))
    parts["evidence"][0]["lines"] = 3
    assert "are not those of the file" in check(forged(parts), Path()).first_fault


async def test_a_receipt_cannot_make_a_check_read_outside_the_folder() -> None:
    Path("secret.txt").write_text("s", encoding="utf-8")
    parts = json.loads(await with_file(source_paths=["src/loop.py"]))
    for name in ("../secret.txt", str(Path("secret.txt").resolve()), "\0", ".."):
        parts["evidence"][0]["name"] = name
        assert "cannot be read in the folder" in check(forged(parts), Path("src")).first_fault


async def test_a_reference_that_lies_nowhere_is_not_checked() -> None:
    data = await with_file(source_paths=["src/loop.py"], reference="14 passed")
    unseen = {step.name: step.detail for step in check(data, Path()).steps if step.state == "not_checked"}
    assert unseen["evidence"] == "Only files are looked up in a folder; not checked there: the reference."
    assert unseen["prompt"] == "It cannot be built once more. No file at hand is its reference."
    Path("out.txt").write_text("14 passed", encoding="utf-8")
    assert {step.state for step in check(data, Path()).steps} == {"fits"}


async def test_stale_names_what_changed_with_its_new_hash_and_what_is_missing() -> None:
    stored = await demo_run()
    data = export_receipt(stored)
    shutil.copytree(EXAMPLE, "copy")
    assert stale_sources(data, Path("copy")) == []
    Path("copy/ttl_cache.py").write_bytes(b"\0binary")
    Path("copy/test_ttl_cache.py").unlink()
    assert [row.to_json() for row in stale_sources(data, Path("copy"))] == [
        {
            "name": "ttl_cache.py",
            "state": "changed",
            "sha256": hashlib.sha256(b"\0binary").hexdigest(),
        },
        {"name": "test_ttl_cache.py", "state": "missing"},
    ]
    with pytest.raises(ConfigInvalid, match="not a directory"):
        stale_sources(data, Path("nowhere"))
    with pytest.raises(InvalidRequest, match="does not have the form"):
        stale_sources(b'{"schema": "claimjury-receipt/v1"}', Path())


def test_checking_pulls_in_no_ledger_no_http_client_and_no_provider() -> None:
    code = "import sys, claimjury.ledger.checking; print([m for m in ('sqlite3', 'httpx2', 'pydantic_ai') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


async def test_a_receipt_of_redacted_and_stripped_evidence_fits_the_files_as_they_are() -> None:
    token = "ghp_" + "9fK2mQ7xW4rT8vB3nZ6yL1cD5gH0jP2sA4eU"
    Path("key.py").write_text(f'# one\nx = "{token}"\ny = 2\n', encoding="utf-8")
    stored = await stored_run(
        dict.fromkeys(TRIO, [CONFIRM]),
        source_paths=["key.py", "key.py:2-3"],
        redact=True,
        strip_comments=True,
    )
    data = export_receipt(stored)
    assert token.encode() not in data
    assert check(data, evidence=Path()).first_fault == ""
    Path("key.py").write_text(f'# two\nx = "{token}"\ny = 2\n', encoding="utf-8")
    assert "is not the one that was judged" in check(data, evidence=Path()).first_fault
