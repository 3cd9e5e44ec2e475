"""The plan of a run: all that is decided before the first byte leaves, so that it can be shown first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from claimjury.claims import Claim
from claimjury.errors import CloudNotConfigured, InvalidRequest
from claimjury.evidence.sources import Source
from claimjury.evidence.window import LONG_CONTEXT_TOKENS, estimate_tokens, refuse_too_large
from claimjury.jury.prompt import Prompt, build_prompt
from claimjury.jury.request import VerifyRequest
from claimjury.jury.result import UNTHINKING_TEMPERATURE, JurorParams, PriorRun
from claimjury.jury.seating import Bar, barred_seats
from claimjury.jury.settling import SettleMode, Settling
from claimjury.lint import lint
from claimjury.models.installed import is_installed
from claimjury.models.providers import DAEMON, ProviderHost
from claimjury.models.routes import Access, Route
from claimjury.models.traits import DEFAULT_WINDOW, Traits, route_traits
from claimjury.text import clean_line, show_bytes

__all__ = [
    "Asked",
    "EgressLine",
    "Plan",
    "juror_params",
    "make_plan",
    "refuse_overflow",
    "refuse_unready",
    "refuse_without_sdks",
    "seat_params",
]

THINKING_TOKENS: Final = 32_768
"""Thinking spends the output budget (ollama/ollama#16184), so it gets room of its own."""
VOTE_TOKENS: Final = 512
FRAME_TOKENS: Final = 1_024
_CONTEXT_STEP: Final = 1_024
"""Tokens. A daemon loads a model anew for each other context size, so sizes are rounded up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How the evidence was named, enough to load it once more and see whether it changed.

    Attributes:
        folder: The working directory.
        source_paths: As given.
        roots: As given, or None for the working directory.
        diff: As given.
        allow_secrets: As given.
        redact: As given.
        strip_comments: As given.
        settle: Whether settlers are asked first, alone, or not at all.
        base: As given.
        aside: Files that the claims or the reference stand in, which are no part of what is claimed about.
    """

    folder: str
    source_paths: tuple[str, ...] = ()
    roots: tuple[str, ...] | None = None
    diff: str | None = None
    allow_secrets: bool = False
    redact: bool = False
    strip_comments: bool = False
    settle: SettleMode = "off"
    base: str | None = None
    aside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EgressLine:
    """What leaves for one host, as one line."""

    host: str
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What would be sent, and where.

    Attributes:
        routes: The way to each model of the panel, then of the alternates, by id.
        barred: Who of the panel must not sit, and why.
        settling: What was settled before; the request then has the claims that are left.
        follows: What an earlier run left undecided and this one takes up, by claim id; None where it follows none.
    """

    request: VerifyRequest
    sources: tuple[Source, ...]
    prompt: Prompt
    access: Access
    asked: Asked
    routes: Mapping[str, Route]
    barred: Mapping[str, Bar]
    settling: Settling | None = None
    follows: Mapping[str, PriorRun] | None = None

    @property
    def idle(self) -> bool:
        """No juror has anything to judge."""
        return not self.request.claims

    @property
    def claims(self) -> tuple[Claim, ...]:
        """All claims of the run, settled ones too, in their order."""
        return self.request.claims if self.settling is None else self.settling.claims

    @property
    def sitting(self) -> tuple[Route, ...]:
        """Who of the panel is asked."""
        return tuple(self.routes[model] for model in self.request.panel if model not in self.barred)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts that the panel is asked at, each once."""
        return tuple(dict.fromkeys(route.host.host for route in self.sitting))

    def vendor_of(self, host: str) -> str:
        """Who runs a host."""
        vendors = (route.host.vendor for route in self.routes.values() if route.host.host == host)
        return next(vendors, "a host that no route names")

    def egress_lines(self, models: Sequence[str] | None = None) -> tuple[EgressLine, ...]:
        """Say what leaves for each host where these models are asked; all that sit by default."""
        asked = [self.routes[model] for model in models] if models is not None else self.sitting
        by_host: dict[str, list[Route]] = {}
        for route in asked:
            by_host.setdefault(route.host.host, []).append(route)
        return tuple(EgressLine(host=host, line=self._line(routes)) for host, routes in by_host.items())

    def _line(self, routes: Sequence[Route]) -> str:
        files = [_with_size(source) for source in self.sources if source.diff is None]
        listed = f" ({', '.join(files)})" if files else ""
        count = len(self.request.claims)
        parts = [
            f"{count} claim{'' if count == 1 else 's'}",
            f"{len(files)} file{'' if len(files) == 1 else 's'}{listed}",
            *(_with_size(source) for source in self.sources if source.diff is not None),
        ]
        if self.request.reference is not None:
            parts.append(f"a reference ({show_bytes(len(self.request.reference.text.encode()))})")
        names = ", ".join(route.model for route in routes)
        onward = [route.model for route in routes if route.provider == DAEMON and route.backend == "cloud"]
        tail = f", which hands {', '.join(onward)} on to Ollama Cloud" if onward else ""
        return (
            f"{', '.join(parts)}; {show_bytes(self.prompt.bytes)} to each of {names} "
            f"at {routes[0].host.host} ({routes[0].host.vendor}){tail}"
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Codes of what a reader must know before any vote is in."""
        long = estimate_tokens(self.prompt.bytes) > LONG_CONTEXT_TOKENS
        lossy = dict.fromkeys(code for source in self.sources for code in _decoding_warnings(source))
        # How a settled one is stated made it hard to nobody.
        left = self.claims if self.settling is None else self.settling.left
        stated = (code for claim in left for code in _lint_warnings(claim))
        return (*self.request.warnings, *lossy, *(["long_context"] if long else []), *stated)


def _with_size(source: Source) -> str:
    return f"{source.shown} ({show_bytes(source.sent_bytes)})"


def _lint_warnings(claim: Claim) -> Iterator[str]:
    rules = [found.rule for found in lint(claim.statement)]
    if rules:
        yield f"lint:{clean_line(claim.id)}:{','.join(rules)}"


def _decoding_warnings(source: Source) -> Iterator[str]:
    name = clean_line(source.path)
    if source.guessed:
        yield f"encoding_guessed:{name}:{source.encoding}"
    if source.replaced:
        yield f"characters_replaced:{name}:{source.replaced}"


def make_plan(
    request: VerifyRequest,
    sources: Sequence[Source],
    access: Access,
    asked: Asked,
    *,
    prompt: Prompt | None = None,
    settling: Settling | None = None,
) -> Plan:
    """Build the prompt, where none is given, and check that it fits every window that is known without asking.

    Raises:
        InvalidRequest: Nobody of the panel may sit, and no alternate can take a seat over.
        EvidenceTooLarge: It does not fit the smallest of the windows.
    """
    routes = {model: access.route(model) for model in (*request.panel, *request.alternates)}
    plan = Plan(
        request=request,
        sources=tuple(sources),
        prompt=prompt or build_prompt(request.claims, sources, request.reference),
        access=access,
        asked=asked,
        routes=routes,
        barred=barred_seats(
            [routes[model] for model in request.panel],
            author=frozenset(request.author),
            allow_same_family=request.allow_same_family,
        ),
        settling=settling,
    )
    _refuse_empty(plan)
    # A catalogue may know the windows of Ollama's models; of a vendor's nobody is asked.
    known = {model: route_traits(route) for model, route in routes.items()}
    vendors = {model for model, route in routes.items() if isinstance(route.host, ProviderHost)}
    refuse_overflow(
        plan, {model: traits for model, traits in known.items() if traits.window or model in vendors}
    )
    return plan


def _refuse_empty(plan: Plan) -> None:
    if plan.sitting or plan.request.alternates or plan.idle:
        return
    raise InvalidRequest(
        f"Nobody of the panel may sit: all are of the author's family ({', '.join(plan.request.author)}).",
        hint="Name models of other vendors with --panel, or --alternates.",
    )


def refuse_overflow(plan: Plan, traits: Mapping[str, Traits]) -> None:
    """Refuse a prompt that does not fit the smallest window among `traits`; an unknown window is 32,768.

    Raises:
        EvidenceTooLarge: With how many tokens, which files and what to do.
    """
    asked = [model for model in traits if model not in plan.barred]
    if not asked:
        return
    model = min(asked, key=lambda name: traits[name].window or DEFAULT_WINDOW)
    refuse_too_large(
        plan.prompt.bytes,
        output_tokens=juror_params(plan.routes[model], traits[model], len(plan.request.claims)).num_predict,
        window=traits[model].window or DEFAULT_WINDOW,
        assumed=traits[model].window is None,
        model=model,
        sources=plan.sources,
    )


def refuse_unready(plan: Plan) -> None:
    """Refuse to run without a key or an SDK that a model of the panel or an alternate needs; nothing was sent.

    Raises:
        CloudNotConfigured: With what would be sent and where, and what to set or install.
    """
    asked = [*plan.sitting, *(plan.routes[model] for model in plan.request.alternates)]
    refuse_without_sdks(asked)
    missing = [route for route in asked if route.host.key_variable and not route.host.api_key]
    if missing:
        rows = plan.settling.settled if plan.settling else ()
        raise CloudNotConfigured(
            _missing_keys(missing),
            hint=_key_hint(plan, missing),
            settled=tuple(rows),
        )


def refuse_without_sdks(routes: Iterable[Route]) -> None:
    """Refuse to go on where the SDK of a model's vendor is not installed.

    Raises:
        CloudNotConfigured: With the line that installs it.
    """
    for route in routes:
        host = route.host
        if isinstance(host, ProviderHost) and not is_installed(host.provider.module):
            raise CloudNotConfigured(
                f"{route.model} needs the SDK `{host.provider.module}`, which is not installed, so nothing was sent.",
                hint=f"Install it: {host.provider.install_line}",
            )


def _missing_keys(missing: Sequence[Route]) -> str:
    names = " and no ".join(dict.fromkeys(route.host.key_variable or "" for route in missing))
    return f"There is no {names} in the environment, so nothing was sent."


def _key_hint(plan: Plan, missing: Sequence[Route]) -> str:
    lines = "; ".join(row.line for row in plan.egress_lines())
    makes = dict.fromkeys(
        f"Make one at {route.host.key_page} and `export {route.host.key_variable}=...`."
        if route.host.key_page
        else f"`export {route.host.key_variable}=...`."
        for route in missing
    )
    return (
        f"With a key, this would be sent: {lines}. {' '.join(makes)}"
        " `--dry-run` shows every byte of it first. A local model is never used in its place."
    )


def seat_params(plan: Plan, route: Route, traits: Traits) -> JurorParams:
    """Give what to ask one model of a plan with; what runs here is loaded with the context that the prompt needs."""
    params = juror_params(route, traits, len(plan.request.claims))
    if route.provider != DAEMON or route.backend == "cloud":
        return params
    needed = estimate_tokens(plan.prompt.bytes) + params.num_predict
    return params.model_copy(update={"num_ctx": -(-needed // _CONTEXT_STEP) * _CONTEXT_STEP})


def juror_params(route: Route, traits: Traits, claims: int) -> JurorParams:
    """Give what to ask one model with: thinking at its lowest level, and an output budget with room for it.

    The budget is at most a quarter of the window, so that a small window keeps room for evidence.
    """
    thinks = traits.think not in (False, None)
    budget = FRAME_TOKENS + VOTE_TOKENS * claims + (0 if traits.think is False else THINKING_TOKENS)
    window = traits.window or DEFAULT_WINDOW
    return JurorParams(
        sent_model=route.sent_name,
        num_predict=min(budget, window // 4, traits.output_limit or budget),
        think=traits.think if thinks else None,
        temperature=None if thinks else UNTHINKING_TEMPERATURE,
    )
