"""What the tests of the skeptics' tools share: a call, and a picture of a tree."""

from __future__ import annotations

from pathlib import Path

from claimjury.skeptics.tools.toolbox import Toolbox, ToolReply

__all__ = ["call", "picture", "refused", "told", "write"]


def write(name: str, data: str | bytes = "x\n") -> Path:
    """Make a file below the working directory, with its folders."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def call(tool: str, **arguments: object) -> ToolReply:
    """Call a tool over the working directory."""
    return Toolbox(Path()).call(tool, arguments)


def told(tool: str, **arguments: object) -> str:
    """Give the text of a call that must work."""
    reply = call(tool, **arguments)
    assert not reply.failed, reply.text
    assert [looked.tool for looked in reply.looked] == [tool]
    return reply.text


def refused(tool: str, **arguments: object) -> str:
    """Give the text of a call that must be refused, and so has read nothing."""
    reply = call(tool, **arguments)
    assert reply.failed, reply.text
    assert reply.looked == ()
    return reply.text


def picture(root: Path) -> dict[str, tuple[object, ...]]:
    """Give everything of a tree that a write would change; links and FIFOs are not followed."""
    seen: dict[str, tuple[object, ...]] = {}
    for path in [root, *root.rglob("*")]:
        status = path.lstat()
        data = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        seen[str(path)] = (status.st_mode, status.st_size, status.st_mtime_ns, status.st_ino, data)
    return seen
