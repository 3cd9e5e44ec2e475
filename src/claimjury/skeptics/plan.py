"""The plan: everything about a panel of skeptics that is known before anybody is asked. Opens no connection."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypedDict, Unpack

from claimjury.errors import BudgetExceeded, InvalidRequest, RequestError
from claimjury.evidence.clearing import cleared_source
from claimjury.evidence.fences import draw_nonce
from claimjury.evidence.git import work_tree
from claimjury.evidence.ignoring import IGNORE_FILE, is_kept_back
from claimjury.evidence.reference import Reference
from claimjury.evidence.sources import Source, load_sources
from claimjury.jury.budget import Spent, call_worst
from claimjury.jury.named_files import named_files
from claimjury.jury.plan import Plan, juror_params
from claimjury.jury.prompt import Prompt
from claimjury.jury.request import DEFAULT_PANEL
from claimjury.jury.result import InjectionRow
from claimjury.jury.verify import plan_verify
from claimjury.models.hosts import Cloud
from claimjury.models.prices import list_cost
from claimjury.models.routes import Access, Route
from claimjury.models.traits import route_traits
from claimjury.skeptics.aimed import aimed_in_sources
from claimjury.skeptics.angles import angle_of
from claimjury.skeptics.asking import checked_claim, checked_count
from claimjury.skeptics.limits import DEFAULT_SKEPTICS, MAX_ROUNDS, PASS_TOKENS
from claimjury.skeptics.prompts import skeptic_prompt
from claimjury.skeptics.tools.toolbox import TOOLS, TOOLS_BYTES, Toolbox

__all__ = ["Bare", "RefuteOptions", "RefutePlan", "plan_refute"]

_OF_JURIES: Final = ("refute_unreachable", "lone_refute_allowed")


class RefuteOptions(TypedDict, total=False):
    """How a claim is attacked.

    Attributes:
        n: How many skeptics, 1 to 9; 3 by default, and as many as `across` names.
        model: Who all of them are; the first of the panel by default that is not of the author's family.
        across: Model ids of different families instead: each skeptic gets the next one.
        panel: Where the default model is taken from.
        repo: The repository that they read; by default the work tree around the working directory.
        source_paths: Files, lines or patterns that each gets without asking.
        diff: A range of commits, likewise.
        reference: Facts from elsewhere.
        author: A family, or a model id: nobody of that family is asked.
        deadline_s: Seconds for all of it.
        max_cost_usd: What the run may cost at most; a call that might pass it is not made.
        max_tokens: Tokens of all calls, shared equally.
        roots: Where sources may lie.
        allow_secrets: Send sources that are named like secrets; the tools never read them.
        redact: Send sources and the reference without what has the form of a secret, in place of refusing them.
        strip_comments: Send sources without comments and docstrings; the tools show files as they are.
        anyway: Attack a question or a fragment too.
        caller_set_rules: Whoever asks has chosen who the skeptics are, or how many, against the operator's settings.
        access: Hosts and keys.
        cloud: The same for Ollama's cloud alone.
    """

    n: int | None
    model: str | None
    across: Sequence[str]
    panel: Sequence[str] | None
    repo: str | os.PathLike[str] | None
    source_paths: Sequence[str | os.PathLike[str]]
    diff: str | None
    reference: str | Reference | None
    author: str | None
    deadline_s: float | None
    max_cost_usd: float | None
    max_tokens: int | None
    roots: Sequence[str | os.PathLike[str]] | None
    allow_secrets: bool
    redact: bool
    strip_comments: bool
    anyway: bool
    caller_set_rules: bool
    access: Access | None
    cloud: Cloud | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bare:
    """An opening that has the evidence in it.

    Attributes:
        prompt: What is told.
        given: The files that are in it.
        aimed: What of those that the claim names is aimed at a judge.
    """

    prompt: Prompt
    given: tuple[str, ...]
    aimed: tuple[InjectionRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RefutePlan:
    """A panel of skeptics, ready to be asked.

    Attributes:
        claim: What is attacked.
        n: How many skeptics.
        repo: What they read.
        jury: The models, hosts, evidence and limits, checked as those of a jury are.
        nonce: Drawn for the run.
        allowance: Tokens that one skeptic may take.
        caller_set_rules: Whether the result says so.
    """

    claim: str
    n: int
    repo: Path
    jury: Plan
    nonce: str
    allowance: int
    caller_set_rules: bool = False

    def route(self, place: int) -> Route:
        """Give who the skeptic at `place` is, counted from 1."""
        routes = self.jury.sitting
        return routes[(place - 1) % len(routes)]

    def opening(self, place: int) -> Prompt:
        """Give what it is told."""
        return self._prompt(place, self.jury.sources, [spec.name for spec in TOOLS])

    def bare(self, place: int) -> Bare:
        """Give what it is told where its model takes no tools. Reads files."""
        named = self._named()
        sources = [*self.jury.sources, *named]
        return Bare(
            prompt=self._prompt(place, sources, ()),
            given=tuple(source.path for source in sources),
            aimed=tuple(aimed_in_sources(named)),
        )

    def _prompt(self, place: int, sources: Sequence[Source], tools: Sequence[str]) -> Prompt:
        return skeptic_prompt(
            self.claim,
            angle_of(place),
            nonce=self.nonce,
            sources=sources,
            reference=self.jury.request.reference,
            tools=tools,
            steps=MAX_ROUNDS,
        )

    def _named(self) -> list[Source]:
        """Give the files that the claim names and that are there and may be read, without secrets, as the tools show them."""
        have = {source.path for source in self.jury.sources}
        found: list[Source] = []
        for name in named_files(self.claim):
            if name in have:
                continue
            try:
                loaded = load_sources(
                    [self.repo / name], roots=[self.repo], strip_comments=self.jury.asked.strip_comments
                )
                found += [cleared_source(source, redacting=True) for source in loaded]
            except RequestError:
                # Also where an ignore file cannot be read: what it keeps back is not known then.
                continue
        return found

    @property
    def worst(self) -> Spent:
        """What the run may take at most."""
        costs = [self._worst_cost(self.route(place)) for place in range(1, self.n + 1)]
        known = [cost for cost in costs if cost is not None]
        return Spent(
            tokens=self.allowance * self.n, cost_usd=sum(known) if len(known) == len(costs) else None
        )

    def _worst_cost(self, route: Route) -> float | None:
        answer = juror_params(route, route_traits(route), 1).num_predict
        return list_cost(
            route.provider, route.name, self.allowance, min(self.allowance, answer * (MAX_ROUNDS + 3))
        )

    @property
    def lines(self) -> tuple[str, ...]:
        """Say what leaves for each host."""
        asked = [row.line for row in self.jury.egress_lines()]
        who = "1 skeptic" if self.n == 1 else f"{self.n} skeptics"
        return tuple(
            f"{line}; {who} may read, and so send, any file of {self.repo.name or self.repo} that is not denied"
            for line in asked
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Codes of what a reader must know before anybody has answered."""
        codes = (code for code in self.jury.warnings if code.partition(":")[0] not in _OF_JURIES)
        return (*(["caller_set_rules"] if self.caller_set_rules else []), *codes)


def plan_refute(claim: str, **options: Unpack[RefuteOptions]) -> RefutePlan:
    """Give what `refute_claim` would do with the same arguments. Needs no key, opens no connection.

    Raises:
        RequestError: The input cannot be used.
    """
    text = checked_claim(claim, anyway=options.get("anyway", False))
    across = tuple(options.get("across", ()))
    if across and options.get("model") is not None:
        raise InvalidRequest("--model and --across both say who is asked.", hint="Give one of them.")
    n = checked_count(_count(options.get("n"), across))
    if len(across) > n:
        raise InvalidRequest(
            f"--across names {len(across)} models for {n} skeptics.",
            hint="Name at most one for each, or raise -n.",
        )
    jury = _jury(text, across, options)
    nonce = draw_nonce([text, *(source.text for source in jury.sources), jury.prompt.user])
    plan = RefutePlan(
        claim=text,
        n=n,
        repo=_repository(options.get("repo")),
        jury=jury,
        nonce=nonce,
        allowance=PASS_TOKENS,
        caller_set_rules=options.get("caller_set_rules", False),
    )
    return _limited(replace(plan, jury=replace(jury, prompt=plan.opening(1))))


def _count(given: int | None, across: Sequence[str]) -> int:
    return given if given is not None else len(across) or DEFAULT_SKEPTICS


def _jury(claim: str, across: Sequence[str], options: RefuteOptions) -> Plan:
    """Plan a jury of those who are asked: its checks of ids, families, evidence, windows and limits are ours."""
    model = options.get("model")
    if not across and model is None:
        whole = _plan(claim, options.get("panel") or DEFAULT_PANEL, options)
        if not whole.sitting:
            raise InvalidRequest("The whole panel is of the author's family.", hint="Name another --model.")
        return _plan(claim, [whole.sitting[0].model], options)
    plan = _plan(claim, across or [model or ""], options)
    for name, bar in plan.barred.items():
        raise InvalidRequest(
            f"{name} cannot be a skeptic: {bar.detail}", hint="Name a model of another family."
        )
    return plan


def _plan(claim: str, models: Sequence[str], options: RefuteOptions) -> Plan:
    passed: Any = {
        name: options[name]
        for name in (
            *("source_paths", "diff", "reference", "author", "deadline_s", "max_cost_usd"),
            *("roots", "allow_secrets", "redact", "strip_comments", "access", "cloud"),
        )
        if name in options
    }
    return plan_verify([claim], panel=list(models), max_tokens=options.get("max_tokens"), **passed)


def _repository(given: str | os.PathLike[str] | None) -> Path:
    """Give the repository.

    Raises:
        ConfigInvalid: It is no folder, or is a whole disk or a home, or its ignore file cannot be read.
    """
    if given is None:
        here = Path.cwd()
        folder = work_tree(here) or here
    else:
        folder = Path(given)
    Toolbox(folder)  # Refuses what may not be read.
    resolved = folder.resolve()
    is_kept_back(resolved / IGNORE_FILE, resolved / IGNORE_FILE, [resolved])
    return resolved


def _refuse_unaffordable(plan: RefutePlan) -> None:
    most = plan.jury.request.max_cost_usd
    if most is None:
        return
    first = 0.0
    for place in range(1, plan.n + 1):
        route = plan.route(place)
        params = juror_params(route, route_traits(route), 1)
        first += call_worst(route, plan.opening(place).bytes + TOOLS_BYTES, params).cost_usd or 0.0
    if first > most:
        raise BudgetExceeded(
            f"The first calls of {plan.n} skeptics may cost ${first:,.4f}, and ${most:,.4f} are allowed.",
            hint="Raise --max-cost, or ask fewer skeptics (-n).",
        )


def _limited(plan: RefutePlan) -> RefutePlan:
    """Share the tokens that are allowed, and refuse where a share has no room for one question and its answer."""
    _refuse_unaffordable(plan)
    most = plan.jury.request.max_tokens
    if most is None:
        return plan
    share = min(PASS_TOKENS, most // plan.n)
    for place in range(1, plan.n + 1):
        route = plan.route(place)
        params = juror_params(route, route_traits(route), 1)
        needed = call_worst(route, plan.opening(place).bytes + TOOLS_BYTES, params).tokens
        if needed > share:
            raise BudgetExceeded(
                f"Each of {plan.n} skeptics may take {share:,} tokens, and one call may take {needed:,}.",
                hint="Raise --max-tokens, or ask fewer skeptics (-n).",
            )
    return replace(plan, allowance=share)
