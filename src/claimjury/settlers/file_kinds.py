"""Files of one language: none of them was changed, or nothing else was."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final, NamedTuple

from claimjury.settlers.evidence import Change, Evidence
from claimjury.settlers.outcome import Decision, Form, Proof, Reading, Silent, confirmed, refuted
from claimjury.text import clean_line

__all__ = ["KIND_FORMS", "KIND_GRAMMAR"]

KIND_GRAMMAR: Final = r"""
!language: "python" | "javascript" | "typescript" | "go" | "rust" | "java" | "markdown" | "yaml" | "json" | "toml"
_altered: "changed" | "touched" | "modified"
no_files_of: "no" language ("file" | "files") _be _altered _here?
only_files_of: "only" language "files" (_be | "are") _altered _here?
"""


class _Suffixes(NamedTuple):
    """Suffixes that files of a language have for sure, and those that some would count and some would not."""

    sure: tuple[str, ...]
    maybe: tuple[str, ...] = ()


_LANGUAGES: Final = {
    "python": _Suffixes((".py", ".pyi"), (".pyx", ".pxd", ".pyw", ".ipynb", "")),
    "javascript": _Suffixes(
        (".js", ".mjs", ".cjs", ".jsx"), (".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte", "")
    ),
    "typescript": _Suffixes((".ts", ".tsx", ".mts", ".cts"), (".vue", ".svelte")),
    "go": _Suffixes((".go",), (".mod", ".sum", ".tmpl")),
    "rust": _Suffixes((".rs",)),
    "java": _Suffixes((".java",), (".jsp", ".kt", ".groovy")),
    "markdown": _Suffixes((".md", ".markdown"), (".mdx", ".rmd", ".qmd", "")),
    "yaml": _Suffixes((".yaml", ".yml"), (".cff", "")),
    "json": _Suffixes((".json",), (".jsonc", ".json5", ".jsonl", ".geojson", ".ipynb", ".lock", "")),
    "toml": _Suffixes((".toml",), (".lock", "")),
}


def _suffix(path: str) -> str:
    return PurePosixPath(path).suffix.casefold()


def _may_be_of(path: str, suffixes: _Suffixes) -> bool:
    """Whether some would count a file: it is a near kind, or a template of one."""
    inner = {one.casefold() for one in PurePosixPath(path).suffixes}
    return _suffix(path) in suffixes.maybe or not inner.isdisjoint(suffixes.sure)


def _no_files_of(reading: Reading, evidence: Evidence) -> Decision:
    change = evidence.whole_change()
    if isinstance(change, Silent):
        return change
    suffixes = _LANGUAGES[reading.one("language")]
    of_it = sorted(path for path in change.paths if _suffix(path) in suffixes.sure)
    real = (path for path in of_it if path in change.modified and not evidence.only_looks_changed(path))
    if (wrong := next(real, None)) is not None:
        return refuted(_differs(wrong, change))
    unsure = of_it or sorted(path for path in change.paths if _may_be_of(path, suffixes))
    if unsure:
        return Silent(reason=f"{clean_line(unsure[0])} differs, and may or may not be one that is meant.")
    words = f"Of {len(change.paths)} files that differ since {change.short} none ends in {' or '.join(suffixes.sure)}."
    return confirmed(Proof(kind="change", text=words))


def _only_files_of(reading: Reading, evidence: Evidence) -> Decision:
    change = evidence.whole_change()
    if isinstance(change, Silent):
        return change
    suffixes = _LANGUAGES[reading.one("language")]
    others = sorted(path for path in change.paths if _suffix(path) not in suffixes.sure)
    wrong = [path for path in others if path in change.modified and _suffix(path) not in suffixes.maybe]
    wrong = [path for path in wrong if not evidence.only_looks_changed(path)]
    if wrong:
        return refuted(_differs(wrong[0], change))
    if others or not change.modified:
        at = clean_line(others[0]) if others else "No file"
        return Silent(reason=f"{at} differs, and may or may not be one that is meant.")
    words = f"Each of {len(change.paths)} files that differ since {change.short} ends in {' or '.join(suffixes.sure)}."
    return confirmed(Proof(kind="change", text=words))


def _differs(path: str, change: Change) -> Proof:
    return Proof(kind="change", text=f"It differs since {change.short}.", path=path)


KIND_FORMS: Final = {
    "no_files_of": Form(decide=_no_files_of),
    "only_files_of": Form(decide=_only_files_of),
}
