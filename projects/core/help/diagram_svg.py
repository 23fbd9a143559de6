"""The process as a picture of our own: stages from left to right, one lane for each role.

Drawn from the tables; presentation attributes only, so that it passes the content security policy.
"""

from __future__ import annotations

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from projects.workflow import MOVES, STAGES, STATES, TERMINAL, Role, Stage, State

from .diagram import drawn_moves

COLUMN, LANE, BOX_W, BOX_H = 168, 92, 132, 46
LEFT, TOP = 128, 44
COLUMNS: tuple[Stage, ...] = (*STAGES, Stage.CLOSED)
LANES: tuple[Role | None, ...] = (Role.PLANNER, Role.EXECUTOR, Role.SUPERVISOR, Role.MANAGEMENT, None)
Cell = tuple[int, int]


def places() -> dict[State, Cell]:
    """(column, lane) of each state. A final state stands below the first stage that can end in it."""
    cells: dict[State, Cell] = {}
    for row in STATES.values():
        if row.state not in TERMINAL:
            cells[row.state] = (COLUMNS.index(row.stage), LANES.index(row.owner))
    lane = LANES.index(None)
    for state in State:
        if state in TERMINAL:
            rule = next(rule for rule in MOVES.values() if rule.target == state)
            column = cells[rule.sources[-1]][0]
            while (column, lane) in cells.values():
                column += 1
            cells[state] = (column, lane)
    return cells


def _centre(cell: Cell) -> tuple[float, float]:
    return LEFT + cell[0] * COLUMN + COLUMN / 2, TOP + cell[1] * LANE + LANE / 2


def _lines(label: str) -> list[str]:
    """One or two lines; Chinese is never broken here, it is short enough."""
    words = label.split(" ")
    if len(label) <= 20 or len(words) == 1:
        return [label]
    cut = min(range(1, len(words)), key=lambda i: abs(len(" ".join(words[:i])) - len(label) / 2))
    return [" ".join(words[:cut]), " ".join(words[cut:])]


def _arrow(a: Cell, b: Cell, back: bool) -> str:
    (ax, ay), (bx, by) = _centre(a), _centre(b)
    if a[0] == b[0]:
        down = by > ay
        side = -18 if down else 18
        y1, y2 = (ay + BOX_H / 2, by - BOX_H / 2) if down else (ay - BOX_H / 2, by + BOX_H / 2)
        if abs(a[1] - b[1]) == 1:
            return f"M{ax + side} {y1}V{y2}"
        # Round the boxes that stand between.
        edge = ax - BOX_W / 2
        return f"M{edge} {ay}C{edge - 34} {ay} {edge - 34} {by} {edge} {by}"
    right = bx > ax
    x1, x2 = (ax + BOX_W / 2, bx - BOX_W / 2) if right else (ax - BOX_W / 2, bx + BOX_W / 2)
    if back:
        # Leave and arrive above the middle, so that ways there and back do not lie on each other.
        ay, by = ay - 12, by - 12
    middle = (x1 + x2) / 2
    return f"M{x1} {ay}C{middle} {ay} {middle} {by} {x2} {by}"


def process_svg() -> SafeString:
    """The whole picture; solid: goes on, dashed: goes back."""
    cells = places()
    width, height = LEFT + len(COLUMNS) * COLUMN, TOP + len(LANES) * LANE
    parts = [
        format_html(
            '<svg class="process-map" viewBox="0 0 {} {}" width="{}" height="{}" role="img" aria-labelledby="map-title map-desc" '
            'font-size="12" font-family="inherit">',
            width, height, width, height,
        ),
        format_html('<title id="map-title">{}</title>', _("The process and who acts in it")),
        format_html('<desc id="map-desc">{}</desc>', _("The tables below say the same in words.")),
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" fill="var(--ink-soft)"/></marker></defs>',
    ]  # fmt: skip
    for index, role in enumerate(LANES):
        y = TOP + index * LANE
        if index % 2 == 0:
            parts.append(f'<rect x="0" y="{y}" width="{width}" height="{LANE}" fill="var(--mist)"/>')
        name = role.label if role else _("Nobody: the end")
        parts += [
            _text(10, y + LANE / 2, line, i, len(_lines(str(name))), "start", 600)
            for i, line in enumerate(_lines(str(name)))
        ]
    for index, stage in enumerate(COLUMNS):
        label = str(stage.label) if stage != Stage.CLOSED else _("On hold or ended")
        parts.append(_text(LEFT + index * COLUMN + COLUMN / 2, 24, label, 0, 1, "middle", 600))
    for rule, source, target in drawn_moves():
        a, b = cells[source], cells[target]
        back = target not in TERMINAL and (b[0] < a[0] or (b[0] == a[0] and b[1] < a[1]))
        dash = ' stroke-dasharray="4 4"' if back else ""
        parts.append(
            f'<path d="{_arrow(a, b, back)}" fill="none" stroke="var(--ink-soft)" stroke-width="1.4"{dash} '
            f'marker-end="url(#tip)"><title>{escape(rule.move.label)}</title></path>'
        )
    for state, cell in cells.items():
        cx, cy = _centre(cell)
        stroke = "var(--line-strong)" if state in TERMINAL else "var(--accent)"
        parts.append(
            f'<rect x="{cx - BOX_W / 2}" y="{cy - BOX_H / 2}" width="{BOX_W}" height="{BOX_H}" rx="5" '
            f'fill="var(--paper)" stroke="{stroke}" stroke-width="1.5"/>'
        )
        lines = _lines(str(state.label))
        parts += [_text(cx, cy, line, i, len(lines), "middle", 400) for i, line in enumerate(lines)]
    parts.append("</svg>")
    return mark_safe("".join(str(part) for part in parts))  # noqa: S308  every text is escaped


def _text(x: float, y: float, text: str, index: int, count: int, anchor: str, weight: int) -> str:
    baseline = y + 4 + (index - (count - 1) / 2) * 15
    return format_html(
        '<text x="{}" y="{}" text-anchor="{}" font-weight="{}" fill="var(--ink)">{}</text>',
        x, baseline, anchor, weight, text,
    )  # fmt: skip


def anywhere_labels() -> list[str]:
    return [str(rule.move.label) for rule in MOVES.values() if rule.anywhere]
