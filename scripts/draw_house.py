"""Draw docs/images/house.svg, the picture of the house, from its imports: ``python scripts/draw_house.py [--check]``.

A box is a package, with the number of its modules; it stands one floor above the highest that it imports. An arrow leads
from a package to one that it imports, with the number of import statements, unless a longer way over drawn arrows says
it already (the transitive reduction); the table on the right has all of them, in the order of the import contract, and an import
that runs against it is red in both. With ``--check`` nothing is written, and the exit code is 1 when the picture is not the one that the imports give.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from xml.sax.saxutils import escape

from house_imports import PRESCRIBED_FOLDERS, Arrow, House, levels, read_house, room, room_arrows

ROW, BOX_HEIGHT, BOX_WIDTH, GAP = 76, 38, 158, 26
LEFT, TOP = 24, 74
CELL = 27

# Ink and paper of the design system's light theme.
INK, QUIET, LINE, PAPER = "#1f2933", "#5b6770", "#c9d1d8", "#ffffff"
FILLS = {"deid_portal": "#e8eef7", "projects": "#eef5ee", "approvals": "#f8f1e4", "techniques": "#f8f1e4"}
FAULT = "#b3261e"


def label(name: str) -> str:
    """What a box says: the folder's own name."""
    return name.removeprefix("projects.")


def sizes(house: House) -> Counter[str]:
    """Package → how many modules it has, without migrations, commands and ``__init__.py``."""
    return Counter(
        room(name)
        for name in house.modules
        if not house.is_package(name) and not PRESCRIBED_FOLDERS.intersection(name.split("."))
    )


def floors(names: Collection[str], forward: Counter[Arrow]) -> dict[str, int]:
    """Package → its floor: one above the highest that it imports, 0 for who imports nobody."""
    result: dict[str, int] = {}
    while len(result) < len(names):
        for name in sorted(set(names) - result.keys()):
            below = [target for source, target in forward if source == name]
            if all(target in result for target in below):
                result[name] = 1 + max((result[target] for target in below), default=-1)
    return result


def reduced(forward: Counter[Arrow]) -> list[Arrow]:
    """The arrows that no longer way over others says already."""
    beyond: dict[str, set[str]] = {}

    def reach(name: str) -> set[str]:
        if name not in beyond:
            below = [target for source, target in forward if source == name]
            beyond[name] = {*below, *(further for target in below for further in reach(target))}
        return beyond[name]

    return sorted(
        (source, target)
        for source, target in forward
        if not any(target in reach(other) for start, other in forward if start == source and other != target)
    )


def places(floor: dict[str, int]) -> dict[str, tuple[int, int]]:
    """Package → left and top of its box; those of one floor stand side by side, the floor in the middle of the house."""
    highest = max(floor.values())
    widest = max(sum(level == number for level in floor.values()) for number in range(highest + 1))
    result = {}
    for level in range(highest + 1):
        beside = sorted(name for name in floor if floor[name] == level)
        indent = (widest - len(beside)) * (BOX_WIDTH + GAP) // 2
        for number, name in enumerate(beside):
            result[name] = (LEFT + indent + number * (BOX_WIDTH + GAP), TOP + (highest - level) * ROW)
    return result


def box(name: str, at: tuple[int, int], modules: int) -> str:
    """A package."""
    left, top = at
    fill = FILLS[name.partition(".")[0]]
    return (
        f'<rect x="{left}" y="{top}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6" fill="{fill}" stroke="{LINE}"/>'
        f'<text x="{left + 14}" y="{top + 24}" class="name">{escape(label(name))}</text>'
        f'<text x="{left + BOX_WIDTH - 12}" y="{top + 24}" class="small" text-anchor="end">{modules}</text>'
    )


def meets(line: tuple[int, int, int, int], at: tuple[int, int]) -> bool:
    """Whether a line from above to below runs through a box, with a little air about it."""
    x1, y1, x2, y2 = line
    left, top = at
    heights = [y for y in range(top - 4, top + BOX_HEIGHT + 5, 2) if y1 < y < y2]
    return any(left - 8 < x1 + (x2 - x1) * (y - y1) / (y2 - y1) < left + BOX_WIDTH + 8 for y in heights)


def straight(ends: Arrow, at: dict[str, tuple[int, int]]) -> tuple[int, int, int, int] | None:
    """A line from below one box to above the other that meets no third; where there is one."""
    source, target = at[ends[0]], at[ends[1]]
    y1, y2 = source[1] + BOX_HEIGHT, target[1]
    for share in (2, 3, 5):
        for x1 in (source[0] + BOX_WIDTH // share, source[0] + BOX_WIDTH - BOX_WIDTH // share):
            for x2 in (target[0] + BOX_WIDTH // share, target[0] + BOX_WIDTH - BOX_WIDTH // share):
                line = (x1, y1, x2, y2)
                if y1 < y2 and not any(meets(line, where) for name, where in at.items() if name not in ends):
                    return line
    return None


def arrow(ends: Arrow, at: dict[str, tuple[int, int]], number: int, edge: int, backward: bool) -> str:
    """A straight line where one fits, else one round the house at ``edge``."""
    tip = "fault" if backward else "tip"
    if not backward and (line := straight(ends, at)):
        x1, y1, x2, y2 = line
        path = f"M{x1} {y1} L{x2} {y2 - 2}"
        place = (round(x1 + (x2 - x1) * 0.45) + 7, round(y1 + (y2 - y1) * 0.45) + 5)
    else:
        (x1, y1), (x2, y2) = ((x + BOX_WIDTH, y + BOX_HEIGHT // 2) for x, y in (at[name] for name in ends))
        start = f"M{x1} {y1}"
        if any(y == at[ends[0]][1] and x > at[ends[0]][0] for x, y in at.values()):
            x1, y1 = x1 - BOX_WIDTH // 4, y1 + BOX_HEIGHT // 2 + 10
            start = f"M{x1} {y1 - 10} L{x1} {y1}"
        bend = 14 if y2 > y1 else -14
        path = (
            f"{start} L{edge - 14} {y1} Q{edge} {y1} {edge} {y1 + bend} "
            f"L{edge} {y2 - bend} Q{edge} {y2} {edge - 14} {y2} L{x2 + 2} {y2}"
        )
        place = (edge + 6, (y1 + y2) // 2)
    return (
        f'<path d="{path}" class="{tip}" marker-end="url(#{tip})"/>'
        f'<text x="{place[0]}" y="{place[1]}" class="small halo">{number}</text>'
    )


def table(names: list[str], arrows: Counter[Arrow], left: int) -> str:
    """Every import between packages: the row imports the column. What stands right of the diagonal runs back."""
    head = 104
    parts = [f'<text x="{left}" y="{TOP - 36}" class="title">Every import: the row imports the column</text>']
    start = left + 104
    for number, name in enumerate(names):
        x, y = start + number * CELL, TOP + head + number * CELL
        parts.append(
            f'<text transform="translate({x + CELL // 2 + 4} {TOP + head - 8}) rotate(-60)" class="small">{label(name)}</text>'
            f'<text x="{start - 10}" y="{y + 18}" class="small" text-anchor="end">{label(name)}</text>'
            f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{LINE}"/>'
        )
    for (source, target), number in sorted(arrows.items()):
        row, column = names.index(source), names.index(target)
        x, y = start + column * CELL, TOP + head + row * CELL
        kind = "cell back" if column < row else "cell"
        parts.append(f'<text x="{x + CELL // 2}" y="{y + 18}" class="{kind}">{number}</text>')
    size = len(names) * CELL
    for number in range(len(names) + 1):
        at = number * CELL
        parts.append(
            f'<path d="M{start + at} {TOP + head} v{size} M{start} {TOP + head + at} h{size}" stroke="{LINE}" stroke-width="0.6"/>'
        )
    return "".join(parts)


def marker(name: str, colour: str) -> str:
    """The tip of an arrow."""
    return (
        f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0 L8 4 L0 8 z" fill="{colour}"/></marker>'
    )


def picture(house: House) -> str:
    """The whole drawing as SVG."""
    order, arrows = levels(house.root), room_arrows(house)
    forward = Counter({ends: number for ends, number in arrows.items() if order[ends[0]] > order[ends[1]]})
    at, modules = places(floors(order, forward)), sizes(house)
    names = sorted(order, key=lambda name: (-order[name], name))
    drawn = []
    edge = max(x for x, _ in at.values()) + BOX_WIDTH
    for ends in [*reduced(forward), *sorted(arrows - forward)]:
        backward = ends not in forward
        if backward or straight(ends, at) is None:
            edge += 26
        drawn.append(arrow(ends, at, arrows[ends], edge, backward))
    left = edge + 60
    width = left + 104 + len(names) * CELL + 40
    height = max(y for _, y in at.values()) + BOX_HEIGHT + 34
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="t d">'
        '<title id="t">The house, drawn from its imports</title>'
        '<desc id="d">Packages as boxes, the site above the stages, the stages above approvals and engine; arrows lead to what '
        "is imported.</desc>"
        "<style>text{font-family:system-ui,-apple-system,'Segoe UI','Noto Sans',sans-serif;fill:" + INK + "}"
        ".name{font-size:15px;font-weight:600}.small{font-size:12px;fill:" + QUIET + "}"
        ".title{font-size:14px;font-weight:600}.cell{font-size:11.5px;text-anchor:middle}"
        f".back{{fill:{FAULT};font-weight:700}}.halo{{paint-order:stroke;stroke:{PAPER};stroke-width:4px}}"
        f".tip{{fill:none;stroke:{QUIET};stroke-width:1.2}}.fault{{fill:none;stroke:{FAULT};stroke-width:1.2}}</style>"
        f"<defs>{marker('tip', QUIET)}{marker('fault', FAULT)}</defs>"
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>'
        f'<text x="{LEFT}" y="{TOP - 36}" class="title">Packages, number of modules, imports</text>'
        + "".join(drawn)
        + "".join(box(name, at[name], modules[name]) for name in names)
        + table(names, arrows, left)
        + "</svg>"
    ).replace("><", ">\n<") + "\n"


def main() -> int:
    """Write the picture, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--check", action="store_true", help="only compare")
    parser.add_argument(
        "--root", type=Path, default=Path(__file__).resolve().parents[1], help="another copy of the code"
    )
    parser.add_argument("--to", type=Path, help="another place than docs/images/house.svg")
    options = parser.parse_args()
    place = options.to or options.root / "docs/images/house.svg"
    drawn = picture(read_house(options.root))
    if not options.check:
        place.write_text(drawn, encoding="utf-8")
    elif not place.exists() or place.read_text(encoding="utf-8") != drawn:
        sys.stderr.write(f"{place.name} is not what the imports give: make house-picture\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
