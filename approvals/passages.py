"""Sentences put together into one passage, with the space between them that the language has.

In English a space stands between two sentences. A full-width mark of Chinese brings its space with it: a blank
behind it is seen as a gap.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# A title that ends in a bracket has another thing beside it, no next sentence; so has what has a sign behind it.
_MARKS = "。；：，、！？"
_ENDS = tuple(".。!！?？")
_FULL_WIDTH = frozenset(_MARKS + "）」』》】")
# Elements within a line: what stands before and behind them is one passage.
_INLINE = r"</?(?:a|abbr|b|bdi|code|data|em|i|mark|small|span|strong|sub|sup|time)\b[^>]*>"
_GAP = re.compile(rf"([{_MARKS}](?:{_INLINE})*)\s+(?=(?:\s|{_INLINE})*[^\s<–·≥=])")
# What is only read aloud, lies over the page or has a line of its own stands beside nothing.
_APART = re.compile(
    r'<span class="(?:visually-hidden|reveal__|summary__hint|field__|control)[^>]*>[^<]*</span>'
)


def passage(sentences: Iterable[object]) -> str:
    """``sentences`` one behind the other, those that are empty left out; none of them is changed itself."""
    whole = ""
    for sentence in map(str, sentences):
        if sentence:
            space = " " if whole and whole[-1] not in _FULL_WIDTH else ""
            whole += space + sentence
    return whole


def in_a_row(sentences: Iterable[str]) -> str:
    """``sentences`` as one passage in which each but the last has its full stop; the last is as it was given."""
    *first, last = [*sentences] or [""]
    return passage([*(one if one.endswith(_ENDS) else one + _stop(one) for one in first), last])


def _stop(sentence: str) -> str:
    return "." if sentence[-1:].isascii() else "。"


def without_gaps(markup: str) -> str:
    """``markup`` of one passage without the white space behind full-width marks, where an element begins or ends too."""
    return _GAP.sub(r"\1", markup)


def gaps(markup: str) -> list[str]:
    """Each gap behind a full-width mark in ``markup``, with what is around it."""
    seen = _APART.sub("<br>", markup)
    return [seen[max(0, m.start() - 12) : m.end() + 12] for m in _GAP.finditer(seen)]
