"""How many records suppression took, whole or in part, over all steps: one count for checks and remedies (A.3.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from projects.processing.recipes.suggestion import SAMPLING

if TYPE_CHECKING:
    from techniques.tables.dictionary import EncodedColumn

    from .case import Case
    from .check import TableSubject

STAR = "*"


@dataclass(frozen=True)
class Suppressed:
    """Of ``rows`` drawn: those ``removed``, those ``starred`` in all of ``columns`` quasi-identifiers, and the ``cells`` of
    quasi-identifiers that are empty or ``*`` in other records and were not so in the source."""

    rows: int
    removed: int
    starred: int
    cells: int
    columns: int

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
    return Suppressed(case.rows_drawn, removed, starred, max(0, cells), len(quasi))


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
