"""What the templates of documents need beside Django's own tags."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from approvals.documents.render import iso_time

register = template.Library()


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
