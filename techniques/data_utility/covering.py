"""Which source values a result's value stands for, so that distributions can be compared.

A result may say ``[30,40)`` where the source said 34. Its mass is spread evenly over the different source values that
the label covers, because nothing more is known of them. So generalising has a cost, and a higher one where the values
within a label are unevenly common.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from techniques.core.messages import EngineError, _
from techniques.data_utility.numbers import PLAIN, interval, values_of
from techniques.hierarchies.definitions import Table

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
Hierarchy = Mapping[str, Sequence[str]]
"""Leaf value to the labels above it."""
_MAX_MASK_WORK = 50_000_000
_IN_FORM = re.compile(r".*[*…{].*|[-+0-9.\s,;，\[\]()~–—～至到<>=≤≥及以上下Q]*", re.DOTALL)
"""What can be an interval, a set, a stretch, a span or a mask; any other label covers what begins with it."""
_LAST = "\U0010ffff"
_PATTERN_PARTS = 8
"""Parts of a mask that are looked for by one pattern."""


@dataclass(frozen=True)
class Spread:
    """``mass[i]`` of source value i as far as the result tells, ``unresolved`` mass that covers none;
    both in cells."""

    mass: Floats
    unresolved: float


def spread(
    source: pa.Array,
    labels: pa.Array,
    counts: Counts,
    suppressed: int = 0,
    hierarchy: Hierarchy | None = None,
) -> Spread:
    """Spread the result's ``labels`` (with ``counts``) and ``suppressed`` cells over ``source``.

    A label covers, by the first rule that finds any: itself; the leaves that ``hierarchy`` puts under
    it; the numbers of an interval; the values of a set ``{a;b}`` or of a stretch ``a … b``; the years of a span; what a mask such as ``138****`` fits; what
    begins with it (a region, a year, a month). Numbers that the source does not have, as after
    rounding, cover the source numbers nearest to them.
    """
    mass = np.zeros(len(source), dtype=np.float64)
    unresolved = 0.0
    own, foreign = coverings(source, labels, hierarchy)
    for place, covered in foreign:
        unresolved += _put(mass, covered, int(counts[place]))
    known = own >= 0
    np.add.at(mass, own[known], counts[known])
    if suppressed:
        mass += suppressed / max(len(source), 1)
    return Spread(mass, unresolved)


def coverings(
    source: pa.Array, labels: pa.Array, hierarchy: Hierarchy | None = None
) -> tuple[npt.NDArray[np.int64], Iterator[tuple[int, npt.NDArray[np.int64]]]]:
    """The cover of each label in :func:`spread`: for ``labels`` that are source values their place (-1 for others),
    and for each other label its place and the places of the source values that it covers."""
    own = pc.fill_null(pc.index_in(labels, value_set=source), -1).to_numpy().astype(np.int64)
    foreign = np.flatnonzero(own < 0)
    if len(foreign) == 0:
        return own, iter(())
    resolver = _Resolver(source, values_of(source), hierarchy)
    rounded = resolver.rounded(labels, foreign, own)
    own[list(rounded)] = -1
    rest = np.array([place for place in foreign.tolist() if place not in rounded], dtype=np.int64)
    texts = labels.take(pa.array(rest)).to_pylist()
    looked_up = zip(rest.tolist(), resolver.each(texts), strict=True)
    return own, itertools.chain(rounded.items(), looked_up)


def _put(mass: Floats, covered: npt.NDArray[np.int64], count: int) -> float:
    """Spread ``count`` over ``covered``; what is left when there is nothing to spread it over."""
    if len(covered) == 0:
        return float(count)
    mass[covered] += count / len(covered)
    return 0.0


def total_variation(source_counts: Counts, result: Spread) -> float:
    """Half the L1 distance of the two distributions, what is unresolved lying apart; 0 … 1."""
    there = result.mass.sum() + result.unresolved
    if source_counts.sum() == 0 or there == 0:
        return 0.0 if source_counts.sum() == there else 1.0
    difference = np.abs(source_counts / source_counts.sum() - result.mass / there).sum()
    return float((difference + result.unresolved / there) / 2)


def labels_above(definitions: Mapping[str, Any]) -> dict[str, Hierarchy]:
    """Column → labels above each value, for the hierarchies whose labels do not say what they cover: tables."""
    return {
        column: {row[0]: row[1:] for row in one.rows}
        for column, one in definitions.items()
        if isinstance(one, Table)
    }


class _Resolver:
    """Finds the source values under a label; the source is sorted once for each way of looking."""

    def __init__(self, values: pa.Array, numbers: Floats, hierarchy: Hierarchy | None) -> None:
        self._values = values
        known = np.flatnonzero(~np.isnan(numbers))
        self._number_order = known[np.argsort(numbers[known], kind="stable")]
        self._numbers = numbers[self._number_order]
        self._under: dict[str, list[int]] = {}
        for place, name in enumerate(values.to_pylist() if hierarchy else ()):
            for label in (hierarchy or {}).get(name, ()):
                self._under.setdefault(label, []).append(place)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self._values.to_pylist())}

    @cached_property
    def _order(self) -> npt.NDArray[np.int64]:
        """The places in the order of the texts: UTF-8 has the order of the characters."""
        return np.asarray(pc.sort_indices(self._values)).astype(np.int64)

    @cached_property
    def _texts(self) -> pa.Array:
        return self._values.take(pa.array(self._order))

    @cached_property
    def _sorted(self) -> npt.NDArray[np.object_]:
        found: npt.NDArray[np.object_] = self._texts.to_numpy(zero_copy_only=False)
        return found

    def rounded(
        self, labels: pa.Array, foreign: npt.NDArray[np.int64], own: npt.NDArray[np.int64]
    ) -> dict[int, npt.NDArray[np.int64]]:
        """For results with plain numbers that the source lacks: all plain numbers, by their place, and
        the places of the source numbers nearest to each. Of a number that the source writes in several ways (5, 5.0) a label that is
        one of them, in place ``own``, covers this one."""
        numbers = values_of(labels)
        plain = pc.match_substring_regex(labels, PLAIN).to_numpy(zero_copy_only=False)
        if len(self._numbers) == 0 or not plain[foreign].any():
            return {}
        order = np.flatnonzero(plain)
        order = order[np.argsort(numbers[order], kind="stable")]
        values, which = np.unique(numbers[order], return_inverse=True)
        borders = np.searchsorted(self._numbers, (values[1:] + values[:-1]) / 2).tolist()
        stretches = [*zip([0, *borders], [*borders, len(self._numbers)], strict=True)]
        found = {}
        for place, number in zip(order.tolist(), which.tolist(), strict=True):
            start, end = stretches[number]
            covered = self._number_order[start:end]
            if own[place] >= 0:
                covered = covered[(self._numbers[start:end] != values[number]) | (covered == own[place])]
            found[place] = covered
        return found

    def each(self, labels: Sequence[str]) -> Iterator[npt.NDArray[np.int64]]:
        """:meth:`covered` of each of ``labels``; those that are only a beginning, as thousands of pseudonyms, are looked up together."""
        is_stem = [label not in self._under and _IN_FORM.fullmatch(label) is None for label in labels]
        stems = np.array([label for label, one in zip(labels, is_stem, strict=True) if one], dtype=object)
        stretches = zip(
            np.searchsorted(self._sorted, stems).tolist(),
            np.searchsorted(self._sorted, stems + _LAST).tolist(),
            strict=True,
        )
        for label, one in zip(labels, is_stem, strict=True):
            if one:
                start, end = next(stretches)
                yield self._order[start:end]
            else:
                yield self.covered(label, len(labels))

    def covered(self, label: str, labels: int) -> npt.NDArray[np.int64]:
        """Places of the source values under ``label``."""
        if label in self._under:
            return np.array(self._under[label], dtype=np.int64)
        bounds = interval(label)
        if bounds is not None and len(self._numbers):
            start = np.searchsorted(self._numbers, bounds[0], side="left")
            end = np.searchsorted(self._numbers, bounds[1], side="right")
            if start < end:
                return self._number_order[start:end]
        if len(found := self._members(label)):
            return found
        if span := re.fullmatch(r"([0-9]{4})-([0-9]{4})", label):
            start = np.searchsorted(self._sorted, span[1])
            end = np.searchsorted(self._sorted, span[2] + _LAST)
            return self._order[start:end]
        if quarter := re.fullmatch(r"([0-9]{4})-Q([1-4])", label):
            months = [f"{quarter[1]}-{3 * (int(quarter[2]) - 1) + m:02d}" for m in (1, 2, 3)]
            return np.concatenate([self._starting(month) for month in months])
        stem = label.rstrip("*")
        if "*" in stem:
            return self._masked(label, labels)
        return self._starting(stem) if stem else self._order

    def _members(self, label: str) -> npt.NDArray[np.int64]:
        """What a set or a stretch of local recoding covers; nothing for any other label."""
        ends = label.split(" … ")
        if len(ends) == 2 and set(ends) <= self._places.keys():
            start, end = (
                np.searchsorted(self._sorted, ends[0]),
                np.searchsorted(self._sorted, ends[1], "right"),
            )
            return self._order[start:end]
        found: list[int] = []
        parts = label[1:-1].split(";") if label.startswith("{") and label.endswith("}") else []
        while parts:
            # A value may hold the separator itself: the longest that is known counts.
            size = next((n for n in range(len(parts), 0, -1) if ";".join(parts[:n]) in self._places), 0)
            if size:
                found.append(self._places[";".join(parts[:size])])
            parts = parts[max(size, 1) :]
        return np.array(found, dtype=np.int64)

    def _starting(self, stem: str) -> npt.NDArray[np.int64]:
        return self._order[self._stretch(stem)]

    def _stretch(self, stem: str) -> slice:
        """Where the sorted values that begin with ``stem`` lie."""
        start, end = np.searchsorted(self._sorted, [stem, stem + _LAST])
        return slice(int(start), int(end))

    def _masked(self, label: str, labels: int) -> npt.NDArray[np.int64]:
        if labels * len(self._values) > _MAX_MASK_WORK:
            raise EngineError(
                "too_many_masks", _("The column has too many different masked values to compare.")
            )
        # Only values with the mask's beginning are looked at.
        first, *middle, last = label.split("*")
        stretch = self._stretch(first)
        fits = fitting(self._texts[stretch], [first, *filter(None, middle), last])
        found: npt.NDArray[np.int64] = self._order[stretch][fits]
        return found


def fitting(texts: pa.Array, parts: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Which of the ``texts`` are these parts in this order, two at the least, with anything between them."""
    if len(parts) <= _PATTERN_PARTS:
        # RE2 takes time linear in a value's length, times that of the pattern where this is long.
        pattern = ".*".join(re.escape(part) for part in parts)
        return np.asarray(pc.match_substring_regex(texts, f"(?s)^{pattern}$"))
    return np.fromiter((_fits(text, parts) for text in texts.to_pylist()), np.bool_, len(texts))


def _fits(text: str, parts: Sequence[str]) -> bool:
    """Each part is taken where it comes first, which leaves the most to those behind it."""
    first, *middle, last = parts
    at, end = len(first), len(text) - len(last)
    if at > end or not text.startswith(first) or not text.endswith(last):
        return False
    for part in middle:
        found = text.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True
