"""How many records and persons suppression took, whole or in part, over all steps: one count for checks and remedies (A.3.5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from projects.processing.recipes.suggestion import SAMPLING
from techniques.core.subjects import persons

if TYPE_CHECKING:
    from techniques.core.subjects import Subjects
    from techniques.tables.dictionary import EncodedColumn

    from .case import Case
    from .check import TableSubject

STAR = "*"


@dataclass(frozen=True)
class Suppressed:
    """Of ``rows`` drawn: those ``removed``, those ``starred`` in all of ``columns`` quasi-identifiers, and the ``cells`` of
    quasi-identifiers that are empty or ``*`` in other records and were not so in the source.

    Of ``persons`` drawn: those who have no record in the result (``persons_removed``), or none that is not starred
    (``persons_hidden``). None where records are counted.
    """

    rows: int
    removed: int
    starred: int
    cells: int
    columns: int
    persons: int | None = None
    persons_removed: int = 0
    persons_hidden: int = 0

    @property
    def records(self) -> float:
        """A record without one of its m quasi-identifiers counts as an m-th."""
        return self.removed + self.starred + (self.cells / self.columns if self.columns else 0.0)


def suppressed_of(of: TableSubject) -> Suppressed:
    """What both files show; EngineError where one cannot be read."""
    case = of.case
    quasi = case.quasi()
    starred = 0 if of.risk is None or _only_generalised(case) else of.risk.suppressed_rows
    removed = max(0, case.rows_suppressed)
    cells = sum(_emptied(of, name, starred) for name in quasi)
    found = Suppressed(case.rows_drawn, removed, starred, cells, len(quasi))
    if of.risk is None or of.risk.figures.persons is None or of.persons.result is None:
        return found
    whose, drawn = of.persons.result, of.persons.persons - case.persons_not_drawn
    hidden = np.logical_and.reduce([_starred(of, name) for name in quasi]) & (starred > 0)
    return replace(
        found, persons=drawn, persons_removed=_gone(drawn, whose), persons_hidden=_gone(drawn, whose[~hidden])
    )


def _gone(drawn: int, left: Subjects) -> int:
    """Of so many persons those who have none of the rows that are ``left``. Nobody knows of a row without a key whether it is in
    the result, but how many there are."""
    return max(0, drawn - persons(left)[1])


def _starred(of: TableSubject, name: str) -> NDArray[np.bool_]:
    """The rows with ``*`` in the column; it has one wherever a record is starred in all of them."""
    column = of.both.result[name]
    found: NDArray[np.bool_] = column.codes == pc.index(column.values, STAR).as_py()
    return found


def _emptied(of: TableSubject, name: str, starred: int) -> int:
    """Cells of the column ``name`` that suppression emptied, outside the ``starred`` records.

    A star that a hierarchy ends in is a label. So no star counts in a column that a model or a hierarchy generalises; and a
    column that is hidden in every record is gone as a column, which takes no record.
    """
    source, result, case = of.both.source.get(name), of.both.result[name], of.case
    if source is None:
        return 0
    if _stars(result) + result.missing == len(result):
        return 0
    before = source.missing / max(len(source), 1) * len(result)
    emptied = max(0, round(result.missing - before - 1e-9))
    if name not in case.recipe.hierarchies:
        emptied += max(0, _stars(result) - _stars(source) - starred)
    return emptied


def _stars(column: EncodedColumn) -> int:
    texts: list[str] = column.values.to_pylist()
    return int(column.counts()[texts.index(STAR)]) if STAR in texts else 0


def _only_generalised(case: Case) -> bool:
    """Whether every ``*`` comes from hierarchies: the model removes what it suppresses, and nothing else treats its
    quasi-identifiers."""
    from techniques.anonymization.settings import model_step

    step = model_step(case.recipe)
    if step is None or getattr(step.parameters, "suppressed_rows", "") != "remove":
        return False
    quasi = set(case.quasi())
    others = [
        one for one in case.recipe.steps if one is not step and one.technique not in ("as_is", SAMPLING)
    ]
    # A step without columns is about all of them.
    return quasi <= set(step.columns) and all(one.columns and quasi.isdisjoint(one.columns) for one in others)
