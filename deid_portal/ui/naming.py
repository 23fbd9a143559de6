"""Names beside points of a drawing, where they cover neither each other nor a point."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from . import drawing as draw

# The gap between a point and its name, the name's height, and how far it may be without a line to it.
_GAP, _NAME, _NEAR = 14.0, 17.0, 20.0
_SHIFTS = (0, 12, -12, 24, -24, 36, -36, *(side * far for far in range(54, 220, 18) for side in (1, -1)))
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class Name(NamedTuple):
    """What is written beside the point at ``x`` and ``y``; ``marked`` is the one that is talked about."""

    x: float
    y: float
    text: str
    marked: bool = False


def names_write(
    parts: draw.Parts,
    names: Sequence[Name],
    area: Box,
    *,
    mark: float,
    others: Iterable[tuple[float, float]] = (),
    size: float = 0.0,
    line: float | None = None,
) -> None:
    """The names beside their points, as near as there is room within ``area``: over no other name, no other point, ``others`` without a
    name included, and not over the threshold's ``line``; where there is none, a thin line leads to the point. Where the points
    leave no room at all, over the fewest. ``mark`` is half of a mark, ``size`` of one without a name."""
    taken = [(x - mark, y - mark, x + mark, y + mark) for x, y, *_rest in names]
    taken += [(x - size, y - size, x + size, y + size) for x, y in others]
    if line is not None:
        taken.append((line - 2, area[1], line + 2, area[3]))
    for number, (x, y, text, marked) in sorted(enumerate(names), key=lambda item: (item[1].y, item[1].x)):
        width = 7.0 * draw.width_of(text) + 4
        elsewhere = [box for place, box in enumerate(taken) if place != number]
        box = min(_places(x, y, width, area, line), key=lambda box: _covered(box, elsewhere))
        taken.append(box)
        left, top, right, bottom = box
        near = left if left > x else right
        if max(abs((top + bottom) / 2 - y), abs(near - x)) > _NEAR:
            parts.line(x, y, near, (top + bottom) / 2, draw.MUTE)
        parts.rect(left, top, width, _NAME, "#ffffff")
        parts.text(left + 2, bottom - 4, text, "start", 13, draw.INK, marked)


def _places(x: float, y: float, width: float, area: Box, line: float | None) -> Iterator[Box]:
    """Boxes for a name, the best first: beside the point or beyond the line, then higher and lower, all within the
    area; at least one."""
    # A name may stand beyond the line for want of room on the allowed side, never the other way round.
    beyond = [line + 6] if line is not None and x < line else []
    for shift in _SHIFTS:
        for left in (x + _GAP, x - _GAP - width, *beyond):
            top = y - _NAME / 2 + shift
            if left >= area[0] and left + width <= area[2] and top >= area[1] - 4 and top + _NAME <= area[3]:
                yield left, top, left + width, top + _NAME
    yield x + _GAP, y - _NAME / 2, x + _GAP + width, y + _NAME / 2


def _covered(box: Box, others: Iterable[Box]) -> int:
    """How many of the others a box lies over."""
    return sum(
        box[2] > other[0] and other[2] > box[0] and box[3] > other[1] and other[3] > box[1]
        for other in others
    )
