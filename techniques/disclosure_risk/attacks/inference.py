"""The attack that infers what it does not know of a person from the records that are nearest by what it knows (4.3.2 e)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from techniques.core.settings import Frozen
from techniques.disclosure_risk.attacks.cells import Column, Integers, Pairs, Records
from techniques.disclosure_risk.attacks.rates import Excess, Rate, excess
from techniques.disclosure_risk.attacks.targets import Targets, Tick, runs
from techniques.tables.dictionary import MISSING

TOLERANCE = 0.05
"""A number is guessed if the guess is so near to it, as a share of it."""


class Inference(Frozen):
    """Of each target the ``secret`` was guessed that most of the nearest records by ``columns`` have: the ``attack``.

    ``control``: the same on persons who are not in the result, or, ``left_out``, on the targets with their own records taken
    out of it. ``naive``: everybody's secret is the most frequent one. ``risk`` is what the attack does better than the
    control, without one than the naive one.
    """

    columns: tuple[str, ...]
    secret: str
    attack: Rate
    control: Rate | None
    left_out: bool
    naive: Rate
    risk: Excess | None


def inference(
    targets: Targets, secret: str, control: Targets | None = None, tick: Tick | None = None
) -> Inference:
    """Guess ``secret`` by the columns that are known. ``control`` are persons who are not in the result; without them the targets'
    own records are left out, where records are somebody's. EngineError ``column_untold``."""
    left_out = control is None and not targets.tables.made_up
    attack = _guessed(targets, secret)
    if tick is not None:
        tick(0.5)
    other = None
    if control is not None:
        other = _guessed(control, secret)
    elif left_out:
        other = _guessed(targets, secret, left_out=True)
    naive = _naive(targets, secret)
    if tick is not None:
        tick(1.0)
    return Inference(
        columns=targets.knowledge.columns,
        secret=secret,
        attack=attack,
        control=other,
        left_out=left_out,
        naive=naive,
        risk=excess(attack, other or naive),
    )


def _guessed(targets: Targets, secret: str, *, left_out: bool = False) -> Rate:
    """The rate of right guesses; ``left_out``: of a result that the targets' own records are not in."""
    (sought,) = targets.tables.of([secret])
    truth = sought.source.codes[targets.rows].astype(np.int64)
    records, near = targets.nearest(targets.knowledge.columns)
    held = _Held(records, sought)
    votes = held.without(targets) if left_out else held.among(near)
    return Rate.of(float(_right(sought, votes, truth).sum()), int((truth != MISSING).sum()))


class _Votes(NamedTuple):
    """How many ``rows`` of the nearest records of each ``target`` have each ``label``."""

    target: Integers
    label: Integers
    rows: NDArray[np.float64]


class _Held:
    """Which secrets the rows of each record have: pairs of a record and a label; a missing one and ``*`` are none."""

    def __init__(self, records: Records, sought: Column) -> None:
        labels = sought.released.codes.astype(np.int64)
        is_said = (labels != MISSING) & ~sought.open[labels]
        self.records, self.labels = records, len(sought.released.values)
        self.code = np.where(is_said, labels, MISSING)
        found, counts = np.unique(records.of_row[is_said] * self.labels + labels[is_said], return_counts=True)
        record, self.label = np.divmod(found, self.labels)
        self.rows = counts.astype(np.float64)
        self.begin = np.searchsorted(record, np.arange(len(records.rows) + 1))

    def among(self, near: Pairs) -> _Votes:
        """Of the nearest records."""
        return self._counted(near, np.zeros(0, np.int64), np.zeros(0))

    def without(self, targets: Targets) -> _Votes:
        """The same of a result that the targets' own records are not in."""
        records, own = self.records, targets.own
        key, at = np.unique(own.target * len(records.rows) + records.of_row[own.row], return_inverse=True)
        taken = np.bincount(at.reshape(-1), weights=own.chance, minlength=len(key))
        target, record = np.divmod(key, len(records.rows))
        gone = taken >= records.rows[record] - 1e-9
        taken_out = Pairs.of(target[gone], record[gone], len(targets))
        _same, near = targets.nearest(targets.knowledge.columns, taken_out)
        is_near = np.isin(
            own.target * len(records.rows) + records.of_row[own.row],
            near.target * len(records.rows) + near.record,
        )
        is_near &= self.code[own.row] != MISSING
        lost = own.target[is_near] * self.labels + self.code[own.row][is_near]
        return self._counted(near, lost, -own.chance[is_near])

    def _counted(self, near: Pairs, more: Integers, rows: NDArray[np.float64]) -> _Votes:
        """The votes of the nearest records, with ``rows`` of ``more`` pairs of a target and a label besides."""
        counts = self.begin[near.record + 1] - self.begin[near.record]
        at = runs(self.begin[near.record], counts)
        keys = np.concatenate([np.repeat(near.target, counts) * self.labels + self.label[at], more])
        found, place = np.unique(keys, return_inverse=True)
        votes = np.bincount(
            place.reshape(-1), weights=np.concatenate([self.rows[at], rows]), minlength=len(found)
        ).astype(np.float64)
        target, label = np.divmod(found, self.labels)
        return _Votes(target, label, votes)


def _right(sought: Column, votes: _Votes, truth: Integers) -> NDArray[np.float64]:
    """(targets,): the chance that one of the most frequent labels is the truth; 0 where there is none."""
    most = np.zeros(len(truth))
    np.maximum.at(most, votes.target, votes.rows)
    guessed = (votes.rows >= most[votes.target] - 1e-9) & (votes.rows > 1e-9)
    target = votes.target[guessed]
    good = _fits(sought, votes.label[guessed], truth[target])
    number = np.bincount(target, minlength=len(truth))
    return np.bincount(target, weights=good, minlength=len(truth)) / np.maximum(number, 1)


def _fits(sought: Column, label: Integers, truth: Integers) -> NDArray[np.float64]:
    """Whether each guessed label says what is so: the value itself, a number near it, an interval or set that it lies in; the
    naive guess may be as wide. ``*`` is no guess."""
    known = truth != MISSING
    number = np.where(known, sought.number[truth], np.nan)
    reach = TOLERANCE * np.abs(number)
    with np.errstate(invalid="ignore"):
        near = (sought.low[label] >= number - reach) & (sought.high[label] <= number + reach)
    same = (sought.own[label] == truth) & (sought.own[label] >= 0)
    for place, covered in sought.foreign.items():
        at = label == place
        if len(covered) and at.any():
            same[at] |= np.isin(truth[at], covered)
    inside = (sought.low[label] <= number) & (number <= sought.high[label])
    right: NDArray[np.float64] = (known & (near | same | inside)).astype(np.float64)
    return right


def _naive(targets: Targets, secret: str) -> Rate:
    """The rate where everybody's secret is guessed to be the most frequent one of the result."""
    (sought,) = targets.tables.of([secret])
    truth = sought.source.codes[targets.rows].astype(np.int64)
    counts = np.where(sought.open, 0, sought.released.counts())
    right = _fits(sought, np.full(len(truth), int(counts.argmax())), truth)
    return Rate.of(float(right.sum()), int((truth != MISSING).sum()))
