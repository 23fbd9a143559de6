"""Candidates on one drawing: risk to the right, usefulness upwards, the allowed side of the threshold tinted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from projects.core.numbers import percent

from . import drawing as draw
from .naming import Name, names_write

# Narrower than other charts: on a phone its names stay large enough to be read.
_WIDTH = 440
_LEFT, _RIGHT, _TOP, _HEIGHT = 56, 18, 34, 230
# Half of a mark with its ring.
_MARK = 11.0
_LARGE, _SMALL = 7.0, 4.0
MOST = 400
NAMED = 12
MANY = 40


class Candidate(NamedTuple):
    """One point: ``risk`` and ``utility`` are shares, ``passed`` None where that is not known; ``marked`` is the one
    that is talked about, such as the chosen one."""

    label: str
    risk: float
    utility: float
    passed: bool | None = None
    marked: bool = False


def risk_utility(
    candidates: Iterable[Any],
    title: str,
    threshold: object = None,
    x_label: str = "",
    y_label: str = "",
    marked_label: str = "",
    good_word: str = "",
    bad_word: str = "",
) -> draw.Chart:
    """``candidates`` are :class:`Candidate` or such tuples: points by risk (0 to 1, to the right) and usefulness (0 to 1, upwards); best is the upper left.

    Left of ``threshold`` is the allowed side. What passes is a filled circle, what does not an open diamond, what is
    ``marked`` has a ring and ``marked_label`` in the table; ``good_word`` and ``bad_word`` are what passing and not
    passing are called. At
    most 400 points are drawn, the table carries all; up to 12 have their names beside them.
    """
    points = [Candidate(*one) for one in candidates]
    if not points:
        return draw.empty(title, _WIDTH)
    said = (good_word or _("meets every target"), bad_word or _("does not meet the conditions"))
    limit = None if threshold is None else max(draw.finite(threshold), 0.0)
    top = max(draw.nice_top(max([draw.finite(p.risk) for p in points] + [(limit or 0.0) * 1.25])), 1e-9)
    base, plot = _TOP + _HEIGHT, _WIDTH - _LEFT - _RIGHT

    def at(one: Candidate) -> tuple[float, float]:
        x = min(max(draw.finite(one.risk), 0.0) / top, 1.0)
        return _LEFT + x * plot, base - min(max(draw.finite(one.utility), 0.0), 1.0) * _HEIGHT

    line = None if limit is None else _LEFT + min(limit / top, 1.0) * plot
    parts = draw.Parts()
    parts.text(0, 14, y_label or _("Usefulness"), size=13, fill=draw.MUTE)
    if line is not None:
        parts.rect(_LEFT, _TOP, line - _LEFT, _HEIGHT, "#eef5f0")
    parts.share_axes(_LEFT, _WIDTH - _RIGHT, base, _HEIGHT, lambda share: percent(top * share))
    if limit is not None and line is not None:
        parts.line(line, _TOP - 6, line, base, draw.INK, 2, "5 3")
        anchor, shift = ("start", 6) if line < _WIDTH * 0.6 else ("end", -6)
        name = _("Threshold %(value)s") % {"value": percent(limit)}
        parts.text(line + shift, _TOP - 8, name, anchor, 13, draw.INK, True)
    size = _LARGE if len(points) <= MANY else _SMALL
    # The few that are talked about lie on top of the many.
    for one in sorted(points[:MOST], key=lambda one: one.marked):
        _mark(parts, *at(one), one, size)
    named = points if len(points) <= NAMED else [one for one in points if one.marked][:NAMED]
    unnamed = [at(one) for one in points[:MOST] if one not in named]
    names = [Name(*at(one), draw.shorten(one.label, 24), one.marked) for one in named]
    area = (_LEFT, _TOP, _WIDTH, base)
    names_write(parts, names, area, mark=_MARK, others=unnamed, size=size, line=line)
    parts.text(
        _LEFT + plot / 2, base + 42, x_label or _("Risk that someone is recognised"), "middle", 13, draw.MUTE
    )
    legend = base + 66
    parts.circle(_LEFT + 6, legend - 5, 6, draw.ACCENT)
    parts.text(_LEFT + 20, legend, said[0], size=13, fill=draw.INK)
    _diamond(parts, _LEFT + 6, legend + 17, 7)
    parts.text(_LEFT + 20, legend + 22, said[1], size=13, fill=draw.INK)
    if marked_label and any(one.marked for one in points):
        legend += 22
        parts.circle(_LEFT + 6, legend + 17, 7, "none", f' stroke="{draw.INK}" stroke-width="2"')
        parts.text(_LEFT + 20, legend + 22, marked_label, size=13, fill=draw.INK)
    rows = tuple(
        (
            one.label,
            percent(draw.finite(one.risk)),
            percent(draw.finite(one.utility)),
            _("not known")
            if one.passed is None
            else (said[0] if one.passed else said[1])
            + (f" · {marked_label}" if one.marked and marked_label else ""),
        )
        for one in points
    )
    columns = (
        _("Candidate"),
        x_label or _("Risk that someone is recognised"),
        y_label or _("Usefulness"),
        _("Outcome"),
    )
    description = _("; ").join(
        f"{one.label}: {percent(draw.finite(one.risk))}, {percent(draw.finite(one.utility))}"
        for one in points[:8]
    )
    return draw.Chart(draw.svg(_WIDTH, legend + 32, title, description, parts), title, columns, rows)


def _mark(parts: draw.Parts, x: float, y: float, one: Candidate, size: float) -> None:
    if one.marked:
        ring = f' stroke="{draw.OK if one.passed else draw.INK}" stroke-width="2"'
        parts.circle(x, y, size + 4, "none", ring)
    if one.passed:
        parts.circle(x, y, size - 0.5, draw.ACCENT, ' stroke="#ffffff" stroke-width="1"')
    else:
        _diamond(parts, x, y, size)


def _diamond(parts: draw.Parts, x: float, y: float, r: float) -> None:
    corners = ((x, y - r), (x + r, y), (x, y + r), (x - r, y))
    points = " ".join(f"{draw.place(across)},{draw.place(down)}" for across, down in corners)
    width = 1.5 if r < 5 else 2
    parts.append(f'<polygon points="{points}" fill="#ffffff" stroke="{draw.FAIL}" stroke-width="{width}"/>')
