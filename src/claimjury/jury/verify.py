"""The jury's front door: from claims to a result, as a coroutine and as its synchronous twin."""

from __future__ import annotations

import asyncio
import importlib
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict, Unpack, cast

import anyio.to_thread

from claimjury.claims import Claim
from claimjury.evidence.diff import load_diff
from claimjury.evidence.reference import Reference
from claimjury.evidence.sources import Source, load_sources
from claimjury.jury.budget import refuse_unpriced
from claimjury.jury.events import Listeners
from claimjury.jury.plan import Asked, Plan, make_plan, refuse_unready
from claimjury.jury.request import Seating, VerifyRequest, check_request
from claimjury.jury.result import Polarity, VerifyResult
from claimjury.jury.settling import SettleMode, Settling
from claimjury.models.hosts import Cloud
from claimjury.models.routes import Access, provider_hosts
from claimjury.settlers.checks.outcome import ChecksResult
from claimjury.tasks import work_beside
from claimjury.text import clean_line, clip

__all__ = [
    "Claims",
    "VerifyOptions",
    "load_evidence",
    "plan_verify",
    "prepare",
    "run_plan",
    "verify_claims",
    "verify_claims_sync",
]

Claims = Iterable[Claim | Mapping[str, Any] | str]


class VerifyOptions(TypedDict, total=False):
    """What may be said of a run beside its claims. All are optional.

    Attributes:
        source_paths: Up to 50 files that the claims are about, sent whole; `file:10-80` or `file:10` for
            lines of one; a directory or a pattern for the files that git tracks there.
        settle: Whether what a tool can decide is settled first and goes to no juror ("first", the default), whether no juror
            is asked at all ("only"), or neither ("off").
        base: The revision that "this change" is measured from by settlers; by default the older end of `diff`, or where
            HEAD left the main branch.
        aside: Files that the claims or the reference stand in: settlers do not take what they say for a part of the tree.
        checks: What `run_checks` has just given for this tree; it settles claims about tests and checkers.
        diff: A range of commits (`A..B`, `A...B`, or `A` for `A..HEAD`) whose diff is sent too.
        reference: Test output, lint or numbers: text (then its origin is `caller`) or a `Reference`.
        panel: 1 to 5 model ids; the default is three flagships of three vendors.
        min_refute_votes: 1 to 5; how many refutes it takes, 2 by default.
        polarity: `assertions` (CONFIRMED is good news) or `findings` (CONFIRMED is bad news).
        roots: Directories below which sources may lie; the working directory by default.
        allow_secrets: Whether files named like secrets may be sent.
        redact: Whether sources and the reference are sent without what has the form of a secret, in place of being refused.
        strip_comments: Whether sources are sent without comments and docstrings, where a lexer knows them.
        deadline_s: Seconds for the whole run; what has arrived by then counts. None by default.
        reask: Whether a seat is asked once more for votes that its reply lacks. True by default.
        require_quotes: Whether a decisive vote that quotes nothing which stands in the evidence counts as UNCERTAIN. False
            by default.
        author: Who wrote the claims, a family or a model id: its family never sits.
        alternates: Model ids; each stands in once for a seat that fell out, if its family is not used.
        allow_same_family: Whether models of one family may sit; they have one common vote. False by default.
        max_cost_usd: What the run may cost at most, in US dollars; refused up front where its worst case is more.
        max_tokens: How many tokens it may take at most, prompts and answers together; likewise.
        access: Hosts and keys; by default those of the environment (`Access.from_env`).
        cloud: The same for Ollama's cloud alone (`Cloud.from_env`).
        caller_set_rules: Whether whoever asks, and is not the operator, chose the panel or the threshold; then verdicts
            are thin. False by default.
        warnings: Codes that whoever asks wants on record, like `rules_from_project:panel`.
    """

    source_paths: Sequence[str | os.PathLike[str]]
    settle: SettleMode
    base: str | None
    aside: Sequence[str | os.PathLike[str]]
    checks: ChecksResult | None
    diff: str | None
    reference: str | Reference | None
    panel: Sequence[str] | None
    min_refute_votes: int
    polarity: Polarity
    roots: Sequence[str | os.PathLike[str]] | None
    allow_secrets: bool
    redact: bool
    strip_comments: bool
    deadline_s: float | None
    reask: bool
    require_quotes: bool
    author: str | None
    alternates: Sequence[str]
    allow_same_family: bool
    max_cost_usd: float | None
    max_tokens: int | None
    access: Access | None
    cloud: Cloud | None
    caller_set_rules: bool
    warnings: Sequence[str]


class _RunOptions(VerifyOptions, Listeners):
    pass


def plan_verify(claims: Claims, **options: Unpack[VerifyOptions]) -> Plan:
    """Give what `verify_claims` would send with the same arguments. Needs no key, opens no connection.

    Raises:
        RequestError: The input cannot be used.
    """
    return _plan(claims, **options)


async def verify_claims(claims: Claims, **options: Unpack[_RunOptions]) -> VerifyResult:
    """Ask a panel of models of other vendors which of these claims the evidence supports.

    Args:
        claims: 1 to 20 strings, mappings with `statement` and optional `id`, or `Claim` objects.
        **options: See `VerifyOptions` and `Listeners`.

    Returns:
        The verdicts with every vote, every excluded seat and every byte that left. Supporting evidence,
        never proof. `exit_status` turns it into a number for a gate.

    Raises:
        RequestError: The input cannot be used; nothing was sent.
        CloudNotConfigured: There is no key, or no SDK; nothing was sent.
        BudgetExceeded: Its worst case is over a limit; no evidence was sent.
    """
    began = time.monotonic()
    listeners = Listeners(
        on_seat=options.pop("on_seat", None),
        recorder=options.pop("recorder", None),
        stop=options.pop("stop", None),
        earlier=options.pop("earlier", None),
        admit=options.pop("admit", None),
    )
    rest = cast("VerifyOptions", options)

    return await run_plan(lambda: _plan(claims, **rest), listeners, began=began)


async def run_plan(
    make: Callable[[], Plan], listeners: Listeners, *, began: float | None = None
) -> VerifyResult:
    """Make a plan and run it.

    Args:
        make: Gives the plan; it reads files, so it runs in a thread.
        listeners: Who hears of the run.
        began: When it was asked for, on the monotonic clock; now by default.

    Raises:
        RequestError: The input cannot be used; nothing was sent.
        CloudNotConfigured: There is no key; nothing was sent.
    """

    async def prepare() -> Plan:
        plan = await anyio.to_thread.run_sync(make)
        refuse_unready(plan)
        return plan

    async def import_session() -> None:
        await anyio.to_thread.run_sync(importlib.import_module, "claimjury.jury.session")

    # pydantic-ai takes half a second to import; the files are read meanwhile.
    began = time.monotonic() if began is None else began
    plan = await work_beside(prepare, import_session, wait=True)
    from claimjury.jury.session import hold

    return await hold(plan, listeners, began=began)


def verify_claims_sync(claims: Claims, **options: Unpack[_RunOptions]) -> VerifyResult:
    """Do as `verify_claims` does, where no event loop runs.

    Raises:
        RuntimeError: An event loop runs in this thread; there, `await verify_claims(...)`.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        # Not `anyio.run`: it refuses a thread that has inherited the context of an event loop, as `to_thread` gives it.
        return asyncio.run(verify_claims(claims, **options))
    raise RuntimeError(
        "verify_claims_sync was called inside a running event loop, which it would block. "
        "Use `await verify_claims(...)` there, or run it in a thread: `await asyncio.to_thread(verify_claims_sync, ...)`."
    )


def _plan(
    claims: Claims,
    *,
    source_paths: Sequence[str | os.PathLike[str]] = (),
    settle: SettleMode = "first",
    base: str | None = None,
    aside: Sequence[str | os.PathLike[str]] = (),
    checks: ChecksResult | None = None,
    diff: str | None = None,
    reference: str | Reference | None = None,
    panel: Sequence[str] | None = None,
    author: str | None = None,
    alternates: Sequence[str] = (),
    allow_same_family: bool = False,
    roots: Sequence[str | os.PathLike[str]] | None = None,
    allow_secrets: bool = False,
    redact: bool = False,
    strip_comments: bool = False,
    access: Access | None = None,
    cloud: Cloud | None = None,
    **rules: Unpack[_Rules],
) -> Plan:
    reach = _access(access, cloud)
    seating = Seating(panel=panel, author=author, alternates=alternates, allow_same_family=allow_same_family)
    said = _with_defaults(rules)
    request = check_request(claims, reference=reference, seating=seating, access=reach, **said)
    asked = Asked(
        folder=_working_directory(),
        source_paths=tuple(map(str, source_paths)),
        roots=None if roots is None else tuple(map(str, roots)),
        diff=diff,
        allow_secrets=allow_secrets,
        redact=redact,
        strip_comments=strip_comments,
        settle=settle,
        base=base,
        aside=tuple(str(Path(path).resolve()) for path in aside),
    )
    return _priced(request, asked, checks, reach)


def _priced(request: VerifyRequest, asked: Asked, checks: ChecksResult | None, reach: Access) -> Plan:
    left, sources, settling = prepare(request, asked, checks)
    plan = make_plan(left, sources, reach, asked, settling=settling)
    refuse_unpriced(plan)
    return plan


def prepare(
    request: VerifyRequest, asked: Asked, checks: ChecksResult | None
) -> tuple[VerifyRequest, tuple[Source, ...], Settling | None]:
    """Give what is left for jurors: the evidence loaded and cleared, and what a tool can decide settled.

    Raises:
        RequestError: The evidence or the base cannot be used.
    """
    request = _cleared(request, asked)
    sources, warnings = load_evidence(asked.source_paths, asked)
    request = replace(request, warnings=(*request.warnings, *warnings))
    settling = _settled(request, sources, asked, checks)
    if settling is None:
        return request, sources, None
    return _left(request, settling), () if _is_idle(settling) else sources, settling


def _settled(
    request: VerifyRequest, sources: Sequence[Source], asked: Asked, checks: ChecksResult | None
) -> Settling | None:
    """Settle first, where that was not turned off."""
    if asked.settle == "off":
        return None
    from claimjury.jury.settling import settle_claims

    return settle_claims(
        request.claims,
        sources,
        roots=asked.roots,
        base=asked.base,
        only=asked.settle == "only",
        checks=checks,
        aside=asked.aside,
    )


def _is_idle(settling: Settling) -> bool:
    return settling.only or not settling.left


def _left(request: VerifyRequest, settling: Settling) -> VerifyRequest:
    """Give the request with what is left for jurors; where nothing is, nobody is asked and nothing is sent."""
    if _is_idle(settling):
        return replace(request, claims=(), panel=(), alternates=(), reference=None)
    return replace(request, claims=settling.left)


class _Rules(TypedDict, total=False):
    min_refute_votes: int
    polarity: Polarity
    deadline_s: float | None
    reask: bool
    require_quotes: bool
    max_cost_usd: float | None
    max_tokens: int | None
    caller_set_rules: bool
    warnings: Sequence[str]


def _with_defaults(rules: _Rules) -> dict[str, Any]:
    defaults: dict[str, Any] = {
        "min_refute_votes": 2,
        "polarity": "assertions",
        "deadline_s": None,
        "reask": True,
    }
    return {**defaults, **rules}


def _access(access: Access | None, cloud: Cloud | None) -> Access:
    """Give what a run may reach: as given, else as the environment says."""
    if cloud is None:
        return access or Access.from_env(os.environ)
    return replace(access or Access(hosts=provider_hosts(os.environ, {})), cloud=cloud)


def _working_directory() -> str:
    try:
        return str(Path.cwd())
    except OSError:  # It was deleted under our feet; sources need it and say so, claims alone do not.
        return ""


def _cleared(request: VerifyRequest, asked: Asked) -> VerifyRequest:
    """Give a request that holds no secret.

    Raises:
        SourceDenied: A claim or its id holds one, or the reference does and is not to be redacted.
    """
    if asked.allow_secrets:
        return request
    from claimjury.evidence.clearing import cleared_reference, refuse_secrets_of

    for place, claim in enumerate(request.claims, start=1):
        refuse_secrets_of(claim.id, f"The id of claim {place}")
        refuse_secrets_of(claim.statement, f"The claim {clip(clean_line(claim.id), 64)!r}")
    if request.reference is None:
        return request
    return replace(request, reference=cleared_reference(request.reference, redacting=asked.redact))


def load_evidence(
    source_paths: Sequence[str | os.PathLike[str]], asked: Asked
) -> tuple[tuple[Source, ...], list[str]]:
    """Load the sources, and the diff where one was asked for; give the warnings of them too.

    Raises:
        EvidenceError: One of them cannot be used.
    """
    allowed = None if asked.roots is None else [Path(root) for root in asked.roots]
    ignored: list[str] = []
    sources = load_sources(
        source_paths,
        roots=allowed,
        allow_secrets=asked.allow_secrets,
        strip_comments=asked.strip_comments,
        ignored=ignored,
    )
    if asked.diff is not None:
        diff = load_diff(asked.diff, roots=allowed, allow_secrets=asked.allow_secrets, ignored=ignored)
        sources = (*sources, diff)
    warnings = [f"ignored:{name}" for name in dict.fromkeys(ignored)]
    if asked.strip_comments:
        warnings += [f"not_stripped:{source.shown}" for source in sources if source.stripped is None]
    if asked.allow_secrets:
        return sources, warnings
    from claimjury.evidence.clearing import cleared_source

    return tuple(cleared_source(source, redacting=asked.redact) for source in sources), warnings
