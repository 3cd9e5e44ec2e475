"""A transcript of a coding agent: its last message is what it claims."""

from __future__ import annotations

import json
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from claimjury.errors import InvalidRequest
from claimjury.text import clean_line

__all__ = ["last_message"]

_MAX_BYTES: Final = 200_000_000
_TEXTS: Final = ("text", "output_text")


def last_message(path: Path) -> str:
    """Give the last assistant message of Claude Code's JSONL, of Codex's rollout JSONL, or a plain text whole.

    Raises:
        InvalidRequest: The file cannot be read, or holds no message of an assistant.
    """
    shown = clean_line(str(path))
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InvalidRequest(
            f"The transcript {shown} cannot be read: {error.strerror or type(error).__name__}.",
            hint="Check the path.",
        ) from error
    if len(data) > _MAX_BYTES:
        raise InvalidRequest(f"The transcript {shown} has more than {_MAX_BYTES:,} bytes.", hint="Cut it.")
    text = _decoded(data, shown)
    rows = list(_rows(text))
    if not rows:
        return text.strip()
    said = _said(rows)
    if not said:
        raise InvalidRequest(
            f"The transcript {shown} holds no message of an assistant.",
            hint="Give Claude Code's session file, Codex's rollout file, or a plain text.",
        )
    return said[-1]


def _said(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Give what the main assistant said, message by message; Claude Code writes one message as several rows of one id."""
    said: list[str] = []
    last: object = None
    for row in rows:
        message = _message(row)
        if not message:
            continue
        inner = row.get("message")
        ident = inner.get("id") if isinstance(inner, dict) else None
        if ident is not None and ident == last:
            said[-1] = message if message.startswith(said[-1]) else f"{said[-1]}\n{message}"
        else:
            said.append(message)
        last = ident
    return said


def _decoded(data: bytes, shown: str) -> str:
    """Give the text by its byte-order mark, else as UTF-8: a shell of Windows writes UTF-16."""
    utf16 = data.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidRequest(
            f"The transcript {shown} is neither UTF-8 nor UTF-16.", hint="Write it as UTF-8."
        ) from error


def _rows(text: str) -> Iterator[dict[str, Any]]:
    """Give the objects of JSON lines; a line that is none ends a session that was killed, and is passed over."""
    # Inside JSON a line separator of Unicode may stand as it is, so only \n ends a line.
    for line in text.split("\n"):
        if not line.lstrip().startswith("{"):
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            yield row


def _message(row: dict[str, Any]) -> str:
    """Give what the main assistant said in a row: `message` (Claude Code), `payload` or `item` (Codex), or the row itself."""
    if row.get("isSidechain") or row.get("isApiErrorMessage"):
        return ""
    for inner in (row.get("message"), row.get("payload"), row):
        if isinstance(inner, dict) and inner.get("role") == "assistant":
            return _joined(inner.get("content"))
    for inner, field in ((row.get("payload"), "message"), (row.get("item"), "text")):
        if isinstance(inner, dict) and inner.get("type") == "agent_message":
            return _joined(inner.get(field))
    return ""


def _joined(content: object) -> str:
    if isinstance(content, str):
        return content.strip()
    parts = [
        part["text"]
        for part in (content if isinstance(content, list) else [])
        if isinstance(part, dict) and part.get("type") in _TEXTS and isinstance(part.get("text"), str)
    ]
    return "\n".join(parts).strip()
