"""The commands around receipts: export, verify, stale, retally, with the exit status of each."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
import typer

from claimjury.errors import ClaimjuryError, InvalidRequest, UnknownRun
from claimjury.ledger.checking import NOT_PROVEN, PROVEN
from claimjury.ledger.receipts import export_receipt
from claimjury.surfaces.cli.receipt import receipt
from claimjury.surfaces.cli.runs_replay import export_run, retally_run
from claimjury.testing.demo import EXAMPLE
from jury.helpers import CONFIRM, TRIO, trio
from ledger.helpers import FILE
from ledger.receipt_helpers import demo_run, forged, real_receipt, stored_run

RECEIPT = Path("run.json")
app = typer.Typer(pretty_exceptions_enable=False)
app.add_typer(receipt)
app.command("export")(export_run)
app.command("retally")(retally_run)


class Commands:
    """Runs the commands by themselves, as the entry does, and gives status and standard output."""

    def __init__(self, capfd: pytest.CaptureFixture[str]) -> None:
        self._capfd = capfd

    def __call__(self, *args: str) -> tuple[int, str]:
        self._capfd.readouterr()
        status = app(list(args), standalone_mode=False)
        return status, self._capfd.readouterr().out

    def json(self, *args: str) -> Any:
        status, out = self(*args, "--json")
        value = json.loads(out)
        assert value["exit_status"] == status
        return value


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Commands:
    return Commands(capfd)


def one_line(text: str) -> str:
    return " ".join(text.split())


async def test_export_writes_the_receipt_of_the_last_run_and_says_that_it_is_scripted(
    run: Commands, capfd: pytest.CaptureFixture[str]
) -> None:
    stored = await demo_run()
    assert app(["export", "last", "--receipt", "run.json", "--ledger", str(FILE)], standalone_mode=False) == 0
    assert RECEIPT.read_bytes() == export_receipt(stored)
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err == (
        f"claimjury: the receipt of {stored.row['run_id']} is in run.json. Its jurors are scripts, and it says so.\n"
    )


async def test_export_refuses_a_place_that_cannot_be_written_and_a_run_that_is_not_there(
    run: Commands,
) -> None:
    await demo_run()
    with pytest.raises(InvalidRequest, match="cannot be written"):
        run("export", "last", "--receipt", "nowhere/run.json", "--ledger", str(FILE))
    with pytest.raises(UnknownRun):
        run("export", "1999", "--receipt", "run.json", "--ledger", str(FILE))
    assert not RECEIPT.exists()


async def test_a_full_disk_is_an_error_and_no_success(run: Commands) -> None:
    await demo_run()
    with pytest.raises(InvalidRequest, match="cannot be written: No space left") as caught:
        run("export", "last", "--receipt", "/dev/full", "--ledger", str(FILE))
    assert caught.value.exit_status == 2


async def test_export_of_a_run_without_content_is_an_error(run: Commands) -> None:
    await stored_run(trio(CONFIRM), keep_content=False)
    with pytest.raises(ClaimjuryError, match="without its content") as caught:
        run("export", "last", "--receipt", "run.json", "--ledger", str(FILE))
    assert caught.value.exit_status == 2


async def test_verify_of_a_valid_receipt_exits_with_0_and_says_what_it_shows_and_what_not(
    run: Commands,
) -> None:
    RECEIPT.write_bytes(await real_receipt())
    status, out = run("receipt", "verify", "run.json")
    assert status == 0
    assert out.startswith("VALID: The receipt of run ")
    assert PROVEN in one_line(out)
    assert NOT_PROVEN in one_line(out)
    assert json.loads(RECEIPT.read_bytes())["receipt_sha256"] in out


async def test_verify_of_a_scripted_receipt_exits_with_20(run: Commands) -> None:
    RECEIPT.write_bytes(export_receipt(await demo_run()))
    status, out = run("receipt", "verify", "run.json")
    assert status == 20
    assert out.startswith("SCRIPTED: ")
    assert "whoever answered is a script: no model was asked" in one_line(out)


async def test_verify_of_an_unverified_host_exits_with_20(run: Commands) -> None:
    parts = json.loads(await real_receipt())
    parts["unverified_host"] = True
    parts["verdicts"][0]["standing"]["reasons"].append("unverified_host")
    RECEIPT.write_bytes(forged(parts))
    status, out = run("receipt", "verify", "run.json")
    assert status == 20
    assert out.startswith("UNVERIFIED HOST: ")


async def test_verify_of_a_changed_receipt_exits_with_10_and_names_the_first_fault(run: Commands) -> None:
    RECEIPT.write_bytes(export_receipt(await demo_run()).replace(b'"CONFIRMED"', b'"REFUTED"', 1))
    status, out = run("receipt", "verify", "run.json")
    assert status == 10
    assert out.startswith("INVALID: The hash of `")
    assert "DOES NOT FIT" in out
    assert PROVEN not in one_line(out)


async def test_verify_with_the_evidence_checks_it_too(run: Commands) -> None:
    RECEIPT.write_bytes(export_receipt(await demo_run()))
    report = run.json("receipt", "verify", "run.json", "--evidence", str(EXAMPLE))
    assert {step["state"] for step in report["check"]["steps"]} == {"fits"}
    assert report["check"]["outcome"] == "scripted"
    assert report["check"]["proven"] == PROVEN
    report = run.json("receipt", "verify", "run.json", "--evidence", ".")
    assert report["exit_status"] == 10
    assert report["check"]["first_fault"] == "The file ttl_cache.py cannot be read in the folder."
    assert "proven" not in report["check"]


@pytest.mark.parametrize("content", [None, b"", b"{}", b'{"schema": "claimjury-receipt/v2"}'])
@pytest.mark.parametrize("command", ["verify", "stale"])
def test_what_is_no_receipt_exits_with_2(run: Commands, content: bytes | None, command: str) -> None:
    if content is not None:
        RECEIPT.write_bytes(content)
    with pytest.raises(InvalidRequest) as caught:
        run("receipt", command, "run.json")
    assert caught.value.exit_status == 2
    assert caught.value.hint


def test_a_receipt_without_the_form_of_one_is_invalid_by_name(run: Commands) -> None:
    RECEIPT.write_bytes(b'{"schema": "claimjury-receipt/v1"}')
    status, out = run("receipt", "verify", "run.json")
    assert status == 10
    assert out.startswith("INVALID: `run` does not have the form of claimjury-receipt/v1.")


async def test_stale_exits_with_0_until_a_source_changes(run: Commands) -> None:
    Path("loop.py").write_text("for n in range(7): pass\n", encoding="utf-8")
    RECEIPT.write_bytes(await real_receipt(source_paths=["loop.py"]))
    assert run("receipt", "stale", "run.json") == (0, "No source has changed since it was judged.\n")
    Path("loop.py").write_text("for n in range(8): pass\n", encoding="utf-8")
    status, out = run("receipt", "stale", "run.json", "--root", ".")
    digest = hashlib.sha256(Path("loop.py").read_bytes()).hexdigest()
    assert (status, out) == (10, f"changed: loop.py (sha256 {digest})\n")
    Path("loop.py").unlink()
    assert run.json("receipt", "stale", "run.json") == {
        "stale": [{"name": "loop.py", "state": "missing"}],
        "exit_status": 10,
    }


async def test_retally_shows_which_claims_flip_and_why(run: Commands) -> None:
    await demo_run()
    status, out = run("retally", "last", "--min-refute-votes", "4", "--ledger", str(FILE))
    assert status == 0
    assert out.startswith("SCRIPTED: ")
    assert "min_refute_votes 4 (the run had 2)" in one_line(out)
    assert "No call was made." in one_line(out)
    assert "FLIPS REFUTED -> NEEDS_REVIEW" in one_line(out)
    assert "stays CONFIRMED" in one_line(out)


async def test_retally_without_seats_as_json(run: Commands) -> None:
    await demo_run()
    drop = ["--drop-seat", TRIO[0], "--drop-seat", TRIO[1]]
    counted = run.json("retally", "last", *drop, "--ledger", str(FILE))["retally"]
    assert counted["dropped_seats"] == list(TRIO[:2])
    assert counted["weak"] is True
    assert {claim["new"] for claim in counted["claims"]} == {"NEEDS_REVIEW"}
    status, out = run("retally", "last", *drop, "--ledger", str(FILE))
    assert status == 0
    assert f"without {TRIO[0]}, {TRIO[1]}" in one_line(out)
    assert "WEAK" in out
