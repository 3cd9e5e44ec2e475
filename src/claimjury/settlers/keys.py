"""A settings file has a key or not, one was added or removed, or it holds a value."""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import partial
from pathlib import PurePosixPath
from typing import Any, Final, cast

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
from claimjury.settlers.paths import known_file
from claimjury.settlers.same_value import other_unit
from claimjury.settlers.texts import LIKE_NUMBER, bones
from claimjury.text import clean_line

__all__ = ["KEYS"]

_GRAMMAR: Final = r"""
_key_noun: ("config" | "configuration" | "settings")? "key" | "setting"
key: NAME | TEXT
!key_value: INT | VERSION | TEXT | NAME | PATH | OPTION
_a_key: (_the | "a" | "an")? "new"? _key_noun key | (_the | "a" | "an")? key _key_noun
key_exists: path _now? ("has" | "defines" | "declares" | "contains") _a_key | _a_key _now? "exists" "in" path | _there_is _a_key "in" path | _a_key _is ("set" | "defined" | "present") "in" path
key_absent: path ("does" "not" ("have" | "define" | "declare" | "contain") | "no" longer ("has" | "defines" | "declares" | "contains")) _a_key | path "has" "no" _key_noun key | _there_is "no" _key_noun key "in" path | _a_key _is "not" ("set" | "defined" | "present") "in" path | _a_key ("does" "not" "exist" | "no" longer "exists") "in" path
key_added: _agent? ("adds" | "added" | "introduces" | "introduced") _a_key ("to" | "in") path _here? | _a_key _be ("added" | "introduced") ("to" | "in") path _here?
key_removed: _agent? ("removes" | "removed" | "deletes" | "deleted" | "drops" | "dropped") _a_key ("from" | "in") path _here? | _a_key _be ("removed" | "deleted" | "dropped") ("from" | "in") path _here?
bare_key: TEXT
key_is: bare_key "in" path _is key_value | path _now? "sets" bare_key "to" key_value | path _now? "sets" _a_key "to" key_value | _a_key _is ("set" "to")? key_value "in" path | "in" path ","? _a_key _is ("set" "to")? key_value | _a_key "in" path _is ("set" "to")? key_value
"""
_MAX: Final = 300
"""Characters of a value that is said: a longer one is not compared."""
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?\Z", re.ASCII)
_COMPUTED: Final = re.compile(r"[$%{}\\~;#]|\A(?:attr|file):")
"""What in a value may stand for something else, or begin a comment."""
_TRUTHS: Final = {
    **dict.fromkeys(("true", "yes", "on", "enabled"), True),
    **dict.fromkeys(("false", "no", "off", "disabled"), False),
}
_SECTIONED: Final = frozenset({".ini", ".cfg"})


def _file(reading: Reading, evidence: Evidence) -> str | Silent:
    found = known_file(reading.one("path"), evidence, then=True)
    if isinstance(found, Silent):
        return found
    if not is_config(found.path):
        return Silent(
            reason=f"{clean_line(found.path)} is of no kind whose keys are read here: TOML, JSON, INI."
        )
    return evidence.unseen([found.path]) or found.path


def _paths(key: str, path: str, data: bytes | None) -> Counter[tuple[str, ...]] | Silent:
    """Give the paths that a key may mean, each as often as it is there; silence where that is not sure."""
    if data is None:
        return Silent(reason=f"{clean_line(path)} is not there, or cannot be read.")
    keys = keys_of(path, data)
    if keys is None:
        return Silent(reason=f"{clean_line(path)} cannot be read whole, or has a key twice.")
    found = matching(keys, key)
    if found:
        return Counter({one: len(keys[one]) for one in found})
    last = key.rpartition(".")[2].strip("\"'")
    if bones(last) in bones(data.decode("utf-8", "replace")):
        return Silent(reason=f"{clean_line(path)} holds {clean_line(last)}, and not as this key.")
    return Counter()


def _is_plain(key: str, path: tuple[str, ...], file: str) -> bool:
    """Whether a key is said with its whole path; in INI that may be without its section, where that is not one of many like `mypy-a.*`."""
    if ".".join(path) == key:
        return True
    return PurePosixPath(file).suffix in _SECTIONED and not re.search(r"[*-]", path[0])


def _is_surely(key: str, path: tuple[str, ...], file: str, keys: Keys) -> bool:
    """Whether the one key of a name is what is meant: it is said whole, or its name alone is usual there and it is of no list of tables."""
    above = (value for end in range(1, len(path)) for value in keys.get(path[:end], ()))
    usual = PurePosixPath(file).suffix == ".toml" and PurePosixPath(file).name != "Cargo.toml"
    return _is_plain(key, path, file) or (usual and not any(isinstance(value, list) for value in above))


def _presence(reading: Reading, evidence: Evidence, *, wanted: bool) -> Decision:
    path = _file(reading, evidence)
    if isinstance(path, Silent):
        return path
    key, data = reading.one("key"), evidence.read(path) if path in evidence.files else None
    found = _paths(key, path, data)
    if isinstance(found, Silent):
        return found
    if found and (silence := _unlike(key, path, data or b"", found, wanted=wanted)) is not None:
        return silence
    words = (
        f"It has the key {show('.'.join(next(iter(found))))}." if found else f"No key of it is {show(key)}."
    )
    proof = Proof(kind="manifest", text=words, path=path)
    return confirmed(proof) if bool(found) is wanted else refuted(proof)


def _unlike(
    key: str, path: str, data: bytes, found: Counter[tuple[str, ...]], *, wanted: bool
) -> Silent | None:
    """Silence where a key of that name is another that stands deeper, or holds nothing: whether that counts depends on who asks."""
    first = next(iter(found))
    # In JSON a key without its tables is one of the top; elsewhere the name alone is usual where there is one such.
    loose = len(found) == 1 and wanted and PurePosixPath(path).suffix != ".json"
    if not (loose or any(_is_plain(key, one, path) for one in found)):
        return Silent(reason=f"{clean_line(path)} has it only as {clean_line('.'.join(first))}.")
    values = [value for one in found for value in (keys_of(path, data) or {})[one]]
    if any(
        value is None or value is False or value in ("", [], {}, "false", "no", "off") for value in values
    ):
        return Silent(reason=f"{clean_line('.'.join(first))} is there and holds nothing, or is off.")
    return None


def _in_change(reading: Reading, evidence: Evidence, *, wanted: tuple[bool, bool]) -> Decision:
    change = evidence.change()
    if isinstance(change, Silent):
        return change
    path = _file(reading, evidence)
    if isinstance(path, Silent):
        return path
    if path not in evidence.files or path not in change.then:
        return Silent(
            reason=f"{clean_line(path)} is new or gone, and its keys may be of a file of another name."
        )
    key = reading.one("key")
    then, now = _paths(key, path, evidence.read_then(path)), _paths(key, path, evidence.read(path))
    if isinstance(then, Silent) or isinstance(now, Silent):
        return then if isinstance(then, Silent) else cast("Silent", now)
    words = f"At the base {change.short} the key is {_word(then)}, now it is {_word(now)}."
    proof = Proof(kind="manifest", text=words, path=path)
    if (bool(then), bool(now)) == wanted:
        plain = PurePosixPath(path).suffix != ".json" or any(_is_plain(key, one, path) for one in then | now)
        return confirmed(proof) if plain else Silent(reason=f"{proof.text} It stands deeper.")
    return refuted(proof) if then == now else Silent(reason=f"{proof.text} It stands at other places.")


def _word(there: Counter[tuple[str, ...]]) -> str:
    return "there" if there else "not there"


def _is(reading: Reading, evidence: Evidence) -> Decision:
    path = _file(reading, evidence)
    if isinstance(path, Silent):
        return path
    data = evidence.read(path) if path in evidence.files else None
    keys = None if data is None else keys_of(path, data)
    if keys is None:
        return Silent(reason=f"{clean_line(path)} cannot be read whole, or has a key twice.")
    return _compared(reading, path, keys, (data or b"").decode("utf-8", "replace"))


def _compared(reading: Reading, path: str, keys: Keys, text: str) -> Decision:
    key, said = reading.maybe("key") or reading.one("bare_key"), reading.one("key_value")
    found = matching(keys, key)
    values = [value for one in found for value in keys[one]]
    if len(values) != 1 or isinstance(values[0], dict | list):
        return Silent(
            reason=f"{clean_line(path)} has {len(values)} values of {clean_line(key)}, or a list of them."
        )
    (value,) = values
    proof = Proof(kind="manifest", text=f"{show('.'.join(found[0]))} is {show(_written(value))}.", path=path)
    same = _same(said, value, quoted=said in reading.quoted)
    # A number that is written in another base, or with an exponent, reads otherwise.
    plain = isinstance(value, str | bool) or str(value) in text.replace("_", "")
    if same is None or not plain:
        return Silent(reason=f"{proof.text} Whether that is {show(said)} depends on how it is read.")
    sure = _is_surely(key, found[0], path, keys) if same else _is_plain(key, found[0], path)
    if not sure:
        return Silent(reason=f"{proof.text} That may be another key.")
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
    """Whether a text is a value; None where it is none of the same kind, as 3 is none of "3", or is only a part of it."""
    if len(said) > _MAX:
        return None
    if isinstance(value, str):
        return _same_text(said, value, quoted=quoted)
    if isinstance(value, bool):
        return {"true": value, "false": not value}.get(said.casefold())
    if isinstance(value, int | float) and math.isfinite(value) and _NUMBER.match(said):
        return _same_number(said, value)
    return None


def _same_number(said: str, value: float) -> bool | None:
    if "." not in said and isinstance(value, int):
        return True if int(said) == value else None if other_unit(int(said), value) else False
    number, places = float(said), len(said.partition(".")[2])
    # 0.67 may be said of 0.6667.
    if number == value:
        return True
    return None if round(value, places) == number or other_unit(number, value) else False


def _same_text(said: str, value: str, *, quoted: bool) -> bool | None:
    bare = said[1:-1] if len(said) > 1 and said[0] == said[-1] and said[0] in "'\"" else said
    if bare == value:
        return None if bare == said and LIKE_NUMBER.match(said) else True
    truths = (_TRUTHS.get(said.casefold()), _TRUTHS.get(value.casefold()))
    if None not in truths:
        return False if quoted and truths[0] is not truths[1] else None
    ours, theirs = bones(bare), bones(value)
    if not quoted or LIKE_NUMBER.match(said) or _COMPUTED.search(value) or ours in theirs or theirs in ours:
        return None
    return False


KEYS: Final = Settler(
    name="keys",
    does="A settings file (TOML, JSON, INI) has a key or not, one was added or removed, or it holds a value.",
    refuses="YAML and files with comments that JSON has not; a key that stands there in another way; lists and tables as values; defaults.",
    grammar=_GRAMMAR,
    forms={
        "key_exists": Form(decide=partial(_presence, wanted=True)),
        "key_absent": Form(decide=partial(_presence, wanted=False)),
        "key_added": Form(decide=partial(_in_change, wanted=(False, True))),
        "key_removed": Form(decide=partial(_in_change, wanted=(True, False))),
        "key_is": Form(decide=_is),
    },
)
