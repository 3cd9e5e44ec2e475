"""Does the prompt fit? What does not fit is an error with numbers, never a cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from claimjury.errors import EvidenceTooLarge
from claimjury.evidence.sources import Source
from claimjury.text import show_bytes

__all__ = ["LONG_CONTEXT_TOKENS", "estimate_tokens", "refuse_too_large"]

BYTES_PER_TOKEN: Final = 3
"""Low on purpose: code and other scripts than Latin take fewer bytes a token than English prose."""
LONG_CONTEXT_TOKENS: Final = 32_000
"""Above this the warning `long_context`: models read the middle of long prompts worse (arXiv 2307.03172)."""
_NAMED: Final = 5


def estimate_tokens(size: int) -> int:
    """Estimate the tokens of `size` bytes of UTF-8, rounded up."""
    return -(-size // BYTES_PER_TOKEN)


def refuse_too_large(
    prompt_bytes: int,
    *,
    output_tokens: int,
    window: int,
    model: str,
    sources: Sequence[Source],
    assumed: bool = False,
) -> None:
    """Refuse a prompt that does not fit `window`, the smallest context window of the panel, in tokens.

    `assumed` says that nothing tells how large it is.

    Raises:
        EvidenceTooLarge: With how many tokens, which files and what to do.
    """
    needed = estimate_tokens(prompt_bytes) + output_tokens
    if needed <= window:
        return
    takes = f"is assumed to take {window:,}" if assumed else f"takes {window:,}"
    largest = sorted(sources, key=lambda source: -source.sent_bytes)[:_NAMED]
    files = ", ".join(f"{source.shown} ({show_bytes(source.sent_bytes)})" for source in largest)
    raise EvidenceTooLarge(
        f"The prompt has about {estimate_tokens(prompt_bytes):,} tokens ({show_bytes(prompt_bytes)}) and the answer "
        f"may take {output_tokens:,}; {model} {takes} in all.",
        hint=(f"Largest sources: {files}. " if files else "")
        + (f'Your settings can say how many it takes: [windows] "{model}" = TOKENS. ' if assumed else "")
        + "Send fewer or smaller files, excerpts of them (PATH:FIRST-LAST), or leave that model off the panel (--panel). Nothing was cut or sent.",
    )
