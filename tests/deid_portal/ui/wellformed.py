"""A strict reader of HTML: what a component must be before a browser forgives it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
BLOCK = {"address", "article", "aside", "blockquote", "details", "dialog", "div", "dl", "fieldset", "figure", "form",
         "h1", "h2", "h3", "h4", "hr", "main", "nav", "ol", "p", "pre", "section", "table", "ul"}  # fmt: skip
REFERENCES = ("aria-describedby", "aria-labelledby", "aria-controls", "for")


class Reader(HTMLParser):
    """Collects elements and everything that is wrong with their nesting."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.stack: list[str] = []
        self.problems: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open(tag, attrs)
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open(tag, attrs)

    def _open(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BLOCK and "p" in self.stack:
            self.problems.append(f"<{tag}> inside <p>")
        if tag in BLOCK - {"form", "dialog"} and "button" in self.stack:
            self.problems.append(f"<{tag}> inside <button>")
        if tag == "a" and "a" in self.stack:
            self.problems.append("<a> inside <a>")
        if tag == "form" and "form" in self.stack:
            self.problems.append("<form> inside <form>")
        values = dict(attrs)
        if len(values) != len(attrs):
            self.problems.append(f"<{tag}> repeats an attribute")
        self.elements.append((tag, values))
        for name, value in attrs:
            if name == "style" or re.fullmatch(r"on\w+", name):
                self.problems.append(f"<{tag} {name}> is barred by the content security policy")
            if name == "id" and value:
                self.ids.append(value)
            if name in REFERENCES and value:
                self.references += value.split()
        if tag == "script" and not values.get("src"):
            self.problems.append("inline script")

    def handle_endtag(self, tag: str) -> None:
        if not self.stack or self.stack[-1] != tag:
            self.problems.append(f"</{tag}> closes {self.stack[-1:] or 'nothing'}")
            if tag in self.stack:
                while self.stack.pop() != tag:
                    pass
            return
        self.stack.pop()

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(html: str, fragment: bool = True) -> Reader:
    """Parse ``html`` and assert that it is well-formed; references must resolve unless it is a fragment."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert not reader.problems, reader.problems
    assert not reader.stack, f"left open: {reader.stack}"
    twice = {i for i in reader.ids if reader.ids.count(i) > 1}
    assert not twice, f"ids used twice: {twice}"
    if not fragment:
        missing = set(reader.references) - set(reader.ids)
        assert not missing, f"references to nothing: {missing}"
    for drawing in re.findall(r"<svg.*?</svg>", html, re.DOTALL):
        ElementTree.fromstring(drawing)
    return reader
