"""Risk as likelihood times impact: points between curves of equal risk, and what each column adds on the way."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from projects.core.numbers import number, percent

from . import drawing as draw
from .naming import Name, names_write

_LEFT, _RIGHT, _TOP, _SIDE = 56, 18, 34, 250
_WIDTH = 440
CURVES = (0.1, 0.3, 0.6)
"""Risks whose curves are drawn; on each the product of both axes is the same."""
_ROWS, _POINTS = 20, 12
_MARK = 7


def _clamp(value: object) -> float:
    """Between 0 and 1; sums that miss a number by rounding only are that number."""
    return round(min(max(draw.finite(value), 0.0), 1.0), 12)


def likelihood_impact(points: Iterable[Any], title: str) -> draw.Chart:
    """``points``: (label, likelihood, impact, whether it is the one that is talked about), both from 0 to 1: likelihood to the
    right, impact upwards. What is talked about is filled; a line leads from each point to the next. At most 12 are drawn, the table has all."""
    found = [(str(label), _clamp(x), _clamp(y), bool(marked)) for label, x, y, marked in points]
    if not found:
        return draw.empty(title, _WIDTH)
    base, plot = _TOP + _SIDE, _WIDTH - _LEFT - _RIGHT

    def at(x: float, y: float) -> tuple[float, float]:
        return _LEFT + x * plot, base - y * _SIDE

    parts = draw.Parts()
    parts.text(0, 14, _("Impact"), size=13, fill=draw.MUTE)
    parts.share_axes(_LEFT, _WIDTH - _RIGHT, base, _SIDE, percent)
    for risk in CURVES:
        steps = [risk + (1 - risk) * step / 24 for step in range(25)]
        line = " ".join(f"{draw.place(x)},{draw.place(y)}" for x, y in (at(s, risk / s) for s in steps))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{draw.MUTE}" stroke-dasharray="3 4"/>')
        x, y = at(1, risk)
        parts.text(x - 4, y - 5, number(risk), "end", 12, draw.MUTE)
    drawn = found[:_POINTS]
    for (_a, x1, y1, _m), (_b, x2, y2, _n) in itertools.pairwise(drawn):
        parts.line(*at(x1, y1), *at(x2, y2), draw.SOFT, 1.5)
    outline = f' stroke="{draw.ACCENT}" stroke-width="2.5"'
    for _label, x, y, marked in drawn:
        parts.circle(*at(x, y), _MARK, draw.ACCENT if marked else "#ffffff", outline)
    names = [
        Name(*at(x, y), f"{draw.shorten(label, 20)} {number(x * y)}", marked) for label, x, y, marked in drawn
    ]
    names_write(parts, names, (_LEFT, _TOP, _WIDTH, base), mark=_MARK)
    parts.text(_LEFT + plot / 2, base + 42, _("Likelihood"), "middle", 13, draw.MUTE)
    rows = tuple((label, number(x), number(y), number(x * y)) for label, x, y, _marked in found)
    columns = (_("File"), _("Likelihood"), _("Impact"), _("Risk"))
    description = _("; ").join(
        f"{label}: {number(x)} × {number(y)} = {number(x * y)}" for label, x, y, _m in found[:8]
    )
    return draw.Chart(draw.svg(_WIDTH, base + 52, title, description, parts), title, columns, rows)


def growth(steps: Iterable[Any], title: str, label: str = "") -> draw.Chart:
    """``steps``: (label, share before, share with it), in order: lying bars, what each step adds darker than what was there.

    At most 20 are drawn, the table has all; ``label`` says what they are.
    """
    found = [(str(name), _clamp(before), _clamp(after)) for name, before, after in steps]
    if not found:
        return draw.empty(title, draw.WIDTH)
    left, right, row, head = 130, 62, 26, 8
    scale = draw.WIDTH - left - right
    parts = draw.Parts()
    for place, (name, before, after) in enumerate(found[:_ROWS]):
        y = head + row * place
        parts.text(left - 10, y + 16, draw.shorten(name, 16), "end", 14, draw.INK)
        parts.rect(left, y + 3, before * scale, 17, draw.TINT)
        parts.rect(left + before * scale, y + 3, max((after - before) * scale, 1), 17, draw.ACCENT)
        parts.text(left + after * scale + 6, y + 17, percent(after), size=12, fill=draw.INK)
    bottom = head + row * min(len(found), _ROWS)
    parts.line(left, head, left, bottom, draw.INK)
    rows = tuple((name, percent(max(after - before, 0.0)), percent(after)) for name, before, after in found)
    columns = (label or _("Category"), _("Adds"), _("Together"))
    description = _("; ").join(f"{name}: {percent(after)}" for name, _b, after in found[:8])
    return draw.Chart(draw.svg(draw.WIDTH, bottom + 6, title, description, parts), title, columns, rows)
