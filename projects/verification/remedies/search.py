"""What would make a failing result pass, searched for on the source itself; works in the worker, on plain data."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from projects.objective.targets.risk import RiskTargets
from techniques.core.messages import EngineError, gettext_noop

from ..gate.case import Case
from ..gate.check import Tick, problem_text
from ..gate.checks import check_of
from ..gate.checks.losses.utility import Utility
from ..gate.conditions import not_in_model
from ..reports.gate import CheckResult, TableReport
from ..reports.remedies import NamedTarget, Remedies
from ..reports.stored import Text, text

if TYPE_CHECKING:
    from techniques.anonymization.remedies import Bounds
    from techniques.anonymization.usefulness import Present
    from techniques.catalogue.models import KAnonymitySettings


def needed(results: Sequence[CheckResult]) -> bool:
    """Whether a check failed for which a search can find a remedy."""
    return any(result.passed is False and check_of(result.kind).has_remedy for result in results)


def bounds_of(targets: RiskTargets) -> Bounds:
    """The targets of step 1 as bounds of a search, the overall threshold included (B.1.4.1, B.1.4.3)."""
    from techniques.anonymization.remedies import Bounds

    data = min(1.0, targets.overall_threshold / targets.context_risk)
    if targets.measure == "max":
        return Bounds(targets.k, min(targets.max_risk, data), None, targets.suppression_limit)
    average = data if targets.average_risk is None else min(data, targets.average_risk)
    worst = min(targets.max_risk, targets.strict_cap)
    return Bounds(targets.k, worst, average, targets.suppression_limit)


def work_out(
    case: Case, results: Sequence[CheckResult], report: TableReport, tick: Tick, *, keys: Collection[str] = ()
) -> Remedies:
    """The remedies by what they keep; ``problem`` says why there are none.

    ``results`` and ``report`` are the measurement of the table as it is. ``keys`` are columns that lead from this
    table to another one or from there to it.
    """
    from techniques.anonymization.remedies import remedies
    from techniques.anonymization.settings import columns_of, model_step, treated_before
    from techniques.anonymization.usefulness import Usefulness

    from ..gate.persons import rows_of_persons

    quasi = case.quasi()
    step = model_step(case.recipe)
    known = bool(step and set(quasi) <= set(step.columns))
    made = Remedies(
        columns=quasi,
        known=known,
        now=None,
        found=[],
        problem=None,
        utility=[target_named(one) for one in case.utility],
    )
    if not quasi:
        return made
    leading = [column for column in quasi if column in keys]
    if leading:
        message = gettext_noop(
            "%(columns)s leads to another table, and what treats it there has to be changed as well. So no search over "
            "one table alone can tell what would help."
        )
        return _without(made, text(message, columns=", ".join(leading)))
    before = sorted(treated_before(case.recipe))
    if before:
        message = gettext_noop(
            "Another step treats %(columns)s as well, so what a search on the source would find is not what the "
            "recipe would do."
        )
        return _without(made, text(message, columns=", ".join(before)))
    lacking = not_in_model(case, step.parameters if step else None)  # type: ignore[arg-type]
    if lacking:
        message = gettext_noop(
            "The model does not keep every condition that is asked for about %(columns)s, so what a search with it "
            "would find might not pass. Put these conditions into the model first."
        )
        return _without(made, text(message, columns=", ".join(lacking)))
    try:
        settings = _settings(case, quasi, step.parameters if step else None)  # type: ignore[arg-type]
        others = sorted(_read_for_utility(case) - {*quasi, *settings.sensitive})
        columns, read = columns_of(
            case.source.prepare(case.source.as_written()), quasi, [*settings.sensitive, *others]
        )
        sensitive = {name: read[name] for name in settings.sensitive}
        as_it_was = {name: column for name, column in read.items() if name in case.untouched()}
        tick(0.2)
        useful = Usefulness(
            case.utility, columns, as_it_was, _present(case, results, report), settings.hierarchies
        )
        found = remedies(
            columns,
            sensitive,
            settings,
            bounds_of(case.risk),
            useful=useful,
            subjects=rows_of_persons(case).source,
            levels=_levels(case, quasi) if known else None,
            tick=lambda share: tick(0.2 + 0.8 * share),
        ).as_dict()
    except EngineError as error:
        return _without(made, problem_text(error))
    return Remedies.model_validate({**made.as_json(), **found, "now": found["now"] if known else None})


def _levels(case: Case, quasi: Sequence[str]) -> dict[str, int] | None:
    """How far the run generalised the quasi-identifiers as whole columns; None where it did not, or what it did is not known."""
    from techniques.anonymization.settings import model_step

    step = model_step(case.recipe)
    place = case.recipe.steps.index(step) if step is not None else len(case.steps)
    result = case.steps[place].get("result") if place < len(case.steps) else None
    levels: Mapping[str, int | None] = (result or {}).get("levels") or {}
    found = {name: level for name in quasi if (level := levels.get(name)) is not None}
    return found if len(found) == len(quasi) else None


def _without(made: Remedies, problem: Text) -> Remedies:
    made.problem = problem
    return made


def target_named(target: Any) -> NamedTarget:
    """A utility target as the tables of remedies name it."""
    label = Text(message=target.title, params={}, columns=", ".join(target.needed_columns()))
    return NamedTarget(label=label, bound=target.bound, sense=target.sense)


def _read_for_utility(case: Case) -> set[str]:
    """Columns that a utility target is about and that a search can tell of."""
    return {column for target in case.utility for column in target.needed_columns()} & case.untouched()


def _present(case: Case, results: Sequence[CheckResult], report: TableReport) -> Present:
    """What the result as it is tells of the utility targets and of ``*``."""
    from techniques.anonymization.usefulness import UNMEASURED, Expected, Present

    found = [Expected(one.measured, one.passed) for one in results if one.kind == Utility.kind]
    return Present(
        found if len(found) == len(case.utility) else [UNMEASURED] * len(case.utility),
        {one.column: one.suppressed[1] for one in report.columns},
        1.0 if case.sampling_fraction is None else case.sampling_fraction,
    )


def _settings(case: Case, quasi: Sequence[str], stated: KAnonymitySettings | None) -> KAnonymitySettings:
    """What the recipe asks for, over all quasi-identifiers of the result; where it asks for none, the targets."""
    from pydantic import TypeAdapter

    from techniques.anonymization.settings import changed
    from techniques.catalogue.models import KAnonymitySettings
    from techniques.hierarchies.definitions import HierarchyDefinition, Star

    adapter: TypeAdapter[Any] = TypeAdapter(HierarchyDefinition)
    given = dict(stated.hierarchies) if stated else {}
    hierarchies = {
        name: given[name]
        if name in given
        else adapter.validate_python(case.hierarchies[name])
        if name in case.hierarchies
        else Star()
        for name in quasi
    }
    if stated is None:
        bounds = bounds_of(case.risk)
        return KAnonymitySettings(
            k=bounds.least_class,
            suppression_limit=bounds.suppression_limit,
            hierarchies=hierarchies,
            average_risk=bounds.average_risk,
            unfit="suppress",
        )
    kept = {
        field: {name: one for name, one in getattr(stated, field).items() if name in quasi}
        for field in ("minimum_levels", "maximum_levels", "weights")
    }
    unfit = stated.unfit if set(quasi) <= set(given) else "suppress"
    return changed(stated, hierarchies=hierarchies, unfit=unfit, **kept)
