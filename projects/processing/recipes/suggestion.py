"""A first recipe from the verdicts and the targets, for an executor to start from; it is never run by itself.

Every step follows a rule that can be read here; the executor looks at it, changes it and saves it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from django.utils.translation import gettext as _

from approvals.request_cache import one_reading
from projects.core.models import Project
from projects.datasets.models import Dataset, Table
from projects.datasets.samples import sample_of
from projects.datasets.selectors import dataset_columns
from projects.datasets.tables.selectors import dataset_now, links_of
from projects.identification.enums import ColumnRole
from projects.identification.models import ColumnVerdict
from projects.identification.selectors import person_key_of, verdicts_of
from projects.objective.selectors import risk_targets
from projects.objective.targets.risk import RiskTargets
from techniques.catalogue import models
from techniques.core.kinds import kind_of

MODELS = tuple(model.key for model in models.TECHNIQUES)
REMOVAL = "suppression.remove_column"
SAMPLING = "statistical.sampling"


def k_needed(targets: RiskTargets) -> int:
    """The k to start from: at least the target's, and under the maximum risk ceil(context / threshold).

    Under the strict average the mean over rows lies far below 1/k as a rule; the gate measures it.
    """
    bounds = [targets.max_risk]
    if targets.measure == "max":
        bounds.append(targets.overall_threshold / targets.context_risk)
    else:
        bounds.append(targets.strict_cap)
    return max(targets.k, *(math.ceil(1 / min(1.0, bound) - 1e-9) for bound in bounds))


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
    targets = risk_targets(project)
    steps: list[dict[str, Any]] = []
    quasi: list[ColumnVerdict] = []
    removed, kept, sensitive = [], [], []
    linked = _linked_columns(table)
    for column in dataset_columns(dataset):
        verdict = given.get(column)
        if verdict is None:
            continue
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
        parameters = model_settings(
            targets, quasi, sensitive, _first_values(dataset), by_persons=bool(person_key_of(table))
        )
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
    key = person_key_of(table)
    persons = {} if key is None else {"subject": [*key]}
    return {
        "recipe": 1,
        "title": project.title,
        "unlisted": "refuse",
        "order": "shuffled",
        **persons,
        "steps": steps,
    }


def model_settings(
    targets: RiskTargets,
    quasi: Sequence[ColumnVerdict],
    sensitive: Sequence[str],
    values: Mapping[str, Sequence[str]] = MappingProxyType({}),
    *,
    by_persons: bool = False,
) -> dict[str, Any]:
    """The first settings of a model over ``quasi``: the bounds of the targets, the sensitive attributes ``sensitive``
    of the result, and hierarchies by the kinds of the columns, where their first ``values`` are of that form.

    ``by_persons``: a person with several rows has the risk of the smallest of its classes, so that the mean over persons lies
    well above that over rows and has to be searched for.
    """
    fitting = [verdict for verdict in quasi if fits(verdict, values.get(verdict.column, ()))]
    average = average_needed(targets) if by_persons else None
    return {
        "k": k_needed(targets),
        **({} if average is None else {"average_risk": average}),
        "suppression_limit": targets.suppression_limit,
        "hierarchies": {v.column: hierarchy_of(v) if v in fitting else {"kind": "star"} for v in quasi},
        "maximum_levels": highest_levels(fitting),
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
    highest = {verdict.column: kind_of(verdict.kind).highest_level for verdict in chosen}
    return {column: level for column, level in highest.items() if level is not None}


def hierarchy_of(verdict: ColumnVerdict) -> dict[str, Any]:
    """The hierarchy to start from for a column of this kind."""
    return kind_of(verdict.kind).starting_hierarchy()


# What every value of a column must look like for a computed hierarchy to start from.
_FORMS = {
    "intervals": re.compile(r"[￥¥$€]?\s*[+-]?\d[\d,]*(\.\d+)?\s*[元岁%]?"),
    "dates": re.compile(r".*\d.*\d.*"),
    # The first two characters of every province: what names none is no address in full.
    "regions": re.compile(
        "(北京|天津|河北|山西|内蒙|辽宁|吉林|黑龙|上海|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|广西|海南|重庆|四川|贵州|云南|"
        "西藏|陕西|甘肃|青海|宁夏|新疆|台湾|香港|澳门).*"
    ),
}


def fits(verdict: ColumnVerdict, values: Sequence[str]) -> bool:
    """Whether the kind's hierarchy can read all of ``values``; a kind is about what a column means, not how it is written."""
    form = _FORMS.get(hierarchy_of(verdict)["kind"])
    return form is None or all(form.fullmatch(value.strip()) for value in values)


def _first_values(dataset: Dataset) -> dict[str, list[str]]:
    """Column → the values of the first rows that are kept; empty where none are."""
    sample = sample_of(dataset)
    if sample is None:
        return {}
    columns = zip(sample.columns, *sample.rows, strict=True)
    return {column: [value for value in values if value and value.strip()] for column, *values in columns}


def settings_for(
    project: Project, technique: str, chosen: Sequence[ColumnVerdict], sensitive: Sequence[str]
) -> dict[str, Any]:
    """Settings to start from when ``technique`` is chosen for columns with these verdicts; ``sensitive`` are the
    sensitive attributes that stay in the result."""
    kind = kind_of(chosen[0].kind if chosen else "")
    if technique in MODELS:
        by_persons = bool(chosen and person_key_of(chosen[0].dataset.table))
        return model_settings(risk_targets(project), chosen, sensitive, by_persons=by_persons)
    if technique == "suppression.mask_identifier":
        return {"kind": kind.mask} if kind.mask else {}
    if technique == "generalization.intervals" and "widths" in kind.hierarchy:
        return {"width": float(kind.hierarchy["widths"][0])}
    if technique == "generalization.hierarchy" and chosen:
        return {"hierarchy": kind.starting_hierarchy()}
    return {}
