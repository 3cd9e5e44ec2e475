"""Reading an HTML page as a browser does, with the standard library."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

BLOCKS = {"td", "th", "tr", "li", "p", "dt", "dd", "summary", "h2", "h3", "h4", "button"}
VOID = {"meta", "input", "br", "img", "link", "hr"}


@dataclass(frozen=True, slots=True)
class Element:
    tag: str
    attributes: dict[str, str]
    inside: tuple[str, ...]
    texts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())


class Page(HTMLParser):
    """A page's elements in order; each holds its text and that of the elements in it."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names))
        element = Element(
            tag, {name: value or "" for name, value in attrs}, tuple(one.tag for one in self._open)
        )
        self.elements.append(element)
        if tag in BLOCKS:
            self.handle_data(" ")
        if tag not in VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.texts.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(f"a declaration: {data}")

    def of(self, tag: str, **attributes: str) -> list[Element]:
        """Give the elements of a tag whose attributes hold these words."""
        return [
            element
            for element in self.elements
            if element.tag == tag
            and all(
                word in element.attributes.get(name.rstrip("_").replace("_", "-"), "").split()
                for name, word in attributes.items()
            )
        ]

    def at(self, anchor: str) -> Element:
        """Give the one element of this id."""
        [found] = [element for element in self.elements if element.attributes.get("id") == anchor]
        return found

    @property
    def text(self) -> str:
        [body] = self.of("body")
        return body.text
