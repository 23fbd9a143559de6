"""More drawings of the same kind: cumulative curve, risk gauge, distribution before and after."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _

from deid_portal.ui.charts import (
    ACCENT,
    BREACH,
    FAIL,
    FAIL_FILL,
    INK,
    LINE,
    MUTE,
    OK,
    SOFT,
    TINT,
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
    finite,
)
from projects.core.numbers import number, percent

MAX_POINTS = 200


def _clamp(value: object) -> float:
    return min(max(finite(value), 0.0), 1.0)


def cumulative_curve(
    points: Iterable[Sequence[Any]],
    title: str,
    threshold: object = None,
    threshold_label: str = "",
    x_label: str = "",
    y_label: str = "",
    x_share: bool = True,
) -> Chart:
    """A rising step curve: ``points`` are (x, share of records at or below x), shares between 0 and 1.

    With ``x_share`` the x values are shares too (a risk); otherwise plain numbers. The threshold is a dashed
    line, and the share of records beyond it is written beside it. More than 200 points are thinned evenly.
    """
    line = sorted((max(finite(x), 0.0), _clamp(y)) for x, y in points)
    if not line:
        return _empty(title, WIDTH)
    if len(line) > MAX_POINTS:
        keep = {round(i * (len(line) - 1) / (MAX_POINTS - 1)) for i in range(MAX_POINTS)}
        line = [line[i] for i in sorted(keep)]
    show = percent if x_share else number
    limit = None if threshold is None else max(finite(threshold), 0.0)
    top = max(_nice_top(max(line[-1][0], limit or 0.0)), 1e-9)
    left, right, plot_top, plot_height = 52, 14, 36, 180
    base, plot_width = plot_top + plot_height, WIDTH - left - right

    def at(x: float, y: float) -> tuple[float, float]:
        return left + min(x / top, 1.0) * plot_width, base - y * plot_height

    parts: list[str] = [_text(0, 14, y_label or _("Share of records"), size=13, fill=MUTE)]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = base - share * plot_height
        parts.append(_line(left, y, WIDTH - right, y, INK if share == 0 else LINE))
        if share in (0.0, 0.5, 1.0):
            parts.append(_text(left - 8, y + 5, percent(share), "end", 13, MUTE))
    for share in (0.0, 0.5, 1.0):
        anchor = "start" if share == 0 else "end" if share == 1 else "middle"
        parts.append(_text(left + share * plot_width, base + 20, show(top * share), anchor, 13, MUTE))
    path = [f"M{_p(at(0, 0)[0])} {_p(at(0, 0)[1])}"]
    for x, y in line:
        px, py = at(x, y)
        path.append(f"H{_p(px)}V{_p(py)}")
    path.append(f"H{_p(WIDTH - right)}")
    parts.append(f'<path d="{"".join(path)}" fill="none" stroke="{ACCENT}" stroke-width="2.5"/>')
    beyond = None
    if limit is not None:
        index = bisect.bisect_right([x for x, _y in line], limit) - 1
        within = line[index][1] if index >= 0 else 0.0
        beyond = max(0.0, 1.0 - within)
        x, y = at(limit, within)
        parts.append(_line(x, plot_top - 8, x, base, INK, 2, "5 3"))
        colour = FAIL if beyond > 0 else OK
        parts.append(
            f'<circle cx="{_p(x)}" cy="{_p(y)}" r="5" fill="#ffffff" stroke="{colour}" stroke-width="2.5"/>'
        )
        anchor, shift = ("start", 8) if x < WIDTH * 0.55 else ("end", -8)
        text = threshold_label or _("Threshold %(value)s") % {"value": show(limit)}
        parts.append(_text(x + shift, plot_top + 4, text, anchor, 13, INK, True))
        sentence = _("%(share)s of records lie beyond") % {"share": percent(beyond)}
        parts.append(_text(x + shift, base - 14, sentence, anchor, 13, colour, True))
    if x_label:
        parts.append(_text(left + plot_width / 2, base + 42, x_label, "middle", 13, MUTE))
    description = _("Cumulative curve with %(count)s steps.") % {"count": len(line)}
    if beyond is not None:
        description += " " + _("%(share)s of records lie beyond the threshold.") % {"share": percent(beyond)}
    rows = tuple((show(x), percent(y)) for x, y in line)
    columns = (x_label or _("At most"), y_label or _("Share of records"))
    return Chart(_svg(WIDTH, base + 50, title, description, parts), title, columns, rows)


def risk_gauge(
    measured: object, threshold: object, title: str, measured_label: str = "", threshold_label: str = ""
) -> Chart:
    """Measured risk against its threshold on one scale that starts at zero; both are shares between 0 and 1.

    ``measured`` None means that the risk could not be measured; the gauge then says so and shows no bar.
    """
    limit = _clamp(threshold)
    known = measured is not None
    value = _clamp(measured) if known else 0.0
    top = min(1.0, _nice_top(max(value * 1.1, limit * 1.6))) or 1.0
    left, plot = 8, WIDTH - 16
    bar_y, bar_h = 52, 26
    over = known and value > limit
    x_limit, x_value = left + limit / top * plot, left + value / top * plot
    parts = [
        _rect(left, bar_y, plot, bar_h, "#eef1f2"),
        _rect(left, bar_y, limit / top * plot, bar_h, "#dbe9e1"),
    ]
    if known:
        parts.append(
            _rect(
                left,
                bar_y + 6,
                max(x_value - left, 2),
                bar_h - 12,
                FAIL_FILL if over else ACCENT,
                BREACH if over else "",
            )
        )
    parts.append(_line(x_limit, bar_y - 10, x_limit, bar_y + bar_h + 10, INK, 2.5))

    def anchor(x: float) -> str:
        return "start" if x < WIDTH * 0.3 else "end" if x > WIDTH * 0.7 else "middle"

    limit_text = threshold_label or _("Threshold %(value)s") % {"value": percent(limit)}
    parts.append(_text(x_limit, bar_y + bar_h + 28, limit_text, anchor(x_limit), 14, INK, True))
    if known:
        outcome = _("over the threshold") if over else _("within the threshold")
        text = f"{measured_label or _('Measured')} {percent(value)} · {outcome}"
    else:
        text = _("Not measured")
    parts.append(_text(left, 24, text, "start", 17, FAIL if over else INK if known else MUTE, True))
    parts.append(_text(left, bar_y + bar_h + 52, "0%", "start", 13, MUTE))
    parts.append(_text(left + plot, bar_y + bar_h + 52, percent(top), "end", 13, MUTE))
    rows = (
        (measured_label or _("Measured"), percent(value) if known else "—"),
        (_("Threshold"), percent(limit)),
    )
    return Chart(_svg(WIDTH, bar_y + bar_h + 60, title, text, parts), title, (_("Measure"), _("Value")), rows)


def before_after(
    data: Iterable[Any],
    title: str,
    before_label: str = "",
    after_label: str = "",
    share: bool = True,
    of_sum: bool = True,
) -> Chart:
    """The distribution of one column before and after processing, two lying bars a category.

    ``data``: (label, before, after) with counts or shares; with ``share`` each side is shown as part of its own
    sum, unless ``of_sum`` is off: then they are shares already. At most 15 categories are drawn, the rest is
    summed; the table carries all.
    """
    rows_in = [(str(label), max(finite(b), 0.0), max(finite(a), 0.0)) for label, b, a in data]
    if not rows_in:
        return _empty(title, WIDTH)
    before_label, after_label = before_label or _("Before"), after_label or _("After")
    sums = [sum(b for _l, b, _a in rows_in) or 1.0, sum(a for _l, _b, a in rows_in) or 1.0]
    if share and of_sum:
        rows_in = [(label, b / sums[0], a / sums[1]) for label, b, a in rows_in]
    show = percent if share else number
    table = tuple((label, show(b), show(a)) for label, b, a in rows_in)
    drawn = rows_in
    if len(drawn) > 15:
        rest = drawn[14:]
        drawn = [*drawn[:14], (_("All others"), sum(r[1] for r in rest), sum(r[2] for r in rest))]
    top = max(max(b, a) for _label, b, a in drawn) or 1.0
    left, right, row, head = 118, 64, 42, 34
    scale = (WIDTH - left - right) / top
    parts: list[str] = [
        _rect(left, 6, 16, 12, TINT, f' stroke="{SOFT}"'),
        _text(left + 24, 17, before_label, size=13, fill=INK),
        _rect(left + 120, 6, 16, 12, ACCENT),
        _text(left + 144, 17, after_label, size=13, fill=INK),
    ]
    for index, (label, b, a) in enumerate(drawn):
        y = head + row * index
        parts.append(_text(left - 10, y + 21, _shorten(label, 14), "end", 14, INK))
        parts.append(_rect(left, y + 2, max(b * scale, 1), 14, TINT, f' stroke="{SOFT}" stroke-width="0.75"'))
        parts.append(_rect(left, y + 18, max(a * scale, 1), 14, ACCENT))
        parts.append(_text(left + b * scale + 6, y + 14, show(b), size=12, fill=SOFT))
        parts.append(_text(left + a * scale + 6, y + 30, show(a), size=12, fill=INK, bold=True))
    bottom = head + row * len(drawn)
    parts.append(_line(left, head - 4, left, bottom, INK))
    description = "; ".join(f"{label}: {show(b)} → {show(a)}" for label, b, a in drawn[:8])
    columns = (_("Category"), before_label, after_label)
    return Chart(_svg(WIDTH, bottom + 4, title, description, parts), title, columns, table)
