"""The way of a project through its stages as a picture: where it stands, who holds it and since when."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from . import drawing as draw

_ROW, _AXIS, _TEXT, _MARK = 66, 17, 46, 13


def course(passages: Iterable[tuple[str, str, str, str]], title: str) -> draw.Chart:
    """``passages``: (stage, done | current | next | blocked, who, when), from the first to the last. A stage that is done has a
    tick, the one under way is filled, one to come is empty; each says so in words in the table.
    """
    steps = list(passages)
    if not steps:
        return draw.empty(title, draw.WIDTH)
    words = {
        "done": _("done"),
        "current": _("under way"),
        "blocked": _("suspended"),
        "next": _("to come"),
    }
    parts = draw.Parts()
    for place, (_label, state, _who, _when) in enumerate(steps[:-1]):
        y = _AXIS + _ROW * place
        parts.line(
            _AXIS, y + _MARK, _AXIS, y + _ROW - _MARK, draw.ACCENT if state == "done" else draw.LINE, 2,
            "" if state == "done" else "4 3",
        )  # fmt: skip
    for place, (label, state, who, when) in enumerate(steps):
        y = _AXIS + _ROW * place
        _mark(parts, y, state, place + 1)
        parts.text(
            _TEXT,
            y + 5,
            draw.shorten(label, 54),
            size=15,
            fill=draw.INK if state != "next" else draw.SOFT,
            bold=True,
        )
        parts.text(
            _TEXT, y + 23, draw.shorten(who, 60), size=13, fill=draw.INK if state == "current" else draw.SOFT
        )
        parts.text(_TEXT, y + 40, draw.shorten(when, 62), size=12, fill=draw.MUTE)
    rows = tuple((label, words[state], who, when) for label, state, who, when in steps)
    said = _("; ").join(_(", ").join(part for part in row if part) for row in rows)
    height = _AXIS + _ROW * (len(steps) - 1) + 48
    columns = (_("Stage"), _("State"), _("Who"), _("When"))
    return draw.Chart(draw.svg(draw.WIDTH, height, title, said, parts), title, columns, rows)


def _mark(parts: draw.Parts, y: float, state: str, number: int) -> None:
    if state == "done":
        parts.circle(_AXIS, y, _MARK, draw.TINT, f' stroke="{draw.ACCENT}" stroke-width="1.5"')
        ends = ((-5, 0), (-1.5, 4), (5.5, -4.5))
        points = " ".join(f"{draw.place(_AXIS + across)},{draw.place(y + down)}" for across, down in ends)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{draw.INK}" stroke-width="2.2"/>')
        return
    if state == "next":
        parts.circle(_AXIS, y, _MARK, "none", f' stroke="{draw.SOFT}" stroke-width="1.5"')
        parts.text(_AXIS, y + 5, number, "middle", 13, draw.SOFT)
        return
    blocked = state == "blocked"
    parts.circle(_AXIS, y, _MARK, draw.FAIL_FILL if blocked else draw.ACCENT, draw.BREACH if blocked else "")
    parts.text(_AXIS, y + 5, number, "middle", 13, "#ffffff", True)
