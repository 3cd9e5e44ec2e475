"""Parse the labels that carriers print on parcels."""

from __future__ import annotations

import re

LABEL_RE = re.compile(r"^(?P<carrier>[A-Z]{2})(?P<serial>\d{8})(?P<check>\d)$")


class ParseError(ValueError):
    """A label that does not follow the layout."""

    def __init__(self, label, reason):
        super().__init__(f"{label!r}: {reason}")
        self.label = label
        self.reason = reason


def check_digit(serial):
    """Weighted sum modulo eleven, as most postal services do it."""
    weights = (8, 6, 4, 2, 3, 5, 9, 7)
    total = sum(int(d) * w for d, w in zip(serial, weights))
    rest = 11 - total % 11
    if rest == 10:
        return 0
    if rest == 11:
        return 5
    return rest


def parse_label(text):
    """Return (carrier, serial); raise ParseError when it is not a label."""
    label = text.strip().upper().replace(" ", "")
    match = LABEL_RE.match(label)
    if match is None:
        raise ParseError(label, "not two letters and nine digits")
    serial = match["serial"]
    if check_digit(serial) != int(match["check"]):
        raise ParseError(label, "check digit is wrong")
    return match["carrier"], serial


def parse_many(lines):
    """Parse each line; keep what is sound and report the rest."""
    good, bad = [], []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            good.append(parse_label(line))
        except ParseError as error:
            bad.append((number, error.reason))
    return good, bad
