"""What is a claim, and what is a question or a fragment."""

from __future__ import annotations

import pytest

from claimjury.errors import InvalidRequest
from claimjury.skeptics.asking import checked_claim


@pytest.mark.parametrize(
    "text",
    [
        "Does get return None",
        "Is the cache ever cleared.",
        "why does the cache drop entries",
        "Can we drop the lock in cache.py",
        "How is parse_date called",
        "Are all callers of get_user checked",
        "Should the retry be removed",
        "Where is the lock released",
        "- Has any caller been changed",
        "Does parse_date() raise",
    ],
)
def test_a_question_without_its_mark_is_one(text: str) -> None:
    with pytest.raises(InvalidRequest, match="is a question"):
        checked_claim(text)


@pytest.mark.parametrize(
    "text",
    [
        "What get returns for an expired key is None.",
        "Can.acquire in can.py blocks until the lock is free.",
        "do_work in jobs.py is called by run alone.",
        "is_valid returns False for the empty string.",
        "Does.js exports the function run.",
        "When the file is missing, load returns the defaults.",
        "How-to pages in docs/ name the flag --dry-run.",
        "Where no key is set, connect raises ValueError.",
        "Are.js exports the function run.",
        "Hashing of 1 MB in hash.py takes one pass.",
    ],
)
def test_a_statement_that_begins_like_a_question_is_none(text: str) -> None:
    assert checked_claim(text) == text
