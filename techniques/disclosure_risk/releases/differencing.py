"""What two versions of a table of statistics tell by their difference (GB/T 37964 D.1).

A table of counts, sums or means may be safe each time it is published. Where a few people joined or left in between, the
difference of two versions is a table of these few: a count tells in which group they are, a sum or a mean what they
contributed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import pyarrow as pa

from techniques.core import faults
from techniques.core.messages import EngineError, _
from techniques.core.settings import Frozen

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


class _Figure(NamedTuple):
    """A published number, and by how much at most what it stands for may lie off because it was rounded."""

    value: Fraction
    off: Fraction


Group = tuple[str, ...]
_Version = dict[Group, dict[str, _Figure | None]]
_NOBODY = _Figure(Fraction(0), Fraction(0))


class Contribution(Frozen):
    """What the difference tells of a column: what those who joined contributed, less what those who left did, lies from ``low``
    to ``high`` in all."""

    column: str
    low: float
    high: float


class Difference(Frozen):
    """A group in which ``people`` joined (above 0) or left (below 0); 0 where as many are there but a figure has changed."""

    group: Group
    people: int
    contributions: tuple[Contribution, ...] = ()


class Differences(Frozen):
    """Of the ``compared`` groups, ``unchanged`` ones say the same and ``found`` ones tell of fewer than ``least`` people; one of
    the versions hides each of the ``hidden`` groups."""

    least: int
    compared: int
    unchanged: int
    hidden: int
    found: tuple[Difference, ...]


def differences(
    before: pa.Table,
    after: pa.Table,
    by: Sequence[str],
    count: str,
    *,
    sums: Sequence[str] = (),
    means: Sequence[str] = (),
    least: int = 5,
) -> Differences:
    """Compare two versions, tables of texts with a group a row.

    ``by`` name the group, ``count`` has its people, ``sums`` are exact and ``means`` rounded to the decimals that they show. A
    group that one version lacks has nobody there; a count that is no number is hidden. Raises EngineError ``unknown_column``,
    ``group_twice``.
    """
    old, new = (_version(table, by, [count, *sums, *means], frozenset(means)) for table in (before, after))
    found, hidden, unchanged = [], 0, 0
    groups = sorted({*old, *new})
    for group in groups:
        first, second = _figure(old, group, count), _figure(new, group, count)
        if first is None or second is None:
            hidden += 1
            continue
        people = int(second.value - first.value)
        contributions = [
            _contribution(name, _figure(old, group, name), _figure(new, group, name)) for name in sums
        ]
        for name in means:
            one, other = _figure(old, group, name), _figure(new, group, name)
            contributions.append(_contribution(name, _times(one, first), _times(other, second)))
        known = tuple(
            one for one in contributions if one is not None and (people or one.low > 0 or one.high < 0)
        )
        if people == 0 and not known:
            unchanged += 1
        elif abs(people) < least:
            found.append(Difference(group=group, people=people, contributions=known))
    return Differences(
        least=least,
        compared=len(groups) - hidden,
        unchanged=unchanged,
        hidden=hidden,
        found=tuple(found),
    )


def _version(table: pa.Table, by: Sequence[str], columns: Sequence[str], rounded: frozenset[str]) -> _Version:
    for name in (*by, *columns):
        if name not in table.column_names:
            raise faults.unknown_column(name)
    groups = zip(*(table.column(name).to_pylist() for name in by), strict=True)
    figures = [[_read(text, name in rounded) for text in table.column(name).to_pylist()] for name in columns]
    found: _Version = {}
    for group, *values in zip(groups, *figures, strict=True):
        key = tuple(text or "" for text in group)
        if key in found:
            text = _("A group stands twice in the table: name all columns that tell groups apart.")
            raise EngineError("group_twice", text)
        found[key] = dict(zip(columns, values, strict=True))
    return found


def _read(text: str | None, rounded: bool) -> _Figure | None:
    plain = (text or "").strip().replace(",", "")
    found = _NUMBER.fullmatch(plain)
    if found is None:
        return None
    decimals = len(found[1] or ".") - 1
    return _Figure(Fraction(plain), Fraction(1, 2 * 10**decimals) if rounded else Fraction(0))


def _figure(version: _Version, group: Group, column: str) -> _Figure | None:
    return version[group][column] if group in version else _NOBODY


def _times(mean: _Figure | None, people: _Figure) -> _Figure | None:
    """The sum of a mean's people; nobody has none."""
    if people.value == 0:
        return _NOBODY
    return None if mean is None else _Figure(mean.value * people.value, mean.off * people.value)


def _contribution(column: str, first: _Figure | None, second: _Figure | None) -> Contribution | None:
    if first is None or second is None:
        return None
    more, off = second.value - first.value, first.off + second.off
    return Contribution(column=column, low=float(more - off), high=float(more + off))
