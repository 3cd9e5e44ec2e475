"""The tools together: what a model is told of them, and one way to call each that never raises."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from claimjury.errors import RequestError
from claimjury.evidence.secrets import find_secrets, redact
from claimjury.evidence.sources import count_lines
from claimjury.skeptics.tools.arguments import (
    DiffArguments,
    GlobArguments,
    GrepArguments,
    LogArguments,
    ReadArguments,
)
from claimjury.skeptics.tools.history import git_diff, git_log
from claimjury.skeptics.tools.jail import Jail
from claimjury.skeptics.tools.reading import read
from claimjury.skeptics.tools.replies import Looked, ToolReply, plural
from claimjury.skeptics.tools.searching import find_names, grep
from claimjury.text import clean_line, clip

__all__ = ["TOOLS", "TOOLS_BYTES", "Looked", "ToolReply", "ToolSpec", "Toolbox"]

A = TypeVar("A", bound=BaseModel)
_MAX_PROBLEMS: Final = 5
_MAX_SAID: Final = 200
"""Characters of a name or of a problem in a message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """What a model is told of a tool.

    Attributes:
        name: The tool's name.
        description: What it does.
        parameters: The JSON schema of its arguments.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tool(Generic[A]):
    usage: str
    description: str
    arguments: type[A]
    run: Callable[[Jail, A], ToolReply]

    def call(self, jail: Jail, arguments: object) -> ToolReply:
        try:
            return self.run(jail, self.arguments.model_validate(arguments))
        except ValidationError as error:
            return _failed(f"The arguments cannot be used: {_problems(error)}. Call it like {self.usage}.")
        except RequestError as error:
            # Where the repository lies on this machine is nobody's business.
            return _failed(str(error).replace(str(jail.root), "the repository"))


_TOOLS: Final[Mapping[str, _Tool[Any]]] = {
    "read": _Tool(
        usage="read(path, start=1, end=None)",
        description="Read lines of a text file with their numbers. Says where to go on when there is more.",
        arguments=ReadArguments,
        run=read,
    ),
    "grep": _Tool(
        usage="grep(pattern, path=None, glob=None, ignore_case=False)",
        description="Find lines that match a regular expression (RE2: no look-around, no back-references)."
        " Says how many files were searched, and which kinds were not.",
        arguments=GrepArguments,
        run=grep,
    ),
    "glob": _Tool(
        usage="glob(pattern)",
        description="List files by name: `*` stays within a folder, `**` does not; {a,b} works. A pattern"
        " without a slash matches in any folder.",
        arguments=GlobArguments,
        run=find_names,
    ),
    "git_diff": _Tool(
        usage="git_diff(range, path=None)",
        description="Show what differs between two commits. What is not committed is in no diff: read the"
        " files for that.",
        arguments=DiffArguments,
        run=git_diff,
    ),
    "git_log": _Tool(
        usage="git_log(range=None, path=None, limit=20)",
        description="List commits, newest first, with their messages. A message is what its author says.",
        arguments=LogArguments,
        run=git_log,
    ),
}
TOOLS: Final = tuple(
    ToolSpec(name=name, description=tool.description, parameters=tool.arguments.model_json_schema())
    for name, tool in _TOOLS.items()
)
TOOLS_BYTES: Final = sum(
    len(json.dumps([spec.name, spec.description, dict(spec.parameters)]).encode()) for spec in TOOLS
)
"""What the offer of all tools takes beside a prompt."""


class Toolbox:
    """The tools over one repository. Nothing in it writes, and it keeps no state, so threads may share it."""

    def __init__(self, root: Path) -> None:
        """Take the root below which everything stays.

        Raises:
            ConfigInvalid: The root is no directory, or is a whole disk or a home.
        """
        self._jail = Jail(root)

    def call(self, name: str, arguments: object) -> ToolReply:
        """Run a tool. Whatever is wrong with the call is said in the reply, which then has `failed`."""
        tool = _TOOLS.get(name)
        if tool is None:
            return _failed(
                f"There is no tool {clip(clean_line(name), _MAX_SAID)!r}. The tools: {', '.join(_TOOLS)}."
            )
        return _without_secrets(tool.call(self._jail, arguments))

    def lines_of(self, path: str) -> int:
        """Give how many lines a file has; 0 for one that may not be read, or is not there."""
        try:
            _, decoded = self._jail.read(path)
        except RequestError:
            return 0
        return count_lines(decoded.text)


def _without_secrets(reply: ToolReply) -> ToolReply:
    """Give a reply without what has the form of a secret in its names and notes too; the model is told how many there were."""
    found = find_secrets(reply.text)
    count = reply.secrets + len(found)
    if not count:
        return reply
    return replace(reply, text=f"{redact(reply.text, found)}\n{plural(count, 'secret')} taken out.")


def _failed(text: str) -> ToolReply:
    return ToolReply(text=text, failed=True, looked=())


def _problems(error: ValidationError) -> str:
    problems = error.errors(include_url=False, include_input=False, include_context=False)
    told = [_problem(*problem["loc"], said=problem["msg"]) for problem in problems[:_MAX_PROBLEMS]]
    more = len(problems) - len(told)
    return "; ".join([*told, *([f"and {more:,} more"] if more else [])])


def _problem(*where: int | str, said: str) -> str:
    place = ".".join(str(part) for part in where) or "they"
    return clip(clean_line(f"{place}: {said}"), _MAX_SAID)
