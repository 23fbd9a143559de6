"""Sensitive values are as coarse as their persons asked for (A.5.1; Cao et al. 2018, section 3.3.3)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from techniques.catalogue.generalization import PersonalLevelsSettings
from techniques.core.messages import EngineError, gettext_noop

from ...reports.gate import CheckResult
from ...reports.stored import Text, text
from ..check import TableCheck, TableSubject, Tick, source_text

if TYPE_CHECKING:
    from techniques.recipe.recipe import Step

    from ..case import Case

Cells = Counter[tuple[str, int, int]]
"""How many records of the source have which value, ask for which level, and are of a person who asks for which level at most."""


class PersonalLevels(TableCheck):
    """Values of the result that stand there more often than the levels asked for in the source allow.

    The rows of a result stand in another order, so it is counted value by value: what becomes of each value under the level
    of its record is worked out from the source, and no value may stand in the result more often than that. Rows that are gone
    and cells that are missing or ``*`` tell nothing and are no fault.
    """

    kind = "personal_levels"
    label = _("Values are as coarse as their persons asked")
    clause = "A.5.1"
    meaning = _(
        "Anyone who asked for more protection than the value already has must be given something "
        "coarser in its place, and nobody may be given less than they asked for."
    )
    unit = "count"
    shows_details = True
    effort = 0.02

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        case = of.case
        there = set(case.result.columns())
        rows = []
        for step in case.recipe.steps:
            if isinstance(step.parameters, PersonalLevelsSettings):
                columns = [name for name in step.columns if name in there]
                rows += [self._row(case, step, step.parameters, column) for column in columns]
        return rows

    def _row(self, case: Case, step: Step, settings: PersonalLevelsSettings, column: str) -> CheckResult:
        about = Text(message=source_text(self.label), params={}, columns=column)
        if _treated_otherwise(case, step, (column, settings.level_column)):
            why = gettext_noop(
                "Other steps treat %(column)s or the levels too, so the source does not tell what has to stand in the result."
            )
            return self.not_run(text(why, column=column), label=about)
        try:
            cells = _cells(case, column, settings.level_column)
            needed, requested, above = _needed(settings, cells)
        except EngineError as error:
            return self.not_run(text(error.message, **error.params), label=about)
        wrong = sum(
            max(0, number - needed[value])
            for value, number in _written(case, column).items()
            if value not in ("", "*")
        )
        figures = {
            "column": column, "rows": sum(cells.values()), "asked": sum(requested.values()), "above": above, "wrong": wrong,
        }  # fmt: skip
        plain = gettext_noop(
            "No value of %(column)s stands in the result more often than the levels asked for allow. Of %(rows)d records of the "
            "source %(asked)d ask for a level, and for %(above)d it is above that of the value."
        )
        if case.person_key:
            plain = gettext_noop(
                "No value of %(column)s stands in the result more often than the levels asked for allow. Of %(rows)d records of the "
                "source %(asked)d ask for a level. The highest that a person asks for holds for all of their records; for %(above)d it "
                "is above that of the value."
            )
        if wrong:
            plain = gettext_noop(
                "%(wrong)d cells of %(column)s hold a value that stands in the result more often than the levels asked for allow: it "
                "is finer than asked for, or written otherwise."
            )
        message = gettext_noop("Level %(level)d: asked for by %(records)d records.")
        return self.row(
            label=about,
            target=0,
            measured=wrong,
            passed=wrong == 0,
            plain=text(plain, **figures),
            details=[text(message, level=level, records=requested[level]) for level in sorted(requested)],
        )


def _treated_otherwise(case: Case, step: Step, columns: tuple[str, str]) -> bool:
    """Whether another step changes the value or the level in which the source is compared; removing the levels does not."""
    value, level = columns
    return any(
        one is not step
        and one.spec.treats
        and (value in one.columns or (level in one.columns and one.technique != "suppression.remove_column"))
        for one in case.recipe.steps
    )


def _cells(case: Case, column: str, level: str) -> Cells:
    """EngineError ``level_unreadable``."""
    import numpy as np

    from techniques.core.subjects import highest_of_persons
    from techniques.values.levels import level_of

    encoded = case.source.encoded([column, level])
    levels = [level_of(text) for text in encoded[level].values.to_pylist()]
    if None in levels:
        message = gettext_noop("A cell of the levels is no whole number from 1 on.")
        raise EngineError("level_unreadable", message)
    # The missing cell has the code -1, the last of these.
    requested = np.array([*levels, 0], dtype=np.int64)[encoded[level].codes]
    whose = case.source.subjects(case.person_key) if case.person_key else None
    cells = np.stack([encoded[column].codes, requested, highest_of_persons(requested, whose)])
    values = [*encoded[column].values.to_pylist(), ""]
    found: Cells = Counter()
    for (value, own, highest), number in zip(*_counted(cells), strict=True):
        found[values[value], own, highest] += number
    return found


def _counted(cells: Any) -> tuple[list[list[int]], list[int]]:
    """(different columns of ``cells``, how often each stands there)."""
    import numpy as np

    found, numbers = np.unique(cells, axis=1, return_counts=True)
    return found.T.tolist(), numbers.tolist()


def _written(case: Case, column: str) -> Counter[str]:
    cells = case.result.encoded([column])[column]
    counts = cells.counts().tolist()
    return Counter(dict(zip(map(str, cells.values.to_pylist()), counts, strict=True)))


def _needed(settings: PersonalLevelsSettings, cells: Cells) -> tuple[Counter[str], Counter[int], int]:
    """(how often each value has to stand in the result, how many records ask for each level, for how many that of their person is
    above that of the value)."""
    import pyarrow as pa

    from techniques.hierarchies.build import build

    values = sorted({value for value, _own, _highest in cells if value})
    tree = build(settings.tree, pa.array(values, pa.string()))
    place = {value: number for number, value in enumerate(values)}
    needed: Counter[str] = Counter()
    requested: Counter[int] = Counter()
    above = 0
    for (value, own, level), number in cells.items():
        if own:
            requested[own] += number
        label = value
        if value and level > settings.levels.get(value, 1):
            at = min(level, tree.levels) - 1
            label = str(tree.labels[at][int(tree.codes[at][place[value]])].as_py())
            above += number
        needed[label] += number
    return needed, requested, above
