"""What may be done to a table of levels: plain functions from rows to rows, and one that says whether they are sound.

Rows are lists of texts as :class:`techniques.hierarchies.definitions.Table` has them: the value (level 0), then what it becomes
level by level. A *group* is an entry of a level above the value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from django.utils.translation import gettext as _

from techniques.core.messages import EngineError, gettext_noop
from techniques.core.validation import validated
from techniques.hierarchies.definitions import Table

Rows = list[list[str]]
STAR = "*"
MOST_LEVELS = 20


class Unsound(Exception):
    """What was wished cannot be; the text says why."""


def checked(rows: Rows) -> Rows:
    """``rows`` as they are, once they are a table of levels; :class:`Unsound` otherwise."""
    width = len(rows[0]) if rows else 0
    for number, row in enumerate(rows, start=1):
        if len(row) != width:
            raise Unsound(_("Row %(row)s has a different number of levels.") % {"row": number})
        if not all(cell.strip() for cell in row):
            raise Unsound(_("Row %(row)s has an empty cell.") % {"row": number})
    for level in range(1, width - 1):
        parents: dict[str, str] = {}
        for row in rows:
            parent = parents.setdefault(row[level], row[level + 1])
            if parent != row[level + 1]:
                text = _(
                    "The group “%(group)s” of level %(level)s would be under both “%(one)s” and "
                    "“%(other)s”: give it a different name, or put all of its values under one of "
                    "them."
                )
                raise Unsound(
                    text % {"group": row[level], "level": level, "one": parent, "other": row[level + 1]}
                )
    repeated = [value for value, times in Counter(row[0] for row in rows).items() if times > 1]
    if repeated:
        raise Unsound(_("The value “%(value)s” appears there twice.") % {"value": repeated[0]})
    return rows


def groups(rows: Rows, level: int) -> list[tuple[str, int]]:
    """The groups of a level in the order of the rows, each with how many values it has."""
    return list(Counter(row[level] for row in rows).items())


def renamed(rows: Rows, level: int, old: str, new: str) -> Rows:
    """The group ``old`` of a level is called ``new``; where there is one of that name they become one."""
    new = new.strip()
    if not any(row[level] == old for row in rows):
        raise Unsound(_("Choose a group of level %(level)s.") % {"level": level})
    if not new:
        raise Unsound(_("Give the group a name."))
    return checked([[*row[:level], new, *row[level + 1 :]] if row[level] == old else row for row in rows])


def named(rows: Rows, names: Sequence[tuple[int, int, str]]) -> Rows:
    """Groups that were given names, each by a level and a row that stands in it; all at once, so that two may change places."""
    given: dict[tuple[int, str], str] = {}
    for level, row, text in names:
        if 0 <= row < len(rows) and 0 < level < len(rows[row]) and text.strip() != rows[row][level]:
            given[level, rows[row][level]] = text.strip()
    return checked(
        [[given.get((level, cell), cell) for level, cell in enumerate(row)] for row in rows]
        if given
        else rows
    )


def within(rows: Rows, level: int, row: int) -> list[str]:
    """The values of the group of a level that a row stands in."""
    if not (0 <= row < len(rows) and 0 < level < len(rows[row])):
        return []
    return [one[0] for one in rows if one[level] == rows[row][level]]


def moved(rows: Rows, values: Collection[str], level: int, group: str) -> Rows:
    """The ``values`` come into a group of a level, and above it to where that group stands; a new one stays where they are."""
    group = group.strip()
    if not values:
        raise Unsound(_("Tick the values to put into the group."))
    if not group:
        raise Unsound(_("Give the group a name."))
    above = next((row[level + 1 :] for row in rows if row[level] == group), None)
    return checked(
        [
            [*row[:level], group, *(row[level + 1 :] if above is None else above)]
            if row[0] in values
            else row
            for row in rows
        ]
    )


def written(rows: Rows, cells: Sequence[tuple[int, int, str]]) -> Rows:
    """What was typed: (row, level, text) of cells above the value."""
    made = [[*row] for row in rows]
    for row, level, text in cells:
        if 0 <= row < len(made) and 0 < level < len(made[row]):
            made[row][level] = text.strip()
    return checked(made)


def level_added(rows: Rows, after: int) -> Rows:
    """One level more behind the level ``after``, on which everything is as on that one."""
    if not rows or not 0 <= after < len(rows[0]):
        raise Unsound(_("There is no such level."))
    if len(rows[0]) > MOST_LEVELS:
        raise Unsound(_("A hierarchy has at most %(most)s levels.") % {"most": MOST_LEVELS})
    return [[*row[: after + 1], row[after], *row[after + 1 :]] for row in rows]


def level_removed(rows: Rows, level: int) -> Rows:
    """Without a level; the values themselves stay."""
    if not rows or not 0 < level < len(rows[0]):
        raise Unsound(_("There is no such level."))
    return checked([[*row[:level], *row[level + 1 :]] for row in rows])


def values_added(rows: Rows, values: Sequence[str]) -> Rows:
    """With values more, each alone in a group of its name up to the last level, on which it is with the others where all are."""
    width = max(len(rows[0]) if rows else 2, 1)
    tops = {row[-1] for row in rows}
    top = next(iter(tops)) if len(tops) == 1 and width > 1 else STAR
    fresh = [one for one in dict.fromkeys(value.strip() for value in values) if one]
    if not fresh:
        raise Unsound(_("Write the values, one per line."))
    return checked([*rows, *([value] * (width - 1) + [top] if width > 1 else [value] for value in fresh)])


def values_removed(rows: Rows, values: Collection[str]) -> Rows:
    """Without these values."""
    if not values:
        raise Unsound(_("Tick the values to remove."))
    return [row for row in rows if row[0] not in values]


def sound(rows: Rows) -> None:
    """:class:`EngineError` unless the engine takes the table."""
    if not rows:
        raise EngineError("table_empty", gettext_noop("The table of levels has no value yet."))
    validated(Table, {"kind": "table", "rows": rows})
