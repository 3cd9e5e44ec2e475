"""Odds and ends that several modules share."""

from __future__ import annotations


def chunked(items, size):
    """Yield lists of at most size items."""
    batch = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def human_weight(grams):
    if grams < 1000:
        return f"{grams} g"
    return f"{grams / 1000:.1f} kg"


def mask_serial(serial):
    """Show only the last three digits in logs."""
    return "*" * (len(serial) - 3) + serial[-3:]
