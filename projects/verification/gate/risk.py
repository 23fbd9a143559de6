"""The risk of one written table, measured once for all checks that rest on it (B.1.4), and what would lower it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from techniques.core.messages import EngineError, gettext_noop
from techniques.disclosure_risk.attackers import smallest_class_for, smallest_safe_size
from techniques.disclosure_risk.explain import Figure, Target, explain, suggestions
from techniques.disclosure_risk.measure import measure_coded
from techniques.disclosure_risk.report import Figures, RiskReport
from techniques.disclosure_risk.sizes import keeps

from ..reports.gate import CheckResult, Risk, RiskBefore
from ..reports.stored import Text, text
from .check import BY_PERSONS, Tick, source_text
from .population import population_figures
from .sampling import sample_figures, sample_statements
from .suppressed import suppressed_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from projects.objective.targets.risk import RiskTargets
    from techniques.core.subjects import Subjects

    from .case import Table
    from .check import Check, TableSubject
    from .rows import Cells

MOST_REMEDIES = 4


def measure_risk(of: TableSubject, quasi: Sequence[str], tick: Tick) -> RiskReport:
    """Measure the result by ``quasi``, and the source beside it; both go into the report."""
    case = of.case
    ticking = _rows_tick(tick, 0.0, case.result.rows)
    cells, persons = case.cells, of.persons
    found = (
        measure_coded(
            case.result.coded(quasi, ticking),
            bounds=_sizes(case.risk),
            subjects=persons.result,
            emptied=case.emptied() or None,
        )
        if cells is None
        else _of_cells(cells)
    )
    if case.emptied():
        found = found.with_missing_as_anything()
    if of.report.population is not None:
        of.report.population = population_figures(of, of.report.population, quasi)
    sample = sample_figures(found, case.sampling_fraction, case.sampling_chances)
    of.risk = found
    of.report.risk = Risk.model_validate(
        {
            **found.summary(),
            "columns": list(quasi),
            "suppressed_rows": found.suppressed_rows,
            "k_own_class": found.own_class.k,
            "k_left_out": found.left_out.k,
            "histogram": [bar.model_dump(mode="json") for bar in found.figures.histogram()],
            "statements": [
                Text(message=item.message, params=item.params, formula=item.formula, code=item.code)
                for item in (*explain(found), *sample_statements(sample, found))
            ],
            "sample": sample,
            "before": _before(case.source, quasi, persons.source, _rows_tick(tick, 0.5, case.source.rows)),
            "drop_one": {column: item.model_dump(mode="json") for column, item in found.drop_one.items()},
        }
    )
    return found


def _sizes(risk: RiskTargets) -> set[int]:
    """The sizes of a class that the targets ask for, each by its own bound."""
    bounds = {risk.max_risk, risk.strict_cap, data_risk_left(risk)}
    above = {smallest_safe_size(float(risk.at_risk_above))} if risk.at_risk is not None else set()
    return {risk.k} | above | {smallest_class_for(bound) for bound in bounds}


def data_risk_left(risk: RiskTargets) -> float:
    """The highest risk of the data with which the overall risk keeps its threshold; under the maximum that of a class, whose
    size is a whole number (a threshold of 0.33 leaves classes of four, for no cap of it is meant)."""
    bound = min(1.0, risk.overall_threshold / risk.context_risk)
    return bound if risk.measure == "strict_average" else 1 / smallest_safe_size(bound)


def _of_cells(cells: Cells) -> RiskReport:
    """The risk of a table of groups: each group is a class, as large as the rows that it is made of."""
    sizes = _each(cells.sizes)
    figures = Figures.of(sizes)
    if cells.smallest is not None:
        # No row of the result is a person's, so none has rows that are nobody else's.
        figures = Figures.of_persons(sizes, _each(cells.smallest), cells.rows, unique=0.0)
    return RiskReport(
        columns=tuple(cells.columns), suppressed_rows=0, suppressed_option="own_class", own_class=figures,
        left_out=figures, distinct_values={}, drop_one={},
    )  # fmt: skip


def _each(table: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
    """The sizes of a table (size, how many), each as often as it says."""
    return np.repeat(*(np.array(column, dtype=np.int64) for column in zip(*table, strict=True)))


def _rows_tick(tick: Tick, start: float, rows: int) -> Callable[[int], None]:
    """Half of the work from ``start`` on, by the rows that were read."""
    return lambda done: tick(start + 0.5 * (min(1.0, done / rows) if rows else 1.0))


def _before(
    source: Table, columns: Sequence[str], subjects: Subjects | None, tick: Callable[[int], None]
) -> RiskBefore | None:
    """The same figures of the source by the same columns; None where the source lacks one of them."""
    try:
        found = measure_coded(source.coded(columns, tick), contributions=False, subjects=subjects)
    except EngineError:
        return None
    return RiskBefore.model_validate(found.summary())


def risk_row(
    check: Check, of: TableSubject, kind: Figure, bound: float, measured: float, said: Text, formula: str
) -> CheckResult:
    """The row of a check that holds one figure of the measured risk against ``bound``."""
    assert of.risk is not None  # measured by the check of the smallest class
    target = Target(kind=kind, bound=bound)
    by_persons = of.risk.figures.persons is not None and check.of_persons is not None
    return check.row(
        label=text(source_text(check.of_persons.label)) if by_persons and check.of_persons else None,
        measure=BY_PERSONS if by_persons else "",
        target=target.bound,
        measured=measured,
        passed=target.met_by(of.risk.figures),
        plain=said,
        formula=formula,
        remedies=remedy_texts(of, target),
    )


def said_of(found: RiskReport, *, average: bool = False) -> tuple[Text, str]:
    """The sentence about the average, or else about the smallest class, with its formula."""
    words = explain(found)
    of_average = (w for w in words if w.code in ("average", "average_person"))
    word = next(of_average, words[0]) if average else words[0]
    return text(word.message, **word.params), word.formula


def remedy_texts(of: TableSubject, target: Target) -> list[Text]:
    """What would make the measured risk keep ``target``, the cheapest first; empty where it does.

    Suppressing more than the limit allows would only shift the failure to another check, so that comes last and says
    so.
    """
    assert of.risk is not None
    rows, limit = of.case.rows_drawn, of.case.risk.suppression_limit
    removed = suppressed_of(of).records
    cheap, dear = [], []
    for item in suggestions(of.risk, target):  # where records can be suppressed, that is the first
        share = (removed + item.records) / rows if rows else 1.0
        if item.code == "generalise_column" or keeps(share, limit):
            cheap.append(text(item.statement.message, **item.statement.params))
        else:
            message = gettext_noop(
                "Suppressing %(records)d more records would be enough, but %(percent).1f %% would then "
                "be missing; %(limit).1f %% is the limit."
            )
            dear.append(text(message, records=item.records, percent=100 * share, limit=100 * limit))
    return [*cheap[:MOST_REMEDIES], *dear]
