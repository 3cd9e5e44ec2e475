"""The ledger's file: locked down, migrated once, never overwritten, and what is forgotten is gone."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anyio
import pytest

from claimjury import Cloud, verify_claims
from claimjury.errors import UnknownRun
from claimjury.ledger.forgetting import forget_run, prune_runs
from claimjury.ledger.reading import find_run, list_runs, load_run, search_runs
from claimjury.ledger.recorder import LedgerRecorder
from claimjury.ledger.schema import MIGRATIONS
from claimjury.ledger.store import LedgerUnusable, default_path, open_ledger
from claimjury.testing import Asked, Reply, ScriptedOllama, ballot
from jury.helpers import CLAIM, CONFIRM, FIRST, TRIO, trio
from ledger.helpers import FILE, all_bytes, kept

SECRET = "the-canary-in-the-evidence"


async def test_the_file_is_the_users_alone_and_in_wal_mode() -> None:
    await kept(trio(CONFIRM))
    assert stat.S_IMODE(FILE.stat().st_mode) == 0o600
    with open_ledger(FILE) as ledger:
        assert ledger.connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        for path in Path().glob("ledger.sqlite3*"):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_usual_place_is_the_users_data_directory() -> None:
    assert default_path().is_relative_to(Path.home())


def test_a_new_ledger_has_every_migration_and_opens_again() -> None:
    for _ in range(2):
        with open_ledger(FILE) as ledger:
            assert ledger.connection.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS)
            assert ledger.connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    assert len({name for name, _ in MIGRATIONS}) == len(MIGRATIONS)
    assert [name for name, _ in MIGRATIONS] == sorted(name for name, _ in MIGRATIONS)


async def test_a_run_is_kept_whole() -> None:
    Path("loop.py").write_text("for n in range(7): pass\n", encoding="utf-8")
    thinking = Reply(ballot({"c1": "CONFIRMED"}), thinking="Seven it is.")
    result = await kept(trio(thinking), source_paths=["loop.py"], reference="14 passed")
    with open_ledger(FILE) as ledger:
        stored = load_run(ledger, result.run_id)
    assert stored.result == result
    assert [seat.model for seat in stored.seats] == list(TRIO)
    assert [(row.kind, row.name, row.text) for row in stored.evidence] == [
        ("source", "loop.py", "for n in range(7): pass\n"),
        ("reference", None, "14 passed"),
    ]
    assert stored.replies[FIRST][0].thinking == "Seven it is."
    assert stored.user is not None
    assert "for n in range(7): pass" in stored.user
    assert stored.claims == (("c1", CLAIM),)


async def test_the_same_text_is_kept_once() -> None:
    Path("big.py").write_text("x = 1\n" * 5_000, encoding="utf-8")
    await kept(trio(CONFIRM), source_paths=["big.py"])
    with open_ledger(FILE) as ledger:
        before = ledger.connection.execute("SELECT count(*) FROM content WHERE size = 30000").fetchone()[0]
    await kept(trio(CONFIRM), source_paths=["big.py"])
    with open_ledger(FILE) as ledger:
        assert (
            ledger.connection.execute("SELECT count(*) FROM content WHERE size = 30000").fetchone()[0]
            == before
            == 1
        )


async def test_without_content_no_word_of_the_run_is_in_the_file() -> None:
    Path("loop.py").write_text(f"# {SECRET}\n", encoding="utf-8")
    said = Reply(ballot({"c1": {"verdict": "CONFIRMED", "rationale": f"It says {SECRET}."}}), thinking=SECRET)
    wrong = Reply(f"{SECRET}", served="llama3:8b")
    result = await kept(
        {FIRST: [said], TRIO[1]: [said], TRIO[2]: [wrong]},
        keep_content=False,
        source_paths=["loop.py"],
        reference=SECRET,
        claims=[f"The file says {SECRET}."],
    )
    assert SECRET.encode() not in all_bytes()
    assert b"loop.py" not in all_bytes()
    with open_ledger(FILE) as ledger:
        stored = load_run(ledger, result.run_id)
        votes = ledger.connection.execute(
            "SELECT model, verdict, counted, rationale FROM votes ORDER BY model"
        ).fetchall()
    assert stored.result is None
    assert stored.replies == {}
    assert [ident for ident, _ in stored.claims] == ["#1"]
    assert [tuple(vote) for vote in votes] == [(FIRST, "CONFIRMED", 1, None), (TRIO[1], "CONFIRMED", 1, None)]
    assert (FILE.with_name("ledger.sqlite3.key")).stat().st_mode & 0o077 == 0


async def test_what_is_forgotten_is_gone_from_every_file_and_leaves_a_tombstone() -> None:
    Path("loop.py").write_text(f"# {SECRET}\n", encoding="utf-8")
    first = await kept(trio(CONFIRM), source_paths=["loop.py"], claims=[f"The file says {SECRET}."])
    second = await kept(trio(CONFIRM))
    assert SECRET.encode() in all_bytes()
    with open_ledger(FILE) as ledger:
        forget_run(ledger, first.run_id)
    assert SECRET.encode() not in all_bytes()
    with open_ledger(FILE) as ledger:
        assert [line.run_id for line in list_runs(ledger)] == [second.run_id]
        assert load_run(ledger, second.run_id).result == second
        with pytest.raises(UnknownRun, match="was forgotten at"):
            find_run(ledger, first.run_id)
        hashes = ledger.connection.execute("SELECT hashes FROM tombstones").fetchone()[0]
    assert first.evidence[0].sha256 in hashes


async def test_each_word_that_is_forgotten_is_gone_from_the_full_text_index_too() -> None:
    await kept(trio(CONFIRM), claims=["The lock is released."])
    gone = await kept(trio(CONFIRM), claims=["The xylophonequartz is released."])
    await kept(trio(CONFIRM), claims=["The loop is released."])
    with open_ledger(FILE) as ledger:
        assert forget_run(ledger, gone.run_id)
        assert len(search_runs(ledger, "released")) == 2
    assert b"xylophonequartz" not in all_bytes()
    assert b"xylophone" not in all_bytes()


async def test_bytes_that_cannot_be_overwritten_yet_are_told_and_are_gone_the_next_time() -> None:
    first = await kept(trio(CONFIRM), claims=[f"The file says {SECRET}."])
    with open_ledger(FILE) as reader, open_ledger(FILE) as ledger:
        reader.connection.execute("BEGIN")
        reader.connection.execute("SELECT count(*) FROM runs").fetchone()
        ledger.connection.execute("PRAGMA busy_timeout = 0")
        assert not forget_run(ledger, first.run_id)
        reader.connection.execute("COMMIT")
        assert prune_runs(ledger, older_than_days=30) == ([], True)
        assert SECRET.encode() not in all_bytes()


async def test_a_run_that_is_forgotten_while_it_runs_stays_forgotten() -> None:
    def forgets(_asked: Asked) -> Reply:
        with open_ledger(FILE) as ledger:
            for line in list_runs(ledger):
                forget_run(ledger, line.run_id)
        return Reply(ballot({"c1": {"verdict": "CONFIRMED", "rationale": SECRET}}))

    with ScriptedOllama(dict.fromkeys(TRIO, forgets)) as server, open_ledger(FILE) as ledger:
        recorder = LedgerRecorder(ledger)
        result = await verify_claims([CLAIM], cloud=server.trusted_cloud, recorder=recorder)
    assert result.claims[0].verdict == "CONFIRMED"
    assert "forgotten while it ran" in (recorder.trouble or "")
    assert SECRET.encode() not in all_bytes()
    with open_ledger(FILE) as ledger:
        assert list_runs(ledger) == []
        for table in ("replies", "seats", "votes", "verdicts", "results", "content"):
            assert ledger.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 0


async def test_a_run_that_somebody_else_has_just_forgotten_is_unknown_and_leaves_one_tombstone() -> None:
    gone = await kept(trio(CONFIRM))
    with open_ledger(FILE) as ledger:
        assert forget_run(ledger, gone.run_id)
        assert forget_run(ledger, gone.run_id)
        assert ledger.connection.execute("SELECT count(*) FROM tombstones").fetchone()[0] == 1
        with pytest.raises(UnknownRun, match="was forgotten at"):
            load_run(ledger, gone.run_id)
        with pytest.raises(UnknownRun, match="There is no run"):
            load_run(ledger, "nothing")


def test_processes_that_prune_at_once_forget_each_run_once() -> None:
    runs = {anyio.run(kept, trio(CONFIRM)).run_id for _ in range(6)}
    code = (
        "from pathlib import Path; from claimjury.ledger.store import open_ledger\n"
        "from claimjury.ledger.forgetting import prune_runs\n"
        "with open_ledger(Path('ledger.sqlite3')) as ledger:\n"
        "    print(*prune_runs(ledger, older_than_days=0)[0])\n"
    )
    pruners = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    said = [run_id for pruner in pruners for run_id in pruner.communicate(timeout=60)[0].split()]
    assert [pruner.returncode for pruner in pruners] == [0, 0, 0]
    assert sorted(said) == sorted(runs)


async def test_a_ledger_that_others_could_read_is_closed_to_them() -> None:
    await kept(trio(CONFIRM))
    FILE.chmod(0o644)
    with open_ledger(FILE):
        pass
    assert stat.S_IMODE(FILE.stat().st_mode) == 0o600


async def test_a_key_of_the_wrong_length_is_refused_and_kept_as_it_is() -> None:
    key = FILE.with_name("ledger.sqlite3.key")
    key.write_bytes(b"short")
    with open_ledger(FILE) as ledger, pytest.raises(LedgerUnusable, match="has 5 bytes, not 32"):
        ledger.keyed_hash("text")
    assert key.read_bytes() == b"short"


async def test_pruning_forgets_what_is_older_and_nothing_else() -> None:
    old = await kept(trio(CONFIRM))
    new = await kept(trio(CONFIRM))
    with open_ledger(FILE) as ledger:
        ledger.connection.execute(
            "UPDATE runs SET started_at = '2020-01-01T00:00:00' WHERE run_id = ?", (old.run_id,)
        )
        assert prune_runs(ledger, older_than_days=30) == ([old.run_id], True)
        assert [line.run_id for line in list_runs(ledger)] == [new.run_id]


async def test_runs_are_found_by_words_of_claims_and_rationales() -> None:
    vote = {"verdict": "CONFIRMED", "rationale": 'Quoted "words" count too.'}
    result = await kept(trio(Reply(ballot({"c1": vote}))), claims=["The lock is released."])
    with open_ledger(FILE) as ledger:
        for words in ("lock released", "quoted words", '"words"', "Quoted"):
            assert [line.run_id for line in search_runs(ledger, words)] == [result.run_id]
        for words in ("lock absent", "", '"', "* OR"):
            assert search_runs(ledger, words) == []


async def test_a_run_is_found_by_the_beginning_of_its_id() -> None:
    first, second = await kept(trio(CONFIRM)), await kept(trio(CONFIRM))
    with open_ledger(FILE) as ledger:
        assert find_run(ledger, first.run_id) == first.run_id
        assert find_run(ledger, second.run_id[:-2]) == second.run_id
        assert find_run(ledger, "last") == second.run_id
        for wrong in ("20", "nothing", "%", "_"):
            with pytest.raises(UnknownRun):
                find_run(ledger, wrong)


def test_a_file_that_is_no_ledger_is_refused_and_not_changed() -> None:
    text = Path("notes.txt")
    text.write_text("not a database at all, but long enough to look at " * 20, encoding="utf-8")
    other = Path("other.db")
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    for path in (text, other):
        before = path.read_bytes()
        with pytest.raises(LedgerUnusable), open_ledger(path):
            pass
        assert path.read_bytes() == before


def test_a_ledger_of_a_newer_version_is_refused_and_says_what_to_do() -> None:
    with open_ledger(FILE) as ledger:
        ledger.connection.execute("PRAGMA user_version = 99")
    with pytest.raises(LedgerUnusable, match="is of version 99") as caught, open_ledger(FILE):
        pass
    assert "upgrade" in caught.value.hint


async def test_a_corrupt_ledger_is_an_error_and_stays_as_it_is() -> None:
    await kept(trio(CONFIRM))
    with open_ledger(FILE) as ledger:
        ledger.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(FILE.read_bytes())
    data[100:4_000] = b"\xff" * 3_900
    FILE.write_bytes(data)
    with pytest.raises(LedgerUnusable, match="cannot be used"), open_ledger(FILE):
        pass
    assert FILE.read_bytes() == bytes(data)


def test_reading_makes_no_ledger_where_there_is_none() -> None:
    with pytest.raises(LedgerUnusable, match="There is no ledger"), open_ledger(FILE, create=False):
        pass
    assert not FILE.exists()


def test_two_processes_that_write_at_once_lose_nothing() -> None:
    code = (
        "import sys; from pathlib import Path; from claimjury.ledger.store import open_ledger\n"
        "with open_ledger(Path('ledger.sqlite3')) as ledger:\n"
        "    for n in range(200):\n"
        "        with ledger.commit(): ledger.put(f'{sys.argv[1]} {n}')\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, name]) for name in ("a", "b", "c")]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    with open_ledger(FILE) as ledger:
        assert ledger.connection.execute("SELECT count(*) FROM content").fetchone()[0] == 600


async def test_no_key_reaches_the_ledger_even_where_the_host_echoes_it() -> None:
    key = "sk-canary-0123456789"
    echoes = [
        Reply(f"Your key is {key}", thinking=key),
        Reply(ballot({"c1": {"verdict": "REFUTED", "rationale": key}})),
    ]
    with ScriptedOllama(trio(echoes)) as server, open_ledger(FILE) as ledger:
        cloud = Cloud(host=server.url, api_key=key, trusted_hosts=(server.url,))
        await verify_claims([CLAIM], cloud=cloud, recorder=LedgerRecorder(ledger))
        assert server.asked[0].headers["authorization"] == f"Bearer {key}"
    assert key.encode() not in all_bytes()
    assert b"[key]" in all_bytes()


def test_who_opens_a_new_ledger_while_another_writes_into_it_waits_its_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    FILE.touch()
    other = sqlite3.connect(FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    waited: list[float] = []

    def pause(seconds: float) -> None:
        waited.append(seconds)
        if other.in_transaction:
            other.execute("ROLLBACK")

    monkeypatch.setattr("claimjury.ledger.store._BUSY_MS", 1)
    monkeypatch.setattr("claimjury.ledger.store.time.sleep", pause)
    with open_ledger(FILE) as ledger:
        assert list_runs(ledger) == []
    assert waited
    other.close()


def test_a_ledger_that_stays_taken_is_an_error_and_no_endless_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    FILE.touch()
    other = sqlite3.connect(FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr("claimjury.ledger.store._BUSY_MS", 1)
    monkeypatch.setattr("claimjury.ledger.store._PATIENCE_S", 0.0)
    with pytest.raises(LedgerUnusable, match="locked"), open_ledger(FILE):
        pass
    other.close()


def test_many_that_open_one_new_ledger_at_once_each_have_it() -> None:
    def opened(barrier: threading.Barrier, path: Path) -> None:
        barrier.wait(10)
        with open_ledger(path) as ledger:
            assert list_runs(ledger) == []

    with ThreadPoolExecutor(4) as pool:
        for number in range(12):
            barrier = threading.Barrier(4)
            path = Path(f"new{number}.sqlite3")
            for future in [pool.submit(opened, barrier, path) for _ in range(4)]:
                future.result()
