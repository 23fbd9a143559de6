"""Candidates on one drawing: risk to the right, usefulness upwards, the allowed side of the threshold tinted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from deid_portal.ui.charts import (
    ACCENT,
    FAIL,
    INK,
    LINE,
    MUTE,
    OK,
    WIDTH,
    Chart,
    _empty,
    _line,
    _nice_top,
    _p,
    _rect,
    _shorten,
    _svg,
    _text,
    _units,
    finite,
    percent,
)

_LEFT, _RIGHT, _TOP, _HEIGHT = 56, 18, 34, 230
_NEAR = 17
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
) -> Chart:
    """``candidates`` are :class:`Candidate` or such tuples: points by risk (0 to 1, to the right) and usefulness (0 to 1, upwards); best is the upper left.

    Left of ``threshold`` is the allowed side. What passes is a filled circle, what does not an open diamond, what is
    ``marked`` has a ring and ``marked_label`` in the table; ``good_word`` and ``bad_word`` are what passing and not
    passing are called. At
    most 400 points are drawn, the table carries all; up to 12 have their names beside them.
    """
    points = [Candidate(*one) for one in candidates]
    if not points:
        return _empty(title, WIDTH)
    said = (good_word or _("meets every target"), bad_word or _("does not meet every target"))
    limit = None if threshold is None else max(finite(threshold), 0.0)
    top = max(_nice_top(max([finite(p.risk) for p in points] + [(limit or 0.0) * 1.25])), 1e-9)
    base, plot = _TOP + _HEIGHT, WIDTH - _LEFT - _RIGHT

    def at(one: Candidate) -> tuple[float, float]:
        x = min(max(finite(one.risk), 0.0) / top, 1.0)
        return _LEFT + x * plot, base - min(max(finite(one.utility), 0.0), 1.0) * _HEIGHT

    parts: list[str] = [_text(0, 14, y_label or _("Usefulness"), size=13, fill=MUTE)]
    if limit is not None:
        parts.append(_rect(_LEFT, _TOP, min(limit / top, 1.0) * plot, _HEIGHT, "#eef5f0"))
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = base - share * _HEIGHT
        parts.append(_line(_LEFT, y, WIDTH - _RIGHT, y, INK if share == 0 else LINE))
        if share in (0.0, 0.5, 1.0):
            parts.append(_text(_LEFT - 8, y + 5, percent(share), "end", 13, MUTE))
    for share in (0.0, 0.5, 1.0):
        anchor = "start" if share == 0 else "end" if share == 1 else "middle"
        parts.append(_text(_LEFT + share * plot, base + 20, percent(top * share), anchor, 13, MUTE))
    if limit is not None:
        x = _LEFT + min(limit / top, 1.0) * plot
        parts.append(_line(x, _TOP - 6, x, base, INK, 2, "5 3"))
        anchor, shift = ("start", 6) if x < WIDTH * 0.6 else ("end", -6)
        parts.append(
            _text(
                x + shift,
                _TOP - 8,
                _("Threshold %(value)s") % {"value": percent(limit)},
                anchor,
                13,
                INK,
                True,
            )
        )
    size = _LARGE if len(points) <= MANY else _SMALL
    # The few that are talked about lie on top of the many.
    parts += [_mark(*at(one), one, size) for one in sorted(points[:MOST], key=lambda one: one.marked)]
    if len(points) <= NAMED:
        parts += _names([(*at(one), one) for one in points])
    else:
        parts += _names([(*at(one), one) for one in points if one.marked][:NAMED])
    parts.append(
        _text(
            _LEFT + plot / 2, base + 42, x_label or _("Risk that somebody is recognised"), "middle", 13, MUTE
        )
    )
    legend = base + 66
    parts += [
        f'<circle cx="{_LEFT + 6}" cy="{legend - 5}" r="6" fill="{ACCENT}"/>',
        _text(_LEFT + 20, legend, said[0], size=13, fill=INK),
        _diamond(_LEFT + 6, legend + 17, 7),
        _text(_LEFT + 20, legend + 22, said[1], size=13, fill=INK),
    ]
    rows = tuple(
        (
            one.label,
            percent(one.risk),
            percent(one.utility),
            _("not known")
            if one.passed is None
            else (said[0] if one.passed else said[1])
            + (f" · {marked_label}" if one.marked and marked_label else ""),
        )
        for one in points
    )
    columns = (
        _("Candidate"),
        x_label or _("Risk that somebody is recognised"),
        y_label or _("Usefulness"),
        _("Outcome"),
    )
    description = "; ".join(f"{one.label}: {percent(one.risk)}, {percent(one.utility)}" for one in points[:8])
    return Chart(_svg(WIDTH, legend + 32, title, description, parts), title, columns, rows)


def _mark(x: float, y: float, one: Candidate, size: float) -> str:
    ring = (
        f'<circle cx="{_p(x)}" cy="{_p(y)}" r="{_p(size + 4)}" fill="none" '
        f'stroke="{OK if one.passed else INK}" stroke-width="2"/>'
        if one.marked
        else ""
    )
    if one.passed:
        dot = f'<circle cx="{_p(x)}" cy="{_p(y)}" r="{_p(size - 0.5)}" fill="{ACCENT}" stroke="#ffffff" stroke-width="1"/>'
    else:
        dot = _diamond(x, y, size)
    return ring + dot


def _diamond(x: float, y: float, r: float) -> str:
    points = f"{_p(x)},{_p(y - r)} {_p(x + r)},{_p(y)} {_p(x)},{_p(y + r)} {_p(x - r)},{_p(y)}"
    return f'<polygon points="{points}" fill="#ffffff" stroke="{FAIL}" stroke-width="{1.5 if r < 5 else 2}"/>'


def _names(placed: list[tuple[float, float, Candidate]]) -> list[str]:
    """The names beside their points; where two would lie on each other the lower one moves down."""
    parts: list[str] = []
    used: list[tuple[float, float]] = []
    for x, y, one in sorted(placed, key=lambda item: (item[1], item[0])):
        line = y + 5
        while any(abs(line - other) < _NEAR and abs(x - far) < WIDTH / 2.5 for far, other in used):
            line += 4
        used.append((x, line))
        right, label = x < WIDTH * 0.62, _shorten(one.label, 24)
        start, width = x + (15 if right else -15), 7.0 * _units(label) + 4
        parts.append(_rect(start - (2 if right else width - 2), line - 13, width, 17, "#ffffff"))
        parts.append(_text(start, line, label, "start" if right else "end", 13, INK, one.marked))
    return parts
