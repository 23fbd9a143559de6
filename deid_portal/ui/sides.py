"""Two sides of one column beside each other: upright bars in pairs, each side as part of its own sum."""

from __future__ import annotations

import math
from collections.abc import Iterable

from django.utils.translation import gettext as _

from projects.core.numbers import count, percent

from . import drawing as draw

_LEFT, _TOP, _HEIGHT = 58, 46, 130
MOST = 20
_LETTER = 6.6
"""Width of half a character under a bar."""


def side_by_side(
    data: Iterable[tuple[str, str, int, int]],
    title: str,
    before_label: str,
    after_label: str,
) -> draw.Chart:
    """``data``: (label under the pair, name in the table, before, after) with counts. What has no room under its pair stands in
    the table alone, and so does what is beyond the first 20. The two sides differ in outline as well as in colour.
    """
    pairs = [(under, name, max(before, 0), max(after, 0)) for under, name, before, after in data]
    if not pairs:
        return draw.empty(title, draw.WIDTH)
    sums = (sum(pair[2] for pair in pairs) or 1, sum(pair[3] for pair in pairs) or 1)
    shares = [(before / sums[0], after / sums[1]) for _under, _name, before, after in pairs]
    top = min(draw.nice_top(max(max(one) for one in shares)), 1.0)
    base, plot = _TOP + _HEIGHT, draw.WIDTH - _LEFT - 4
    parts = draw.Parts()
    parts.rect(_LEFT, 4, 16, 12, draw.TINT, f' stroke="{draw.SOFT}"')
    parts.text(_LEFT + 24, 15, before_label, size=13, fill=draw.INK)
    parts.rect(_LEFT + 150, 4, 16, 12, draw.ACCENT)
    parts.text(_LEFT + 174, 15, after_label, size=13, fill=draw.INK)
    for share in (0.0, 0.5, 1.0):
        y = base - share * _HEIGHT
        parts.line(_LEFT, y, draw.WIDTH, y, draw.INK if share == 0 else draw.LINE)
        parts.text(_LEFT - 8, y + 5, percent(top * share), "end", 13, draw.MUTE)
    drawn = pairs[:MOST]
    step = plot / len(drawn)
    thick = min(step * 0.4, 26)
    widest = max(draw.width_of(draw.shorten(under, 12)) for under, *_rest in drawn) * _LETTER
    every = max(1, math.ceil((widest + 4) / step))
    for place, (under, _name, _before, _after) in enumerate(drawn):
        middle = _LEFT + step * (place + 0.5)
        before, after = (side / top * _HEIGHT for side in shares[place])
        parts.rect(
            middle - thick, base - before, thick, before, draw.TINT, f' stroke="{draw.SOFT}" stroke-width="0.75"'
        )  # fmt: skip
        parts.rect(middle, base - after, thick, after, draw.ACCENT)
        if place % every == 0:
            label = draw.shorten(under, 12)
            inside = draw.WIDTH - draw.width_of(label) * _LETTER / 2
            parts.text(min(middle, inside), base + 19, label, "middle", 12, draw.INK)
    rows = tuple(
        (name, f"{count(before)} · {percent(shares[place][0])}", f"{count(after)} · {percent(shares[place][1])}")
        for place, (_under, name, before, after) in enumerate(pairs)
    )  # fmt: skip
    said = [f"{row[0]}: {percent(one[0])} → {percent(one[1])}" for row, one in zip(rows, shares, strict=True)]
    svg = draw.svg(draw.WIDTH, base + 28, title, _("; ").join(said[:MOST]), parts)
    return draw.Chart(svg, title, (_("Part"), before_label, after_label), rows)
