"""Finding: `path:12`, `path:12-20`, `path#L10-L20`, `file.py:12:34`, frames of five languages, links to files.

What is no citation is as much of the work: times, versions, ports, ratios, tags of images and test ids look like one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from claimjury.evidence.citing.beside import Beside, named_beside, named_by_link
from claimjury.evidence.citing.prose import prose_of

__all__ = ["Citation", "Form", "could_be_host", "find_citations", "is_placeholder"]

Form = Literal["place", "frame", "link"]
_ENDINGS: Final = (
    "py pyi pyx ipynb js jsx mjs cjs ts tsx mts cts vue svelte go rs java kt kts scala groovy c h cc cpp cxx hpp hh hxx m mm "
    "cs fs vb rb php pl pm lua r jl swift dart ex exs erl hrl hs elm clj cljs edn ml mli nim zig v sv vhd asm s sol "
    "sh bash zsh fish ps1 bat cmd sql proto thrift graphql gql tf tfvars hcl nix cmake mk gradle bzl bazel "
    "md mdx rst adoc txt tex html htm css scss sass less xml xsl svg json jsonc json5 jsonl yaml yml toml ini cfg conf "
    "properties env lock csv tsv log diff patch j2 jinja tmpl tpl http plist service"
)
_BARE_NAMES: Final = (
    "Makefile makefile GNUmakefile Dockerfile Containerfile Jenkinsfile Vagrantfile Procfile Rakefile Gemfile Brewfile Justfile "
    "justfile CMakeLists BUILD WORKSPACE LICENSE NOTICE CODEOWNERS OWNERS"
)
_DOMAINS: Final = frozenset(["sh", "rs", "py", "md", "pl", "cc", "ml", "conf", "s", "m", "sc", "cs"])
"""Endings of files that are endings of hosts too."""
_PORTS: Final = frozenset(
    {22, 25, 53, 80, 443, 3000, 3306, 5000, 5432, 6379, 8000, 8080, 8443, 9000, 9090, 27017}
)
_PLACE: Final = re.compile(
    r"(?::|#L|:L)(?P<line>\d{1,7})(?:[-\u2013\u2014]L?(?P<end>\d{1,7}))?(?P<column>:\d{1,6})?(?![A-Za-z0-9%]|\.\d|:\d)"
)
_IN_NAMES: Final = frozenset("_.@+~$=%/\\-()[]{}")
_MAX_NAME: Final = 260
_MAX_LINE: Final = 2_000
_PYTHON: Final = re.compile(r'File "(?P<path>[^"\n]{1,400})", line (?P<line>\d{1,7})(?P<end>)')
_LINK: Final = re.compile(
    r"(?<!!)\[(?P<text>[^\[\]\n]{0,300})\]\((?P<target><[^<>\n]{1,400}>|[^()\s]{1,400}(?:\([^()\s]*\)[^()\s]*)?)(?:\s+\"[^\"\n]*\")?\)"
)
_ANCHOR: Final = re.compile(
    r"#L(?P<line>\d{1,7})(?:C\d+)?(?:-L?(?P<end>\d{1,7})(?:C\d+)?)?$|:(?P<line2>\d{1,7})(?:-(?P<end2>\d{1,7}))?$"
)
_VARIABLE: Final = re.compile(r"\$\w+/|\$?\{[\w.:]+\}/|%\w+%[/\\]")
_REVISION: Final = re.compile(r"(?:\bHEAD|\b[0-9a-f]{7,40}|\borigin/[\w./-]+|\bstash@\{\d+\})[~^\d]*:$")
_PLACEHOLDER: Final = re.compile(
    r"(?:^|/)path/to/|(?:^|/)(?:foo|bar|baz|your[-_]?file|my[-_]?file|some[-_]?file)\.\w+$|[{}$*]"
)
_FIRST_FREE_PORT: Final = 1024
_KNOWN: Final = frozenset(_ENDINGS.split())
_FILES: Final = frozenset(_BARE_NAMES.split())
_FRAME_BEFORE: Final = re.compile(r"(?:^|\n)[ \t>`]*(?:at |--> |File |Caused by)[^\n]*$")
_FRAME_AFTER: Final = re.compile(r"[ \t]\+0x[0-9a-f]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A place in a file that a text names.

    Attributes:
        text: As it stands in the text.
        path: As it is written; of a link without its anchor.
        line: The first line, or None for a link to a whole file.
        end: The last line of a range.
        start: Where it begins in the text, in characters.
        form: `place`, `frame` (of a stack trace) or `link`.
        sure: Whether its name alone says that it is a file; else it counts only where the repository has something of it.
        beside: What the text says stands there.
        spaced: A longer name with blanks that it may be the end of.
        whole: Its name with the marks before it that some files have and most texts add: `+page.svelte`, `$id.tsx`.
        gone: Whether the text says that what it names is there no more.
    """

    text: str
    path: str
    line: int | None
    end: int | None
    start: int
    form: Form
    sure: bool
    beside: tuple[Beside, ...] = ()
    spaced: str | None = None
    whole: str | None = None
    gone: bool = False

    def called(self, path: str) -> Citation:
        """Give the same by another name that ends where this one does: a longer or a shorter one."""
        return replace(
            self,
            path=path,
            text=path + self.text[len(self.path) :],
            start=self.start + len(self.path) - len(path),
            sure=_is_file_name(path),
        )


def find_citations(text: str) -> list[Citation]:
    """Give the citations of a Markdown text, in their order."""
    prose = prose_of(text)
    links = list(_links(prose))
    taken = [(match.start(), match.end()) for match, _ in links]
    found = [citation for _, citation in links if citation is not None]
    rest = _blanked(prose, taken)
    found += _frames(rest)
    found += _places(rest, sorted((one.start, one.start + len(one.text)) for one in found))
    ordered = sorted(found, key=lambda one: one.start)
    return named_beside(prose, ordered)


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in spans:
        parts += [text[at:start], " " * (end - start)]
        at = end
    return "".join([*parts, text[at:]])


def _links(prose: str) -> Iterator[tuple[re.Match[str], Citation | None]]:
    """Give every Markdown link, and what it cites where its target is a file of the repository."""
    for match in _LINK.finditer(prose):
        # In inline code, `handlers[name](args.log)` is a call.
        if not _in_code(prose, match.start()):
            yield match, _link(match, match["target"].strip("<>"))


def _link(match: re.Match[str], target: str) -> Citation | None:
    anchor = _ANCHOR.search(target)
    path, line, end = target.partition("#")[0], None, None
    if anchor:
        line = int(anchor["line"] or anchor["line2"])
        end = int(last) if (last := anchor["end"] or anchor["end2"]) else None
        path = target[: anchor.start()]
    path = path.partition("?")[0]
    if not path or path.startswith(("#", "mailto:", "?")) or re.match(r"[A-Za-z][A-Za-z0-9+.-]+:", path):
        return None
    return Citation(
        text=match[0],
        path=path,
        line=line,
        end=end,
        start=match.start(),
        form="link",
        sure=_is_file_name(path) or line is not None,
        beside=named_by_link(match["text"]) if line is not None else (),
    )


def _frames(prose: str) -> Iterator[Citation]:
    for match in _PYTHON.finditer(prose):
        if not match["path"].startswith("<"):
            yield Citation(
                text=match[0],
                path=match["path"],
                line=int(match["line"]),
                end=None,
                start=match.start(),
                form="frame",
                sure=True,
            )


def _places(prose: str, taken: list[tuple[int, int]]) -> Iterator[Citation]:
    for match in _PLACE.finditer(prose):
        start, whole = _name_start(prose, match.start())
        path = prose[start : match.start()]
        if not path or _is_taken(taken, start) or _is_no_path(prose, start, path):
            continue
        line, end = int(match["line"]), _end_of(match)
        if not _could_be_file(path, line, has_end=end is not None or match["column"] is not None):
            continue
        before, after = prose[max(0, start - 200) : start], prose[match.end() : match.end() + 20]
        framed = bool(_FRAME_BEFORE.search(before) or _FRAME_AFTER.match(after))
        yield Citation(
            text=prose[start : match.end()],
            path=path,
            line=line,
            end=end,
            start=start,
            form="frame" if framed else "place",
            sure=_is_file_name(path),
            spaced=_spaced(prose, start, path),
            whole=prose[whole : match.start()] if whole < start else None,
        )


def _is_taken(spans: list[tuple[int, int]], place: int) -> bool:
    index = bisect_right(spans, (place, 1 << 60)) - 1
    return index >= 0 and spans[index][0] <= place < spans[index][1]


def _end_of(match: re.Match[str]) -> int | None:
    """Give the last line of a range; `112-15` is short for `112-115`."""
    line, end = match["line"], match["end"]
    if not end:
        return None
    whole = int(line[: len(line) - len(end)] + end) if len(end) < len(line) else int(end)
    return whole if int(end) < int(line) <= whole else int(end)


def _is_no_path(prose: str, start: int, path: str) -> bool:
    """Whether this is a slice of code, `rows[self.r:12]`, or a file of another revision, `HEAD~3:a.py:12`."""
    before = prose[max(0, start - 80) : start]
    if before.endswith("["):
        return "/" not in path and before[-2:-1].isalnum()
    return before.endswith(":") and _REVISION.search(before) is not None


def _in_code(prose: str, place: int) -> bool:
    return prose[max(0, place - _MAX_LINE) : place].rpartition("\n")[2].count("`") % 2 == 1


def _name_start(prose: str, end: int) -> tuple[int, int]:
    """Give where the name begins that ends here, and where with the marks before it.

    It begins after the last mark that no name has, or an open bracket.
    """
    start = end
    while (
        start > 0
        and end - start < _MAX_NAME
        and (prose[start - 1].isalnum() or prose[start - 1] in _IN_NAMES)
    ):
        start -= 1
    name = prose[start:end]
    for opening, closing in ("()", "[]", "{}"):
        if name.count(opening) > name.count(closing):
            name = name[name.rindex(opening) + 1 :]
    whole = end - len(name)
    if not _VARIABLE.match(name):
        name = name.rpartition("=")[2].lstrip("-@+%)]}$").removeprefix("~~")
    if (
        name.startswith("_")
        and prose[end - len(name) - 1 : end - len(name)] != "/"
        and re.match(r"[^\s_]*_", prose[end:])
    ):
        # Emphasis: `_src/a.py:12_`.
        name = name[1:]
    start = end - len(name)
    # A drive of Windows ends in a mark that no other name has.
    drive = name.startswith(("\\", "/")) and re.fullmatch(
        r"(?:.*[^\w])?[A-Za-z]:", prose[max(0, start - 3) : start]
    )
    start -= 2 if drive else 0
    return start, min(whole, start)


def _spaced(prose: str, start: int, path: str) -> str | None:
    """Give the longer name in the same backticks, since a file's name may hold blanks."""
    line = prose[max(0, start - _MAX_LINE) : start].rpartition("\n")[2]
    if line.count("`") % 2 == 0:
        return None
    whole = f"{line.rpartition('`')[2]}{path}"
    return whole if whole != path and " " in whole.strip() else None


def _could_be_file(path: str, line: int, *, has_end: bool) -> bool:
    """Whether a name and a number may be a place: `localhost:8080`, `v1.2:3` and `12:30` are none."""
    name = re.split(r"[\\/]", path)[-1]
    if not re.search(r"[./\\A-Z]|file$", path):
        # As in quick.py: `timeout:30` is none.
        return False
    if not any(char.isalpha() for char in name) or re.fullmatch(r"v?\d+(?:\.\d+)*(?:[-+][\w.]+)?", name):
        return False
    # `relay.sh:443` names a host; a file of that name is cited by other lines too.
    host = name == path and not has_end and line in _PORTS and "." in name
    return not host or name.rpartition(".")[2].lower() not in _DOMAINS


def could_be_host(one: Citation) -> bool:
    """Whether a citation whose file is not there may name a host and a port: `docs.acme.rs:8081`, `db.service:5432`."""
    line = one.line or 0
    if (line not in _PORTS and line < _FIRST_FREE_PORT) or one.text != f"{one.path}:{one.line}":
        return False
    name = one.path
    if "." not in name.rpartition("/")[2]:
        return not one.sure
    return "/" not in name and (name.count(".") > 1 or name.endswith((".service", ".http")))


def is_placeholder(path: str) -> bool:
    """Whether a name stands for any: `path/to/file.py`, `foo.py`, `{name}.ts`."""
    return _PLACEHOLDER.search(path) is not None


def _is_file_name(path: str) -> bool:
    name = re.split(r"[\\/]", path.rstrip("/"))[-1]
    stem, dot, ending = name.rpartition(".")
    if dot and ending.lower() in _KNOWN and (stem or ending.lower() == "env"):
        return True
    return name in _FILES or name.partition(".")[0] in ("Dockerfile", "Makefile")
