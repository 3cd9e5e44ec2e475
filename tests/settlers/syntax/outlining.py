"""What the tests of outlines ask of one."""

from __future__ import annotations

from textwrap import dedent

from claimjury.settlers.syntax import Definition, Outline, Parameters, outline


def read(path: str, source: str) -> Outline:
    found = outline(path, dedent(source).encode())
    assert isinstance(found, Outline)
    assert not found.broken
    return found


def described(found: Outline) -> list[str]:
    """Each definition as `kind scope.name`."""
    return [f"{one.kind} {'.'.join((*one.scope, one.name))}" for one in found.definitions]


def the(found: Outline, name: str) -> Definition:
    (one,) = (one for one in found.definitions if one.name == name)
    return one


def parameters_of(found: Outline, name: str) -> Parameters:
    parameters = the(found, name).parameters
    assert parameters is not None
    return parameters


def kinds(found: Outline) -> list[str]:
    return [kind for kind, _ in found.dynamic]
