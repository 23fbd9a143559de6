"""Attacks that look for a person's record: by an insider who holds the source (5.5.2 e), and by who joins two halves of one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from techniques.core.settings import Frozen
from techniques.disclosure_risk.attacks.rates import Excess, Rate, excess
from techniques.disclosure_risk.attacks.targets import Targets, Tick, runs


class InsiderLinkage(Frozen):
    """Of each target the nearest record by ``columns`` was taken, one by chance where several are equally near: the ``attack``.

    ``naive``: any record is taken. ``risk``: what the attack does better. Of ``single`` targets one record alone is nearest,
    which for ``single_right`` of them is their own. ``alike``: of how many records one is taken, half of the targets have no more.
    ``by_likeness``: nobody wrote down whose the records are.
    """

    columns: tuple[str, ...]
    attack: Rate
    naive: Rate
    risk: Excess | None
    single: int
    single_right: float
    alike: float
    by_likeness: bool


def insider_linkage(targets: Targets, tick: Tick | None = None) -> InsiderLinkage:
    """Find the records of persons of the source by what an insider knows of them. EngineError ``column_untold``."""
    tables, own, number = targets.tables, targets.own, len(targets)
    records, near = targets.nearest(targets.knowledge.columns)
    if tick is not None:
        tick(0.8)
    among = np.bincount(near.target, weights=records.rows[near.record], minlength=number)
    pairs = near.target * len(records.rows) + near.record
    of_own = own.target * len(records.rows) + records.of_row[own.row]
    hits = np.bincount(own.target, weights=own.chance * np.isin(of_own, pairs), minlength=number)
    single = among == 1
    attack = Rate.of(float((hits / among).sum()), number)
    naive = Rate.of(float(own.chance.sum()) / max(tables.rows, 1), number)
    return InsiderLinkage(
        columns=targets.knowledge.columns,
        attack=attack,
        naive=naive,
        risk=excess(attack, naive),
        single=int(single.sum()),
        single_right=round(float(hits[single].sum()), 6),
        alike=float(np.median(among)) if len(among) else 0.0,
        by_likeness=tables.whose is None,
    )


class Linkability(Frozen):
    """Who holds some columns of a person (``first``) and elsewhere others (``second``) takes the nearest record for each: the
    ``attack`` succeeds where both are the same one. ``control``: on persons whose records are not in the result; ``naive``:
    any two records are taken. ``risk`` is what the attack does better than the control, without one than the naive one."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    attack: Rate
    control: Rate | None
    naive: Rate
    risk: Excess | None


def linkability(
    targets: Targets,
    first: Sequence[str],
    second: Sequence[str],
    control: Targets | None = None,
    tick: Tick | None = None,
) -> Linkability:
    """Whether a result joins what two sources say of one person. ``control`` are persons who are not in it."""
    attack = Rate.of(_joined(targets, first, second), len(targets))
    if tick is not None:
        tick(0.5)
    other = Rate.of(_joined(control, first, second), len(control)) if control is not None else None
    naive = Rate.of(attack.attempts / max(targets.tables.rows, 1), attack.attempts)
    return Linkability(
        first=tuple(first),
        second=tuple(second),
        attack=attack,
        control=other,
        naive=naive,
        risk=excess(attack, other or naive),
    )


def _joined(targets: Targets, first: Sequence[str], second: Sequence[str]) -> float:
    """The chances, added up, that the records drawn for both halves are one and the same row."""
    (one, near), (other, others) = targets.nearest(first), targets.nearest(second)
    number, many = len(targets), len(other.rows)
    among = np.bincount(near.target, weights=one.rows[near.record], minlength=number)
    among *= np.bincount(others.target, weights=other.rows[others.record], minlength=number)
    # Of each record of the first half, the records of the second that some row has too, and how many rows do.
    joint, counts = np.unique(one.of_row * many + other.of_row, return_counts=True)
    begin = np.searchsorted(joint, np.arange(len(one.rows) + 1) * many)
    length = begin[near.record + 1] - begin[near.record]
    at = runs(begin[near.record], length)
    target = np.repeat(near.target, length)
    both = np.isin(target * many + joint[at] % many, others.target * many + others.record)
    found = np.bincount(target, weights=counts[at] * both, minlength=number)
    return float((found / among).sum())
