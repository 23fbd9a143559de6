"""A first recipe from the verdicts and the targets, for an executor to start from; it is never run by itself.

Every step follows a rule that can be read here; the executor looks at it, changes it and saves it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from approvals.request_cache import one_reading
from projects.datasets.models import Table
from projects.datasets.selectors import dataset_columns
from projects.datasets.tables.selectors import dataset_now, links_of
from projects.identification.enums import ColumnRole
from projects.identification.models import ColumnVerdict
from projects.identification.selectors import person_key_of, verdicts_of
from projects.objective.selectors import planned_preparation, risk_targets
from projects.objective.targets.risk import RiskTargets
from techniques.catalogue import models
from techniques.core.kinds import kind_of
from techniques.disclosure_risk.sizes import smallest_safe_size

MODELS = tuple(model.key for model in models.TECHNIQUES)
REMOVAL = "suppression.remove_column"
SAMPLING = "statistical.sampling"
NORMALISATION = "preparation.normalise"


def k_needed(targets: RiskTargets) -> int:
    """The k to start from: at least the target's, and under the maximum risk ceil(context / threshold).

    Under the strict average the mean over rows lies far below 1/k as a rule; the gate measures it.
    """
    bounds = [targets.max_risk]
    if targets.measure == "max":
        bounds.append(targets.overall_threshold / targets.context_risk)
    else:
        bounds.append(targets.strict_cap)
    return max(targets.k, *(smallest_safe_size(min(1.0, bound)) for bound in bounds))


def targets_of(table: Table, sensitive: Iterable[str]) -> RiskTargets:
    """The targets that the gate will judge a result of ``table`` by, if the sensitive attributes ``sensitive`` stay in it:
    the harm that these do may ask for less overall risk."""
    given = verdicts_of(table)
    return risk_targets(table.project).at_severity(given[column].severity for column in sensitive)


def average_needed(targets: RiskTargets) -> float | None:
    """The average risk to keep under the strict average, the overall threshold included; None under the maximum."""
    if targets.measure == "max":
        return None
    bound = min(1.0, targets.overall_threshold / targets.context_risk)
    return bound if targets.average_risk is None else min(bound, targets.average_risk)


@one_reading
def recipe_suggest(table: Table) -> dict[str, Any]:
    """The content of a recipe that treats every column as its verdict asks; empty while verdicts are missing.

    Columns that refer to another table, or are referred to, all take the same pseudonym, so that they still join.
    """
    project = table.project
    dataset, given = dataset_now(table), verdicts_of(table)
    if dataset is None or not given:
        return {}
    targets = targets_of(table, [column for column in given if given[column].role == ColumnRole.SENSITIVE])
    judged = [given[column] for column in dataset_columns(dataset) if column in given]
    key = person_key_of(table)
    steps = suggested_steps(judged, targets, _linked_columns(table), by_persons=bool(key))
    persons = {} if key is None else {"subject": [*key]}
    planned = planned_preparation(project)
    # The plan was read and approved with its reason; what the values themselves ask for comes before it.
    as_planned = planned is not None and not planned["steps"] and steps[0]["technique"] != NORMALISATION
    unprepared = {"unprepared": planned["explanation"][:500]} if planned and as_planned else {}
    return {
        "recipe": 1,
        "title": project.title,
        "unlisted": "refuse",
        "order": "shuffled",
        **persons,
        **unprepared,
        "steps": steps,
    }


def suggested_steps(
    verdicts: Sequence[ColumnVerdict],
    targets: RiskTargets,
    linked: Collection[str] = (),
    *,
    by_persons: bool = False,
) -> list[dict[str, Any]]:
    """The steps for columns with these ``verdicts``, in the order of the file; ``linked`` ones join with another table."""
    steps: list[dict[str, Any]] = []
    quasi: list[ColumnVerdict] = []
    removed, kept, sensitive = [], [], []
    for verdict in verdicts:
        column = verdict.column
        is_key = verdict.role == ColumnRole.DIRECT and kind_of(verdict.kind).is_key
        if is_key or column in linked:
            parameters = {"prefix": "P-", "length": 24}
            steps.append(
                {"technique": "pseudonymization.keyed_hash", "columns": [column], "parameters": parameters}
            )
        elif verdict.role == ColumnRole.DIRECT:
            removed.append(column)
        elif verdict.role == ColumnRole.QUASI:
            quasi.append(verdict)
        else:
            kept.append(column)
            if verdict.role == ColumnRole.SENSITIVE:
                sensitive.append(column)
    if removed:
        steps.insert(0, {"technique": REMOVAL, "columns": removed})
    if quasi:
        parameters = model_settings(targets, quasi, sensitive, by_persons=by_persons)
        technique = model_for(targets) if sensitive else "model.k_anonymity"
        steps.append(
            {
                "technique": technique,
                "columns": [verdict.column for verdict in quasi],
                "parameters": parameters,
            }
        )
    if kept:
        reason = _(
            "Neither a direct identifier nor a quasi-identifier by the verdict; needed for the purpose."
        )
        steps.append({"technique": "as_is", "columns": kept, "parameters": {"reason": reason}})
    return preparation_steps(verdicts, removed, linked) + steps


def preparation_steps(
    verdicts: Sequence[ColumnVerdict], removed: Sequence[str], linked: Collection[str]
) -> list[dict[str, Any]]:
    """Normalisations of the columns in which the scan found values that mean the same and are written in several ways (5.4.2 a),
    one for all columns with the same settings; none for what is ``removed`` or is text that people wrote.

    Of a ``linked`` column the other table is not looked at, so that only what changes no value that is in one form already is
    brought into it.
    """
    found: list[dict[str, Any]] = []
    for verdict in verdicts:
        settings = dict(verdict.provenance.get("rules", {}).get("spellings", {}))
        if verdict.column in linked:
            settings = {name: settings[name] for name in ("width", "blanks") if name in settings}
            settings = settings if settings.get("width") or settings.get("blanks") == "outer" else {}
        if not settings or verdict.column in removed or verdict.kind == "free_text":
            continue
        same = next((step for step in found if step["parameters"] == settings), None)
        if same:
            same["columns"].append(verdict.column)
        else:
            found.append({"technique": NORMALISATION, "columns": [verdict.column], "parameters": settings})
    return found


def model_settings(
    targets: RiskTargets,
    quasi: Sequence[ColumnVerdict],
    sensitive: Sequence[str],
    *,
    by_persons: bool = False,
) -> dict[str, Any]:
    """The first settings of a model over ``quasi``: the bounds of the targets, the sensitive attributes ``sensitive``
    of the result, and hierarchies by the kinds of the columns that can read their values.

    ``by_persons``: a person with several rows has the risk of the smallest of its classes, so that the mean over persons lies
    well above that over rows and has to be searched for.
    """
    average = average_needed(targets) if by_persons else None
    given = {verdict.column: hierarchy_of(verdict) for verdict in quasi}
    return {
        "k": k_needed(targets),
        **({} if average is None else {"average_risk": average}),
        # The few values that a hierarchy cannot read are suppressed and counted: they are no reason to stop a run.
        **({"unfit": "suppress"} if any(map(is_misread, quasi)) else {}),
        "suppression_limit": targets.suppression_limit,
        "hierarchies": given,
        "maximum_levels": highest_levels(quasi),
        **conditions_of(targets, sensitive),
    }


def conditions_of(targets: RiskTargets, sensitive: Sequence[str]) -> dict[str, Any]:
    """What the targets ask of every sensitive attribute, as a parameter of a model; empty where they ask nothing."""
    bounds = targets.conditions
    return {"sensitive": {column: dict(bounds) for column in sensitive}} if bounds and sensitive else {}


def model_for(targets: RiskTargets) -> str:
    """The model that holds what the targets ask for."""
    if targets.t is not None:
        return "model.t_closeness"
    return "model.k_anonymity" if targets.l is None else "model.l_diversity"


def _linked_columns(table: Table) -> set[str]:
    """Columns of one table that a declared link names."""
    return {
        column
        for link in links_of(table.project)
        for of, column in ((link.source, link.source_column), (link.target, link.target_column))
        if of == table
    }


def highest_levels(chosen: Sequence[ColumnVerdict]) -> dict[str, int]:
    """How far dates and places may be generalised: a column that is all * has no use left, so rather a coarser
    neighbour, or fewer rows."""
    return {one.column: len(units) for one in chosen if (units := hierarchy_of(one).get("units"))}


def hierarchy_of(verdict: ColumnVerdict) -> dict[str, Any]:
    """The hierarchy to start from for a column of this kind, as far as it can read the column's values: a kind is about
    what a column means, not how it is written."""
    found = kind_of(verdict.kind).starting_hierarchy()
    if found["kind"] == "regions":
        found["units"] = [unit for unit in found["units"] if misfits(verdict, unit) is not None]
    fits = all(misfits(verdict, reading) is not None for reading in _readings(verdict, found))
    return found if fits else {"kind": "star"}


def _readings(verdict: ColumnVerdict, hierarchy: Mapping[str, Any]) -> list[str]:
    """What the ``hierarchy`` has to recognise in every value; see :mod:`techniques.hierarchies.readings`."""
    known: dict[str, list[str]] = {
        "intervals": ["number"],
        "dates": ["date"],
        "regions": hierarchy.get("units") or ["province"],
        "table": [verdict.kind],
    }
    return known.get(hierarchy["kind"], [])


def misfits(verdict: ColumnVerdict, reading: str) -> int | None:
    """Rows of the column that ``reading`` cannot read, as the scan has counted them over the whole table; None where they
    are too many. A scan from before they were counted is taken to have found none.
    """
    readings: Mapping[str, int] | None = verdict.provenance.get("rules", {}).get("readings")
    return 0 if readings is None else readings.get(reading)


def is_misread(verdict: ColumnVerdict) -> bool:
    """Whether the hierarchy to start from leaves some of the column's values out, as far as they were counted."""
    return any(misfits(verdict, reading) for reading in _readings(verdict, hierarchy_of(verdict)))


def settings_for(
    table: Table, technique: str, chosen: Sequence[ColumnVerdict], sensitive: Sequence[str]
) -> dict[str, Any]:
    """Settings to start from when ``technique`` is chosen for columns with these verdicts; ``sensitive`` are the
    sensitive attributes that stay in the result."""
    kind = kind_of(chosen[0].kind if chosen else "")
    if technique in MODELS:
        by_persons = bool(chosen and person_key_of(table))
        return model_settings(targets_of(table, sensitive), chosen, sensitive, by_persons=by_persons)
    if technique == "suppression.mask_identifier":
        return {"kind": kind.mask} if kind.mask else {}
    if technique == "generalization.intervals" and "widths" in kind.hierarchy:
        return {"width": float(kind.hierarchy["widths"][0])}
    if technique == "generalization.hierarchy" and chosen:
        return {"hierarchy": hierarchy_of(chosen[0])}
    return {}
