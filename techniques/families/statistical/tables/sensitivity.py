"""Which cells tell too much of a contributor, and how far off an estimate of them has to stay (T/ISC 0078 10.5).

With contributions x1 >= x2 >= … by their size and their sum X: (n,k)-dominance x1 + … + xn > (k/100) X; the p % rule
X - x1 - x2 < (p/100) x1; the p/q rule X - x1 - x2 < (p/q) x1; fewer contributors than a minimum. How far the upper end of what can be
worked out must lie above the value is by how much a rule is broken: (100/k)(x1 + … + xn) - X, (p/100) x1 - (X - x1 - x2).
"""

from __future__ import annotations

from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from techniques.core.messages import gettext_noop
from techniques.core.settings import ClosedModel
from techniques.families.statistical.tables.table import Floats, StatisticalTable


class Dominance(ClosedModel):
    """The ``n`` largest contribute more than ``k`` per cent."""

    n: int = Field(ge=1, le=10)
    k: float = Field(gt=0, lt=100)


class PriorPosterior(ClosedModel):
    """Contributors are known to within ``q`` per cent before, and must not become known to within ``p`` per cent."""

    p: float = Field(gt=0, le=100)
    q: float = Field(gt=0, le=100)

    @model_validator(mode="after")
    def _tighter(self) -> Self:
        if self.p >= self.q:
            raise ValueError(
                gettext_noop("p lies below q: what was known before is less than what must not be.")
            )
        return self


class SensitivityRules(ClosedModel):
    """The rules of a table. Their parameters are secrets: who knows them can tell more from what is hidden.

    ``minimum_contributors`` hides cells of fewer; ``margin`` is how far off, as a share of the value, their estimate must stay in
    a table of amounts (in counts: at the minimum). ``zeros``: where every contribution is zero, each of them is told by
    the cell; ``hidden`` counts that as sensitive, with the margin times the mean of the cells that are not zero.
    """

    minimum_contributors: int | None = Field(default=None, ge=2, le=1000)
    margin: float = Field(default=0.3, gt=0, le=10)
    dominance: Dominance | None = None
    p_percent: float | None = Field(default=None, gt=0, le=100)
    prior_posterior: PriorPosterior | None = None
    zeros: Literal["published", "hidden"] = "published"

    @property
    def of_amounts(self) -> bool:
        """Whether a rule looks at how much each contributes."""
        return any((self.dominance, self.p_percent, self.prior_posterior))

    @property
    def ranks(self) -> int:
        """How many of the largest contributions the rules look at."""
        return max(2, self.dominance.n if self.dominance else 0)


class Sensitive:
    """The primary cells (cells,), the distance (cells,) above and below their values that an estimate has to leave open, and
    which cells (cells,) break each rule by its name among those of :class:`SensitivityRules`."""

    def __init__(
        self, cells: NDArray[np.bool_], distance: Floats, by_rule: dict[str, NDArray[np.bool_]]
    ) -> None:
        self.cells, self.distance, self.by_rule = cells, distance, by_rule

    def broken(self, cell: int) -> list[str]:
        """The rules that this cell breaks."""
        return [name for name, cells in self.by_rule.items() if cells[cell]]


def sensitive_cells(table: StatisticalTable, rules: SensitivityRules, *, counts: bool) -> Sensitive:
    """What the rules make sensitive. ``counts``: the table counts contributors, so only their minimum applies.

    Contributions below zero count by their size, as does their sum: a cell is not safe because amounts cancel out.
    """
    distance = np.zeros(table.cells)
    by_rule: dict[str, NDArray[np.bool_]] = {}
    if rules.minimum_contributors is not None:
        few = (table.contributors > 0) & (table.contributors < rules.minimum_contributors)
        wanted = (
            (rules.minimum_contributors - table.contributors).astype(np.float64)
            if counts
            else rules.margin * table.absolute
        )
        by_rule["minimum_contributors"] = few
        distance = np.where(few, wanted, distance)
    if not counts:
        for name, sensitive, wanted in _by_amounts(table, rules):
            by_rule[name] = sensitive
            distance = np.where(sensitive, np.maximum(distance, wanted), distance)
        nothing = (table.contributors > 0) & (table.absolute == 0)
        other = np.abs(table.values[table.values != 0])
        if rules.zeros == "hidden":
            by_rule["zeros"] = nothing
            distance = np.where(nothing, rules.margin * (other.mean() if len(other) else 1.0), distance)
        else:
            by_rule = {name: cells & ~nothing for name, cells in by_rule.items()}
    primary = np.logical_or.reduce([np.zeros(table.cells, dtype=np.bool_), *by_rule.values()])
    # Who knows that values are whole numbers takes an estimate that leaves less than one open for exact.
    return Sensitive(primary, np.ceil(distance - 1e-9) if table.whole else distance, by_rule)


def _by_amounts(
    table: StatisticalTable, rules: SensitivityRules
) -> list[tuple[str, NDArray[np.bool_], Floats]]:
    """(its name, sensitive, by how much the rule is broken) of each rule on amounts."""
    x1, rest = table.largest[:, 0], table.absolute - table.largest[:, :2].sum(axis=1)
    found = []
    if rules.dominance is not None:
        most = table.largest[:, : rules.dominance.n].sum(axis=1)
        broken = most * 100 / rules.dominance.k - table.absolute
        found.append(("dominance", most > rules.dominance.k / 100 * table.absolute, broken))
    shares = {} if rules.p_percent is None else {"p_percent": rules.p_percent / 100}
    if rules.prior_posterior is not None:
        shares["prior_posterior"] = rules.prior_posterior.p / rules.prior_posterior.q
    for name, share in shares.items():
        found.append((name, rest < share * x1, share * x1 - rest))
    return found
