"""What a change did to a symbol: it was added, removed or renamed, or one of these is not sure."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, cast

from claimjury.settlers.evidence import Evidence
from claimjury.settlers.outcome import Decision, Silent, confirmed, refuted, share_alike
from claimjury.settlers.search import identifier
from claimjury.settlers.sources import hidden_by, parse_source
from claimjury.settlers.symbol_places import Meant, Place, at_base, now
from claimjury.text import clean_line

__all__ = ["in_change", "renaming"]

_TRIVIAL: Final = re.compile(
    r"[\W_]*|@.*|#.*|//.*|pass|(?:return|raise|throw)(?: (?:None|null|self|this|NotImplementedError\b.*))?;?"
)
"""Lines that anything may have."""
_LEAST_LINES: Final = 2
_ALIKE: Final = 0.6


def in_change(meant: Meant, evidence: Evidence, *, added: bool) -> Decision:
    """Decide whether a symbol was added, or removed."""
    pair = _then_and_now(meant, evidence)
    if isinstance(pair, Silent):
        return pair
    then, after = pair
    if then.there and after.there:
        # What was there cannot be added, and what is there was not removed.
        return _moved_or_redone(then, after) or refuted(then.proof, after.proof)
    if not then.there and not after.there:
        return Silent(
            reason=f"{clean_line(meant.name)} is defined neither at the base nor now; it may have been between."
        )
    if (then.there, after.there) != (not added, added):
        return refuted(then.proof, after.proof)
    gone, there = (then, after) if added else (after, then)
    doubt = _elsewhere_in_file(meant, gone, there) or _may_be_renamed(there, evidence, added=added)
    return doubt or confirmed(then.proof, after.proof)


def _elsewhere_in_file(meant: Meant, gone: Place, there: Place) -> Silent | None:
    """Silence where the name stands for something else too, which may be what it became, or came from."""
    if meant.kind is None and not gone.nowhere:
        return Silent(reason=f"Where {clean_line(meant.name)} is not defined it stands all the same.")
    if not there.alone:
        return Silent(
            reason=f"{clean_line(meant.name)} is defined in another scope too, so it may have moved."
        )
    return None


def _may_be_renamed(there: Place, evidence: Evidence, *, added: bool) -> Silent | None:
    """Silence where a definition of the same file that went, or came, is like the one that came, or went."""
    path, source, body = there.path, there.source, _body(there)
    data = evidence.read_then(path) if added else evidence.read(path)
    other = parse_source(path, data) if data is not None and source is not None else None
    if other is None or source is None or data is None or len(body) < _LEAST_LINES:
        return None
    here = {(*one.scope, one.name) for one in source.outline.definitions}
    lines = tuple(data.decode("utf-8", "replace").split("\n"))
    for one in other.outline.definitions:
        fresh = (*one.scope, one.name) not in here and one.kind == (there.one.kind if there.one else None)
        if fresh and share_alike(body, _body(replace(there, one=one, lines=lines))) >= _ALIKE:
            return Silent(
                reason=f"{clean_line(one.name)} is like it, and may be the same under another name."
            )
    return None


def _moved_or_redone(then: Place, after: Place) -> Silent | None:
    """Silence where what is there now is not plainly what was there: some would say that one went and another came."""
    if not (then.only and after.only):
        return Silent(reason="Another file may define it too.")
    if then.path != after.path:
        return Silent(reason=f"It moved from {clean_line(then.path)} to {clean_line(after.path)}.")
    if then.shape != after.shape or not (then.alone and after.alone):
        return Silent(reason="It is defined in another way, or in another scope, than at the base.")
    if _signs(then) != _signs(after):
        return Silent(reason="Its decorators or overloads are not those of the base.")
    return None


def _signs(place: Place) -> tuple[object, ...]:
    if place.one is None or place.source is None:
        return ()
    return place.one.decorators, len(place.source.defines(place.one.name))


def _then_and_now(meant: Meant, evidence: Evidence) -> tuple[Place, Place] | Silent:
    """Give where something is defined at the base and now; silence where one of the two is not sure."""
    change = evidence.change()
    if isinstance(change, Silent):
        return change
    then = _sure(at_base(meant, evidence))
    after = then if isinstance(then, Silent) else _sure(now(meant, evidence))
    if isinstance(then, Silent) or isinstance(after, Silent):
        return cast("Silent", after)
    if meant.path is not None and then.there is not after.there:
        elsewhere = _elsewhere(meant, evidence, then=after.there is True)
        return elsewhere or (then, after)
    return then, after


def _sure(place: Place | Silent) -> Place | Silent:
    return Silent(reason=place.doubt) if isinstance(place, Place) and place.there is None else place


def _elsewhere(meant: Meant, evidence: Evidence, *, then: bool) -> Silent | None:
    """Silence where what is new in a file stood in another one before, or what is gone stands in another one now."""
    anywhere = Meant(meant.name, meant.kind, None)
    other = at_base(anywhere, evidence) if then else now(anywhere, evidence)
    if isinstance(other, Place) and other.there is False:
        return None
    when = "at the base" if then else "now"
    return Silent(reason=f"{clean_line(meant.name)} also stands elsewhere {when}, so it may have moved.")


def renaming(old: Meant, new: Meant, evidence: Evidence) -> Decision:
    """Decide whether one symbol became another."""
    olds, news = _then_and_now(old, evidence), _then_and_now(new, evidence)
    if isinstance(olds, Silent) or isinstance(news, Silent):
        return cast("Silent", olds if isinstance(olds, Silent) else news)
    if not news[1].there:
        return _to_nothing(olds, news, new, evidence)
    if olds[0].there and olds[1].there:
        return _kept(olds, news[1])
    facts = (olds[0].there, olds[1].there, news[0].there, news[1].there)
    if facts != (True, False, False, True):
        return Silent(reason="The old name was not there, or the new one was there before.")
    return _unlike(olds[0], news[1], evidence) or confirmed(*(place.proof for place in (*olds, *news)))


def _to_nothing(
    olds: tuple[Place, Place], news: tuple[Place, Place], new: Meant, evidence: Evidence
) -> Decision:
    """Refute where the old one was there, and the new name stands nowhere in any form."""
    found = evidence.found(new.last)
    source = olds[0].source
    # A file that makes names may make this one.
    made = source is None or hidden_by(source.outline) is not None
    seen = found.hits or found.near or found.binary or found.skipped
    if made or seen or not (olds[0].there and olds[0].only) or evidence.unseen() is not None:
        return Silent(reason=f"{clean_line(new.name)} may be defined where nobody sees it.")
    return refuted(*(place.proof for place in (*olds, *news)))


def _kept(olds: tuple[Place, Place], other: Place) -> Decision:
    """Refute where something is unchanged and the other one is no copy of it: a name that is kept for old callers leads to the new one."""
    then, after = olds
    same = then.path == after.path and then.shape == after.shape and then.shape == other.shape
    sure = all(place.only and place.alone for place in (then, after, other))
    if same and sure and _share(then, after) == 1.0 and _share(then, other) < _ALIKE:
        return refuted(then.proof, after.proof, other.proof)
    return Silent(reason="The old name is still there, and may lead to the new one.")


def _unlike(then: Place, after: Place, evidence: Evidence) -> Silent | None:
    """Silence where what is gone and what is new need not be the same thing."""
    if then.path != after.path and then.path in evidence.files:
        return Silent(reason="One is gone and the other is new, but in another file.")
    if then.shape != after.shape or not (then.alone and after.alone):
        return Silent(reason="One is gone and the other is new, but of another kind or scope.")
    before, later = _body(then), _body(after)
    least = min(len(before), len(later))
    # The first line alone is often the same, so what follows it must be alike too.
    alike = min(share_alike(before, later), share_alike(before[1:], later[1:]))
    if least < _LEAST_LINES or alike < (1.0 if least == _LEAST_LINES else _ALIKE):
        return Silent(
            reason=f"One is gone and the other is new, but only {alike:.0%} of their lines are the same, or they are too short to tell."
        )
    return None


def _share(then: Place, after: Place) -> float:
    return share_alike(_body(then), _body(after))


def _body(place: Place) -> list[str]:
    """Give the lines of a definition, its name masked, without those that anything may have."""
    if place.one is None:
        return []
    name = identifier(place.one.name)
    lines = place.lines[place.one.line - 1 : place.one.end_line]
    masked = [name.sub("\0", line).strip() for line in lines]
    return [line for line in masked if _TRIVIAL.fullmatch(line) is None]
