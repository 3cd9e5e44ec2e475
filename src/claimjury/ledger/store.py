"""The file: opened, migrated, locked down, and written in small commits. Errors say what to do."""

from __future__ import annotations

import hmac
import os
import secrets
import sqlite3
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

import platformdirs

from claimjury.errors import ConfigInvalid
from claimjury.ledger.schema import MIGRATIONS

__all__ = ["Ledger", "LedgerUnusable", "default_path", "open_ledger", "readable"]

_BUSY_MS: Final = 10_000
_PATIENCE_S: Final = 10.0
_PAUSE_S: Final = 0.02
_TAKEN: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_APPLICATION_ID: Final = 0x434A5259
"""`CJRY`, in the file's header: it tells a ledger from somebody else's database."""
_KEY_BYTES: Final = 32
_FILE: Final = "ledger.sqlite3"


class LedgerUnusable(ConfigInvalid):
    """The ledger cannot be opened, is not one, or is of a newer version. It was not changed."""


def default_path() -> Path:
    """Give where the user's ledger is, or would be."""
    return platformdirs.user_data_path("claimjury", appauthor=False) / _FILE


class Ledger:
    """An open ledger."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection
        self._key: bytes | None = None

    @contextmanager
    def commit(self) -> Iterator[sqlite3.Connection]:
        """Give the connection inside one transaction, which waits its turn behind other processes."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield self.connection
        except BaseException:
            # A full disk has rolled back by itself (sqlite.org/lang_transaction.html).
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for reads that all see the file as it was at one moment."""
        self.connection.execute("BEGIN")
        try:
            yield self.connection
        finally:
            self.connection.execute("ROLLBACK")

    def put(self, text: str) -> str:
        """Keep a text by its hash, once; give the hash. Inside `commit`."""
        data = text.encode("utf-8", "surrogatepass")
        digest = sha256(data).hexdigest()
        self.connection.execute("INSERT OR IGNORE INTO content VALUES (?, ?, ?)", (digest, len(data), data))
        return digest

    def get(self, digest: str) -> str | None:
        """Give the text of a hash, or None where it is not kept (any more)."""
        row = self.connection.execute("SELECT body FROM content WHERE sha256 = ?", (digest,)).fetchone()
        return None if row is None else bytes(row["body"]).decode("utf-8", "surrogatepass")

    def keyed_hash(self, text: str) -> str:
        """Give a hash of a text that is not kept: keyed, so that nobody without the key can guess what it was.

        The key lies beside the ledger (`.key`, mode 0600), made at its first use.
        """
        if self._key is None:
            self._key = _read_key(self._key_path)
        return "hmac:" + hmac.new(self._key, text.encode("utf-8", "surrogatepass"), sha256).hexdigest()

    def hashes_of(self, text: str) -> tuple[str, str | None]:
        """Give a hash as a run with content keeps it, and as one without does, where there can be one."""
        return text, self.keyed_hash(text) if self._key_path.exists() else None

    @property
    def _key_path(self) -> Path:
        return self.path.with_name(self.path.name + ".key")

    def close(self) -> None:
        """Close the file; what was committed is safe already."""
        self.connection.close()


@contextmanager
def open_ledger(path: Path | None = None, *, create: bool = True) -> Iterator[Ledger]:
    """Open the ledger, made and migrated where it must be.

    Args:
        path: The file; the user's own by default.
        create: Whether a missing file is made. Reading commands do not.

    Raises:
        LedgerUnusable: It cannot be opened or written, is no ledger, or is of a newer version.
    """
    # A name like `:memory:` is a file's here.
    path = (path or default_path()).absolute()
    try:
        if not create and not path.exists():
            raise LedgerUnusable(
                f"There is no ledger at {path}.", hint="`claimjury verify` makes one with its first run."
            )
        ledger = Ledger(path, _connect(path))
    except (sqlite3.Error, OSError) as error:
        raise LedgerUnusable(
            f"The ledger {path} cannot be used: {error}.",
            hint="Check the path, or name another with --ledger FILE. The file was not changed.",
        ) from error
    try:
        yield ledger
    finally:
        ledger.close()


def _connect(path: Path) -> sqlite3.Connection:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Made with its mode, before SQLite writes a byte; SQLite gives WAL and journal the mode of the file.
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, stat.S_IRUSR | stat.S_IWUSR))
    elif stat.S_ISREG(path.stat().st_mode) and stat.S_IMODE(path.stat().st_mode) & 0o077:
        path.chmod(stat.S_IRUSR | stat.S_IWUSR)
    connection = sqlite3.connect(path, isolation_level=None, timeout=_BUSY_MS / 1000)
    try:
        connection.row_factory = sqlite3.Row
        _prepare(path, connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(path: Path, connection: sqlite3.Connection) -> None:
    """Check, set and migrate the file; whoever finds it taken waits its turn."""
    until = time.monotonic() + _PATIENCE_S
    while True:
        try:
            _check_identity(path, connection)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA secure_delete = ON")
            _migrate(connection)
        except sqlite3.OperationalError as error:
            # SQLite gives up on the switch to WAL at once, whatever its timeout: two that wait could wait for ever.
            if error.sqlite_errorcode & 0xFF not in _TAKEN or time.monotonic() > until:
                raise
            time.sleep(_PAUSE_S)
        else:
            return


def _read_key(path: Path) -> bytes:
    if not path.exists():
        _make_key(path)
    key = path.read_bytes()
    if len(key) != _KEY_BYTES:
        raise LedgerUnusable(
            f"The key {path} has {len(key)} bytes, not {_KEY_BYTES}.",
            hint="Without the right one, what is hashed could be guessed or not found again. Restore it, or remove it.",
        )
    path.chmod(stat.S_IRUSR | stat.S_IWUSR)
    return key


def _make_key(path: Path) -> None:
    """Make a key in one step, so that another process never reads half of one; the first to link it wins."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.") as file:
        file.write(secrets.token_bytes(_KEY_BYTES))
        file.flush()
        with suppress(FileExistsError):
            os.link(file.name, path)


@contextmanager
def readable(ledger: Ledger) -> Iterator[None]:
    """Say in words where the file turns out not to be readable.

    Raises:
        LedgerUnusable: It is not.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise LedgerUnusable(
            f"The ledger {ledger.path} cannot be read: {error}.",
            hint="Check the file, or name another with --ledger FILE.",
        ) from error


def _check_identity(path: Path, connection: sqlite3.Connection) -> None:
    # One statement sees one moment: another process may be making the tables between two.
    query = "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master) FROM"
    application, version, tables = connection.execute(
        f"{query} pragma_application_id, pragma_user_version"
    ).fetchone()
    if tables and application != _APPLICATION_ID:
        raise LedgerUnusable(
            f"{path} is a database, but not a ledger.", hint="Name another file with --ledger FILE."
        )
    if version > len(MIGRATIONS):
        raise LedgerUnusable(
            f"The ledger {path} is of version {version}; this claimjury knows {len(MIGRATIONS)}.",
            hint="It was written by a newer claimjury: upgrade, or name another file with --ledger FILE.",
        )


def _migrate(connection: sqlite3.Connection) -> None:
    """Apply what is missing, each migration whole or not at all; two processes may try at once."""
    if connection.execute("PRAGMA user_version").fetchone()[0] >= len(MIGRATIONS):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        applied = connection.execute("PRAGMA user_version").fetchone()[0]
        for number, (_, script) in enumerate(MIGRATIONS[applied:], start=applied + 1):
            for statement in filter(str.strip, script.split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")
        connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
