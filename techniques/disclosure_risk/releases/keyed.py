"""What releases tell together that hold the same pseudonyms, whatever their sources (GB/T 37964 D.3, D.4).

A pseudonym under one key is the same in each release, so that rows are joined by it although the releases have no column of a
person in common besides. Who knows of somebody what all of them say looks for the joined rows: the classes of these are
smaller than those of any release, and of so many columns together few may be alone with theirs (D.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.core import faults
from techniques.core.messages import EngineError, _
from techniques.core.subjects import Subjects, persons, persons_of_groups
from techniques.disclosure_risk.entropy import entropy_risk
from techniques.disclosure_risk.releases.covers import SUPPRESSED, Combinations, Numbers, known_columns
from techniques.disclosure_risk.releases.findings import Dimensions, Inference, Joined
from techniques.disclosure_risk.sizes import MANY_COLUMNS, columns_that_tell

MOST_PAIRS = 20_000_000
"""Joined rows that are looked at together."""
MOST_CELLS = 100_000_000
"""Joined rows times all quasi-identifiers, which are in memory together."""
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Keyed:
    """The rows of one release as texts; ``key`` are the columns whose pseudonyms it shares with others, ``subjects`` say whose each
    row is, None where one row is one person."""

    name: str
    table: pa.Table
    key: tuple[str, ...]
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    subjects: Subjects | None = None


def joined(releases: Sequence[Keyed], *, k: int) -> Joined:
    """Join the rows of two releases or more by their keys, and count the persons of the first by what all say of them.

    A row that lacks a part of its key, or has ``*`` there, is joined to none. A person counts by the joined row that leaves fewest.
    Raises EngineError ``releases_few``, ``keys_differ`` where keys have not the same number of columns, ``unknown_column``,
    ``composition_too_large``.
    """
    if len(releases) < 2 or len({one.name for one in releases}) < len(releases):
        raise EngineError("releases_few", _("Name at least two different releases of the source."))
    if len({len(one.key) for one in releases}) > 1 or not releases[0].key:
        text = _("The keys by which releases are joined have not the same number of columns.")
        raise EngineError("keys_differ", text)
    for one in releases:
        for name in (*one.key, *one.quasi, *one.sensitive):
            if name not in one.table.column_names:
                raise faults.unknown_column(name)
    sides = [_Side.of(one, codes) for one, codes in zip(releases, pseudonym_codes(releases), strict=True)]
    rows = _rows(sides)
    units = sides[0].units[rows[0]]
    known = [known_columns(one.table, one.quasi) for one in releases]
    dimensions = Dimensions(alone=max(map(len, known)), together=len(set().union(*known)))
    shown = Joined(
        releases=tuple(one.name for one in releases),
        key=releases[0].key,
        held=tuple(one.people for one in sides),
        dimensions=dimensions,
    )
    if not len(units):
        return shown
    few = _few(sides, rows, units, known) if dimensions.together >= MANY_COLUMNS else {}
    figures = {**_figures(sides, rows, units, k), "dimensions": dimensions.model_copy(update=few)}
    return shown.model_copy(update=figures)


@dataclass(frozen=True)
class _Side:
    """A release beside the others: of each of n rows the pseudonym (n,), -1 where it has none, its class by the
    quasi-identifiers, whose it is, how many persons its class has, and of each sensitive attribute the code of its value, -1 where
    missing, and whether all of its class have that value."""

    release: Keyed
    pseudonym: Numbers
    of_class: Numbers
    units: Numbers
    people: int
    sizes: Numbers
    values: tuple[Numbers, ...]
    certain: tuple[Flags, ...]

    @classmethod
    def of(cls, release: Keyed, pseudonym: Numbers) -> _Side:
        table = release.table
        classes = Combinations.of(table, release.quasi)
        units, people = (
            (np.arange(table.num_rows), table.num_rows)
            if release.subjects is None
            else persons(release.subjects)
        )
        sizes = persons_of_groups(classes.of_row, classes.number, units.astype(np.int32))[classes.of_row]
        values = tuple(_values(table, name) for name in release.sensitive)
        certain = tuple(_only(classes.of_row, classes.number, one) for one in values)
        return cls(release, pseudonym, classes.of_row, units.astype(np.int64), people, sizes, values, certain)

    def different(self) -> Numbers:
        """The rows that differ in pseudonym, class, person or a sensitive value, by ascending pseudonym."""
        there = np.flatnonzero(self.pseudonym >= 0)
        columns = [self.pseudonym, self.of_class, self.units, *self.values]
        table = np.stack([one[there] for one in columns])
        return there[np.unique(table, axis=1, return_index=True)[1]]


def pseudonym_codes(releases: Sequence[Keyed]) -> list[Numbers]:
    """Of each release the code (n,) of each row's pseudonym, the same in all, -1 where a part of it is missing."""
    names = [f"{place}" for place in range(len(releases[0].key))]
    stacked = {
        name: pa.concat_arrays(
            [one.table.column(one.key[place]).combine_chunks().cast(pa.string()) for one in releases]
        )
        for place, name in enumerate(names)
    }
    table = pa.table({name: _without(column) for name, column in stacked.items()})
    found = Combinations.of(table, names)
    whole: Flags = np.logical_and.reduce(found.codes >= 0, axis=0)
    codes = np.where(whole[found.of_row], found.of_row, -1)
    return np.split(codes, np.cumsum([one.table.num_rows for one in releases])[:-1])


def _without(texts: pa.Array) -> pa.Array:
    """``*`` as missing."""
    return pc.if_else(pc.equal(texts, SUPPRESSED), pa.scalar(None, pa.string()), texts)


def _values(table: pa.Table, column: str) -> Numbers:
    found = Combinations.of(table, [column])
    code = found.codes[0].astype(np.int64)
    star = pc.index(found.values[0], SUPPRESSED).as_py()
    return np.where(code == star, -1, code)[found.of_row] if star >= 0 else code[found.of_row]


def _only(groups: Numbers, number: int, values: Numbers) -> Flags:
    """(n,): whether all rows of a row's group have one value that is not missing."""
    least = np.full(number, np.iinfo(np.int64).max)
    most = np.full(number, -1, np.int64)
    np.minimum.at(least, groups, values)
    np.maximum.at(most, groups, values)
    one_value: Flags = (least == most) & (most >= 0)
    return one_value[groups]


def _rows(sides: Sequence[_Side]) -> list[Numbers]:
    """Of each release, which of its rows stands in each joined row."""
    first = sides[0].different()
    found, pseudonym = [first], sides[0].pseudonym[first]
    columns = sum(len(side.release.quasi) for side in sides)
    for side in sides[1:]:
        other = side.different()
        codes = side.pseudonym[other]
        low = np.searchsorted(codes, pseudonym, side="left")
        counts = np.searchsorted(codes, pseudonym, side="right") - low
        total = int(counts.sum())
        if total > MOST_PAIRS:
            text = _(
                "Too many rows of these releases have one pseudonym: they make more than %(most)d joined rows."
            )
            raise EngineError("composition_too_large", text, most=MOST_PAIRS)
        if total * columns > MOST_CELLS:
            text = _(
                "The joined rows of these releases with all their quasi-identifiers are more than %(most)d cells."
            )
            raise EngineError("composition_too_large", text, most=MOST_CELLS)
        start = np.repeat(low - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
        found = [np.repeat(one, counts) for one in found] + [other[start + np.arange(total)]]
        pseudonym = np.repeat(pseudonym, counts)
    return found


def _figures(sides: Sequence[_Side], rows: Sequence[Numbers], units: Numbers, k: int) -> dict[str, object]:
    together = np.stack([side.of_class[at] for side, at in zip(sides, rows, strict=True)])
    _classes, of_row = np.unique(together, axis=1, return_inverse=True)
    of_row = of_row.reshape(-1).astype(np.int64)
    number = int(of_row.max()) + 1
    alike = persons_of_groups(of_row, number, units.astype(np.int32))[of_row]
    alone = np.minimum.reduce([side.sizes[at] for side, at in zip(sides, rows, strict=True)])
    people, who = np.unique(units, return_inverse=True)
    # Who holds all of them holds each, too.
    left, before = _least(who, np.minimum(alike, alone)), _least(who, alone)
    return {
        "persons": len(people),
        "k": int(left.min()),
        "alone": int(before.min()),
        "below": int((left < k).sum()),
        "new": int(((left < k) & (before >= k)).sum()),
        "single": int((left == 1).sum()),
        "sensitive": _inferred(sides, rows, of_row, number, who),
    }


def _least(who: Numbers, figures: Numbers) -> Numbers:
    found = np.full(int(who.max()) + 1, np.iinfo(np.int64).max)
    np.minimum.at(found, who, figures)
    return found


def _few(
    sides: Sequence[_Side], rows: Sequence[Numbers], units: Numbers, known: Sequence[set[str]]
) -> dict[str, float]:
    """After how few columns of the path of greatest entropy nearly all is known of what singles out a person, and how much; nothing
    where the joined rows are of one person. What several releases have under one name is one column, with all that they say."""
    if len(np.unique(units)) < 2:
        return {}
    columns = {}
    for name in dict.fromkeys(
        name for side, there in zip(sides, known, strict=True) for name in side.release.quasi if name in there
    ):
        cells = [
            side.release.table.column(name).take(pa.array(at))
            for side, at, there in zip(sides, rows, known, strict=True)
            if name in there
        ]
        places = [f"{place}" for place in range(len(cells))]
        columns[name] = pa.array(Combinations.of(pa.table(cells, places), places).of_row)
    found = entropy_risk(pa.table(columns).to_batches(), list(columns), subjects=units.astype(np.int32))
    path = [one.severity for one in found.path]
    few = columns_that_tell(path)
    return {"few": few, "share": path[few - 1] if few else 0.0, "all": path[-1]}


def _inferred(
    sides: Sequence[_Side], rows: Sequence[Numbers], of_row: Numbers, number: int, who: Numbers
) -> dict[str, Inference]:
    """What is told of each sensitive attribute; columns of one name are one attribute, whichever release has them."""
    people = int(who.max()) + 1
    inferred: dict[str, Flags] = {}
    earlier: dict[str, Flags] = {}
    shares: dict[str, float] = {}
    for side, at in zip(sides, rows, strict=True):
        for name, values, certain in zip(side.release.sensitive, side.values, side.certain, strict=True):
            here = values[at]
            for flags, marked in ((inferred, _only(of_row, number, here)), (earlier, certain[at])):
                flags.setdefault(name, np.zeros(people, np.bool_))[who[marked]] = True
            shares[name] = max(shares.get(name, 0.0), _share(of_row, number, here, who))
    return {
        name: Inference(
            certain=int((one | earlier[name]).sum()),
            new=int((one & ~earlier[name]).sum()),
            share=shares[name],
        )
        for name, one in inferred.items()
    }


def _share(of_row: Numbers, number: int, values: Numbers, who: Numbers) -> float:
    """The greatest share of the persons of a class who have one value."""
    there = values >= 0
    if not there.any():
        return 0.0
    cells, of_cell = np.unique(np.stack([of_row[there], values[there]]), axis=1, return_inverse=True)
    each = persons_of_groups(of_cell.reshape(-1), cells.shape[1], who[there].astype(np.int32))
    whole = persons_of_groups(of_row, number, who.astype(np.int32))[cells[0]]
    return float((each / whole).max())
