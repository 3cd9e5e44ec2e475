"""The operator's settings as a floor: a caller may narrow what they allow, and whatever else it sets is marked.

A caller is a program that reads text of strangers, so it is told apart from the person who runs the server.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import platformdirs

from claimjury.errors import ConfigInvalid, InvalidRequest
from claimjury.evidence.git import work_tree
from claimjury.evidence.roots import confine, resolve_roots
from claimjury.evidence.texts import refuse_secret_text
from claimjury.jury.verify import VerifyOptions
from claimjury.models.names import named_by_host
from claimjury.settings.load import Loaded
from claimjury.skeptics.limits import DEFAULT_SKEPTICS
from claimjury.surfaces.mcp.arguments import CheckArguments, RefuteArguments, VerifyArguments
from claimjury.text import clean_line, clip

if TYPE_CHECKING:
    from claimjury.skeptics.plan import RefuteOptions

__all__ = ["DEADLINE_S", "Floor", "find_root"]

DEADLINE_S: Final = 600.0
"""Every run ends: the operator's deadline, else this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """What the operator allows.

    Attributes:
        loaded: The settings.
        roots: Where sources may lie, links followed; empty where there is no project.
        no_root: Why there is none.
    """

    loaded: Loaded
    roots: tuple[Path, ...]
    no_root: str = ""

    def options(self, asked: VerifyArguments) -> VerifyOptions:
        """Give the options of a run that a caller asks for.

        Raises:
            InvalidRequest: It asks for more than the operator allows.
            SourceDenied: A statement or the reference is a secret.
        """
        claims = {f"The claim {clip(clean_line(claim.id), 64)!r}": claim.statement for claim in asked.claims}
        self._refuse_secrets(claims, asked.reference)
        own = self.loaded.settings
        options = self.loaded.options()
        sources = (*own.sources, *(asked.source_paths or ()))
        if (sources or asked.diff) and not self.roots:
            raise InvalidRequest(
                self.no_root, hint=f"{_ADD_ROOT} Claims without files can be asked meanwhile."
            )
        panel = None if asked.panel is None else self._allowed(asked.panel, "panel")
        options["source_paths"] = sources
        options["roots"] = self.roots or None
        options["diff"] = asked.diff
        options["reference"] = asked.reference
        options["author"] = self._author(asked.author)
        options["deadline_s"] = min(asked.deadline_s or DEADLINE_S, own.deadline or DEADLINE_S)
        options["max_tokens"] = _lower(asked.max_tokens, own.max_tokens)
        options["require_quotes"] = asked.require_quotes or own.require_quotes
        if asked.polarity is not None:
            options["polarity"] = asked.polarity
        if panel is not None:
            options["panel"] = panel
        if asked.min_refute_votes is not None:
            options["min_refute_votes"] = asked.min_refute_votes
        options["caller_set_rules"] = self._sets_rules(asked)
        return options

    def project(self) -> Path:
        """Give the first root.

        Raises:
            InvalidRequest: There is no project.
        """
        if not self.roots:
            raise InvalidRequest(self.no_root, hint=_ADD_ROOT)
        return self.roots[0]

    def check_places(self, asked: CheckArguments) -> tuple[Path, tuple[Path, ...]]:
        """Give where a caller's checks run, and where the projects may lie: all that the operator allows, or less.

        Raises:
            InvalidRequest: The operator lets no checks be run, or there is no project.
            EvidenceError: A directory is missing, or lies outside of the roots.
        """
        if not self.loaded.settings.mcp_checks:
            raise InvalidRequest(
                "The operator has not let callers run the project's checks, which are its own code.",
                hint="Run the command yourself. The operator can set `mcp_checks = true` in the user's own settings.",
            )
        top = self.project()
        directory = confine(top / (asked.cwd or "."), self.roots)[0]
        if asked.allow_roots is None:
            return directory, self.roots
        return directory, tuple(confine(top / root, self.roots)[0] for root in asked.allow_roots)

    def refute_options(self, asked: RefuteArguments) -> RefuteOptions:
        """Give the options of a run of skeptics that a caller asks for. They read the server's project alone.

        Raises:
            InvalidRequest: It asks for more than the operator allows, or there is no project.
            SourceDenied: The claim or the reference is a secret.
        """
        from claimjury.skeptics.plan import RefuteOptions

        self._refuse_secrets({"The claim": asked.claim}, asked.reference)
        own = self.loaded.settings
        if not self.roots:
            raise InvalidRequest(
                self.no_root, hint=f"{_ADD_ROOT} ollama_verify_claims takes claims without it."
            )
        if asked.model is not None and asked.across is not None:
            raise InvalidRequest("`model` and `across` both say who is asked.", hint="Give one of them.")
        return RefuteOptions(
            n=asked.n,
            model=None if asked.model is None else self._allowed([asked.model], "model")[0],
            across=self._allowed(asked.across or (), "across"),
            panel=own.panel,
            repo=self.roots[0],
            source_paths=(*own.sources, *(asked.source_paths or ())),
            diff=asked.diff,
            reference=asked.reference,
            author=self._author(asked.author),
            deadline_s=min(asked.deadline_s or DEADLINE_S, own.deadline or DEADLINE_S),
            max_cost_usd=_lower(asked.max_cost_usd, own.max_cost),
            max_tokens=_lower(asked.max_tokens, own.max_tokens),
            roots=self.roots,
            allow_secrets=own.allow_secrets,
            redact=own.redact,
            strip_comments=own.strip_comments,
            anyway=asked.anyway,
            caller_set_rules=self._sets_skeptics(asked),
            access=self.loaded.access,
        )

    @staticmethod
    def _sets_skeptics(asked: RefuteArguments) -> bool:
        """Whether a caller chooses who the skeptics are, or how many."""
        return bool(asked.model or asked.across) or asked.n not in (None, DEFAULT_SKEPTICS)

    def _refuse_secrets(self, claims: Mapping[str, str], reference: str | None) -> None:
        if self.loaded.settings.allow_secrets:
            return
        for what, statement in claims.items():
            refuse_secret_text(statement, what)
        if reference is not None:
            refuse_secret_text(reference, "The reference")

    def _allowed(self, models: Sequence[str], argument: str) -> list[str]:
        """Give the models that a caller names, if the operator lets callers name their providers."""
        hosts, own = self.loaded.access.hosts, self.loaded.settings
        allowed = {named_by_host(model, hosts)[0] for model in (*own.panel, *own.alternates)}
        allowed |= set(own.caller_providers)
        for model in models:
            provider = named_by_host(model, hosts)[0]
            if provider not in allowed:
                raise InvalidRequest(
                    f"{clip(clean_line(model), 80)!r} would be asked at {clean_line(provider)}, and the operator lets callers "
                    f"name models of {', '.join(sorted(allowed))} alone.",
                    hint=f"Leave `{argument}` out for the operator's own. The operator can add to caller_providers.",
                )
        return list(models)

    def _author(self, asked: str | None) -> str | None:
        """Give the author: the operator's word, else the caller's, which can only keep somebody off."""
        return self.loaded.settings.author or asked

    def _sets_rules(self, asked: VerifyArguments) -> bool:
        own = self.loaded.settings
        other_panel = asked.panel is not None and sorted(asked.panel) != sorted(own.panel)
        return other_panel or asked.min_refute_votes not in (None, own.min_refute_votes)


_Number = TypeVar("_Number", int, float)
_ADD_ROOT: Final = (
    'Add the project to the arguments of the server in your host\'s configuration: "args": ["mcp", "--root", '
    '"/path/to/the/project"].'
)


def _lower(asked: _Number | None, own: _Number | None) -> _Number | None:
    given = [limit for limit in (asked, own) if limit is not None]
    return min(given, default=None)


def find_root(named: Sequence[Path] | None, folder: Path) -> tuple[tuple[Path, ...], str]:
    """Give the roots of a server, and why there is none where there is none.

    A host may start a server anywhere: in the project, in a home directory, at the top of the disk, in the cache of a
    package runner. Only a Git work tree is taken for a project without being named.

    Args:
        named: Those of --root, or None.
        folder: The working directory.

    Raises:
        ConfigInvalid: A named root is none, or is too wide.
    """
    if named:
        return resolve_roots(named), ""
    top = work_tree(folder)
    if top is None:
        return (
            (),
            f"The server runs in {clean_line(str(folder))}, which is no Git work tree, so it has no project to read.",
        )
    try:
        (root,) = resolve_roots([top])
    except ConfigInvalid as error:
        return (), error.message
    if any(root.is_relative_to(cache) for cache in _caches()):
        return (
            (),
            f"The server runs in {clean_line(str(root))}, a folder of a cache, so it has no project to read.",
        )
    return (root,), ""


def _caches() -> list[Path]:
    own = platformdirs.user_cache_path("claimjury", appauthor=False).parent
    try:
        return [own.resolve(), (Path.home() / ".cache").resolve()]
    except (OSError, RuntimeError):
        return [own]
