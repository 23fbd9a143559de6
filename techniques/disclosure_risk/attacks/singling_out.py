"""Singling out: predicates that fit one record of the result, tried on the source (5.5.2 d; Giomi et al. 2023, Cohen and Nissim 2020).

A predicate says something of one column (``univariate``: its rarest and outermost values) or of several (``multivariate``: what
one record of the result says there). It singles somebody out if it fits rows of one person of the source alone.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled
from techniques.core.settings import Frozen
from techniques.disclosure_risk.attacks.cells import Column, Integers
from techniques.disclosure_risk.attacks.rates import Excess, Rate, excess
from techniques.disclosure_risk.attacks.targets import Tables, Tick
from techniques.tables.dictionary import MISSING

WIDTH = 3
"""Columns of a multivariate predicate."""
_TRIES = 100
"""Records that are looked at for each predicate that is wanted."""
_BATCH = 512
SAME, AT_MOST, AT_LEAST = range(3)
Kind = Literal["univariate", "multivariate"]
KINDS: tuple[Kind, ...] = ("univariate", "multivariate")


class SinglingOut(Frozen):
    """Of predicates by ``columns`` that fit one record of the result, how many single somebody of the source out: the ``attack``;
    fewer than were ``wanted`` where the result has no more of them.

    ``control``: the same predicates on as many other persons, who are not in the result; ``naive``: predicates by chance, on the
    source. ``risk`` is what the attack does better than the control, without one than the naive one.
    """

    kind: Kind
    columns: tuple[str, ...]
    wanted: int
    attack: Rate
    control: Rate | None
    naive: Rate
    risk: Excess | None


@dataclass(frozen=True)
class _Predicates:
    """p predicates: of each the columns it is about (p, w), -1 for none, what it says of them (p, w) and of which label (p, w)."""

    column: Integers
    sign: Integers
    label: Integers

    def __len__(self) -> int:
        return len(self.column)

    def take(self, which: Any) -> _Predicates:
        return _Predicates(self.column[which], self.sign[which], self.label[which])

    @classmethod
    def together(cls, parts: Sequence[_Predicates]) -> _Predicates:
        return cls(
            *(np.concatenate([getattr(one, name) for one in parts]) for name in ("column", "sign", "label"))
        )


def singling_out(
    tables: Tables,
    kind: Kind,
    columns: Sequence[str],
    *,
    attempts: int,
    seed: int,
    control: Tables | None = None,
    tick: Tick | None = None,
) -> SinglingOut:
    """Learn predicates on the result and try them on the source. ``control`` are persons who are not in the result, as a source;
    of more than the source has, so many are drawn. EngineError ``column_untold``."""
    generator = np.random.default_rng(seed)
    used = tables.of(columns)
    released = _Side([one.released.codes for one in used], [_Ordered.of_labels(one) for one in used], None)
    make = _univariate if kind == "univariate" else _multivariate
    found = make(used, released, attempts, generator)
    if tick is not None:
        tick(0.6)
    width = 1 if kind == "univariate" else min(WIDTH, len(used))
    by_chance = _by_chance(used, attempts, width, generator)
    source = _source(used, tables.who)
    attack = Rate.of(int((source.counted(found, used) == 1).sum()), len(found))
    naive = Rate.of(int((source.counted(by_chance, used) == 1).sum()), len(by_chance))
    other = None
    if control is not None:
        other = _controlled(used, control, tables, found, generator)
    if tick is not None:
        tick(1.0)
    return SinglingOut(
        kind=kind,
        columns=tuple(columns),
        wanted=attempts,
        attack=attack,
        control=other,
        naive=naive,
        risk=excess(attack, other or naive),
    )


def _controlled(
    used: Sequence[Column],
    control: Tables,
    tables: Tables,
    found: _Predicates,
    generator: np.random.Generator,
) -> Rate:
    """The rate on persons of the control group, as many as the source has at most."""
    people, most = np.unique(control.who), len(np.unique(tables.who))
    chosen = generator.permutation(people)[:most]
    rows = np.isin(control.who, chosen)
    there = control.of([one.name for one in used])
    # The labels are those of the one result; the control group has a dictionary of its own values.
    cut = [replace(one, source=type(one.source)(one.source.codes[rows], one.source.values)) for one in there]
    side = _source(cut, control.who[rows])
    return Rate.of(int((side.counted(found, cut) == 1).sum()), len(found))


@dataclass(frozen=True)
class _Ordered:
    """The place of each code of a column, so that what a predicate says is a stretch of places: numbers in their order, then
    all others, the missing one last."""

    place: Integers
    numbers: NDArray[np.float64]

    @classmethod
    def of_numbers(cls, numbers: NDArray[np.float64]) -> _Ordered:
        order = np.argsort(numbers, kind="stable")
        place = np.empty(len(numbers) + 1, dtype=np.int64)
        place[order] = np.arange(len(numbers))
        place[-1] = len(numbers)
        return cls(place, numbers[order][~np.isnan(numbers[order])])

    @classmethod
    def of_labels(cls, column: Column) -> _Ordered:
        """Labels by what they begin with; intervals of one beginning stand side by side and are told apart."""
        return cls.of_numbers(column.low)


class _Side:
    """Rows that predicates are tried on: of the result by its labels, or of a source by its values."""

    def __init__(
        self, codes: Sequence[NDArray[np.int32]], ordered: Sequence[_Ordered], who: NDArray[np.int64] | None
    ) -> None:
        self.ordered = ordered
        self.places = np.vstack([one.place[code] for one, code in zip(ordered, codes, strict=True)])
        self.who = np.arange(self.places.shape[1]) if who is None else who

    def counted(self, found: _Predicates, used: Sequence[Column]) -> Integers:
        """(p,): 0, 1 or 2 and more persons whom each predicate fits."""
        low, high = np.zeros(found.column.shape, np.int64), np.full(found.column.shape, -1, np.int64)
        sets: list[NDArray[np.bool_]] = []
        member = np.full(found.column.shape, -1, np.int64)
        for number, (column, ordered) in enumerate(zip(used, self.ordered, strict=True)):
            at = np.nonzero(found.column == number)
            low[at], high[at] = _stretch(column, ordered, found.sign[at], found.label[at])
            for label in np.unique(found.label[at]).tolist():
                if label in column.foreign:
                    covers = np.zeros(len(ordered.place), dtype=np.bool_)
                    covers[ordered.place[column.foreign[label]]] = True
                    member[(found.column == number) & (found.label == label)] = len(sets)
                    sets.append(covers)
        width = max((len(one) for one in sets), default=1)
        table = np.zeros((max(len(sets), 1), width), dtype=np.bool_)
        for number, covers in enumerate(sets):
            table[number, : len(covers)] = covers
        counts: Integers = _persons(self.places, self.who, found.column, low, high, member, table)
        return counts

    def single(self, found: _Predicates) -> NDArray[np.bool_]:
        """Which predicates about labels fit one row of the result."""
        low, high = found.label.copy(), found.label.copy()
        for number, ordered in enumerate(self.ordered):
            at = np.nonzero(found.column == number)
            place, sign = ordered.place[found.label[at]], found.sign[at]
            low[at] = np.where(sign == AT_MOST, 0, place)
            high[at] = np.where(sign == AT_LEAST, len(ordered.numbers) - 1, place)
        nothing = np.full(found.column.shape, -1, np.int64)
        counts = _persons(
            self.places, self.who, found.column, low, high, nothing, np.zeros((1, 1), dtype=np.bool_)
        )
        one: NDArray[np.bool_] = counts == 1
        return one


def _source(used: Sequence[Column], who: NDArray[np.int64]) -> _Side:
    return _Side([one.source.codes for one in used], [_Ordered.of_numbers(one.number) for one in used], who)


def _stretch(column: Column, ordered: _Ordered, sign: Integers, label: Integers) -> tuple[Integers, Integers]:
    """From which place to which the values of a source lie that a predicate fits; an empty stretch where it fits none."""
    low, high = np.zeros(len(label), np.int64), np.full(len(label), -1, np.int64)
    numeric = ~np.isnan(column.low[label])
    least = np.where(sign == AT_MOST, -np.inf, column.low[label])
    most = np.where(sign == AT_LEAST, np.inf, column.high[label])
    low[numeric] = np.searchsorted(ordered.numbers, least[numeric], side="left")
    high[numeric] = np.searchsorted(ordered.numbers, most[numeric], side="right") - 1
    own = column.own[label]
    is_own = own >= 0
    low[is_own] = high[is_own] = ordered.place[own[is_own]]
    return low, high


def _univariate(
    used: Sequence[Column], side: _Side, attempts: int, generator: np.random.Generator
) -> _Predicates:
    """The values that one record has, and the outermost numbers, of all columns in an order by chance."""
    parts = []
    for number, column in enumerate(used):
        good = column.comparable
        label = np.flatnonzero(good & (column.released.counts() == 1))
        sign = np.full(len(label), SAME)
        numbers = np.flatnonzero(good & ~np.isnan(column.low))
        if len(numbers):
            ends = numbers[[np.argmin(column.low[numbers]), np.argmax(column.high[numbers])]]
            label, sign = np.append(label, ends), np.append(sign, [AT_MOST, AT_LEAST])
        parts.append(_Predicates(np.full((len(label), 1), number), sign[:, None], label[:, None]))
    found = _Predicates.together(parts)
    found = found.take(generator.permutation(len(found)))
    return found.take(side.single(found)).take(slice(0, attempts))


def _multivariate(
    used: Sequence[Column], side: _Side, attempts: int, generator: np.random.Generator
) -> _Predicates:
    """What records drawn by chance say of columns drawn by chance: their labels, of numbers on which side of the median they lie."""
    middles = [_median(one) for one in used]
    width, rows = min(WIDTH, len(used)), side.places.shape[1]
    parts: list[_Predicates] = []
    seen: set[bytes] = set()
    for _round in range(max(1, _TRIES * attempts // _BATCH)):
        row = generator.integers(0, rows, _BATCH)
        chosen = np.argsort(generator.random((_BATCH, len(used))), axis=1)[:, :width].astype(np.int64)
        chosen.sort(axis=1)
        label, sign = np.empty_like(chosen), np.empty_like(chosen)
        for number, column in enumerate(used):
            at = np.nonzero(chosen == number)
            code = column.released.codes[row[at[0]]].astype(np.int64)
            label[at] = code
            sign[at] = _sides(column, code, middles[number])
        found = _Predicates(chosen, sign, label).take(_comparable(used, chosen, label).all(axis=1))
        found = found.take(side.single(found))
        found = found.take(_unseen(found, seen))
        parts.append(found)
        if len(seen) >= attempts:
            break
    return _Predicates.together(parts).take(slice(0, attempts))


def _comparable(used: Sequence[Column], chosen: Integers, label: Integers) -> NDArray[np.bool_]:
    """Which labels can be compared with a source."""
    found = np.zeros(chosen.shape, dtype=np.bool_)
    for number, column in enumerate(used):
        at = np.nonzero(chosen == number)
        code = label[at]
        found[at] = (code != MISSING) & column.comparable[code]
    return found


def _unseen(found: _Predicates, seen: set[bytes]) -> NDArray[np.bool_]:
    """Which predicates have not come before, by what they say; notes them."""
    keys = np.concatenate([found.column, found.sign, found.label], axis=1)
    new = np.zeros(len(found), dtype=np.bool_)
    for number, key in enumerate(keys):
        said = key.tobytes()
        if said not in seen:
            seen.add(said)
            new[number] = True
    return new


def _median(column: Column) -> float:
    counts, middle = column.released.counts(), (column.low + column.high) / 2
    known = np.flatnonzero(np.isfinite(middle))
    if not len(known):
        return 0.0
    order = known[np.argsort(middle[known], kind="stable")]
    sums = np.cumsum(counts[order])
    return float(middle[order[np.searchsorted(sums, sums[-1] / 2)]])


def _sides(column: Column, code: Integers, median: float) -> Integers:
    """What a predicate says of these labels: plain numbers at least or at most, all others themselves."""
    low, high = column.low[code], column.high[code]
    plain = (low == high) & (code != MISSING)
    return np.where(plain, np.where(low > median, AT_LEAST, AT_MOST), SAME).astype(np.int64)


def _by_chance(
    used: Sequence[Column], attempts: int, width: int, generator: np.random.Generator
) -> _Predicates:
    """Predicates of columns, labels and signs by chance, which nobody looked up in the result."""
    chosen = np.argsort(generator.random((attempts, len(used))), axis=1)[:, :width].astype(np.int64)
    label, sign = np.empty_like(chosen), np.empty_like(chosen)
    for number, column in enumerate(used):
        at = np.nonzero(chosen == number)
        good = np.flatnonzero(column.comparable)
        label[at] = good[generator.integers(0, len(good), len(at[0]))]
        numeric = ~np.isnan(column.low[label[at]])
        sign[at] = np.where(numeric, generator.integers(0, 3, len(at[0])), SAME)
    return _Predicates(chosen, sign, label)


@compiled
def _persons(places, who, column, low, high, member, sets):
    """0, 1 or 2 (for more) persons whose rows each predicate fits."""
    found = np.zeros(len(column), np.int64)
    for predicate in range(len(column)):
        person = -1
        for row in range(places.shape[1]):
            fits = True
            for term in range(column.shape[1]):
                about = column[predicate, term]
                if about < 0:
                    continue
                place = places[about, row]
                if member[predicate, term] >= 0:
                    if not sets[member[predicate, term], place]:
                        fits = False
                        break
                elif place < low[predicate, term] or place > high[predicate, term]:
                    fits = False
                    break
            if not fits:
                continue
            if person == -1:
                person = who[row]
                found[predicate] = 1
            elif person != who[row]:
                found[predicate] = 2
                break
    return found
