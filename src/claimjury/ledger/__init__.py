"""The ledger: every run kept in one local SQLite file, append-only, so that a verdict can be audited later."""
