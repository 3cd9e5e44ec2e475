"""Words: each code of a closed set as a sentence for people. One place, so that all reports say the same."""

from __future__ import annotations

from typing import Final

from claimjury.jury.gate import ExitStatus
from claimjury.jury.result import ClaimResult, CostSource, JurorVote, PriorRun, SeatResult, VerifyResult
from claimjury.jury.standing import AgentAction, ThinReason, Why
from claimjury.settlers.outcome import Proof, Settlement, TreeRow
from claimjury.text import clean_line

__all__ = [
    "ACTIONS",
    "CEILING",
    "REFUTE_EXITS",
    "SCRIPTED",
    "THIN",
    "WHY",
    "cost_line",
    "count_line",
    "dissent_first",
    "exit_line",
    "explain_exclusion",
    "explain_warning",
    "is_dissent",
    "prior_line",
    "proof_line",
    "seat_notes",
    "settled_line",
    "settlement_line",
    "settlement_lines",
    "tree_line",
    "was_line",
    "worst_first",
]

CEILING: Final = (
    "This is supporting evidence, not proof. Models of different vendors share blind spots: agreement is not a "
    "probability. A REFUTED is a reason to re-read, a CONFIRMED is no reason not to."
)
_NOTHING_SETTLED: Final = "No tool settled any of it; no model was asked."
_SETTLED: Final = "Settled by tools from the tree that is named, each with its proof; no model was asked. It holds for that tree alone."
SCRIPTED: Final = "SCRIPTED: no model was called. These votes come from a script, over real HTTP."

WHY: Final[dict[Why, str]] = {
    "contested": "one side had enough votes, and the other side had enough to block it",
    "split": "the jurors disagree, and neither side has enough votes",
    "uncertain": "the jurors could not decide it from this evidence",
    "too_few_votes": "too few jurors voted on it",
    "not_settled": "no tool could decide it, and no juror was asked",
}
ACTIONS: Final[dict[AgentAction, str]] = {
    "run_check": "run what would decide it: claimjury settle RUN -- COMMAND, or claimjury verify --check",
    "add_source": "send the file that the claim is about with --source",
    "restate": "restate the claim so that it can be decided",
    "ask_human": "let a person decide",
    "stop": "do not act on it; the panel was too thin",
}
THIN: Final[dict[ThinReason, str]] = {
    "split": "a juror decided the other way",
    "seat_missing": "a seat was excluded or skipped the claim",
    "weak": "fewer than 2 known vendor families voted",
    "no_evidence": "no file was sent, and no reference but the caller's",
    "caller_reference_only": "it rests on a reference that the asking party supplied",
    "named_file_not_sent": "the claim names a file that was not sent",
    "constant_voter": "a juror gave one verdict to every claim",
    "unverified_host": "the answers came from a host that is not verified",
    "local": "a local model sat",
    "caller_set_rules": "the asking party chose the panel or the thresholds",
}
_EXITS: Final[dict[ExitStatus, str]] = {
    0: "every claim stands, firmly",
    10: "at least one claim is refuted",
    20: "something is undecided, contested, weak or thin",
    4: "no juror could be reached",
    5: "the deadline left a claim undecided",
    130: "interrupted",
    2: "usage or bad input",
    3: "not configured",
    70: "our own fault",
}
_EXITS_OF_FINDINGS: Final[dict[ExitStatus, str]] = {
    **_EXITS,
    0: "every finding is refuted, firmly",
    10: "at least one finding is confirmed",
}
REFUTE_EXITS: Final[dict[int, str]] = {
    0: "the claim holds: fewer than half of the skeptics refute it",
    10: "more than half of the skeptics refute it on evidence",
    20: "a tie, or refuted only by default or by faults",
    4: "every skeptic broke down",
    130: "interrupted",
}
"""Of a run of skeptics."""
_EXCLUSIONS: Final = {
    "call_failed": "the call failed",
    "local_fallback": "a local daemon answered, and the answer is not provably the cloud's",
    "served_model_mismatch": "the host served another model than the one asked for",
    "served_model_unknown": "the host did not say which model it served",
    "no_valid_verdicts": "no vote could be read from its reply",
    "reply_truncated": "its reply was cut at the output limit before any vote",
    "evidence_not_seen": "the host counted far fewer tokens than were sent, so the evidence was cut unseen",
    "author_family": "it is of the author's family, so it was not asked",
    "duplicate_family": "another seat has its family, so it was not asked",
    "budget": "the budget had no room for its call",
    "deadline": "the deadline came first",
    "cancelled": "it was interrupted",
}
_WARNINGS: Final = {
    "refute_unreachable": "min_refute_votes is more than the panel has seats: nothing can be refuted",
    "lone_refute_allowed": "min_refute_votes is 1: a lone dissent decides",
    "encoding_guessed": "it is not UTF-8 and its encoding was guessed",
    "characters_replaced": "so many of its characters could not be decoded and were sent as U+FFFD",
    "family_shares_vote": "two or more seats are of one vendor family, and have one common vote",
    "family_unknown": "its family is not known, and adds none to the count",
    "family_from_settings": "its family is the word of your own settings",
    "identical_ballots": "two families gave the same bytes; one backend may stand behind both",
    "rules_from_project": "the project's own file, not yours, set",
    "long_context": "the prompt is over 32,000 tokens; models read the middle of long prompts worse",
    "window_unknown": "its context window is unknown, 32,768 tokens were assumed",
    "prompt_tokens_unknown": "the host gave no token count, so nothing shows that it saw the whole prompt",
    "thinking_refused": "it was asked without thinking, which the host refused",
    "catalogue": "the host lists these ids (a list does not prove that your plan serves them)",
    "close_ids": "ids in the catalogue that look like it",
    "ledger_failed": "the run could not be kept in the ledger",
    "listener_failed": "a callback raised; see the log",
    "ignored": ".claimjuryignore keeps this file back, which a directory or a pattern holds",
    "not_stripped": "its comments were not taken out: no lexer knows it",
    "lint": "how the claim is stated makes it hard to judge; `claimjury verify --lint` says how to restate it",
    "injection": "places of the evidence that are aimed at whoever judges it; no verdict hangs on them",
    "unverified_host": "nothing says that the host serves the models that it names",
    "caller_set_rules": "whoever asked chose the models or the count, not the operator's settings",
    "citation_missing": "a skeptic cites a line that does not exist (place, file, line)",
    "no_tools": "its model takes no tools, so the evidence was in its prompt",
}


def explain_exclusion(reason: str) -> str:
    """Give an `exclude_reason` as a sentence: `the call failed (TIMEOUT)`."""
    kind, _, detail = reason.partition(":")
    sentence = _EXCLUSIONS.get(kind, kind)
    return f"{sentence} ({detail})" if detail else sentence


def explain_warning(warning: str) -> str:
    """Give a warning's code as a sentence."""
    code, _, detail = warning.partition(":")
    sentence = _WARNINGS.get(code, code)
    return f"{sentence}: {detail.strip()}" if detail else sentence


def count_line(claim: ClaimResult, seats: int) -> str:
    """Give a verdict with direction and count, which confidence is never shown without.

    `REFUTED, 3 of 3 seats`, `CONFIRMED, 2 of 4 seats, 1 against, 1 excluded`.
    """
    if claim.settled_by is not None:
        return f"{claim.verdict}, settled by {claim.settled_by}: no juror was asked"
    if claim.why == "not_settled":
        return "NEEDS_REVIEW: not settled, and no juror was asked"
    if claim.verdict == "NEEDS_REVIEW":
        return (
            f"NEEDS_REVIEW: {claim.confirm_votes} confirm, {claim.refute_votes} refute, "
            f"{claim.uncertain_votes} uncertain, of {seats} seats"
        )
    confirmed = claim.verdict == "CONFIRMED"
    won, lost = (
        (claim.confirm_votes, claim.refute_votes) if confirmed else (claim.refute_votes, claim.confirm_votes)
    )
    shared = len(claim.jurors) - won - lost - claim.uncertain_votes
    rest = {
        "against": lost,
        "uncertain": claim.uncertain_votes,
        "sharing a family's vote": shared,
        "without a vote": seats - len(claim.jurors),
    }
    tail = "".join(f", {count} {word}" for word, count in rest.items() if count)
    return f"{claim.verdict}, {won} of {seats} seats{tail} ({claim.confidence} agreement)"


def exit_line(status: ExitStatus, result: VerifyResult) -> str:
    """Give an exit status with what it means: of findings, CONFIRMED is the bad news."""
    words = _EXITS if result.params.polarity == "assertions" else _EXITS_OF_FINDINGS
    return f"Exit status {status}: {words[status]}"


def settled_line(result: VerifyResult) -> str:
    """Give what a result rests on that no juror was asked for."""
    settled = any(claim.settled_by is not None for claim in result.claims)
    return _SETTLED if settled and result.tree is not None else _NOTHING_SETTLED


def proof_line(proof: Proof) -> str:
    """Give a proof as one line: where, what, and the line as it stands."""
    where = clean_line(proof.path) if proof.path else ""
    if proof.line is not None:
        where += f":{proof.line}"
    ran = f" `{' '.join(map(clean_line, proof.command))}`" if proof.command else ""
    status = f" (exit status {proof.exit_status})" if proof.exit_status is not None else ""
    excerpt = f" [{clean_line(proof.excerpt)}]" if proof.excerpt else ""
    return f"{where}{': ' if where else ''}{clean_line(proof.text)}{ran}{status}{excerpt}"


def settlement_line(row: Settlement) -> str:
    """Give a claim that was settled, without its proof."""
    return f"{row.verdict}, settled by {row.settled_by}: {clean_line(row.id)}: {clean_line(row.statement)}"


def settlement_lines(row: Settlement) -> list[str]:
    """Give a claim that was settled, and its proof, a line each."""
    return [settlement_line(row), *(f"  Proof: {proof_line(proof)}" for proof in row.proof or ())]


def tree_line(tree: TreeRow) -> str:
    """Give the tree that settlers looked at as one line."""
    head = f"commit {tree.head[:12]}" if tree.head else "no commit yet"
    base = f"; the change is measured from {tree.base[:12]} ({tree.base_why})" if tree.base else ""
    unseen = f"; git does not show all: {'; '.join(tree.unseen)}" if tree.unseen else ""
    aside = (
        f"; set aside, as the claims or the reference stand there: {', '.join(map(clean_line, tree.aside))}"
        if tree.aside
        else ""
    )
    return (
        f"Settled on {head}{', with edits that are not committed' if tree.dirty else ''}{base}{unseen}{aside}"
    )


def was_line(was: PriorRun) -> str:
    """Give what the run said of a claim that this one follows."""
    return f"{was.verdict} in run {was.run_id}, {was.ended_at}"


def seat_notes(seat: SeatResult) -> list[str]:
    """Say of a seat what is not usual: for whom it stands in, where it ran, whose word its family is, what it cost."""
    notes = [f"stands in for {clean_line(seat.stands_in_for)}"] if seat.stands_in_for else []
    if seat.backend == "local":
        notes.append(f"local, digest {clean_line(seat.digest)[:19]}" if seat.digest else "local")
    if seat.family_source is not None:
        notes.append("family by your settings")
    if seat.cost_usd is not None:
        notes.append(cost_line(seat.cost_usd, seat.cost_source))
    return notes


def cost_line(cost_usd: float, source: CostSource | None) -> str:
    """Give a cost with its source: `$0.0123 (list price)`."""
    whose = {"reported": "reported by the host", "price_list": "list price"}
    return f"${cost_usd:,.4f} ({whose.get(source or '', 'unknown')})"


def is_dissent(vote: JurorVote, claim: ClaimResult) -> bool:
    """Whether a vote decides against the verdict that it stands under."""
    return claim.verdict != "NEEDS_REVIEW" and vote.verdict not in (claim.verdict, "UNCERTAIN")


def dissent_first(claim: ClaimResult) -> list[JurorVote]:
    """Give the votes on a claim, dissent first, else in the panel's order."""
    return sorted(claim.jurors, key=lambda vote: not is_dissent(vote, claim))


def prior_line(claim: ClaimResult) -> str:
    """Give what earlier runs said of a claim: `CONFIRMED in 3 runs, REFUTED in 1 (last: run x)`."""
    priors = claim.prior_runs or ()
    verdicts = [prior.verdict for prior in priors]
    counts = (f"{verdict} in {verdicts.count(verdict)} run(s)" for verdict in dict.fromkeys(verdicts))
    return f"{', '.join(counts)}, last in {priors[0].run_id}" if priors else "never"


def worst_first(result: VerifyResult) -> list[ClaimResult]:
    """Give the claims, those that need a reader first: bad news, undecided, thin, firm; else in their order."""
    bad = "REFUTED" if result.params.polarity == "assertions" else "CONFIRMED"

    def rank(claim: ClaimResult) -> int:
        if claim.verdict == bad:
            return 0
        if claim.standing is None:
            return 1
        return 2 if claim.standing.grade == "thin" else 3

    return sorted(result.claims, key=rank)
