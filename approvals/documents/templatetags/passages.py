"""Sentences put together on pages and in documents, without a gap where they are Chinese."""

from __future__ import annotations

from collections.abc import Iterable

from django.template import Library
from django.utils.safestring import SafeString

from approvals.passages import passage as joined
from approvals.passages import without_gaps

register = Library()


@register.simple_block_tag(end_name="endpassage")
def passage(content: str) -> SafeString:
    """``{% passage %}{{ one }} <a href=…>…</a>{% endpassage %}``: texts and elements within one line, with spaces as in English."""
    return SafeString(without_gaps(content.strip()))


@register.filter(name="passage")
def passage_of(sentences: str | Iterable[object]) -> str:
    """``{{ sentences|passage }}``: a list of sentences as one text, or a text that was put together and kept with gaps."""
    return without_gaps(sentences) if isinstance(sentences, str) else joined(sentences)
