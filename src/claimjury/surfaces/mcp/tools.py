"""The tools, free of any SDK's types: arguments in, JSON-ready answers out, refusals as errors of our own tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import anyio
import anyio.to_thread

from claimjury.errors import InvalidRequest, UnknownRun
from claimjury.ledger.reading import find_run, kind_of, load_run
from claimjury.ledger.store import Ledger, LedgerUnusable, open_ledger, readable
from claimjury.report.envelope import envelope
from claimjury.surfaces.mcp.arguments import (
    CheckArguments,
    CiteArguments,
    GetRunArguments,
    RefuteArguments,
    VerifyArguments,
    read_arguments,
)
from claimjury.surfaces.mcp.checking import Progress
from claimjury.surfaces.mcp.floor import Floor
from claimjury.surfaces.mcp.job import Job
from claimjury.surfaces.mcp.jobs import Jobs
from claimjury.text import clean_line

__all__ = ["ANSWER_WITHIN_S", "Progress", "Tools", "patience_of"]

ANSWER_WITHIN_S: Final = 45.0
"""Below the 60 s after which most clients give a call up, whatever progress they were told of."""
# Clients that wait longer by their own defaults: Claude Code cuts idle calls at 5 minutes, Codex all calls at 5 minutes
# (openai/codex#28234), Gemini CLI at 10.
_PATIENCE_S: Final[Mapping[str, float]] = {
    "claude-code": 240.0,
    "codex-mcp-client": 240.0,
    "gemini-cli-mcp-client": 240.0,
}


def patience_of(client: str | None) -> float:
    """Give how many seconds a client is answered within, by the name that it gives itself."""
    return _PATIENCE_S.get((client or "").casefold(), ANSWER_WITHIN_S)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What a client may call.

    Attributes:
        floor: What the operator allows.
        jobs: The runs of this server.
    """

    floor: Floor
    jobs: Jobs

    async def verify_claims(
        self, given: Mapping[str, Any], *, progress: Progress, client: str | None = None
    ) -> dict[str, Any]:
        """Run a jury; answer with its envelope, or with what is settled so far once the client's patience ends.

        A call that is cancelled stops its run, which keeps what has arrived.

        Raises:
            ClaimjuryError: The arguments cannot be used, or the run was refused; nothing was sent.
        """
        asked = read_arguments(VerifyArguments, given)
        claims = [claim.model_dump() for claim in asked.claims]
        job = self.jobs.start(claims, self.floor.options(asked))
        await _follow(job, asked.answer_within_s or patience_of(client), progress)
        return job.told_answer()

    async def refute_claim(
        self, given: Mapping[str, Any], *, progress: Progress, client: str | None = None
    ) -> dict[str, Any]:
        """Run skeptics; answer with their result, or with those that ended once the client's patience ends.

        A call that is cancelled stops its run.

        Raises:
            ClaimjuryError: The arguments cannot be used, or the run was refused; nothing was sent.
        """
        asked = read_arguments(RefuteArguments, given)
        options = self.floor.refute_options(asked)
        job = self.jobs.attack(asked.claim, options)
        await _follow(job, asked.answer_within_s or patience_of(client), progress)
        return job.told_answer()

    async def check_citations(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Check the places of the project that a text cites; nothing is sent.

        Raises:
            ClaimjuryError: The arguments cannot be used, or there is no project.
        """
        from claimjury.evidence.citing.checking import check_citations
        from claimjury.report.citations import as_json

        asked = read_arguments(CiteArguments, given)
        root = self.floor.project()
        checked = await anyio.to_thread.run_sync(check_citations, asked.text, root)
        return as_json(checked, asked.text)

    async def batch_proof_check(
        self, given: Mapping[str, Any], *, progress: Progress, client: str | None = None
    ) -> dict[str, Any]:
        """Run the checks that the project declares, all within the client's patience: what does not end by then is undecided.

        A call that is cancelled ends what it started.

        Raises:
            ClaimjuryError: The arguments cannot be used, or the operator does not allow it.
        """
        asked = read_arguments(CheckArguments, given)
        directory, roots = self.floor.check_places(asked)
        return await self.jobs.checks.run(
            directory,
            paths=[Path(path) for path in asked.paths or ()],
            only=asked.only or (),
            roots=roots,
            caps=self.floor.loaded.settings.check_roots,
            total_s=patience_of(client),
            progress=progress,
        )

    async def get_run(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Give a run: one of this server once something changed, or one that the ledger has.

        Raises:
            ClaimjuryError: There is no such run, or it was kept without its content.
        """
        asked = read_arguments(GetRunArguments, given)
        job = self.jobs.find(asked.run_id)
        if job is None:
            return self._kept(asked.run_id)
        await job.wait(asked.wait_s, seen=job.answered)
        return job.told_answer()

    def _kept(self, run_id: str) -> dict[str, Any]:
        from claimjury.ledger.receipts import whole_result

        if not self.floor.loaded.settings.save:
            raise UnknownRun(
                f"This server has no run {clean_line(run_id)!r}, and the operator keeps none.",
                hint="Ask anew.",
            )
        try:
            with open_ledger(self.floor.loaded.settings.ledger, create=False) as ledger, readable(ledger):
                found = find_run(ledger, run_id)
                if kind_of(ledger, found) == "refute":
                    return _kept_refutation(ledger, found)
                return envelope(whole_result(load_run(ledger, found)))
        except LedgerUnusable as error:
            raise UnknownRun(
                f"There is no run {clean_line(run_id)!r}: {error.message}", hint="Ask anew."
            ) from error
        except InvalidRequest as error:
            raise UnknownRun(error.message, hint=error.hint) from error


def _kept_refutation(ledger: Ledger, run_id: str) -> dict[str, Any]:
    from claimjury.ledger.refutations import load_refutation
    from claimjury.ledger.refute_receipts import whole_refutation

    return whole_refutation(load_refutation(ledger, run_id)).to_json()


async def _follow(job: Job, seconds: float, progress: Progress) -> None:
    """Follow a run; one whose client gives up is stopped."""
    try:
        await _tell(job, seconds, progress)
    except BaseException:
        job.stop.set()
        raise


async def _tell(job: Job, seconds: float, progress: Progress) -> None:
    """Tell how a run goes until it ends, or its client's patience does; a run must have an id to be asked for later."""
    told = 0
    seen = 0
    with anyio.move_on_after(seconds):
        while not job.done:
            await job.wait(seconds, seen=seen)
            seen = job.changes
            for message in job.told[told:]:
                told += 1
                await progress(told, job.total, message)
    while not job.done and not job.run_id:
        await job.wait(seconds, seen=job.changes)
