"""A file was renamed or moved."""

from __future__ import annotations

from typing import Final

from claimjury.settlers.evidence import Change, Evidence, Unread
from claimjury.settlers.outcome import Decision, Proof, Reading, Silent, confirmed, refuted, share_alike, show
from claimjury.settlers.paths import Missing, Path, known_file, resolve, resolve_folder
from claimjury.text import clean_line

__all__ = ["may_be_renamed", "other_end", "renamed"]

_LEAST_ALIKE: Final = 0.2
"""Git takes two files for one from 0.5 on, by its own measure of likeness; below this no tool would."""
_SAME: Final = 0.5
"""The share of lines from which on one file is another under a new name."""
_MOST_PAIRS: Final = 2_500


def renamed(reading: Reading, evidence: Evidence) -> Decision:
    """Decide whether a file has another path now, by where both are and by what is left of its lines."""
    change = evidence.change()
    if isinstance(change, Silent):
        return change
    old = known_file(reading.one("old"), evidence, then=True)
    if isinstance(old, Silent):
        return old
    new = _new_name(reading.one("new"), old.path, evidence)
    return new if isinstance(new, Silent) else _between(old.path, new, reading, change, evidence)


def _between(old: str, new: str, reading: Reading, change: Change, evidence: Evidence) -> Decision:
    if (silence := evidence.unseen([old, new])) is not None:
        return silence
    facts = (old in change.then, old in change.now, new in change.then, new in change.now)
    words = f"At the base {change.short}: {show(old)} {_there(facts[0])}, {show(new)} {_there(facts[2])}. Now: {show(old)} {_there(facts[1])}, {show(new)} {_there(facts[3])}."
    proof = Proof(kind="change", text=words, path=new)
    if not facts[3]:
        return refuted(proof) if _is_known(reading.one("new"), evidence) else Silent(reason=words)
    if facts != (True, False, False, True):
        return Silent(reason=f"{words} Whether that is a rename is not known.")
    if (twin := _twin(old, new, change, evidence)) is not None:
        return Silent(reason=f"{clean_line(twin)} is like {clean_line(old)} too.")
    return _by_content(old, new, change, evidence, proof)


def may_be_renamed(change: Change, evidence: Evidence) -> frozenset[str]:
    """Give the paths, old and new, of which one may be the other under a new name: they share a name, or some of their lines."""
    if len(change.added) * len(change.deleted) > _MOST_PAIRS:
        return change.added | change.deleted
    pairs = ((old, new) for old in change.deleted for new in change.added)
    return frozenset(path for old, new in pairs if _alike(old, new, evidence) for path in (old, new))


def other_end(path: str, change: Change, evidence: Evidence) -> str | None:
    """Give a path that went where this one came, or came where it went, and shares half of its lines: the other end of a rename."""
    came = path in change.added
    if len(change.added) * len(change.deleted) > _MOST_PAIRS:
        return None
    if not (evidence.read(path) if came else evidence.read_then(path)):
        return None
    others = sorted(change.deleted if came else change.added)
    pairs = ((other, (other, path) if came else (path, other)) for other in others)
    return next((other for other, pair in pairs if _share(*pair, evidence) >= _SAME), None)


def _share(old: str, new: str, evidence: Evidence) -> float:
    """Give the share of lines that a file of the base and one that lies there now have in common."""
    before, after = evidence.read_then(old) or b"", evidence.read(new) or b""
    return share_alike(before.splitlines(), after.splitlines())


def _alike(old: str, new: str, evidence: Evidence) -> bool:
    if old.rpartition("/")[2] == new.rpartition("/")[2]:
        return True
    try:
        unread = evidence.read_then(old) is None or evidence.read(new) is None
        return unread or _share(old, new, evidence) >= _LEAST_ALIKE
    except Unread:
        return True


def _is_known(text: str, evidence: Evidence) -> bool:
    found = resolve(text, evidence, then=True)
    return isinstance(found, Path) or (isinstance(found, Missing) and found.sure)


def _twin(old: str, new: str, change: Change, evidence: Evidence) -> str | None:
    """Give another new file that keeps half of the old one."""
    others = (path for path in sorted(change.added) if path != new)
    return next((path for path in others if _share(old, path, evidence) >= _SAME), None)


def _there(there: bool) -> str:
    return "there" if there else "not there"


def _new_name(text: str, old: str, evidence: Evidence) -> str | Silent:
    """Give the new path: as it is said, or beside the old one where only a name is said."""
    folder = resolve_folder(text, evidence)
    if text.rstrip().endswith("/") or isinstance(folder, Path):
        return Silent(reason=f"{clean_line(text)} is a folder; say the new path whole.")
    beside = f"{old.rpartition('/')[0]}/{text.strip()}" if "/" in old and "/" not in text.strip() else None
    if beside is not None and beside in evidence.files:
        return beside
    found = resolve(text, evidence)
    if isinstance(found, Path | Silent):
        return found.path if isinstance(found, Path) else found
    return beside or found.path


def _by_content(old: str, new: str, change: Change, evidence: Evidence, proof: Proof) -> Decision:
    if not (evidence.read_then(old) or b"").strip():
        return Silent(reason="Both are empty, or hold nothing by which one could be the other.")
    if change.then[old].blob == change.now[new].blob or evidence.read_then(old) == evidence.read(new):
        return confirmed(proof, Proof(kind="change", text="Its bytes are the same.", path=new))
    alike = _share(old, new, evidence)
    if alike < _SAME:
        return Silent(
            reason=f"One file is gone and the other is new, but only {alike:.0%} of their lines are the same."
        )
    return confirmed(proof, Proof(kind="change", text=f"{alike:.0%} of their lines are the same.", path=new))
