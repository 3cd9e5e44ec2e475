"""The plan of a run: all that is decided before the first byte leaves, so that it can be shown first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from claimjury.errors import CloudNotConfigured
from claimjury.evidence.sources import Source
from claimjury.evidence.window import LONG_CONTEXT_TOKENS, estimate_tokens, refuse_too_large
from claimjury.jury.prompt import Prompt, build_prompt
from claimjury.jury.request import VerifyRequest
from claimjury.jury.result import UNTHINKING_TEMPERATURE, JurorParams
from claimjury.models.hosts import DEFAULT_HOST, KEY_PAGE, KEY_VARIABLE, Cloud
from claimjury.models.names import sent_name
from claimjury.models.traits import DEFAULT_WINDOW, Traits, traits_of
from claimjury.text import clean_line, show_bytes

__all__ = ["Asked", "Plan", "juror_params", "make_plan", "refuse_overflow", "refuse_without_key"]

THINKING_TOKENS: Final = 32_768
"""Thinking spends the output budget (ollama/ollama#16184), so it gets room of its own."""
VOTE_TOKENS: Final = 512
FRAME_TOKENS: Final = 1_024


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How the evidence was named, enough to load it once more and see whether it changed.

    Attributes:
        folder: The working directory.
        source_paths: As given.
        roots: As given, or None for the working directory.
        diff: As given.
        allow_secrets: As given.
    """

    folder: str
    source_paths: tuple[str, ...] = ()
    roots: tuple[str, ...] | None = None
    diff: str | None = None
    allow_secrets: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What would be sent, and where."""

    request: VerifyRequest
    sources: tuple[Source, ...]
    prompt: Prompt
    cloud: Cloud
    asked: Asked

    @property
    def vendor(self) -> str:
        """Who runs the host."""
        if self.cloud.host == DEFAULT_HOST:
            return "Ollama Cloud"
        return "this machine" if self.cloud.loopback else "a host of your own configuration"

    @property
    def egress_line(self) -> str:
        """One line that says what leaves for the host, and for whom."""
        return self.egress_to(self.request.panel)

    def egress_to(self, models: Sequence[str]) -> str:
        """Say what leaves for the host where only these models are asked."""
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
        return (
            f"{', '.join(parts)}; {show_bytes(self.prompt.bytes)} to each of {', '.join(models) or 'no juror'} "
            f"at {self.cloud.host} ({self.vendor})"
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Codes of what a reader must know before any vote is in."""
        long = estimate_tokens(self.prompt.bytes) > LONG_CONTEXT_TOKENS
        lossy = dict.fromkeys(code for source in self.sources for code in _decoding_warnings(source))
        return (*self.request.warnings, *lossy, *(["long_context"] if long else []))


def _with_size(source: Source) -> str:
    return f"{source.shown} ({show_bytes(source.sent_bytes)})"


def _decoding_warnings(source: Source) -> Iterator[str]:
    name = clean_line(source.path)
    if source.guessed:
        yield f"encoding_guessed:{name}:{source.encoding}"
    if source.replaced:
        yield f"characters_replaced:{name}:{source.replaced}"


def make_plan(
    request: VerifyRequest,
    sources: Sequence[Source],
    cloud: Cloud,
    asked: Asked,
    prompt: Prompt | None = None,
) -> Plan:
    """Build the prompt, where none is given, and check that it fits every window that is known without asking.

    Raises:
        EvidenceTooLarge: It does not fit the smallest of them.
    """
    prompt = prompt or build_prompt(request.claims, sources, request.reference)
    plan = Plan(request=request, sources=tuple(sources), prompt=prompt, cloud=cloud, asked=asked)
    refuse_overflow(plan, {model: traits for model in request.panel if (traits := traits_of(model)).window})
    return plan


def refuse_overflow(plan: Plan, traits: dict[str, Traits]) -> None:
    """Refuse a prompt that does not fit the smallest window among `traits`; an unknown window is 32,768.

    Raises:
        EvidenceTooLarge: With how many tokens, which files and what to do.
    """
    if not traits:
        return
    model = min(traits, key=lambda name: traits[name].window or DEFAULT_WINDOW)
    refuse_too_large(
        plan.prompt.bytes,
        output_tokens=juror_params(model, traits[model], len(plan.request.claims)).num_predict,
        window=traits[model].window or DEFAULT_WINDOW,
        model=model,
        sources=plan.sources,
    )


def refuse_without_key(plan: Plan) -> None:
    """Refuse to run without a key, saying what would be sent, and where.

    Raises:
        CloudNotConfigured: There is none.
    """
    if plan.cloud.api_key:
        return
    raise CloudNotConfigured(
        f"There is no {KEY_VARIABLE} in the environment, so nothing was sent.",
        hint=(
            f"With a key, this would be sent: {plan.egress_line}. Make one at {KEY_PAGE} and `export {KEY_VARIABLE}=...`."
            " `--dry-run` shows every byte of it first. A local model is never used in its place."
        ),
    )


def juror_params(model: str, traits: Traits, claims: int) -> JurorParams:
    """Give what to ask one model with: thinking at its lowest level, and an output budget with room for it.

    The budget is at most a quarter of the window, so that a small window keeps room for evidence.
    """
    thinks = traits.think not in (False, None)
    budget = FRAME_TOKENS + VOTE_TOKENS * claims + (0 if traits.think is False else THINKING_TOKENS)
    window = traits.window or DEFAULT_WINDOW
    return JurorParams(
        sent_model=sent_name(model),
        num_predict=min(budget, window // 4, traits.output_limit or budget),
        think=traits.think if thinks else None,
        temperature=None if thinks else UNTHINKING_TEMPERATURE,
    )
