"""What recipients of several releases of one source can work out together (GB/T 37964 D.4).

Somebody who knows a person's quasi-identifiers finds in each release the rows that may be that person's. Rows of two releases
are of one person only if they also agree in the columns that both have unchanged: a sensitive attribute, a pseudonym. So the
candidates left are, for each such value, no more than the release has that has fewest of it. Where nothing agrees, because the
column was changed after all, the rows are not linked by it. The composition attack on the
sensitive attribute is that of Ganta, Kasiviswanathan and Smith (KDD 2008): the values that every release leaves possible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.core.messages import EngineError, _
from techniques.core.subjects import Subjects, persons
from techniques.data_utility.covering import Hierarchy
from techniques.disclosure_risk.releases.covers import Combinations, Cover, Numbers
from techniques.disclosure_risk.releases.findings import Composed, Inference

MOST_TOGETHER = 6
"""Up to so many releases every set of them is looked at; of more, every pair and all together."""
UNCHANGED = 0.9
"""The share of a column's cells that two releases have in common where the column is taken for unchanged."""
_MOST_ENTRIES = 50_000_000


@dataclass(frozen=True)
class Release:
    """The rows of one release as texts; ``subjects`` say whose each is, None where one row is one person."""

    name: str
    table: pa.Table
    subjects: Subjects | None = None


def composition(
    source: pa.Table,
    releases: Sequence[Release],
    quasi: Sequence[str],
    sensitive: Sequence[str] = (),
    *,
    k: int,
    linking: Sequence[str] | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    subjects: Subjects | None = None,
) -> list[Composed]:
    """Each release alone, then every set of several.

    ``source`` has the columns ``quasi`` as they were known before treatment, a row a target; ``subjects`` say whose its rows
    are, and a person counts by the row that leaves fewest candidates. Columns of ``quasi`` that a release lacks tell nothing
    there. ``linking`` are the columns that the releases have unchanged; where they are not said, ``sensitive`` and those of which
    nearly all values of the smaller release are in the larger. Raises EngineError ``releases_few``, ``release_without_columns``, ``composition_too_large`` and those of
    :class:`~techniques.disclosure_risk.releases.covers.Cover`.
    """
    if len(releases) < 2 or len({one.name for one in releases}) < len(releases):
        raise EngineError("releases_few", _("Name at least two different releases of the source."))
    wanted = Combinations.of(source, quasi)
    views = [_View.of(one, wanted, quasi, hierarchies or {}) for one in releases]
    held = _held(len(views))
    by = {one: _linking([views[place] for place in one], quasi, sensitive, linking) for one in held}
    entries = {one: _entries([views[place] for place in one], by[one], sensitive) for one in held}
    tallies = {one: _Tally(wanted.number, _attributes(by[one], sensitive)) for one in held}
    step = min((view.step for view in views), default=1)
    for start in range(0, wanted.number, step):
        pairs = [view.cover.pairs_of(start, start + step) for view in views]
        for one in held:
            entry = entries[one]
            tallies[one].add([entry.candidates(pairs[at], place) for place, at in enumerate(one)], entry)
    rows = _Rows(wanted.of_row, None if subjects is None else persons(subjects)[0].astype(np.int64))
    return [_composed(one, views, by, tallies, rows, k) for one in held]


def _held(number: int) -> list[tuple[int, ...]]:
    """The sets of releases to look at, smaller ones first."""
    alone = [(place,) for place in range(number)]
    if number <= MOST_TOGETHER:
        return alone + [one for size in range(2, number + 1) for one in combinations(range(number), size)]
    return [*alone, *combinations(range(number), 2), tuple(range(number))]


@dataclass(frozen=True)
class _View:
    """A release beside the combinations of the source."""

    release: Release
    classes: Combinations
    cover: Cover
    kept: NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        release: Release,
        wanted: Combinations,
        quasi: Sequence[str],
        hierarchies: Mapping[str, Hierarchy],
    ) -> _View:
        there = [name for name in quasi if name in release.table.column_names]
        if not there:
            text = _("%(release)s has none of the quasi-identifiers.")
            raise EngineError("release_without_columns", text, release=release.name)
        classes = Combinations.of(release.table, there)
        # A row that tells nothing may be anybody's: it hides nobody who is looked for by these columns.
        kept = ~classes.tells_nothing()[classes.of_row]
        return cls(release, classes, Cover(wanted, classes, hierarchies), kept)

    @property
    def step(self) -> int:
        return max(1, 5_000_000 // max(self.classes.number, 1))


def _linking(
    views: Sequence[_View], quasi: Sequence[str], sensitive: Sequence[str], linking: Sequence[str] | None
) -> tuple[str, ...]:
    """The columns beside the quasi-identifiers that all of these releases have unchanged."""
    common = set.intersection(*(set(view.release.table.column_names) for view in views)) - set(quasi)
    there = [name for name in views[0].release.table.column_names if name in common]
    if linking is not None:
        return tuple(name for name in there if name in linking)
    counts = {name: [_counted(view.release.table.column(name)) for view in views] for name in there}
    return tuple(name for name in there if name in sensitive or _unchanged(counts[name]))


def _counted(values: pa.ChunkedArray) -> dict[str | None, int]:
    found = values.value_counts()
    return dict(zip(found.field("values").to_pylist(), found.field("counts").to_pylist(), strict=True))


def _unchanged(counts: Sequence[Mapping[str | None, int]]) -> bool:
    """Whether nearly all cells of each release have a cell with the same text in the smallest one or the other way round."""
    smallest = min(counts, key=lambda one: sum(one.values()))
    wanted = UNCHANGED * sum(smallest.values())
    return all(sum(min(n, one.get(text, 0)) for text, n in smallest.items()) >= wanted for one in counts)


def _attributes(linking: Sequence[str], sensitive: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in sensitive if name in linking)


@dataclass(frozen=True)
class _Entry:
    """Of each release of a set, sorted by class: the link value and the person of each different row, and how many rows of a
    class come before it; ``codes`` (values of the link,) of each sensitive attribute."""

    number: int
    people: int
    starts: tuple[Numbers, ...]
    links: tuple[Numbers, ...]
    whose: tuple[Numbers | None, ...]
    weights: tuple[Numbers, ...]
    codes: Mapping[str, Numbers]

    def candidates(self, pairs: tuple[Numbers, Numbers], place: int) -> tuple[Numbers, Numbers]:
        """(combination × link value, candidates in the release at ``place``), ascending by the first."""
        combination, of_class = pairs
        starts = self.starts[place]
        counts = starts[of_class + 1] - starts[of_class]
        total = int(counts.sum())
        if total > _MOST_ENTRIES:
            text = _(
                "Too many rows fit too many persons to compare these releases: leave out columns that hardly tell rows apart."
            )
            raise EngineError("composition_too_large", text)
        first = np.repeat(starts[of_class] - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
        at = first + np.arange(total)
        keys = np.repeat(combination, counts) * self.number + self.links[place][at]
        whose = self.whose[place]
        if whose is not None:
            # A person with several rows that fit is one candidate.
            keys = np.unique(keys * self.people + whose[at]) // self.people
            return _added(keys, np.ones(len(keys), np.int64))
        return _added(keys, self.weights[place][at])


def _added(keys: Numbers, weights: Numbers) -> tuple[Numbers, Numbers]:
    order = np.argsort(keys, kind="stable")
    keys, weights = keys[order], weights[order]
    if len(keys) == 0:
        return keys, weights
    first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return keys[first], np.add.reduceat(weights, first)


def _entries(views: Sequence[_View], linking: Sequence[str], sensitive: Sequence[str]) -> _Entry:
    """The rows of the releases of a set, by what links them."""
    kept = [view.release.table.select(list(linking)).filter(pa.array(view.kept)) for view in views]
    rows = [int(view.kept.sum()) for view in views]
    together = Combinations.of(_stacked(kept, linking), linking)
    of_row = together.of_row if linking else np.zeros(sum(rows), np.int64)
    ends = np.cumsum([0, *rows])
    number, people = max(together.number, 1), 1
    starts, links, whose, weights = [], [], [], []
    for place, view in enumerate(views):
        link = of_row[ends[place] : ends[place + 1]]
        classes = view.classes.of_row[view.kept]
        person: Numbers | None = None
        if view.release.subjects is not None:
            person = persons(view.release.subjects[view.kept])[0].astype(np.int64)
            people = max(people, int(person.max(initial=-1)) + 1)
        key = classes * number + link
        if person is None:
            different, counts = np.unique(key, return_counts=True)
            owner = None
        else:
            order = np.lexsort((person, key))
            pair = np.stack([key[order], person[order]])
            fresh = np.concatenate([[True], (pair[:, 1:] != pair[:, :-1]).any(axis=0)])[: len(order)]
            different, owner = pair[0][fresh], pair[1][fresh]
            counts = np.ones(len(different), np.int64)
        starts.append(
            np.searchsorted(different // number, np.arange(view.classes.number + 1)).astype(np.int64)
        )
        links.append(different % number)
        whose.append(owner)
        weights.append(counts.astype(np.int64))
    codes = {
        name: together.codes[list(linking).index(name)].astype(np.int64) + 1
        for name in _attributes(linking, sensitive)
    }
    return _Entry(number, people, tuple(starts), tuple(links), tuple(whose), tuple(weights), codes)


def _stacked(tables: Sequence[pa.Table], linking: Sequence[str]) -> pa.Table:
    texts = {
        name: pa.chunked_array(
            [chunk for table in tables for chunk in table.column(name).cast(pa.string()).chunks], pa.string()
        )
        for name in linking
    }
    return pa.table(texts)


@dataclass
class _Tally:
    """The candidates of each of ``number`` combinations, 0 where none fits all releases, and of each sensitive attribute how
    many have the commonest value."""

    number: int
    attributes: tuple[str, ...]
    candidates: Numbers = field(init=False)
    most: dict[str, Numbers] = field(init=False)

    def __post_init__(self) -> None:
        self.candidates = np.zeros(self.number, np.int64)
        self.most = {name: np.zeros(self.number, np.int64) for name in self.attributes}

    def add(self, found: Sequence[tuple[Numbers, Numbers]], entry: _Entry) -> None:
        """Take in a block of combinations."""
        keys, least = found[0]
        for others, counts in found[1:]:
            keys, here, there = np.intersect1d(keys, others, assume_unique=True, return_indices=True)
            least = np.minimum(least[here], counts[there])
        combination, link = keys // entry.number, keys % entry.number
        np.add.at(self.candidates, combination, least)
        for name, codes in entry.codes.items():
            values = int(codes.max(initial=0)) + 1
            cells, counts = _added(combination * values + codes[link], least)
            np.maximum.at(self.most[name], cells // values, counts)

    def only(self, name: str) -> NDArray[np.bool_]:
        """(combinations,): whether all candidates have one value of the attribute."""
        one_value: NDArray[np.bool_] = self.most[name] == self.candidates
        return one_value & (self.candidates > 0)


@dataclass(frozen=True)
class _Rows:
    """Which combination each row of the source has, and whose it is."""

    combination: Numbers
    whose: Numbers | None

    def persons(self, marked: NDArray[np.bool_]) -> int:
        """How many persons have a row whose combination is ``marked``."""
        rows = marked[self.combination]
        return int(rows.sum()) if self.whose is None else len(np.unique(self.whose[rows]))


def _composed(
    held: tuple[int, ...],
    views: Sequence[_View],
    by: Mapping[tuple[int, ...], tuple[str, ...]],
    tallies: Mapping[tuple[int, ...], _Tally],
    rows: _Rows,
    k: int,
) -> Composed:
    """The figures of one set: who holds it also holds every part of it, and goes by the part that leaves fewest."""
    alone = [tallies[(place,)] for place in held]
    parts = [tally for one, tally in tallies.items() if set(one) <= set(held)]
    fits = np.logical_and.reduce([one.candidates > 0 for one in alone])
    enough = np.minimum.reduce([one.candidates for one in alone])
    # A part in which nothing agrees tells that its columns were changed, and no more.
    least = np.minimum.reduce([np.where(one.candidates > 0, one.candidates, enough) for one in parts])
    below = fits & (least < k)
    sensitive = {}
    for name in tallies[held].attributes:
        there = [one for one in parts if name in one.attributes]
        share = np.maximum.reduce([one.most[name] / np.maximum(one.candidates, 1) for one in there])
        certain = fits & np.logical_or.reduce([one.only(name) for one in there])
        before = np.logical_or.reduce([one.only(name) for one in alone])
        sensitive[name] = Inference(
            certain=rows.persons(certain),
            new=rows.persons(certain & ~before),
            share=float(share[fits].max(initial=0.0)),
        )
    return Composed(
        releases=tuple(views[place].release.name for place in held),
        persons=rows.persons(fits),
        k=int(least[fits].min()) if fits.any() else 0,
        alone=int(enough[fits].min()) if fits.any() else 0,
        below=rows.persons(below),
        new=rows.persons(below & (enough >= k)),
        by=by[held] if len(held) > 1 else (),
        unlinked=rows.persons(fits & (tallies[held].candidates == 0)),
        sensitive=sensitive,
    )
