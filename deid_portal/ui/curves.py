"""More drawings of the same kind: cumulative curve, risk gauge, distribution before and after."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _

from approvals.passages import passage
from projects.core.numbers import number, percent

from . import drawing as draw

MAX_POINTS = 200


def _clamp(value: object) -> float:
    return min(max(draw.finite(value), 0.0), 1.0)


def cumulative_curve(
    points: Iterable[Sequence[Any]],
    title: str,
    threshold: object = None,
    threshold_label: str = "",
    x_label: str = "",
    y_label: str = "",
    x_share: bool = True,
) -> draw.Chart:
    """A rising step curve: ``points`` are (x, share of records at or below x), shares between 0 and 1.

    With ``x_share`` the x values are shares too (a risk); otherwise plain numbers. The threshold is a dashed
    line, and the share of records beyond it is written beside it. More than 200 points are thinned evenly.
    """
    line = sorted((max(draw.finite(x), 0.0), _clamp(y)) for x, y in points)
    if not line:
        return draw.empty(title, draw.WIDTH)
    if len(line) > MAX_POINTS:
        keep = {round(i * (len(line) - 1) / (MAX_POINTS - 1)) for i in range(MAX_POINTS)}
        line = [line[i] for i in sorted(keep)]
    show = percent if x_share else number
    limit = None if threshold is None else max(draw.finite(threshold), 0.0)
    top = max(draw.nice_top(max(line[-1][0], limit or 0.0)), 1e-9)
    left, right, plot_top, plot_height = 52, 14, 36, 180
    base, plot_width = plot_top + plot_height, draw.WIDTH - left - right

    def at(x: float, y: float) -> tuple[float, float]:
        return left + min(x / top, 1.0) * plot_width, base - y * plot_height

    parts = draw.Parts()
    parts.text(0, 14, y_label or _("Share of records"), size=13, fill=draw.MUTE)
    parts.share_axes(left, draw.WIDTH - right, base, plot_height, lambda share: show(top * share))
    path = [f"M{draw.place(at(0, 0)[0])} {draw.place(at(0, 0)[1])}"]
    for x, y in line:
        px, py = at(x, y)
        path.append(f"H{draw.place(px)}V{draw.place(py)}")
    path.append(f"H{draw.place(draw.WIDTH - right)}")
    parts.append(f'<path d="{"".join(path)}" fill="none" stroke="{draw.ACCENT}" stroke-width="2.5"/>')
    beyond = None
    if limit is not None:
        index = bisect.bisect_right([x for x, _y in line], limit) - 1
        within = line[index][1] if index >= 0 else 0.0
        beyond = max(0.0, 1.0 - within)
        x, y = at(limit, within)
        parts.line(x, plot_top - 8, x, base, draw.INK, 2, "5 3")
        colour = draw.FAIL if beyond > 0 else draw.OK
        parts.circle(x, y, 5, "#ffffff", f' stroke="{colour}" stroke-width="2.5"')
        anchor, shift = ("start", 8) if x < draw.WIDTH * 0.55 else ("end", -8)
        text = threshold_label or _("Threshold %(value)s") % {"value": show(limit)}
        parts.text(x + shift, plot_top + 4, text, anchor, 13, draw.INK, True)
        sentence = _("%(share)s of records lie beyond") % {"share": percent(beyond)}
        parts.text(x + shift, base - 14, sentence, anchor, 13, colour, True)
    if x_label:
        parts.text(left + plot_width / 2, base + 42, x_label, "middle", 13, draw.MUTE)
    description = _("Cumulative curve with %(count)s steps.") % {"count": len(line)}
    if beyond is not None:
        lies = _("%(share)s of records lie beyond the threshold.") % {"share": percent(beyond)}
        description = passage((description, lies))
    rows = tuple((show(x), percent(y)) for x, y in line)
    columns = (x_label or _("At most"), y_label or _("Share of records"))
    return draw.Chart(draw.svg(draw.WIDTH, base + 50, title, description, parts), title, columns, rows)


def risk_gauge(
    measured: object, threshold: object, title: str, measured_label: str = "", threshold_label: str = ""
) -> draw.Chart:
    """Measured risk against its threshold on one scale that starts at zero; both are shares between 0 and 1.

    ``measured`` None means that the risk could not be measured; the gauge then says so and shows no bar.
    """
    limit = _clamp(threshold)
    known = measured is not None
    value = _clamp(measured) if known else 0.0
    top = min(1.0, draw.nice_top(max(value * 1.1, limit * 1.6))) or 1.0
    left, plot = 8, draw.WIDTH - 16
    bar_y, bar_h = 52, 26
    over = known and value > limit
    x_limit, x_value = left + limit / top * plot, left + value / top * plot
    parts = draw.Parts()
    parts.rect(left, bar_y, plot, bar_h, "#eef1f2")
    parts.rect(left, bar_y, limit / top * plot, bar_h, "#dbe9e1")
    if known:
        parts.rect(
            left,
            bar_y + 6,
            max(x_value - left, 2),
            bar_h - 12,
            draw.FAIL_FILL if over else draw.ACCENT,
            draw.BREACH if over else "",
        )
    parts.line(x_limit, bar_y - 10, x_limit, bar_y + bar_h + 10, draw.INK, 2.5)

    def anchor(x: float) -> str:
        return "start" if x < draw.WIDTH * 0.3 else "end" if x > draw.WIDTH * 0.7 else "middle"

    limit_text = threshold_label or _("Threshold %(value)s") % {"value": percent(limit)}
    parts.text(x_limit, bar_y + bar_h + 28, limit_text, anchor(x_limit), 14, draw.INK, True)
    if known:
        outcome = _("over the threshold") if over else _("within the threshold")
        text = f"{measured_label or _('Measured')} {percent(value)} · {outcome}"
    else:
        text = _("Not measured")
    parts.text(left, 24, text, "start", 17, draw.FAIL if over else draw.INK if known else draw.MUTE, True)
    parts.text(left, bar_y + bar_h + 52, "0%", "start", 13, draw.MUTE)
    parts.text(left + plot, bar_y + bar_h + 52, percent(top), "end", 13, draw.MUTE)
    rows = (
        (measured_label or _("Measured"), percent(value) if known else "–"),
        (_("Threshold"), percent(limit)),
    )
    return draw.Chart(
        draw.svg(draw.WIDTH, bar_y + bar_h + 60, title, text, parts), title, (_("Measure"), _("Value")), rows
    )


def before_after(
    data: Iterable[Any],
    title: str,
    before_label: str = "",
    after_label: str = "",
    share: bool = True,
    of_sum: bool = True,
) -> draw.Chart:
    """The distribution of one column before and after processing, two lying bars a category.

    ``data``: (label, before, after) with counts or shares; with ``share`` each side is shown as part of its own
    sum, unless ``of_sum`` is off: then they are shares already. At most 15 categories are drawn, the rest is
    summed; the table carries all.
    """
    rows_in = [(str(label), max(draw.finite(b), 0.0), max(draw.finite(a), 0.0)) for label, b, a in data]
    if not rows_in:
        return draw.empty(title, draw.WIDTH)
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
    scale = (draw.WIDTH - left - right) / top
    parts = draw.Parts()
    parts.rect(left, 6, 16, 12, draw.TINT, f' stroke="{draw.SOFT}"')
    parts.text(left + 24, 17, before_label, size=13, fill=draw.INK)
    parts.rect(left + 120, 6, 16, 12, draw.ACCENT)
    parts.text(left + 144, 17, after_label, size=13, fill=draw.INK)
    for index, (label, b, a) in enumerate(drawn):
        y = head + row * index
        parts.text(left - 10, y + 21, draw.shorten(label, 14), "end", 14, draw.INK)
        parts.rect(
            left, y + 2, max(b * scale, 1), 14, draw.TINT, f' stroke="{draw.SOFT}" stroke-width="0.75"'
        )
        parts.rect(left, y + 18, max(a * scale, 1), 14, draw.ACCENT)
        parts.text(left + b * scale + 6, y + 14, show(b), size=12, fill=draw.SOFT)
        parts.text(left + a * scale + 6, y + 30, show(a), size=12, fill=draw.INK, bold=True)
    bottom = head + row * len(drawn)
    parts.line(left, head - 4, left, bottom, draw.INK)
    description = _("; ").join(f"{label}: {show(b)} → {show(a)}" for label, b, a in drawn[:8])
    columns = (_("Category"), before_label, after_label)
    return draw.Chart(draw.svg(draw.WIDTH, bottom + 4, title, description, parts), title, columns, table)
