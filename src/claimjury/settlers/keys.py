"""A settings file has a key or not, one was added or removed, or it holds a value."""

from __future__ import annotations

import math
from typing import Any, Final

from claimjury.settlers.configs import Keys, is_config, keys_of, matching
from claimjury.settlers.evidence import Evidence
from claimjury.settlers.outcome import (
    Decision,
    Form,
    Proof,
    Reading,
    Settler,
    Silent,
    confirmed,
    refuted,
    show,
)
from claimjury.settlers.paths import Path, resolve
from claimjury.settlers.search import folded
from claimjury.text import clean_line

__all__ = ["KEYS"]

_GRAMMAR: Final = r"""
_key_noun: ("config" | "configuration" | "settings")? "key" | "setting"
key: NAME | TEXT
!key_value: INT | VERSION | TEXT | NAME | PATH | OPTION
_a_key: (_the | "a" | "an")? "new"? _key_noun key | (_the | "a" | "an")? key _key_noun
key_exists: path _now? ("has" | "defines" | "declares" | "contains") _a_key | _a_key _now? "exists" "in" path | _there_is _a_key "in" path | _a_key _is ("set" | "defined" | "present") "in" path
key_absent: path ("does" "not" ("have" | "define" | "declare" | "contain") | "no" "longer" ("has" | "defines" | "declares" | "contains")) _a_key | path "has" "no" _key_noun key | _there_is "no" _key_noun key "in" path | _a_key _is "not" ("set" | "defined" | "present") "in" path | _a_key ("does" "not" "exist" | "no" "longer" "exists") "in" path
key_added: _agent? ("adds" | "added" | "introduces" | "introduced") _a_key ("to" | "in") path _here? | _a_key _be ("added" | "introduced") ("to" | "in") path _here?
key_removed: _agent? ("removes" | "removed" | "deletes" | "deleted" | "drops" | "dropped") _a_key ("from" | "in") path _here? | _a_key _be ("removed" | "deleted" | "dropped") ("from" | "in") path _here?
key_is: path _now? "sets" _a_key "to" key_value | _a_key _is ("set" "to")? key_value "in" path | "in" path ","? _a_key _is ("set" "to")? key_value | _a_key "in" path _is ("set" "to")? key_value
"""


def _file(reading: Reading, evidence: Evidence) -> str | Silent:
    found = resolve(reading.one("path"), evidence, then=True)
    if not isinstance(found, Path):
        return (
            found
            if isinstance(found, Silent)
            else Silent(reason=f"There is no file {clean_line(found.path)}.")
        )
    if not is_config(found.path):
        return Silent(
            reason=f"{clean_line(found.path)} is of no kind whose keys are read here: TOML, JSON, INI."
        )
    return evidence.unseen([found.path]) or found.path


def _there(key: str, path: str, data: bytes | None) -> bool | Silent:
    """Whether a file of these bytes has a key; silence where that is not sure."""
    if data is None:
        return False
    keys = keys_of(path, data)
    if keys is None:
        return Silent(reason=f"{clean_line(path)} cannot be read whole, or has a key twice.")
    if matching(keys, key):
        return True
    last = folded(key.rpartition(".")[2].strip("\"'"))
    if last in folded(data.decode("utf-8", "replace")):
        return Silent(reason=f"{clean_line(path)} holds {clean_line(last)}, and not as this key.")
    return False


def _presence(reading: Reading, evidence: Evidence, *, wanted: bool) -> Decision:
    path = _file(reading, evidence)
    if isinstance(path, Silent):
        return path
    if path not in evidence.files:
        return Silent(reason=f"There is no file {clean_line(path)} now.")
    key, data = reading.one("key"), evidence.read(path)
    if data is None:
        return Silent(reason=f"{clean_line(path)} cannot be read.")
    there = _there(key, path, data)
    if isinstance(there, Silent):
        return there
    words = f"It has the key {show(key)}." if there else f"No key of it is {show(key)}."
    proof = Proof(kind="manifest", text=words, path=path)
    return confirmed(proof) if there is wanted else refuted(proof)


def _exists(reading: Reading, evidence: Evidence) -> Decision:
    return _presence(reading, evidence, wanted=True)


def _absent(reading: Reading, evidence: Evidence) -> Decision:
    return _presence(reading, evidence, wanted=False)


def _added(reading: Reading, evidence: Evidence) -> Decision:
    return _in_change(reading, evidence, wanted=(False, True))


def _removed(reading: Reading, evidence: Evidence) -> Decision:
    return _in_change(reading, evidence, wanted=(True, False))


def _in_change(reading: Reading, evidence: Evidence, *, wanted: tuple[bool, bool]) -> Decision:
    change = evidence.change()
    if isinstance(change, Silent):
        return change
    path = _file(reading, evidence)
    if isinstance(path, Silent):
        return path
    key = reading.one("key")
    then = _there(key, path, evidence.read_then(path))
    if isinstance(then, Silent):
        return then
    now = _there(key, path, evidence.read(path) if path in evidence.files else None)
    if isinstance(now, Silent):
        return now
    words = f"At the base {change.short} the key is {_word(then)}, now it is {_word(now)}."
    proof = Proof(kind="manifest", text=words, path=path)
    return confirmed(proof) if (then, now) == wanted else refuted(proof)


def _word(there: bool) -> str:
    return "there" if there else "not there"


def _is(reading: Reading, evidence: Evidence) -> Decision:
    path = _file(reading, evidence)
    if isinstance(path, Silent):
        return path
    data = evidence.read(path) if path in evidence.files else None
    keys = None if data is None else keys_of(path, data)
    if keys is None:
        return Silent(reason=f"{clean_line(path)} cannot be read whole, or has a key twice.")
    return _compared(reading, path, keys)


def _compared(reading: Reading, path: str, keys: Keys) -> Decision:
    found = matching(keys, reading.one("key"))
    if len(found) != 1:
        return Silent(reason=f"{clean_line(path)} has {len(found)} keys {clean_line(reading.one('key'))}.")
    value, said = keys[found[0]], reading.one("key_value")
    if isinstance(value, dict | list):
        return Silent(reason=f"{clean_line('.'.join(found[0]))} holds more than one value.")
    proof = Proof(kind="manifest", text=f"{show('.'.join(found[0]))} is {show(_written(value))}.", path=path)
    same = _same(said, value, quoted=said in reading.quoted)
    if same is None:
        return Silent(reason=f"{proof.text} Whether that is {show(said)} depends on how it is read.")
    return confirmed(proof) if same else refuted(proof)


def _written(value: Any) -> str:
    return (
        repr(value)
        if isinstance(value, str)
        else str(value).lower()
        if isinstance(value, bool)
        else str(value)
    )


def _same(said: str, value: Any, *, quoted: bool) -> bool | None:
    """Whether a text is a value; None where it is none of the same kind, as 3 is none of "3"."""
    bare = said[1:-1] if len(said) > 1 and said[0] == said[-1] and said[0] in "'\"" else said
    if isinstance(value, str):
        if bare == value:
            return True if bare != said or not _is_number(said) else None
        return False if quoted and folded(bare) != folded(value) and not _is_number(said) else None
    if isinstance(value, bool):
        return {"true": value, "false": not value}.get(said.casefold())
    if isinstance(value, int | float) and math.isfinite(value) and _is_number(said):
        return float(said) == value if isinstance(value, float) or "." in said else int(said) == value
    return None


def _is_number(text: str) -> bool:
    return text.removeprefix("-").replace(".", "", 1).isdecimal()


KEYS: Final = Settler(
    name="keys",
    does="A settings file (TOML, JSON, INI) has a key or not, one was added or removed, or it holds a value.",
    refuses="YAML and files with comments that JSON has not; a key that stands there in another way; lists and tables as values; defaults.",
    grammar=_GRAMMAR,
    forms={
        "key_exists": Form(decide=_exists),
        "key_absent": Form(decide=_absent),
        "key_added": Form(decide=_added, change=True),
        "key_removed": Form(decide=_removed, change=True),
        "key_is": Form(decide=_is),
    },
)
