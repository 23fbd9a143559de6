"""The risk of tables that are joined by their keys, counted in persons (GB/T 37964 B.1).

Who gets several tables sees what stands in all of them about one person. A row of the joined view is one
chain of rows that belong together; a class is what rows have in common in the quasi-identifiers of all
tables; its size is the number of different persons in it. A person without a row in some table is
compared with everybody by what the other tables say, since that absence need not be known to anybody.

What this does not see: that several rows of one person are known at the same time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.core.messages import EngineError, _
from techniques.core.subjects import Subjects
from techniques.core.subjects import persons as numbered
from techniques.disclosure_risk.measure import check_subjects
from techniques.recipe.recipe_set import Place, linked_columns

MOST_ROWS = 20_000_000
"""Rows of the joined view; it is held in memory, some 8 bytes a row and table."""
Codes = NDArray[np.int64]


@dataclass(frozen=True)
class JoinedTable:
    """A table of the view: its rows in batches, which of its columns are quasi-identifiers, and whose each row is
    (:mod:`techniques.core.subjects`), None where that is not known or the links tell it."""

    batches: Callable[[], Iterable[Any]]
    quasi: Sequence[str]
    subjects: Subjects | None = None


@dataclass(frozen=True)
class Link:
    """A column that refers to a column of another table; ``person``: its values stand for persons."""

    source: Place
    target: Place
    person: bool = True


@dataclass(frozen=True)
class JoinedRisk:
    """``k``: persons of the smallest class, or rows where nothing tells whose they are (``counts_rows``); 0 where there is no
    row.

    ``below`` are those in classes smaller than what was asked for. ``tables`` in the order of the join.
    """

    tables: tuple[str, ...]
    rows: int
    persons: int
    k: int
    below: int
    counts_rows: bool = False

    @property
    def max_risk(self) -> float:
        """1/k; 0 where there is no row."""
        return 1.0 / self.k if self.k else 0.0


def joined_risk(
    tables: Mapping[str, JoinedTable], links: Sequence[Link], *, target_k: int, most_rows: int = MOST_ROWS
) -> list[JoinedRisk]:
    """One figure for each set of tables that hang together; tables without a link are left out.

    Raises EngineError ``joined_too_large`` where the view has more than ``most_rows`` rows, and
    ``joined_link_unused`` where tables are linked in a second way that shows other combinations than the view.
    """
    return joined_risks(tables, links, target_k=target_k, without=[()], most_rows=most_rows)[0]


def joined_risks(
    tables: Mapping[str, JoinedTable],
    links: Sequence[Link],
    *,
    target_k: int,
    without: Sequence[Collection[Place]],
    most_rows: int = MOST_ROWS,
    tick: Callable[[float], None] = lambda share: None,
) -> list[list[JoinedRisk]]:
    """:func:`joined_risk` once for each of ``without``, as if these columns were no quasi-identifiers of the tables;
    those are read and joined once."""
    groups = linked_columns((link.source, link.target) for link in links)
    keys = {place: number for number, group in enumerate(groups) for place in group}
    persons = {keys[link.source] for link in links if link.person}
    read = {
        name: _read(tables[name], {column for table, column in keys if table == name})
        for name in tables
        if any(table == name for table, _column in keys)
    }
    codes = _key_codes(groups, read)
    subjects = {name: numbered(one.subjects)[0] for name, one in tables.items() if one.subjects is not None}
    for name in read:
        if name in subjects:
            check_subjects(subjects[name], read[name][1])
    found: list[dict[frozenset[str], JoinedRisk]] = [{} for _gone in without]
    missed: dict[str, set[Link]] = {}
    counts = {name: rows for name, (_texts, rows, _quasi) in read.items()}
    # From every table in turn: a row whose counterpart was suppressed is in the view of its own table only.
    roots = _roots(links, read)
    for number, root in enumerate(roots):
        view, unused = _view(root, links, codes, keys, counts, most_rows)
        missed[root] = {link for link in unused if _adds_to(view, link, codes)}
        whole = {name: _classes(read[name][2], tables[name].quasi, keys, name) for name in view}
        for place, gone in enumerate(without):
            left = {name: [c for c in tables[name].quasi if (name, c) not in gone] for name in view}
            classes = {
                name: whole[name]
                if len(left[name]) == len(tables[name].quasi)
                else _classes(read[name][2], left[name], keys, name)
                for name in view
            }
            one = _measured(view, classes, codes, keys, persons, subjects, target_k)
            there = found[place].get(frozenset(view))
            found[place][frozenset(view)] = one if there is None else _worse(there, one)
            tick((number + (place + 1) / len(without)) / len(roots))
    for link in links:
        # What one end's view leaves out may be in that of the other end.
        if all(link in missed[table] for table in (link.source[0], link.target[0])):
            raise _unused(link)
    return [list(one.values()) for one in found]


def _adds_to(view: Mapping[str, Codes], link: Link, codes: Mapping[Place, Codes]) -> bool:
    """Whether some row of the view has no counterpart where the link, which was not joined by, gives it one.

    Raises EngineError ``joined_link_unused`` where the view puts rows together that are not linked.
    """
    ends = []
    for place in (link.source, link.target):
        at = view[place[0]]
        key = np.full(len(at), -1, dtype=np.int64)
        if len(codes[place]):
            key = np.where(at >= 0, codes[place][at], -1)
        ends.append((at >= 0, key))
    (here, near), (there, far) = ends
    if np.any(here & there & (near != far) & ((near >= 0) | (far >= 0))):
        raise _unused(link)
    alone, lonely = near[here & ~there], far[there & ~here]
    return bool(
        np.isin(alone[alone >= 0], codes[link.target]).any()
        or np.isin(lonely[lonely >= 0], codes[link.source]).any()
    )


def _unused(link: Link) -> EngineError:
    text = _(
        "The link %(source)s → %(target)s leads to other rows than the links beside it, so the joined view cannot "
        "be measured. Remove the link's column from the result, or the column of the other link."
    )
    return EngineError("joined_link_unused", text, source=".".join(link.source), target=".".join(link.target))


def _worse(one: JoinedRisk, other: JoinedRisk) -> JoinedRisk:
    """The worse figures of two views of the same tables; persons are those of the first, who have rows there."""
    sizes = [k for k in (one.k, other.k) if k]
    return JoinedRisk(
        one.tables, max(one.rows, other.rows), one.persons or other.persons,
        min(sizes, default=0), max(one.below, other.below), one.counts_rows or other.counts_rows,
    )  # fmt: skip


def _roots(links: Sequence[Link], names: Iterable[str]) -> list[str]:
    """Tables to begin from: those that others refer to as persons, then the rest."""
    sources = {link.source[0] for link in links}
    first = [link.target[0] for link in links if link.person and link.target[0] not in sources]
    second = [link.target[0] for link in links if link.person]
    return list(dict.fromkeys([*first, *second, *(link.target[0] for link in links), *names]))


def _read(table: JoinedTable, keys: set[str]) -> tuple[dict[str, Any], int, dict[str, Codes]]:
    """The key columns as texts, the number of rows, and the quasi-identifiers as codes."""
    wanted = [*keys, *(column for column in table.quasi if column not in keys)]
    parts: dict[str, list[Any]] = {column: [] for column in wanted}
    rows = 0
    for batch in table.batches():
        rows += batch.num_rows
        for column in wanted:
            place = batch.schema.get_field_index(column)
            if place < 0:
                text = _("The result has no column called “%(column)s”.")
                raise EngineError("column_missing", text, column=column)
            parts[column].append(batch.column(place).cast(pa.string()))
    texts = {column: pa.chunked_array(parts[column], pa.string()) for column in wanted}
    quasi = {column: _encoded(texts[column]) for column in table.quasi if column not in keys}
    return {column: texts[column] for column in keys}, rows, quasi


def _encoded(texts: Any) -> Codes:
    """Codes from 0; a missing value is a value of its own."""
    indices = pc.dictionary_encode(texts, null_encoding="encode").combine_chunks()
    indices = indices.indices if not isinstance(indices, pa.ChunkedArray) else indices.chunk(0).indices
    return np.asarray(indices.to_numpy(zero_copy_only=False), dtype=np.int64)


def _key_codes(groups: Sequence[Sequence[Place]], read: Mapping[str, Any]) -> dict[Place, Codes]:
    """Equal keys have equal codes in all tables; a missing key has the code -1, which joins with nothing."""
    codes: dict[Place, Codes] = {}
    for group in groups:
        known = pa.chunked_array(
            [chunk for table, column in group for chunk in read[table][0][column].chunks], pa.string()
        )
        known = known.unique().drop_null()
        for table, column in group:
            found = pc.index_in(read[table][0][column], value_set=known)
            codes[(table, column)] = np.asarray(pc.fill_null(found, -1).to_numpy(), dtype=np.int64)
    return codes


def _view(
    root: str,
    links: Sequence[Link],
    codes: Mapping[Place, Codes],
    keys: Mapping[Place, int],
    rows: Mapping[str, int],
    most: int,
) -> tuple[dict[str, Codes], list[Link]]:
    """Table → its row for each row of the view, -1 where there is none; all rows of ``root`` are in it.

    And the links between tables of the view that were not joined by. A link whose values do not stand for
    persons comes first: of a person's rows it puts those together that belong together.
    """
    view: dict[str, Codes] = {root: np.arange(rows[root], dtype=np.int64)}
    waiting = sorted(links, key=lambda link: link.person)
    while True:
        link = next((one for one in waiting if (one.source[0] in view) != (one.target[0] in view)), None)
        if link is None:
            return view, [one for one in waiting if one.source[0] in view]
        waiting.remove(link)
        ends = (link.source, link.target) if link.source[0] in view else (link.target, link.source)
        _join(view, *ends, codes, keys, most)


def _join(
    view: dict[str, Codes], near: Place, far: Place, codes: Mapping[Place, Codes],
    keys: Mapping[Place, int], most: int,
) -> None:  # fmt: skip
    at = view[near[0]]
    wanted = np.full(len(at), -1, dtype=np.int64)
    # Where the row is missing (-1) so is its key; another table of the view may hold the same key.
    for place in (near, *(p for p in sorted(keys) if p != near and p[0] in view and keys[p] == keys[near])):
        rows = view[place[0]]
        if len(codes[place]):
            wanted = np.where(wanted >= 0, wanted, np.where(rows >= 0, codes[place][rows], -1))
    order = np.argsort(codes[far], kind="stable")
    ordered = codes[far][order]
    first = np.searchsorted(ordered, wanted, "left")
    number = np.where(wanted >= 0, np.searchsorted(ordered, wanted, "right") - first, 0)
    times = np.maximum(number, 1)
    total = int(times.sum())
    if total > most:
        text = _("The joined view has %(rows)d rows, more than the %(most)d that can be measured.")
        raise EngineError("joined_too_large", text, rows=total, most=most)
    repeated = np.repeat(np.arange(len(at)), times)
    within = np.arange(total) - np.repeat(np.cumsum(times) - times, times)
    has = number[repeated] > 0
    places = np.where(has, first[repeated] + within, 0)
    for name in view:
        view[name] = view[name][repeated]
    view[far[0]] = np.where(has, order[places], -1) if len(order) else np.full(total, -1)


def _classes(codes: Mapping[str, Codes], quasi: Sequence[str], keys: Mapping[Place, int], name: str) -> Codes:
    """A code for what each row says in its quasi-identifiers; keys count as what they join, not as values."""
    made: Codes | None = None
    for column in quasi:
        if (name, column) not in keys:
            made = codes[column] if made is None else _combined(made, codes[column])
    return np.zeros(0, dtype=np.int64) if made is None else made


def _combined(left: Codes, right: Codes) -> Codes:
    """Codes of pairs, counted anew so that they stay small."""
    pairs = left * (int(right.max(initial=0)) + 1) + right
    codes: Codes = np.unique(pairs, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return codes


def _distinct(values: Codes) -> Codes:
    """Distinct values by sorting, which for so many is several times as fast as a table of hashes."""
    ordered = np.sort(values)
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def _measured(
    view: Mapping[str, Codes],
    classes: Mapping[str, Codes],
    codes: Mapping[Place, Codes],
    keys: Mapping[Place, int],
    persons: set[int],
    subjects: Mapping[str, Subjects],
    target_k: int,
) -> JoinedRisk:
    names = list(view)
    rows = len(view[names[0]])
    bits = np.zeros(rows, dtype=np.int64)
    for number, name in enumerate(names):
        bits |= (view[name] >= 0).astype(np.int64) << number
    k, below, counted, by_rows = 0, 0, 0, False
    for pattern in np.unique(bits):
        present = [name for number, name in enumerate(names) if pattern >> number & 1]
        here = (bits & pattern) == pattern
        class_of = _class_of_rows(view, classes, present, here)
        known = _whose(view, codes, keys, persons, subjects, present, here)
        by_rows = by_rows or not known
        for who in known or [np.arange(int(here.sum()), dtype=np.int64)]:
            sizes, members = _persons_in(class_of, who)
            smallest = int(sizes.min()) if len(sizes) else 0
            if smallest and (k == 0 or smallest < k):
                k = smallest
            below = max(below, len(_distinct(members[sizes[members[:, 0]] < target_k][:, 1])))
            counted = max(counted, len(_distinct(who)))
    return JoinedRisk(tuple(names), rows, counted, k, below, by_rows)


def _class_of_rows(
    view: Mapping[str, Codes], classes: Mapping[str, Codes], present: Sequence[str], here: Any
) -> Codes:
    made = np.zeros(int(here.sum()), dtype=np.int64)
    for name in present:
        if len(classes[name]):
            made = _combined(made, classes[name][view[name][here]])
    return made


def _whose(
    view: Mapping[str, Codes],
    codes: Mapping[Place, Codes],
    keys: Mapping[Place, int],
    persons: set[int],
    subjects: Mapping[str, Subjects],
    present: Sequence[str],
    here: Any,
) -> list[Codes]:
    """For each key that stands for persons, and each table whose rows' persons are known, whose row it is; a row without a key is
    somebody of its own. Empty where nothing tells."""
    found = []
    for group in sorted(persons):
        place = next((p for p in sorted(keys) if keys[p] == group and p[0] in present), None)
        if place is not None:
            who = codes[place][view[place[0]][here]]
            own = int(who.max(initial=-1)) + 1 + view[place[0]][here]
            found.append(np.where(who >= 0, who, own))
    return [
        *found,
        *(subjects[name][view[name][here]].astype(np.int64) for name in present if name in subjects),
    ]


def _persons_in(class_of: Codes, who: Codes) -> tuple[Codes, Codes]:
    """Different persons per class, and the pairs of class and person."""
    width = int(who.max(initial=0)) + 1
    pairs = _distinct(class_of * width + who)
    members = np.stack([pairs // width, pairs % width], axis=1)
    sizes = np.bincount(members[:, 0]) if len(members) else np.zeros(0, dtype=np.int64)
    return sizes.astype(np.int64), members
