"""A line chart as SVG, without any library."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

_WIDTH, _HEIGHT = 720, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 84, 24, 96, 52
_COLOURS = ("#1f5fa8", "#c2571a", "#2b8a57")
_DASHES = ("none", "8 4", "2 4")
_TICKS = 5


class Curve(NamedTuple):
    """A line and what it is called: y by x."""

    name: str
    points: Mapping[int, float]


def line_chart(title: str, horizontal: str, curves: Sequence[Curve]) -> str:
    """The curves over one axis from 0, told apart by colour, dashes and marks."""
    xs = sorted({x for curve in curves for x in curve.points})
    step = _step(max((y for curve in curves for y in curve.points.values()), default=1.0))
    top = step * _TICKS
    low, wide = (xs[0], max(xs[-1] - xs[0], 1)) if xs else (0, 1)

    def across(x: float) -> float:
        return _LEFT + (x - low) / wide * (_WIDTH - _LEFT - _RIGHT)

    def up(y: float) -> float:
        return _HEIGHT - _BOTTOM - y / top * (_HEIGHT - _TOP - _BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" '
        'font-family="sans-serif" font-size="13" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="22" font-size="15">{escape(title)}</text>',
    ]
    for number in range(_TICKS + 1):
        y = up(number * step)
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#d5d9de"/>'
        )
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{number * step:,.10g}</text>')
    for x in xs:
        parts.append(
            f'<text x="{across(x):.1f}" y="{_HEIGHT - _BOTTOM + 20}" text-anchor="middle">{x:,}</text>'
        )
    parts.append(
        f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2:.1f}" y="{_HEIGHT - 10}" text-anchor="middle">{escape(horizontal)}</text>'
    )
    for number, curve in enumerate(curves):
        colour, dashes = _COLOURS[number % len(_COLOURS)], _DASHES[number % len(_DASHES)]
        places = [(across(x), up(y)) for x, y in sorted(curve.points.items())]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        line = f'fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}"'
        parts.append(f'<polyline points="{path}" {line}/>')
        parts += [_mark(number, x, y, colour) for x, y in places]
        level = 42 + 18 * number
        parts.append(f'<line x1="{_LEFT}" x2="{_LEFT + 36}" y1="{level}" y2="{level}" {line}/>')
        parts.append(_mark(number, _LEFT + 18, level, colour))
        parts.append(f'<text x="{_LEFT + 44}" y="{level + 4}">{escape(curve.name)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _step(highest: float) -> float:
    """A round distance of the ticks: 1, 2, 2.5 or 5 times a power of ten."""
    least = max(highest, 1e-9) / _TICKS
    power = 10.0 ** math.floor(math.log10(least))
    return float(
        next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= least * (1 - 1e-9))
    )


def _mark(number: int, x: float, y: float, colour: str) -> str:
    if number == 0:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>'
    if number == 1:
        return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" fill="{colour}"/>'
    return f'<path d="M{x:.1f} {y - 5:.1f}l5 9h-10z" fill="{colour}"/>'
