"""Risk of re-identification by information entropy: likelihood times impact, over what an attacker may know.

A vulnerability is a set of quasi-identifiers. Its severity is the share of a person's identity that these columns tell
together: the mutual information of person and combination in bits, over log2 of the number of persons. Where one row is
one person that is the Shannon entropy of the combinations over log2 of the rows. How often it is attacked falls with the
columns that an attacker must know; what an attack lays open are the sensitive attributes and the columns that were not
known yet, as far as their values survived the treatment. docs/explanation/models.md has the formulas and their source.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import log2
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from techniques.core.messages import EngineError, _
from techniques.core.settings import Frozen
from techniques.core.subjects import Subjects, persons
from techniques.core.tuples import sorted_keys
from techniques.data_utility.numbers import values_of
from techniques.disclosure_risk.classes import CodedColumns, encode
from techniques.disclosure_risk.measure import check_subjects
from techniques.disclosure_risk.scales.attack import Attack as Attack
from techniques.disclosure_risk.subsets import MOST_COLUMNS, determines, merged, sums_by_subset
from techniques.values.lookup import places

Codes = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Counted = tuple[pa.StringArray, npt.NDArray[np.int64]]
"""The different texts of a column, the missing one as the empty text, and how often each stands there."""
QUICK = 40_000_000
"""Different rows times sets of columns up to which the mean over all sets takes some seconds at most."""


class Increment(Frozen):
    """A column on the path: the ``severity`` of it and those before it, what it adds, and the two weights at this
    dimension."""

    column: str
    severity: float
    gain: float
    frequency: float
    leakage: float


class EntropyRisk(Frozen):
    """``likelihood`` × ``impact`` = ``risk``, each from 0 to 1, along the ``path`` of greatest severity; ``average`` is the
    mean risk of all sets of columns, None where it was not asked for. ``units`` are rows, or persons."""

    units: int
    path: tuple[Increment, ...]
    likelihood: float
    impact: float
    risk: float
    average: float | None
    survival: dict[str, float]
    attack: Attack


class EntropyChange(Frozen):
    """The risk of a table and of what was made of it, by the same attacker."""

    source: EntropyRisk
    result: EntropyRisk


def entropy_risk(
    batches: Iterable[pa.RecordBatch],
    qi: Sequence[str],
    sensitive: Sequence[str] = (),
    *,
    survival: Mapping[str, float] | None = None,
    attack: Attack | None = None,
    subjects: Subjects | None = None,
    average: bool | None = False,
) -> EntropyRisk:
    """The risk of a table by its quasi-identifiers ``qi``.

    ``survival`` is the share of each column's values that the treatment left (:func:`survival_of`); 1 for a column that it
    does not name. ``subjects`` say whose each row is: persons weigh the same, however many rows they have. ``average`` asks
    for the mean over every set of columns, too (at most 14 columns), None for that where it is :data:`QUICK`. A missing
    value is a value of its own, and so is ``*``.

    Raises EngineError ``no_rows``, ``too_many_columns``, and what :func:`encode` raises. Work: m(m+1)/2 groupings of the
    different rows; 2^m for the average.
    """
    if average and len(qi) > MOST_COLUMNS:
        text = _("At most %(most)d columns can be looked at in all combinations.")
        raise EngineError("too_many_columns", text, most=MOST_COLUMNS)
    return _risk(encode(batches, qi), sensitive, survival or {}, attack or Attack(), subjects, average)


def entropy_change(
    source: Iterable[pa.RecordBatch],
    result: Iterable[pa.RecordBatch],
    qi: Sequence[str],
    sensitive: Sequence[str] = (),
    *,
    left: Collection[str],
    attack: Attack | None = None,
    source_subjects: Subjects | None = None,
    result_subjects: Subjects | None = None,
) -> EntropyChange:
    """The risk of ``source`` by ``qi``, and of ``result`` by those of them that are ``left`` in it, one at least.

    What survives is counted from both; nothing does of a column that is gone. Each file is read once. Raises what
    :func:`entropy_risk` raises.
    """
    kept = [name for name in (*qi, *sensitive) if name in left]
    return entropy_change_coded(
        encode(source, [*qi, *sensitive]), encode(result, kept), qi, sensitive,
        attack=attack, source_subjects=source_subjects, result_subjects=result_subjects,
    )  # fmt: skip


def entropy_change_coded(
    source: CodedColumns,
    result: CodedColumns,
    qi: Sequence[str],
    sensitive: Sequence[str] = (),
    *,
    attack: Attack | None = None,
    source_subjects: Subjects | None = None,
    result_subjects: Subjects | None = None,
) -> EntropyChange:
    """The same of columns that are coded already: of the source those of ``qi`` and ``sensitive`` in this order, of the result those
    that are left of them."""
    chosen = attack or Attack()
    kept = sum(name in qi for name in result.columns)
    survival = dict.fromkeys([*qi, *sensitive], 0.0) | {
        name: _survival(_counted_codes(source, name), _counted_codes(result, name)) for name in result.columns
    }
    return EntropyChange(
        source=_risk(_first(source, len(qi)), sensitive, {}, chosen, source_subjects, None),
        result=_risk(_first(result, kept), sensitive, survival, chosen, result_subjects, None),
    )


def _first(coded: CodedColumns, number: int) -> CodedColumns:
    """The first columns."""
    return replace(
        coded,
        columns=coded.columns[:number],
        codes=coded.codes[:number],
        cardinality=coded.cardinality[:number],
        suppressed_code=coded.suppressed_code[:number],
        texts=coded.texts[:number],
    )


def _risk(
    coded: CodedColumns,
    sensitive: Sequence[str],
    survival: Mapping[str, float],
    attack: Attack,
    subjects: Subjects | None,
    average: bool | None,
) -> EntropyRisk:
    table, qi = _Table.of(coded, subjects), coded.columns
    left = {**survival, **{name: 1.0 for name in (*qi, *sensitive) if name not in survival}}
    worth = _Worth(qi, tuple(sensitive), left, attack)
    path = tuple(
        Increment(
            column=qi[column],
            severity=severity,
            gain=gain,
            frequency=attack.frequency(step),
            leakage=worth.leakage(mask),
        )
        for step, (column, mask, severity, gain) in enumerate(table.path(), 1)
    )
    if average is None:
        average = len(qi) <= MOST_COLUMNS and len(table.weights) << len(qi) <= QUICK
    likelihood = sum(one.gain * one.frequency for one in path)
    impact = sum(one.gain * one.leakage for one in path)
    return EntropyRisk(
        units=table.units,
        path=path,
        likelihood=likelihood,
        impact=impact,
        risk=likelihood * impact,
        average=table.average(worth) if average else None,
        survival=left,
        attack=attack,
    )


@dataclass(frozen=True)
class _Worth:
    """What an attack by a set of columns lays open."""

    qi: tuple[str, ...]
    sensitive: tuple[str, ...]
    left: Mapping[str, float]
    attack: Attack

    def leakage(self, mask: int) -> float:
        """L of the columns in ``mask``; at most 1, where several sensitive attributes would add up to more."""
        beside = sum(self.left[name] for place, name in enumerate(self.qi) if not mask >> place & 1)
        own = sum(self.left[name] for name in self.sensitive)
        return min(1.0, self.attack.sensitive * own + self.attack.quasi * beside)


@dataclass(frozen=True)
class _Table:
    """Different rows (m, d) with their ``weights`` (d,) of 1 in all, and, where persons have several rows, whose each is."""

    codes: Codes
    cardinality: tuple[int, ...]
    weights: Floats
    units: int
    who: Codes | None

    @classmethod
    def of(cls, coded: CodedColumns, subjects: Subjects | None) -> _Table:
        if coded.rows == 0:
            raise EngineError("no_rows", _("The table has no rows, so there is no risk to measure."))
        cells, sizes, units = coded.codes, list(coded.cardinality), coded.rows
        weights = np.full(units, 1 / units)
        if subjects is not None:
            check_subjects(subjects, coded.rows)
            who, units = persons(subjects)
            weights = 1 / (units * np.bincount(who)[who])
            cells, sizes = np.vstack([cells, who]), [*sizes, units]
        first, sums, _place = merged(cells, weights, np.array(sizes), (1 << len(cells)) - 1)
        cells = np.ascontiguousarray(cells[:, first])
        m = len(coded.columns)
        return cls(cells[:m], coded.cardinality, sums, units, None if subjects is None else cells[m])

    def severity(self, combinations: float, with_person: float) -> float:
        """The share of the identity that is told, by the entropies in bits of the combination, and of it and the person
        together; 1 where there is one person only."""
        whole = log2(self.units)
        if self.who is None:
            return combinations / whole if whole else 1.0
        return (combinations + whole - with_person) / whole if whole else 1.0

    def path(self) -> Iterable[tuple[int, int, float, float]]:
        """(column, columns so far as a mask, their severity, what it adds), the column that tells the most at each step."""
        combinations = _Joint.start(self.weights)
        of_persons = combinations
        if self.who is not None:
            of_persons = combinations.joined(self.who, self.units)
        rest, mask, before = list(range(len(self.codes))), 0, 0.0
        while rest:
            found = [self._severity_with(combinations, of_persons, column) for column in rest]
            best = int(np.argmax(found))
            column, severity = rest.pop(best), found[best]
            mask |= 1 << column
            yield column, mask, severity, severity - before
            before = severity
            if rest:
                combinations = combinations.joined(self.codes[column], self.cardinality[column])
                if self.who is not None:
                    of_persons = of_persons.joined(self.codes[column], self.cardinality[column])

    def _severity_with(self, combinations: _Joint, of_persons: _Joint, column: int) -> float:
        codes, size = self.codes[column], self.cardinality[column]
        together = 0.0 if self.who is None else of_persons.with_column(codes, size)
        return self.severity(combinations.with_column(codes, size), together)

    def average(self, worth: _Worth) -> float:
        """The mean over all sets of columns of (V·F)(V·L)."""
        m = len(self.codes)
        cells, sizes = self.codes, list(self.cardinality)
        if self.who is not None:
            cells, sizes = np.vstack([cells, self.who]), [*sizes, self.units]
        of = dict(sums_by_subset(cells, self.weights, sizes, _bits, are_different=True))
        total = 0.0
        for mask in range(1, 1 << m):
            severity = self.severity(of[mask], of.get(mask | 1 << m, 0.0))
            total += severity**2 * worth.attack.frequency(mask.bit_count()) * worth.leakage(mask)
        return total / ((1 << m) - 1)


@dataclass(frozen=True)
class _Joint:
    """The rows by their combination in some columns: ``place`` (d,) of ``number``. Those that are alone with theirs stay
    alone whatever is joined, so they are left out and their entropy is ``alone``."""

    place: Codes
    number: int
    weights: Floats
    rows: npt.NDArray[np.int64]
    alone: float

    @classmethod
    def start(cls, weights: Floats) -> _Joint:
        rows = len(weights)
        return cls(np.zeros(rows, np.int32), 1, weights, np.arange(rows), 0.0)

    def _merged(self, codes: Codes, size: int) -> tuple[Any, Any, Any]:
        cells = np.vstack([self.place, codes[self.rows]])
        return merged(cells, self.weights, np.array([self.number, size]), 0b11)

    @cached_property
    def entropy(self) -> float:
        """In bits."""
        sums = np.bincount(self.place, weights=self.weights)
        return self.alone + _bits(np.asarray(sums, dtype=np.float64))

    def _is_split_by(self, codes: Codes) -> bool:
        return not determines(self.place, codes[self.rows], self.number)

    def with_column(self, codes: Codes, size: int) -> float:
        """The entropy in bits with one column more, of ``size`` codes."""
        if not self._is_split_by(codes):
            return self.entropy
        return self.alone + _bits(self._merged(codes, size)[1])

    def joined(self, codes: Codes, size: int) -> _Joint:
        """The combinations with that column."""
        if self.number > 1 and not self._is_split_by(codes):
            return self
        _first, sums, place = self._merged(codes, size)
        several = np.bincount(place, minlength=len(sums)) > 1
        kept = several[place]
        renumbered = (np.cumsum(several) - 1).astype(np.int32)
        return _Joint(
            renumbered[place[kept]],
            max(int(several.sum()), 1),
            self.weights[kept],
            self.rows[kept],
            self.alone + _bits(sums[~several]),
        )


def _bits(weights: Floats) -> float:
    """-Σ w log2 w, in the order of the weights: equal distributions have equal entropies to the last digit."""
    # Numbers that are not negative have the order of their bits.
    ordered = sorted_keys(weights.view(np.int64)).view(np.float64)
    if not len(ordered):
        return 0.0
    information = np.log2(ordered)
    information *= ordered
    return float(-information.sum())


def survival_of(source: pa.Table, released: pa.Table, columns: Iterable[str]) -> dict[str, float]:
    """For each column the share of its values that can have survived at most, by the values alone, as the released rows
    may stand in another order and some may be gone.

    A column whose values are all numbers loses, as a share of the range, a distance below which no assignment of released to
    original cells comes (it is reached where no cell is gone), and all of a cell that is no number; the middle stands for
    an interval. Another column keeps as many cells as have an original cell each.
    """
    return {
        name: _survival(_counted(source.column(name)), _counted(released.column(name))) for name in columns
    }


def _survival(source: Counted, released: Counted) -> float:
    texts, counts = source
    left, there = released
    cells = int(there.sum())
    if cells == 0:
        return 0.0
    known = np.asarray(pc.not_equal(texts, "")).astype(bool)
    numbers = values_of(texts.filter(pa.array(known)))
    if not known.any() or np.isnan(numbers).any():
        place = places(left, texts)
        kept = np.minimum(there, np.append(counts, 0)[place]).sum()
        return float(kept) / cells
    width = float(numbers.max() - numbers.min())
    original = np.sort(np.repeat(numbers, counts[known]))
    empty = int(counts.sum()) - len(original)
    found = values_of(left)
    number = ~np.isnan(found)
    result = np.sort(np.repeat(found[number], there[number]))
    blank = int(there[np.asarray(pc.equal(left, "")).astype(bool)].sum())
    # Of more cells than there are on the other side some have none there: each of the fewer may have any that leave it its order.
    few, many = sorted((original, result), key=len)
    lowest, highest = many[: len(few)], many[len(many) - len(few) :]
    moved = np.maximum(np.maximum(lowest - few, few - highest), 0.0)
    lost = np.minimum(moved / width, 1.0).sum() if width else float((moved > 0).sum())
    return float(len(few) - lost + min(blank, empty)) / cells


def _counted(values: pa.ChunkedArray) -> Counted:
    found = pc.value_counts(pc.fill_null(values.cast(pa.string()), ""))
    return found.field("values"), found.field("counts").to_numpy()


def _counted_codes(coded: CodedColumns, column: str) -> Counted:
    place = coded.columns.index(column)
    texts = coded.texts[place]
    counts = np.bincount(coded.codes[place], minlength=len(texts) + 1)
    if counts[0]:
        texts = pa.concat_arrays([pa.array([""], pa.string()), texts])
    else:
        counts = counts[1:]
    there = np.flatnonzero(counts)
    return (texts, counts) if len(there) == len(counts) else (texts.take(pa.array(there)), counts[there])
