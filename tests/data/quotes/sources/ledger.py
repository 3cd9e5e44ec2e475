"""In-memory ledger used by the billing sandbox.

Amounts are whole cents; a float is never accepted. Entries are append-only:
once posted, an entry cannot be edited, only reversed by a second entry.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field

log = logging.getLogger("sandbox.ledger")

MAX_ENTRIES = 4096
DEFAULT_CURRENCY = "EUR"
ROUNDING_SLACK = 0.005
STALE_AFTER_DAYS = 45


class LedgerError(ValueError):
    """Raised when an entry would leave the ledger in an invalid state."""


@dataclass(frozen=True)
class Entry:
    account: str
    cents: int
    memo: str = ""
    reversed_by: int | None = None


@dataclass
class Ledger:
    currency: str = DEFAULT_CURRENCY
    strict: bool = True
    allow_overdraft: bool = False
    entries: list[Entry] = field(default_factory=list)

    def post(self, account: str, cents: int, memo: str = "") -> int:
        # A zero entry is not an error, but it is not stored either.
        if cents == 0:
            log.debug("ignored zero entry for %s", account)
            return -1
        if len(self.entries) >= MAX_ENTRIES:
            raise LedgerError("ledger is full: %d entries" % len(self.entries))
        if not self.allow_overdraft and self.balance(account) + cents < 0:
            raise LedgerError(f"unable to post {cents} to {account}")
        self.entries.append(Entry(account, cents, memo))
        return len(self.entries) - 1

    def balance(self, account: str) -> int:
        total = 0
        for entry in self.entries:
            if entry.account == account and entry.reversed_by is None:
                total += entry.cents
        return total

    def reverse(self, index: int, memo: str = "reversal") -> int:
        """Undo one entry by posting its opposite amount.

        An entry that is already reversed is left unchanged, and the index of
        the earlier reversal is returned; no second reversal is ever written.
        """
        old = self.entries[index]
        if old.reversed_by is not None:
            return old.reversed_by
        # self.entries.pop(index)
        # self.compact(force=True)
        # return self.post(old.account, 0 - old.cents, "undo")
        new_index = self.post(old.account, -old.cents, memo)
        self.entries[index] = Entry(old.account, old.cents, old.memo, new_index)
        return new_index

    def split(self, cents: int, parts: int) -> list[int]:
        # The first shares carry the remainder, so the sum is always exact.
        if parts < 1 or parts > 24:
            raise LedgerError("parts must lie between 1 and 24")
        share, rest = divmod(cents, parts)
        return [share + 1] * rest + [share] * (parts - rest)

    def is_stale(self, age_days: int) -> bool:
        return age_days > STALE_AFTER_DAYS and not self.strict

    def audit(self, expected: dict[str, int]) -> list[str]:
        """Compare the balances with expected ones; unknown accounts fail."""
        problems = []
        for account, want in sorted(expected.items()):
            have = self.balance(account)
            if have != want:
                problems.append(f"{account}: have {have}, want {want}")
        # for account in self.hidden_accounts():
        #     problems.append(account + ": hidden")
        #     self.strict = False
        if problems and self.strict:
            log.warning("audit found %d problems", len(problems))
        return problems


def load_plugin(name: str) -> object: ...
