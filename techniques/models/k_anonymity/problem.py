"""The search's view of a table: distinct combinations with counts, and each attribute's hierarchy as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from techniques.core.subjects import Persons
from techniques.core.tuples import Codes
from techniques.hierarchies.build import Hierarchy
from techniques.models.conditions.entries import Members
from techniques.models.k_anonymity import crowds, grouping
from techniques.models.k_anonymity.averages import most_kept, smallest_kept
from techniques.models.k_anonymity.crowds import Crowd
from techniques.models.k_anonymity.sensitive import Formed, Sensitive

_LIMIT = 2**62
_STORED = 1024
_SHARED = 200
"""One in so many nodes of the lattice may be formed for others to start from."""
_MOST_SHARED = 1 << 16
_SMALL = 1000
_DIRECT, _MOST_DIRECT = 4, 1 << 18
"""Keys, for each combination and in all, that have a place each to be found at."""
_STORED_CELLS = 1 << 26
_CERTAIN = 1 - 1e-9
"""A bound lowered by more than sums over all classes are rounded by."""
Levels = Sequence[int]


@dataclass(frozen=True)
class Attribute:
    """One quasi-identifier. Code 0 is a missing value, code v+1 the v-th of its dictionary.

    ``maps[l][code]`` is the code at level l, below ``sizes[l]``; ``shares[l][c]`` the share of the
    hierarchy's leaves under c, between 1/leaves and 1. Levels outside ``lowest``…``highest`` are not used.
    ``nested`` says that what is one value at a level is one value at every higher level.
    """

    maps: list[NDArray[np.int64]]
    sizes: list[int]
    shares: list[NDArray[np.float64]]
    leaves: int
    lowest: int
    highest: int
    nested: bool
    unfit: NDArray[np.bool_]
    """Codes of values that the hierarchy does not cover: they are given up at every level."""

    @classmethod
    def from_hierarchy(cls, hierarchy: Hierarchy, missing: bool, lowest: int, highest: int) -> Attribute:
        """Add the missing value to a hierarchy.

        Missing is a value of its own, one leaf more if it occurs, at every level but the last, where it is
        ``*`` like all others; values that do not fit are treated as missing.
        """
        leaves = max(hierarchy.size + missing, 1)
        maps, sizes, shares = [], [], []
        for level, (codes, under) in enumerate(zip(hierarchy.codes, hierarchy.leaves, strict=True)):
            last = level == hierarchy.levels - 1
            own = 0 if last else len(under)
            moved = np.where(hierarchy.unfit, own, codes)
            maps.append(np.concatenate([[own], moved]).astype(np.int64))
            sizes.append(len(under) if last else len(under) + 1)
            share = np.ones(len(under)) if last else np.append(under, 1) / leaves
            shares.append(share)
        unfit = np.concatenate([[False], hierarchy.unfit])
        return cls(maps, sizes, shares, leaves, lowest, highest, nested(maps, sizes), unfit)


def nested(maps: list[NDArray[np.int64]], sizes: list[int]) -> bool:
    """Whether each level's values follow from those of the level below."""
    for level in range(1, len(maps)):
        parent = np.zeros(sizes[level - 1], np.int64)
        parent[maps[level - 1]] = maps[level]
        if (parent[maps[level - 1]] != maps[level]).any():
            return False
    return True


@dataclass(frozen=True)
class Combinations:
    """Classes of one node, to form the classes of the nodes above it from.

    ``cells`` is (m, C): where attribute i's entry for one row of class c stands in an array that holds
    the tables of all attributes one behind the other. ``floor`` are the node's levels.
    """

    bundles: NDArray[np.int32]
    """(g, C), by the problem's packing."""
    counts: NDArray[np.int64]
    floor: tuple[int, ...]
    sensitive: list[Sensitive]
    crowd: Crowd | None = None
    """Their persons, where those are counted."""

    @cached_property
    def at(self) -> NDArray[np.int64]:
        """The node's levels, for kernels."""
        return np.array(self.floor)


class Forming(NamedTuple):
    """What kernels form the classes of nodes by: known :class:`Combinations` by their places, at most as many as there are rows
    of ``floors``, and the attributes' levels."""

    floors: NDArray[np.int64]
    """The levels of each."""
    lengths: NDArray[np.int64]
    """How many combinations each has."""
    steps: NDArray[np.int64]
    """(sets of attributes, m): the place of a shared node is their sum over its levels above the lowest."""
    formed: NDArray[np.bool_]
    """(sets of attributes, places): whether a shared node is formed."""
    lowest: NDArray[np.int64]
    sizes: NDArray[np.int64]
    """Codes of each attribute at each level."""
    number: NDArray[np.int32]
    """Room to number keys in."""
    seen: NDArray[np.int64]
    """Room to count persons in."""


class _Waiting(NamedTuple):
    """What :class:`Combinations` of a node are made from, once another node is to be formed from them."""

    source: Combinations
    floor: tuple[int, ...]
    counts: NDArray[np.int64]
    first: NDArray[np.int32]
    class_of: NDArray[np.int32] | None

    def made(self, enough: int, seen: NDArray[np.int64]) -> Combinations:
        """``enough`` and ``seen`` are those of :meth:`Crowd.merged`."""
        sensitive, crowd = self.source.sensitive, self.source.crowd
        if self.class_of is not None:
            if sensitive:
                members = Members(*grouping.by_class(self.class_of, len(self.counts)))
                sensitive = [one.merged(members) for one in sensitive]
            if crowd is not None:
                crowd = crowd.merged(self.class_of, len(self.counts), enough, seen)
        bundles = grouping.taken(self.source.bundles, self.first)
        return Combinations(bundles, self.counts, self.floor, sensitive, crowd)


class Grouping(NamedTuple):
    """The equivalence classes at one node, and what becomes of them."""

    source: Combinations
    levels: tuple[int, ...]
    at: NDArray[np.int64]
    """The same for kernels."""
    class_of: NDArray[np.int32]
    sizes: NDArray[np.int64]
    first: NDArray[np.int32]
    kept: NDArray[np.bool_]
    least: NDArray[np.int64]
    """Rows of each class that every node below this one suppresses as well, at the least."""
    least_rows: int
    """The same for the whole table."""


@dataclass(frozen=True)
class Check:
    """What a node of the lattice does to the table."""

    suppressed_rows: int
    suppressed: NDArray[np.int64]
    """Combinations (indices) whose class is not kept."""
    classes: int
    smallest: int
    """Rows, or persons, of the smallest class kept; 0 if none is."""
    average_risk: float
    """Classes per row of those kept; of persons the mean of 1 / smallest class of each who is left."""
    persons: int | None = None
    persons_gone: int = 0
    """Persons none of whose rows is kept."""
    persons_touched: int = 0
    """Persons some of whose rows are not kept, those gone among them."""


class Problem:
    """m attributes over T distinct combinations: ``codes`` as m arrays with -1 for missing, ``counts`` (T,).

    A class is kept if it has k rows and holds every condition of ``sensitive``; where an ``average_risk`` is
    set, the smallest classes go until classes / rows of what is left is not above it. With ``persons`` (of each combination)
    it has to have k of them, and the average is over persons, each with the risk of the smallest of its classes.
    """

    def __init__(
        self,
        attributes: Sequence[Attribute],
        codes: Sequence[Codes],
        counts: NDArray[np.int64],
        k: int,
        sensitive: Sequence[Sensitive] = (),
        average_risk: float | None = None,
        persons: Persons | None = None,
    ) -> None:
        self.attributes = list(attributes)
        # A copy: for one that may not be written every kernel would be compiled once more.
        self.counts = np.array(counts, dtype=np.int64)
        self.rows = int(self.counts.sum())
        self.k = k
        self.average_risk = average_risk
        self.nested = all(attribute.nested for attribute in self.attributes)
        lengths = [len(attribute.maps[0]) for attribute in self.attributes]
        self.starts = starts = np.cumsum([0, *lengths])
        cells = np.empty((len(self.attributes), len(self.counts)), dtype=np.int32)
        for i, column in enumerate(codes):
            # Shifted so that all attributes' tables can stand one behind the other in one array.
            np.add(column, np.int32(starts[i] + 1), out=cells[i])
        self.packing, bundles = grouping.bundled(cells, self.starts)
        self.persons = persons
        # An average needs the persons of all classes, k only those of the small ones.
        self._enough = k if average_risk is None else 1 << 40
        crowd = None if persons is None else Crowd.of(persons, self._enough)
        floor = tuple(0 for _ in self.attributes)
        self.base = Combinations(bundles, self.counts, floor, list(sensitive), crowd)
        levels = np.repeat([len(a.maps) for a in self.attributes], lengths)
        self.codes_at = grouping.Ladder(
            np.concatenate([np.array(a.maps).ravel(order="F") for a in self.attributes]),
            np.cumsum(levels) - levels,
            self.starts,
        )
        """The code of each entry at each level."""
        self._stored: list[Combinations | _Waiting] = [self.base]
        self._room = _STORED_CELLS
        self._lowest = np.array([attribute.lowest for attribute in self.attributes])
        sizes = np.ones((len(self.attributes), max(len(a.sizes) for a in self.attributes)), dtype=np.int64)
        for i, attribute in enumerate(self.attributes):
            sizes[i, : len(attribute.sizes)] = attribute.sizes
        self.fits = prod(max(attribute.sizes) for attribute in self.attributes) <= _LIMIT
        """Whether one number tells the combinations of every node apart."""
        self._shared = self._shared_attributes() if self.nested else []
        self.forming = Forming(
            np.zeros((_STORED, len(self.attributes)), dtype=np.int64), np.full(_STORED, len(self.counts)),
            *self._places_of_shared(), self._lowest, sizes,
            np.full(min(_DIRECT * len(self.counts), _MOST_DIRECT), -1, np.int32),
            np.zeros(1, dtype=np.int64) if persons is None else crowds.seen_by(persons),
        )  # fmt: skip

    def codes(self, attribute: int) -> NDArray[np.int64]:
        """Codes of one attribute: 0 for a missing value, v+1 for the v-th of its dictionary."""
        return self._codes(attribute, self.base)

    def _codes(self, attribute: int, source: Combinations) -> NDArray[np.int64]:
        column: NDArray[np.int64] = self.packing.cells(source.bundles, attribute) - self.starts[attribute]
        return column

    @property
    def known(self) -> int:
        """How many nodes' classes are known, those of all combinations among them."""
        return len(self._stored)

    @cached_property
    def lattice_size(self) -> int:
        size = 1
        for attribute in self.attributes:
            size *= attribute.highest - attribute.lowest + 1
        return size

    def _shared_attributes(self) -> list[tuple[bool, ...]]:
        """Ever larger sets of attributes, those of most levels, and of these of most values, first, over few combinations of
        levels."""
        if len(self.counts) < _SMALL:
            return []
        chosen = [False] * len(self.attributes)
        sets, nodes = [], 1
        widths = [attribute.highest - attribute.lowest + 1 for attribute in self.attributes]
        for i in sorted(range(len(widths)), key=lambda i: (-widths[i], -self.attributes[i].sizes[0])):
            nodes *= widths[i]
            if nodes > min(max(self.lattice_size // _SHARED, 1), _MOST_SHARED):
                break
            chosen[i] = True
            sets.append(tuple(chosen))
        return sets

    def _places_of_shared(self) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """(per set of attributes what a level of each adds to the place of a shared node; which of the nodes of each set are
        formed). Without sets there is one node, which counts as formed."""
        steps = np.zeros((max(len(self._shared), 1), len(self.attributes)), dtype=np.int64)
        nodes = 1
        for number, chosen in enumerate(self._shared):
            nodes = 1
            for i, attribute in enumerate(self.attributes):
                if chosen[i]:
                    steps[number, i] = nodes
                    nodes *= attribute.highest - attribute.lowest + 1
        return steps, np.full((len(steps), nodes), not self._shared)

    def check(self, found: Grouping) -> Check:
        """What a node does, combination by combination: ``found`` from all of them, or from classes where no row goes, of which the
        same follows."""
        sizes = found.sizes[found.kept]
        rows, classes = int(sizes.sum()), len(sizes)
        every = classes == len(found.kept)
        gone = np.empty(0, np.int64) if every else np.flatnonzero(~found.kept[found.class_of])
        if self.persons is None:
            smallest = int(sizes.min()) if classes else 0
            return Check(self.rows - rows, gone, classes, smallest, classes / rows if rows else 0.0)
        number, least = self._counted(found)
        left = least[least > 0]
        touched = np.zeros(self.persons.number, dtype=np.bool_)
        lost = np.repeat(~found.kept[found.class_of], np.diff(self.persons.start))
        touched[self.persons.person[lost]] = True
        return Check(
            self.rows - rows, gone, classes, int(number[found.kept].min()) if classes else 0,
            float((1 / left).mean()) if len(left) else 0.0,
            self.persons.number, self.persons.number - len(left), int(touched.sum()),
        )  # fmt: skip

    def _counted(self, found: Grouping) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(persons of each class, by person the size of the smallest class kept or -1), of all combinations."""
        assert self.persons is not None
        start, person, number = self.persons
        by_class = grouping.by_class(found.class_of, len(found.sizes))
        counted = crowds.persons_by_class(*by_class, start, person, number)
        return counted, crowds.smallest_by_person(found.class_of, counted, found.kept, start, person, number)

    def smallest(self, levels: Levels) -> int:
        """Rows, or persons, of the smallest class kept at ``levels``; 0 if none is."""
        return self.check(self.group(levels, self.base)).smallest

    def group(self, levels: Levels, source: Combinations | None = None, *, keep: bool = True) -> Grouping:
        """Form the equivalence classes at ``levels`` and judge them.

        They are rolled up from the fewest classes known at a node below, which changes no figure; ``keep`` these for nodes
        above.
        """
        levels, at = tuple(levels), np.array(levels)
        if source is None:
            source = self.source(at)[1]
        class_of, sizes, first = self._classes(at, source)
        if source.crowd is None:
            kept, least, least_rows = grouping.kept_by_size(sizes, self.k)
        else:
            kept, least, least_rows = crowds.kept_by_persons(
                class_of, sizes, source.crowd, self.k, self.forming.seen
            )
        if source.sensitive and least_rows < self.rows:
            formed = Formed(class_of, sizes)
            for one in source.sensitive:
                one.judge(formed, self.k, kept, least)
            least_rows = grouping.total(least)
        if self.average_risk is not None and source.crowd is not None:
            self._hold_average(class_of, source.crowd, kept, self.average_risk)
        elif self.average_risk is not None:
            possible = np.sort(sizes[sizes >= self.k])[::-1]
            least_rows = max(least_rows, self.rows - most_kept(possible, self.average_risk))
            kept &= sizes >= smallest_kept(sizes[kept], self.average_risk)
        found = Grouping(
            source, levels, at, class_of, sizes, first, kept, least, least_rows if self.nested else 0
        )
        if keep and self.nested and 2 * len(sizes) <= len(class_of):
            self._store(levels, source, class_of, sizes, first)
        return found

    def _hold_average(
        self, class_of: NDArray[np.int32], crowd: Crowd, kept: NDArray[np.bool_], average_risk: float
    ) -> None:
        """Unset ``kept`` for the classes of fewest persons until the average over the persons left is not above the bound.

        The fewer classes are left, the greater the smallest one of each person who is: the average falls with each class
        that goes. Two classes that become one may have fewer persons than both, so nothing follows for other nodes.
        """
        # Over the persons of a class one divided by its size adds up to one, or to less where some are in smaller ones too.
        classes, held = crowds.held_at_least(class_of, kept, crowd.weight)
        if classes <= held * average_risk * _CERTAIN:
            return
        by_class = grouping.by_class(class_of, len(kept))
        named = crowd.start, crowd.person, len(self.forming.seen) - 1
        counted = crowds.persons_by_class(*by_class, *named)
        least = crowds.smallest_held(*by_class, counted, kept, *named, average_risk * (1 + 1e-12))
        kept &= counted >= least if least else False

    def source(self, at: NDArray[np.int64]) -> tuple[int, Combinations]:
        """The fewest classes known at a node below the levels ``at``, and their place among all that are known.

        Nodes on the way that many others share, those that raise the attributes of most levels alone, are
        formed first, one from the other.
        """
        forming = self.forming
        place: int = grouping.start_of(
            forming.floors, forming.lengths, self.known, forming.steps, forming.formed, self._lowest, at
        )
        if place < 0:
            self._form_shared(at - self._lowest)
            return self._nearest(at)
        return place, self._made(place)

    def _form_shared(self, above: NDArray[np.int64]) -> None:
        """Form the nodes that the node so many levels ``above`` the lowest shares with others and that are not there yet."""
        for number, chosen in enumerate(self._shared):
            place = self.forming.steps[number] @ above
            if not self.forming.formed[number, place]:
                self.forming.formed[number, place] = True
                here = np.where(chosen, above, 0) + self._lowest
                source = self._nearest(here)[1]
                found = self._classes(here, source)
                if 10 * len(found[1]) <= 9 * len(source.counts):
                    self._store(tuple(here.tolist()), source, *found)

    def _nearest(self, at: NDArray[np.int64]) -> tuple[int, Combinations]:
        place: int = grouping.nearest(self.forming.floors, self.forming.lengths, self.known, at)
        return place, self._made(place)

    def _made(self, place: int) -> Combinations:
        found = self._stored[place]
        if isinstance(found, _Waiting):
            self._stored[place] = found = found.made(self._enough, self.forming.seen)
        return found

    def _store(
        self,
        levels: tuple[int, ...],
        source: Combinations,
        class_of: NDArray[np.int32],
        sizes: NDArray[np.int64],
        first: NDArray[np.int32],
    ) -> None:
        """Keep the classes of a node, while there is room, for the nodes above it."""
        size = len(sizes) * len(levels)
        tracked = bool(source.sensitive) or source.crowd is not None
        if tracked:
            size += len(class_of) + sum(one.length for one in source.sensitive)
        if source.crowd is not None:
            size += len(source.crowd.person)
        place = len(self._stored)
        if size > self._room or place == _STORED:
            return
        self._room -= size
        self._stored.append(_Waiting(source, levels, sizes, first, class_of if tracked else None))
        self.forming.floors[place] = levels
        self.forming.lengths[place] = len(sizes)

    def _classes(
        self, at: NDArray[np.int64], source: Combinations
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
        if not self.fits and prod(int(self.forming.sizes[i, level]) for i, level in enumerate(at)) > _LIMIT:
            return self._classes_wide(at, source)
        class_of, sizes, first = grouping.classes_at(
            source.bundles,
            source.counts,
            self.forming.sizes,
            at,
            self.forming.number,
            self.codes_at.values,
            self.codes_at.start,
            *self.packing,
        )
        return class_of, sizes, first

    def _classes_wide(
        self, at: NDArray[np.int64], source: Combinations
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
        """The same where one 64-bit key cannot hold a combination: the keys so far are replaced by their ranks before
        they grow too large."""
        key = np.zeros(len(source.counts), dtype=np.int64)
        span = 1
        for i, (attribute, level) in enumerate(zip(self.attributes, at, strict=True)):
            if attribute.sizes[level] < 2:
                continue
            if span * attribute.sizes[level] > _LIMIT:
                distinct, key = np.unique(key, return_inverse=True)
                span = len(distinct)
            key = key * attribute.sizes[level] + attribute.maps[level][self._codes(i, source)]
            span *= attribute.sizes[level]
        class_of, sizes, first = grouping.grouped(key, source.counts)
        return class_of, sizes, first
