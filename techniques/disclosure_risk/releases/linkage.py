"""What rows that hang together tell beyond each alone, in one release or in several that have the same persons (GB/T 37964 D.3).

Courses, shared keys and dates are those of :mod:`techniques.disclosure_risk.releases.linked`; here is counted whom they tell apart
whom no row, no class and no release alone does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.core.subjects import persons, persons_of_groups
from techniques.disclosure_risk.releases.covers import Combinations, Numbers
from techniques.disclosure_risk.releases.findings import LONGEST, Course, DateInference, Linkage, Shared
from techniques.disclosure_risk.releases.linked import course_of, dependencies, places, stretches


@dataclass(frozen=True)
class Part:
    """The rows of one release: ``table`` (n rows of texts), ``who`` (n,) the person of each, numbered alike in all parts, what is
    known of a row (``quasi``), the column that puts rows in order, empty where none does, and the keys that several persons share."""

    name: str
    table: pa.Table
    who: Numbers
    quasi: tuple[str, ...]
    order: str = ""
    groups: tuple[str, ...] = ()


def linkage(parts: Sequence[Part], *, k: int, inferred: Sequence[DateInference] = ()) -> Linkage:
    """Courses and shared keys of one release or several; ``inferred`` is kept beside them."""
    units = np.concatenate([one.who for one in parts])
    people, who = np.unique(units, return_inverse=True)
    who = who.reshape(-1).astype(np.int64)
    found = Linkage(
        releases=tuple(one.name for one in parts),
        k=k,
        persons=len(people),
        most_rows=int(np.bincount(who, minlength=1).max(initial=0)),
        inferred=tuple(inferred),
        shared=tuple(_shared(parts, k)),
    )
    if found.most_rows < 2:
        return found
    if len(parts) == 1 and not parts[0].order:
        return found.model_copy(update={"ordered": False})
    ends = np.cumsum([0, *(len(one.who) for one in parts)])
    each = [who[ends[place] : ends[place + 1]] for place in range(len(parts))]
    longest_alone = 1 if len(parts) == 1 else LONGEST
    alone = np.zeros(len(people), dtype=np.bool_)
    for part, whose in zip(parts, each, strict=True):
        row = Combinations.of(part.table, part.quasi).of_row
        _follow(row, whose, _order([part]), longest_alone, k, alone)
    together = alone.copy()
    row, whose, order = _stacked(parts, each)
    courses = _follow(row, whose, order, LONGEST, k, together)
    return found.model_copy(update={"courses": tuple(courses), "new": int((together & ~alone).sum())})


def _follow(
    row: Numbers, who: Numbers, order: NDArray[np.float64], longest: int, k: int, few: NDArray[np.bool_]
) -> list[Course]:
    """Courses of the rows; marks in ``few`` (persons,) who has a stretch that fewer than ``k`` have."""
    found = []
    for length, stretch, whose in stretches(row, who, order, longest):
        alike = persons_of_groups(stretch, int(stretch.max()) + 1, whose.astype(np.int32))[stretch]
        few[whose[alike < k]] = True
        found.append(course_of(stretch, whose, length, k))
    return found


def _order(parts: Sequence[Part]) -> NDArray[np.float64]:
    """Where each row stands: by the columns of order, or, where a release has none, release after release."""
    if all(one.order for one in parts):
        texts = pa.concat_arrays(
            [one.table.column(one.order).combine_chunks().cast(pa.string()) for one in parts]
        )
        return places(texts)
    return np.repeat(np.arange(len(parts), dtype=np.float64), [len(one.who) for one in parts])


def _stacked(parts: Sequence[Part], each: Sequence[Numbers]) -> tuple[Numbers, Numbers, NDArray[np.float64]]:
    """What is known of the rows of all releases, whose they are and where they stand; a row that another release has, too, once."""
    names = list(dict.fromkeys(name for one in parts for name in one.quasi))
    tables = [
        pa.table(
            {
                name: one.table.column(name).cast(pa.string())
                if name in one.quasi
                else pa.nulls(len(one.who), pa.string())
                for name in names
            }
        )
        for one in parts
    ]
    row = (
        Combinations.of(pa.concat_tables(tables), names).of_row
        if names
        else np.zeros(sum(map(len, each)), np.int64)
    )
    who, order = np.concatenate(each), _order(parts)
    if len(parts) == 1:
        return row, who, order
    same = np.unique(order, return_inverse=True)[1].reshape(-1)
    place = np.repeat(np.arange(len(parts)), [len(one) for one in each])
    _rows, of_row = np.unique(np.stack([who, row, same]), axis=1, return_inverse=True)
    of_row = of_row.reshape(-1)
    first = np.full(int(of_row.max(initial=-1)) + 1, len(parts))
    np.minimum.at(first, of_row, place)
    kept = place == first[of_row]
    return row[kept], who[kept], order[kept]


def _shared(parts: Sequence[Part], k: int) -> list[Shared]:
    found = []
    for holder in parts:
        for column in holder.groups:
            key = Combinations.of(holder.table, [column])
            known = key.codes[0][key.of_row] >= 0
            sizes = persons_of_groups(key.of_row, key.number, holder.who.astype(np.int32))[key.of_row]
            # A group that is a crowd itself hides its members.
            small = known & (sizes < k) & (sizes > 1)
            group_of: dict[int, int] = {}
            for person, group in zip(holder.who[small].tolist(), key.of_row[small].tolist(), strict=True):
                group_of.setdefault(person, group)
            if not group_of:
                continue
            for part in parts:
                people, who = np.unique(part.who, return_inverse=True)
                who = who.reshape(-1)
                group = np.array([group_of.get(one, -1) for one in people.tolist()], dtype=np.int64)
                unit = np.where(group >= 0, group, key.number + np.arange(len(people)))[who].astype(np.int32)
                classes = Combinations.of(part.table, part.quasi)
                by_person = persons_of_groups(classes.of_row, classes.number, who.astype(np.int32))
                by_group = persons_of_groups(classes.of_row, classes.number, persons(unit)[0])
                few = ((by_person >= k) & (by_group < k))[classes.of_row]
                found.append(
                    Shared(
                        release=holder.name,
                        column=column,
                        classes=part.name,
                        k=int(by_group.min(initial=np.iinfo(np.int64).max)) if len(by_group) else 0,
                        new=len(np.unique(who[few])),
                    )
                )
    return found


def inferred_dates(
    source: pa.Table, hidden: Sequence[str], telling: Sequence[tuple[str, str]], *, days: int = 7
) -> list[DateInference]:
    """Which of the ``hidden`` date columns of the source lie a fixed time from one that a release tells; ``telling`` are
    (release, column). The first release of those that tell a column is named."""
    found: dict[tuple[str, str], DateInference] = {}
    for name in hidden:
        for release, column in telling:
            if column == name or (name, column) in found:
                continue
            for one in dependencies(source, [name, column], days=days):
                # From the hidden date to the one that is told, or the other way round.
                least, most = (one.least, one.most) if one.first == column else (-one.most, -one.least)
                found[name, column] = DateInference(
                    hidden=name, release=release, column=column, least=least, most=most,
                    share=one.share, rows=one.rows,
                )  # fmt: skip
    return list(found.values())
