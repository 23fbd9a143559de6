"""Bar charts, upright and lying."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _

from projects.core.numbers import number, percent

from . import drawing as draw

MAX_BARS = 40
MAX_LYING = 20


def _pairs(data: Iterable[Any]) -> list[tuple[str, float]]:
    out = []
    for item in data:
        label, value = (item["label"], item["value"]) if isinstance(item, dict) else item
        out.append((str(label), max(draw.finite(value), 0.0)))
    return out


def bar_chart(
    data: Iterable[Any],
    title: str,
    x_label: str = "",
    y_label: str = "",
    alarm: Sequence[str] = (),
    alarm_label: str = "",
    wide: bool = False,
) -> draw.Chart:
    """Upright bars: a histogram such as class sizes.

    ``data``: (label, value) pairs in order, values ≥ 0. Bars whose label is in ``alarm`` are drawn as
    breaching and explained by ``alarm_label``. More than 40 bars: the rest is summed into the last one,
    which is drawn lighter and called so.
    """
    bars = _pairs(data)
    width = draw.WIDE if wide else draw.WIDTH
    if not bars:
        return draw.empty(title, width)
    table = tuple((label, number(value)) for label, value in bars)
    summed = len(bars) > MAX_BARS
    if summed:
        rest = sum(value for _label, value in bars[MAX_BARS - 1 :])
        bars = [*bars[: MAX_BARS - 1], (_("All others"), rest)]
    alarms = {str(label) for label in alarm}
    whole = all(value == round(value) for _label, value in bars)
    top = draw.nice_top(max(value for _label, value in bars), whole)
    left = 16 + 8 * max(len(number(top)), 2)
    plot_top, plot_height = 34, 170
    base = plot_top + plot_height
    step = (width - left - 8) / len(bars)
    thickness = min(step * 0.72, 56)
    parts = draw.Parts()
    if y_label:
        parts.text(0, 14, y_label, size=13, fill=draw.MUTE)
    for share in (0.0, 0.5, 1.0) if not whole or top % 2 == 0 else (0.0, 1.0):
        y = base - share * plot_height
        parts.line(left, y, width, y, draw.INK if share == 0 else draw.LINE)
        parts.text(left - 8, y + 5, number(top * share), "end", 13, draw.MUTE)
    widest = max(draw.width_of(label) for label, _value in bars[: MAX_BARS - 1])
    every = max(1, math.ceil(widest * 7.5 / step)) if widest * 7.5 > step else 1
    show_values = len(bars) <= 12
    for index, (label, value) in enumerate(bars):
        x = left + step * index + (step - thickness) / 2
        height = value / top * plot_height
        height = max(height, 1.5) if value > 0 else 0  # one record must be seen beside a million
        breach = label in alarms
        is_rest = summed and index == len(bars) - 1
        fill, outline = (
            (draw.FAIL_FILL, draw.BREACH)
            if breach
            else (draw.TINT, draw.SUMMED)
            if is_rest
            else (draw.ACCENT, "")
        )
        parts.rect(x, base - height, thickness, height, fill, outline)
        if show_values:
            parts.text(
                x + thickness / 2,
                base - height - 6,
                number(value),
                "middle",
                13,
                draw.FAIL if breach else draw.INK,
                True,
            )
        if is_rest:
            parts.text(width, base + 20, label, "end", 13)
        elif index % every == 0 and not (summed and x > width - 90):
            parts.text(x + thickness / 2, base + 20, draw.shorten(label, 16), "middle", 13)
    bottom = base + 28
    if x_label:
        parts.text(left + (width - left) / 2, base + 42, x_label, "middle", 13, draw.MUTE)
        bottom = base + 50
    if alarms and alarm_label:
        parts.rect(left, bottom + 2, 16, 12, draw.FAIL_FILL, draw.BREACH)
        parts.text(left + 24, bottom + 13, alarm_label, size=13, fill=draw.INK)
        bottom += 22
    description = _("Bar chart; the highest value is %(value)s at %(label)s.") % {
        "value": number(max(value for _label, value in bars)),
        "label": max(bars, key=lambda bar: bar[1])[0],
    }
    return draw.Chart(
        draw.svg(width, bottom, title, description, parts), title, (x_label, y_label or _("Value")), table
    )


def target_bars(
    data: Iterable[Any],
    title: str,
    target: object = None,
    target_label: str = "",
    share: bool = False,
    lower_is_better: bool = True,
    value_label: str = "",
) -> draw.Chart:
    """Lying bars with one target line, for comparing a few measures; the scale that they share stands under them.

    ``data``: (label, value) pairs; ``share`` shows values between 0 and 1 as per cent. A bar on the wrong side
    of ``target`` is drawn as breaching and says so in words. At most 20 are drawn, the table carries all.
    """
    bars = _pairs(data)
    if not bars:
        return draw.empty(title, draw.WIDTH)
    show = percent if share else number
    limit = None if target is None else draw.finite(target)
    whole = not share and all(value == round(value) for _label, value in bars)
    top = draw.nice_top(max([value for _label, value in bars] + [limit or 0.0]), whole)
    row, left, right = 54, 2, 84
    scale = (draw.WIDTH - left - right) / top
    head = 30 if limit is not None else 4
    parts = draw.Parts()
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
        parts.text(left, y + 17, draw.shorten(label, 58 if limit is None else 44), size=14, fill=draw.INK)
        parts.rect(left, y + 27, draw.WIDTH - left - right, 14, "#eef1f2")
        parts.rect(
            left,
            y + 27,
            max(value * scale, 1.5),
            14,
            draw.FAIL_FILL if bad else draw.ACCENT,
            draw.BREACH if bad else "",
        )
        fill = draw.FAIL if bad else draw.INK
        parts.text(draw.WIDTH - right + 10, y + 39, show(value), size=15, fill=fill, bold=True)
        if bad:
            parts.text(draw.WIDTH, y + 17, side, "end", 13, draw.FAIL, True)
        if limit is None:
            continue
        # One tick a bar instead of a line through all, which would strike out the labels.
        x = left + limit * scale
        parts.line(x, y + 21, x, y + 47, "#ffffff", 5)
        parts.line(x, y + 21, x, y + 47, draw.INK, 2.5)
    plot = draw.WIDTH - left - right
    for part, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end")):
        if part == 0.5 and whole and top % 2:
            continue
        parts.line(left + part * plot, bottom, left + part * plot, bottom + 5, draw.INK)
        parts.text(left + part * plot, bottom + 19, show(top * part), anchor, 13, draw.MUTE)
    parts.line(left, bottom, left + plot, bottom, draw.INK)
    bottom += 24
    if drawn < len(bars):
        more = _("%(count)s more are in the table") % {"count": number(len(bars) - drawn)}
        parts.text(left, bottom + 16, more, size=13, fill=draw.MUTE)
        bottom += 22
    if limit is not None:
        text = target_label or _("Target %(value)s") % {"value": show(limit)}
        parts.line(left + 2, 3, left + 2, 19, draw.INK, 2.5)
        parts.text(left + 12, 16, text, size=13, fill=draw.INK, bold=True)
    description = _("; ").join(f"{label}: {show(value)}" for label, value in bars[:12])
    description += _("; ") + _("scale from 0 to %(top)s") % {"top": show(top)}
    columns = (
        _("Measure"),
        value_label or _("Value"),
        *((_("Against the target"),) if limit is not None else ()),
    )
    return draw.Chart(
        draw.svg(draw.WIDTH, bottom + 4, title, description, parts), title, columns, tuple(rows)
    )
