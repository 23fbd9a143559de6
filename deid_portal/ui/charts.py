"""Charts as SVG, drawn by string building: the same drawing in a page and in a PDF document.

No script, no style sheet, no raster: presentation attributes only, text as text, ``role="img"`` with a
title and a description. Each public function returns a :class:`Chart`; the template tags put a caption of
one sentence beside it and the numbers as a table below. Colour never carries a meaning alone: the parts
that matter are labelled in words, and "after" differs from "before" by its outline as well.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from projects.core.numbers import number, percent

INK, SOFT, MUTE, LINE = "#16232b", "#41525c", "#586a74", "#d5dde0"
ACCENT, TINT, FAIL, FAIL_FILL, OK = "#0f4c5c", "#9dbec6", "#9c2419", "#c96f63", "#1c5f3b"
FONT = (
    "'PingFang SC','Hiragino Sans GB','Noto Sans CJK SC','Noto Sans SC','Microsoft YaHei',"
    "'WenQuanYi Micro Hei',sans-serif"
)
WIDTH, WIDE = 440, 1000
MAX_BARS = 40
MAX_LYING = 20
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


def _nice_top(value: float, whole: bool = False) -> float:
    """The smallest of 1, 2, 4, 5, 6, 8 × 10ⁿ (with halves unless ``whole``) that is not below ``value``: a readable end of an axis."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    for step in WHOLE_STEPS if whole else STEPS:
        if step * power >= value * (1 - 1e-9):
            return step * power
    return 10.0 * power


def _units(text: str) -> int:
    """Width of ``text`` in half characters: a Chinese character counts two."""
    return sum(2 if ord(character) > 0x2E7F else 1 for character in text)


def _shorten(text: object, units: int) -> str:
    """``text`` cut to ``units`` half characters, with an ellipsis."""
    source = str(text)
    if _units(source) <= units:
        return source
    taken = 0
    for index, character in enumerate(source):
        taken += 2 if ord(character) > 0x2E7F else 1
        if taken > units - 2:
            return source[:index] + "…"
    return source


def _text(
    x: float,
    y: float,
    text: object,
    anchor: str = "start",
    size: int = 14,
    fill: str = SOFT,
    bold: bool = False,
) -> SafeString:
    return format_html(
        '<text x="{}" y="{}" text-anchor="{}" font-size="{}" fill="{}"{}>{}</text>',
        _p(x), _p(y), anchor, size, fill, mark_safe(' font-weight="600"') if bold else "", text,
    )  # fmt: skip


def _p(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


def _rect(x: float, y: float, w: float, h: float, fill: str, extra: str = "") -> str:
    return f'<rect x="{_p(x)}" y="{_p(y)}" width="{_p(max(w, 0))}" height="{_p(max(h, 0))}" fill="{fill}"{extra}/>'


def _line(
    x1: float, y1: float, x2: float, y2: float, stroke: str = LINE, width: float = 1, dash: str = ""
) -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{_p(x1)}" y1="{_p(y1)}" x2="{_p(x2)}" y2="{_p(y2)}" stroke="{stroke}" '
        f'stroke-width="{width}"{dashed}/>'
    )


def _svg(width: int, height: float, title: str, description: str, parts: Iterable[str]) -> SafeString:
    body = "".join(parts)
    mark = hashlib.sha256(f"{title}|{description}|{body}".encode()).hexdigest()[:10]
    return format_html(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" width="{}" height="{}" role="img" '
        'aria-labelledby="c{}t c{}d" font-family="{}" focusable="false"><title id="c{}t">{}</title>'
        '<desc id="c{}d">{}</desc>{}</svg>',
        width, _p(height), width, _p(height), mark, mark, FONT, mark, title, mark, description,
        mark_safe(body),  # noqa: S308 - every piece of text in it went through format_html
    )  # fmt: skip


def _empty(title: str, width: int) -> Chart:
    text = _("There is nothing to draw yet.")
    parts = [
        _rect(0.5, 0.5, width - 1, 79, "none", f' stroke="{LINE}"'),
        _text(width / 2, 45, text, "middle"),
    ]
    return Chart(_svg(width, 80, title, text, parts), title)


def _pairs(data: Iterable[Any]) -> list[tuple[str, float]]:
    out = []
    for item in data:
        label, value = (item["label"], item["value"]) if isinstance(item, dict) else item
        out.append((str(label), max(finite(value), 0.0)))
    return out


def bar_chart(
    data: Iterable[Any],
    title: str,
    x_label: str = "",
    y_label: str = "",
    alarm: Sequence[str] = (),
    alarm_label: str = "",
    wide: bool = False,
) -> Chart:
    """Upright bars: a histogram such as class sizes.

    ``data``: (label, value) pairs in order, values ≥ 0. Bars whose label is in ``alarm`` are drawn as
    breaching and explained by ``alarm_label``. More than 40 bars: the rest is summed into the last one,
    which is drawn lighter and called so.
    """
    bars = _pairs(data)
    width = WIDE if wide else WIDTH
    if not bars:
        return _empty(title, width)
    table = tuple((label, number(value)) for label, value in bars)
    summed = len(bars) > MAX_BARS
    if summed:
        rest = sum(value for _label, value in bars[MAX_BARS - 1 :])
        bars = [*bars[: MAX_BARS - 1], (_("All others"), rest)]
    alarms = {str(label) for label in alarm}
    whole = all(value == round(value) for _label, value in bars)
    top = _nice_top(max(value for _label, value in bars), whole)
    left = 16 + 8 * max(len(number(top)), 2)
    plot_top, plot_height = 34, 170
    base = plot_top + plot_height
    step = (width - left - 8) / len(bars)
    thickness = min(step * 0.72, 56)
    parts: list[str] = []
    if y_label:
        parts.append(_text(0, 14, y_label, size=13, fill=MUTE))
    for share in (0.0, 0.5, 1.0) if not whole or top % 2 == 0 else (0.0, 1.0):
        y = base - share * plot_height
        parts.append(_line(left, y, width, y, INK if share == 0 else LINE))
        parts.append(_text(left - 8, y + 5, number(top * share), "end", 13, MUTE))
    widest = max(_units(label) for label, _value in bars[: MAX_BARS - 1])
    every = max(1, math.ceil(widest * 7.5 / step)) if widest * 7.5 > step else 1
    show_values = len(bars) <= 12
    for index, (label, value) in enumerate(bars):
        x = left + step * index + (step - thickness) / 2
        height = value / top * plot_height
        height = max(height, 1.5) if value > 0 else 0  # one record must be seen beside a million
        breach = label in alarms
        is_rest = summed and index == len(bars) - 1
        fill, outline = (FAIL_FILL, BREACH) if breach else (TINT, SUMMED) if is_rest else (ACCENT, "")
        parts.append(_rect(x, base - height, thickness, height, fill, outline))
        if show_values:
            parts.append(
                _text(
                    x + thickness / 2,
                    base - height - 6,
                    number(value),
                    "middle",
                    13,
                    FAIL if breach else INK,
                    True,
                )
            )
        if is_rest:
            parts.append(_text(width, base + 20, label, "end", 13))
        elif index % every == 0 and not (summed and x > width - 90):
            parts.append(_text(x + thickness / 2, base + 20, _shorten(label, 16), "middle", 13))
    bottom = base + 28
    if x_label:
        parts.append(_text(left + (width - left) / 2, base + 42, x_label, "middle", 13, MUTE))
        bottom = base + 50
    if alarms and alarm_label:
        parts.append(_rect(left, bottom + 2, 16, 12, FAIL_FILL, BREACH))
        parts.append(_text(left + 24, bottom + 13, alarm_label, size=13, fill=INK))
        bottom += 22
    description = _("Bar chart; the highest value is %(value)s at %(label)s.") % {
        "value": number(max(value for _label, value in bars)),
        "label": max(bars, key=lambda bar: bar[1])[0],
    }
    return Chart(
        _svg(width, bottom, title, description, parts), title, (x_label, y_label or _("Value")), table
    )


def target_bars(
    data: Iterable[Any],
    title: str,
    target: object = None,
    target_label: str = "",
    share: bool = False,
    lower_is_better: bool = True,
    value_label: str = "",
) -> Chart:
    """Lying bars with one target line, for comparing a few measures.

    ``data``: (label, value) pairs; ``share`` shows values between 0 and 1 as per cent. A bar on the wrong side
    of ``target`` is drawn as breaching and says so in words. At most 20 are drawn, the table carries all.
    """
    bars = _pairs(data)
    if not bars:
        return _empty(title, WIDTH)
    show = percent if share else number
    limit = None if target is None else finite(target)
    top = _nice_top(max([value for _label, value in bars] + [limit or 0.0]))
    row, left, right = 54, 2, 84
    scale = (WIDTH - left - right) / top
    head = 30 if limit is not None else 4
    parts: list[str] = []
    rows: list[tuple[Any, ...]] = []
    drawn = min(len(bars), MAX_LYING)
    bottom = head + row * drawn
    side = _("over the line") if lower_is_better else _("under the line")
    for index, (label, value) in enumerate(bars):
        bad = limit is not None and (value > limit if lower_is_better else value < limit)
        against = () if limit is None else (side if bad else _("within"),)
        rows.append((label, show(value), *against))
        if index >= drawn:
            continue
        y = head + row * index
        parts.append(_text(left, y + 17, _shorten(label, 44), size=14, fill=INK))
        parts.append(_rect(left, y + 27, WIDTH - left - right, 14, "#eef1f2"))
        parts.append(
            _rect(
                left, y + 27, max(value * scale, 1.5), 14, FAIL_FILL if bad else ACCENT, BREACH if bad else ""
            )
        )
        fill = FAIL if bad else INK
        parts.append(_text(WIDTH - right + 10, y + 39, show(value), size=15, fill=fill, bold=True))
        if bad:
            parts.append(_text(WIDTH, y + 17, side, "end", 13, FAIL, True))
        if limit is None:
            continue
        # One tick a bar instead of a line through all, which would strike out the labels.
        x = left + limit * scale
        parts.append(_line(x, y + 21, x, y + 47, "#ffffff", 5))
        parts.append(_line(x, y + 21, x, y + 47, INK, 2.5))
    if drawn < len(bars):
        more = _("%(count)s more are in the table") % {"count": number(len(bars) - drawn)}
        parts.append(_text(left, bottom + 16, more, size=13, fill=MUTE))
        bottom += 22
    if limit is not None:
        text = target_label or _("Target %(value)s") % {"value": show(limit)}
        parts.append(_line(left + 2, 3, left + 2, 19, INK, 2.5))
        parts.append(_text(left + 12, 16, text, size=13, fill=INK, bold=True))
    description = "; ".join(f"{label}: {show(value)}" for label, value in bars[:12])
    columns = (
        _("Measure"),
        value_label or _("Value"),
        *((_("Against the target"),) if limit is not None else ()),
    )
    return Chart(_svg(WIDTH, bottom + 4, title, description, parts), title, columns, tuple(rows))
