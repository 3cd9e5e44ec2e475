"""Secrets and comments on the command line."""

from __future__ import annotations

from pathlib import Path

from cli.helpers import Cli


def test_on_the_command_line_it_is_told_and_secrets_are_refused_or_taken_out(cli: Cli) -> None:
    token = "ghp_" + "9fK2mQ7xW4rT8vB3nZ6yL1cD5gH0jP2sA4eU"
    Path("key.py").write_text(f'x = "{token}"  # fine\n', encoding="utf-8")
    refused = cli("verify", "--claim", "It is so.", "--source", "key.py", "--dry-run")
    assert (refused.status, token in refused.err) == (2, False)
    assert "GitHub Token in line 1" in refused.err
    shown = cli(
        "verify", "--claim", "It is so.", "--source", "key.py", "--redact", "--strip-comments", "--dry-run"
    )
    assert (shown.status, token in shown.out, "# fine" in shown.out) == (0, False, False)
    assert "[REDACTED: GitHub Token]" in shown.out
    assert "without comments and docstrings; 1 secret(s) taken out" in shown.out
    described = cli(
        "refute", "get in key.py returns x", "--source", "key.py", "--repo", ".", "--dry-run", "--redact"
    )
    assert (described.status, token in described.out, "[REDACTED: GitHub Token]" in described.out) == (
        0,
        False,
        True,
    )
