"""Who a receipt's skeptics were, where they were asked, and within which limits, decided once more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from claimjury.evidence.window import estimate_tokens
from claimjury.jury.seating import barred_seats
from claimjury.ledger.refute_receipt_form import RefuteReceipt, SkepticRow
from claimjury.models.families import UNKNOWN, Lineage, lineage_of
from claimjury.models.hosts import Cloud
from claimjury.models.names import named_by_host
from claimjury.models.providers import DAEMON, OLLAMA, PROVIDERS, is_built_in
from claimjury.skeptics.angles import angle_of
from claimjury.skeptics.block import THRESHOLD
from claimjury.skeptics.concluding import shown_files
from claimjury.skeptics.limits import MAX_SKEPTICS, PASS_TOKENS
from claimjury.skeptics.result import SkepticResult
from claimjury.skeptics.retold import CUT_SHORT
from claimjury.skeptics.tools.toolbox import TOOLS_BYTES

__all__ = ["egress_faults", "rule_faults", "status_faults"]

_THRESHOLD: Final = "The threshold is not the one that this claimjury counts by."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    model: str
    lineage: Lineage


def rule_faults(receipt: RefuteReceipt) -> Iterator[str]:
    """Say which rules are not those of a run of skeptics, and who of them should not have been asked."""
    rules, results = receipt.rules, [row.result for row in receipt.skeptics]
    if rules.threshold != THRESHOLD:
        yield _THRESHOLD
    if not 1 <= rules.n <= MAX_SKEPTICS or [one.place for one in results] != list(range(1, rules.n + 1)):
        yield f"There are not {rules.n} skeptics, numbered from 1 on, at most {MAX_SKEPTICS}."
        return
    models = list(dict.fromkeys(rules.models))
    if [one.model for one in results] != list(rules.models) or list(rules.models) != [
        models[place % len(models)] for place in range(rules.n)
    ]:
        yield "The skeptics are not the models that were asked, each in its turn."
    for one in results:
        if one.angle != angle_of(one.place).name:
            yield f"The angle of skeptic {one.place} is not the one of its place."
        yield from _name_faults(one)
    yield from _family_faults(receipt)
    yield from _limit_faults(receipt)
    references = [row for row in receipt.evidence if row.kind == "reference"]
    if len(references) > 1 or any(row.file_sha256 != row.content_sha256 for row in references):
        yield "There are two references, or one of two hashes."
    if any((row.kind == "diff") != (row.commits is not None) for row in receipt.evidence):
        yield "A diff is between two commits, and nothing else is."


def _name_faults(one: SkepticResult) -> Iterator[str]:
    provider = named_by_host(one.model, {*PROVIDERS, one.provider} - {OLLAMA, DAEMON})[0]
    if provider != (OLLAMA if one.provider == DAEMON else one.provider):
        yield f"`provider` of skeptic {one.place} does not follow from the id of its model."
    if not one.family_source and one.family != lineage_of(one.model).family:
        yield f"`family` of skeptic {one.place} does not follow from the id of its model."


def _family_faults(receipt: RefuteReceipt) -> Iterator[str]:
    """Say who of the skeptics is of the author's family, or of one that another model of them is of."""
    by_model = {row.result.model: row.result for row in receipt.skeptics}
    asked: dict[str, set[tuple[str, ...]]] = {}
    for row in receipt.skeptics:
        one = row.result
        asked.setdefault(one.model, set()).add((one.family, str(one.family_source), one.provider, one.host))
    if any(len(ways) > 1 for ways in asked.values()):
        yield "One model was asked at two hosts, or is of two families."
    barred = barred_seats(
        [_Candidate(model=model, lineage=_lineage(one)) for model, one in by_model.items()],
        author=frozenset(receipt.rules.author or ()),
        allow_same_family=False,
    )
    for model, bar in barred.items():
        yield f"{model} cannot be a skeptic. {bar.detail}"


def _lineage(one: SkepticResult) -> Lineage:
    if not one.family_source:
        return lineage_of(one.model)
    return Lineage(one.family, frozenset() if one.family == UNKNOWN else frozenset({one.family}))


def _limit_faults(receipt: RefuteReceipt) -> Iterator[str]:
    rules = receipt.rules
    share = PASS_TOKENS if rules.max_tokens is None else min(PASS_TOKENS, rules.max_tokens // rules.n)
    if rules.allowance != share:
        yield "`allowance` does not follow from `max_tokens`."
    told = [row.openings[0].bytes for row in receipt.skeptics if row.openings]
    if rules.max_tokens is not None and any(estimate_tokens(size + TOOLS_BYTES) > share for size in told):
        yield "`max_tokens` has no room for the first call of each skeptic."


def status_faults(receipt: RefuteReceipt) -> Iterator[str]:
    """Say whether the run ended otherwise than its skeptics did."""
    reasons = {row.result.reason for row in receipt.skeptics if row.result.grounds == "fault"}
    status = receipt.run.status
    if {name for name, reason in CUT_SHORT.items() if reason in reasons} != {status} - {"complete"}:
        yield "`status` does not follow from how the skeptics ended."
    if status == "partial" and receipt.rules.deadline_s is None:
        yield "The run ended at a deadline on record, and had none."


def egress_faults(receipt: RefuteReceipt) -> Iterator[str]:
    """Say what of that which left the machine does not follow from what the skeptics were told."""
    hosts = {row.result.host for row in receipt.skeptics}
    if set(receipt.run.host.split(", ")) != hosts:
        yield "The host of the run is not the one that the skeptics were asked at."
    rows = {row.host: row for row in receipt.egress}
    asked = {row.result.host for row in receipt.skeptics if row.turns}
    if len(rows) != len(receipt.egress) or not asked <= set(rows) <= hosts:
        yield "Something went to a host that no skeptic was asked at, or went unrecorded."
    sources = [item.name or "" for item in receipt.evidence if item.kind != "reference"]
    for host, egress in rows.items():
        there = [row for row in receipt.skeptics if row.result.host == host]
        read = {name for row in there for name in shown_files(row.result)}
        if list(egress.files) != list(dict.fromkeys([*sources, *sorted(read)])):
            yield f"The files that went to {host} are not those that its skeptics were shown."
        if egress.vendor not in {_vendor_of(row.result) or egress.vendor for row in there}:
            yield f"Who runs {host} is another than the one on record."
        if egress.bytes < sum(map(_least_sent, there)):
            yield f"More went to {host} than is on record."


def _vendor_of(one: SkepticResult) -> str | None:
    """Give who runs a skeptic's host; None where that is the word of the user's settings."""
    if one.provider == OLLAMA:
        return Cloud(host=one.host).vendor
    return PROVIDERS[one.provider].vendor if is_built_in(one.provider, one.host) else None


def _least_sent(row: SkepticRow) -> int:
    """Give what the calls of a skeptic took at least: each holds its opening, and what tools had answered."""
    size = row.openings[-1].bytes if row.openings else 0
    total = 0
    for turn in row.turns:
        total += size
        size += sum(said.bytes for said in turn.answers)
    return total
