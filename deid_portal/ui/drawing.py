"""Charts as SVG, drawn by string building: the same drawing in a page and in a PDF document.

No script, no style sheet, no raster: presentation attributes only, text as text, ``role="img"`` with a
title and a description. Each public function returns a :class:`Chart`; the template tags put a caption of
one sentence beside it and the numbers as a table below. Colour never carries a meaning alone: the parts
that matter are labelled in words, and "after" differs from "before" by its outline as well.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from projects.core.numbers import percent

INK, SOFT, MUTE, LINE = "#16232b", "#41525c", "#586a74", "#d5dde0"
ACCENT, TINT, FAIL, FAIL_FILL, OK = "#0f4c5c", "#9dbec6", "#9c2419", "#c96f63", "#1c5f3b"
FONT = (
    "'Portal Sans CJK','PingFang SC','Hiragino Sans GB','Noto Sans CJK SC','Noto Sans SC','Microsoft YaHei',"
    "'WenQuanYi Micro Hei',sans-serif"
)
WIDTH, WIDE = 440, 1000
WHOLE_STEPS = (1.0, 2.0, 4.0, 5.0, 6.0, 8.0, 10.0)
STEPS = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
# What breaches a target is drawn with a broken outline besides its colour.
SUMMED = f' stroke="{SOFT}"'
BREACH = f' stroke="{FAIL}" stroke-width="1.5" stroke-dasharray="4 2"'


@dataclass(frozen=True)
class Chart:
    """A drawing with what stands in for it: ``columns`` and ``rows`` are the same numbers as a table."""

    svg: SafeString
    title: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = field(default=())

    def __str__(self) -> str:
        return str(self.svg)

    def __html__(self) -> str:
        return str(self.svg)


def finite(value: object) -> float:
    """``value`` as a finite float; NaN, infinities and non-numbers count as 0 so that a drawing never breaks."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return 0.0
    return number if math.isfinite(number) else 0.0


def nice_top(value: float, whole: bool = False) -> float:
    """The smallest of 1, 2, 4, 5, 6, 8 × 10ⁿ (with halves unless ``whole``) that is not below ``value``: a readable end of an axis."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    for step in WHOLE_STEPS if whole else STEPS:
        if step * power >= value * (1 - 1e-9):
            return step * power
    return 10.0 * power


def width_of(text: str) -> int:
    """Width of ``text`` in half characters: a Chinese character counts two."""
    return sum(2 if ord(character) > 0x2E7F else 1 for character in text)


def shorten(text: object, units: int) -> str:
    """``text`` cut to ``units`` half characters, with an ellipsis."""
    source = str(text)
    if width_of(source) <= units:
        return source
    taken = 0
    for index, character in enumerate(source):
        taken += 2 if ord(character) > 0x2E7F else 1
        if taken > units - 2:
            return source[:index] + "…"
    return source


def place(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


class Parts(list[str]):
    """The pieces of a drawing, the lowest first."""

    def text(
        self,
        x: float,
        y: float,
        text: object,
        anchor: str = "start",
        size: int = 14,
        fill: str = SOFT,
        bold: bool = False,
    ) -> None:
        piece = format_html(
            '<text x="{}" y="{}" text-anchor="{}" font-size="{}" fill="{}"{}>{}</text>',
            place(x), place(y), anchor, size, fill, mark_safe(' font-weight="600"') if bold else "", text,
        )  # fmt: skip
        self.append(piece)

    def rect(self, x: float, y: float, w: float, h: float, fill: str, extra: str = "") -> None:
        self.append(
            f'<rect x="{place(x)}" y="{place(y)}" width="{place(max(w, 0))}" height="{place(max(h, 0))}" '
            f'fill="{fill}"{extra}/>'
        )

    def line(
        self, x1: float, y1: float, x2: float, y2: float, stroke: str = LINE, width: float = 1, dash: str = ""
    ) -> None:
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.append(
            f'<line x1="{place(x1)}" y1="{place(y1)}" x2="{place(x2)}" y2="{place(y2)}" stroke="{stroke}" '
            f'stroke-width="{width}"{dashed}/>'
        )

    def circle(self, x: float, y: float, r: float, fill: str, extra: str = "") -> None:
        self.append(f'<circle cx="{place(x)}" cy="{place(y)}" r="{place(r)}" fill="{fill}"{extra}/>')

    def share_axes(
        self, left: float, right: float, base: float, height: float, along: Callable[[float], str]
    ) -> None:
        """Shares from 0 to 1 upwards, and to the right what ``along`` says of the share of the width."""
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            y = base - share * height
            self.line(left, y, right, y, INK if share == 0 else LINE)
            if share in (0.0, 0.5, 1.0):
                self.text(left - 8, y + 5, percent(share), "end", 13, MUTE)
        for share, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end")):
            self.text(left + share * (right - left), base + 20, along(share), anchor, 13, MUTE)


def svg(width: int, height: float, title: str, description: str, parts: Iterable[str]) -> SafeString:
    body = "".join(parts)
    mark = hashlib.sha256(f"{title}|{description}|{body}".encode()).hexdigest()[:10]
    return format_html(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" width="{}" height="{}" role="img" '
        'aria-labelledby="c{}t c{}d" font-family="{}" focusable="false"><title id="c{}t">{}</title>'
        '<desc id="c{}d">{}</desc>{}</svg>',
        width, place(height), width, place(height), mark, mark, FONT, mark, title, mark, description,
        mark_safe(body),  # noqa: S308 - every piece of text in it went through format_html
    )  # fmt: skip


def empty(title: str, width: int) -> Chart:
    text = _("There is nothing to show yet.")
    parts = Parts()
    parts.rect(0.5, 0.5, width - 1, 79, "none", f' stroke="{LINE}"')
    parts.text(width / 2, 45, text, "middle")
    return Chart(svg(width, 80, title, text, parts), title)
