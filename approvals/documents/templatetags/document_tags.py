"""What the templates of documents need beside Django's own tags."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django import template
from django.template.base import NodeList, Parser, Token
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from approvals.documents.render import iso_time

register = template.Library()
_HEADING = re.compile(r"<h2 class=\"(?P<kind>numbered|annex)\">(?P<text>.*?)</h2>", re.DOTALL)


@register.filter
def w3c_time(moment: datetime) -> str:
    return iso_time(moment)


@register.filter
def as_pairs(rows: Iterable[Any]) -> list[dict[str, Any]]:
    """(key, value) pairs and mappings with key, value and hint, as mappings."""
    return [
        dict(row) if isinstance(row, Mapping) else {"key": row[0], "value": row[1], "hint": ""}
        for row in rows
    ]


@register.simple_tag
def page_count_content() -> SafeString:
    """The CSS ``content`` of "page x of y" in the language of the document."""
    sentence = gettext("Page %(page)s of %(pages)s")
    parts: list[str] = []
    for piece in re.split(r"(%\(pages?\)s)", sentence):
        if piece == "%(page)s":
            parts.append("counter(page)")
        elif piece == "%(pages)s":
            parts.append("counter(pages)")
        elif piece:
            parts.append("'" + re.sub(r"[^\w\s/.,·—–-]", "", piece) + "'")
    return mark_safe(" ".join(parts))  # noqa: S308 - counters and letters only


class ContentsNode(template.Node):
    """The contents with page numbers, then the body with an anchor at each of its headings."""

    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: template.Context) -> SafeString:
        entries: list[dict[str, str]] = []

        def anchored(match: re.Match[str]) -> str:
            target = f"part-{len(entries) + 1}"
            entries.append({"id": target, "text": mark_safe(match["text"].strip()), "kind": match["kind"]})  # noqa: S308 - rendered by a template already
            return f'<h2 class="{match["kind"]}" id="{target}">{match["text"]}</h2>'

        body = _HEADING.sub(anchored, self.nodelist.render(context))
        shown: dict[str, Any] = {str(key): value for key, value in context.flatten().items()}
        shown["entries"] = entries
        front = render_to_string("documents/_front.html", shown)
        return mark_safe(front + body)  # noqa: S308 - both are rendered templates


@register.tag
def contents(parser: Parser, token: Token) -> ContentsNode:
    """``{% contents %}…{% endcontents %}``: what stands before the body, which begins with the list of its headings."""
    nodelist = parser.parse(("endcontents",))
    parser.delete_first_token()
    return ContentsNode(nodelist)
