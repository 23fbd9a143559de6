"""How much one person moves an answer (B.2.4.2)."""

from __future__ import annotations

import math
from typing import NamedTuple, Self

from techniques.models.differential_privacy.loss import Neighbours
from techniques.models.differential_privacy.question import Question


class Sensitivity(NamedTuple):
    """Of a vector of cells in whole steps: ``cells`` that one person touches in two neighbouring tables at most, the sum ``l1`` of
    changes, the root ``l2`` of the sum of their squares, and ``single``, the change of one cell."""

    cells: int
    l1: int
    l2: float
    single: int

    @classmethod
    def of(cls, groups: int, most: int, spread: int, neighbours: Neighbours, *, alone: bool) -> Self:
        """``most`` is the greatest part of a cell that a person has, by amount, ``spread`` the distance of the least and the greatest
        part, no part included; ``groups`` are those a person counts in. ``alone``: there is one cell.

        Where a person is exchanged, each of its groups is either one of the new person's too – the cell moves by ``spread`` – or not,
        and then two cells move by ``most``. The sums are linear in how many are shared, so the greatest are at the ends.
        """
        if neighbours == "add_remove":
            return cls(groups, groups * most, math.sqrt(groups) * most, most)
        if alone:
            return cls(1, spread, float(spread), spread)
        return cls(
            2 * groups, 2 * groups * most, math.sqrt(groups * max(spread**2, 2 * most**2)), max(spread, most)
        )


def _groups(question: Question) -> int:
    cells = question.stated_cells
    return question.groups_per_person if cells is None else min(question.groups_per_person, cells)


def _alone(question: Question) -> bool:
    return question.stated_cells == 1


def of_counts(question: Question, neighbours: Neighbours) -> Sensitivity:
    """Of the number of rows in each group."""
    rows = question.rows_per_group
    return Sensitivity.of(_groups(question), rows, rows, neighbours, alone=_alone(question))


def of_sums(question: Question, neighbours: Neighbours, centre: int = 0) -> Sensitivity:
    """Of the sums of values, in steps from ``centre``."""
    low, high = (bound - centre for bound in question.steps)
    rows = question.rows_per_group
    most, spread = max(abs(low), abs(high)), max(high, 0) - min(low, 0)
    return Sensitivity.of(_groups(question), rows * most, rows * spread, neighbours, alone=_alone(question))


def of_ranks(question: Question, neighbours: Neighbours) -> Sensitivity:
    """Of the scores (b−a)·#below − a·#above of a quantile a/b: a row weighs the greater of a and b−a, an exchange b at most."""
    a, b = ratio(question)
    rows = question.rows_per_group
    return Sensitivity.of(
        _groups(question), rows * max(a, b - a), rows * b, neighbours, alone=_alone(question)
    )


def ratio(question: Question) -> tuple[int, int]:
    """The quantile as a fraction of whole numbers below a thousand."""
    assert question.quantile is not None
    found = max(1, round(question.quantile * 1000))
    found = min(found, 999)
    common = math.gcd(found, 1000)
    return found // common, 1000 // common
