"""A first recipe out of the verdicts and the targets: what an executor would start from, never run by itself.

Every step follows a rule that can be read here; the executor looks at it, changes it and saves it.
"""

from __future__ import annotations

import math
from typing import Any

from django.utils.translation import gettext as _

from projects.core.models import Project
from projects.datasets.selectors import current_dataset, dataset_columns
from projects.identification.enums import ColumnRole
from projects.identification.models import ColumnVerdict
from projects.identification.selectors import verdicts
from projects.objective.selectors import risk_targets
from projects.objective.targets import RiskTargets

# Kinds that say whose several rows belong together: a pseudonym keeps that, removal would not.
_KEYS_OF_PERSONS = frozenset(
    {"medical_record", "record_key", "health_card", "student_number", "staff_number", "insurance_number"}
)
_DATES = frozenset({"birth_date", "event_date", "date"})
_REGIONS = frozenset({"address", "region", "workplace"})
_NUMBERS = {"age": [5, 10, 20], "income": [1000, 10_000, 100_000], "school_years": [3, 6]}


def k_needed(targets: RiskTargets) -> int:
    """The k with which every risk target is sure to be kept: k itself, and ceil(context / threshold) (G-170)."""
    bounds = [targets.max_risk, targets.overall_threshold / targets.context_risk]
    if targets.measure == "strict_average" and targets.average_risk is not None:
        bounds.append(targets.average_risk)
    return max(targets.k, *(math.ceil(1 / min(1.0, bound) - 1e-9) for bound in bounds))


def recipe_suggest(project: Project) -> dict[str, Any]:
    """The content of a recipe that treats every column as its verdict asks; empty while verdicts are missing."""
    dataset, given = current_dataset(project), verdicts(project)
    if dataset is None or not given:
        return {}
    targets = risk_targets(project)
    steps: list[dict[str, Any]] = []
    hierarchies: dict[str, dict[str, Any]] = {}
    removed, kept = [], []
    for column in dataset_columns(dataset):
        verdict = given.get(column)
        if verdict is None:
            continue
        if verdict.role == ColumnRole.DIRECT and verdict.kind in _KEYS_OF_PERSONS:
            parameters = {"prefix": "P-", "length": 24}
            steps.append(
                {"technique": "pseudonymization.keyed_hash", "columns": [column], "parameters": parameters}
            )
        elif verdict.role == ColumnRole.DIRECT:
            removed.append(column)
        elif verdict.role == ColumnRole.QUASI:
            hierarchies[column] = _hierarchy(verdict)
        else:
            kept.append(column)
    if removed:
        steps.insert(0, {"technique": "suppression.remove_column", "columns": removed})
    if hierarchies:
        parameters = {
            "k": k_needed(targets),
            "suppression_limit": targets.suppression_limit,
            "hierarchies": hierarchies,
        }
        steps.append(
            {"technique": "model.k_anonymity", "columns": list(hierarchies), "parameters": parameters}
        )
    if kept:
        reason = _(
            "Neither a direct identifier nor a quasi-identifier by the verdict; needed for the purpose."
        )
        steps.append({"technique": "as_is", "columns": kept, "parameters": {"reason": reason}})
    return {"recipe": 1, "title": project.title, "unlisted": "refuse", "steps": steps}


def _hierarchy(verdict: ColumnVerdict) -> dict[str, Any]:
    if verdict.kind in _DATES:
        return {"kind": "dates", "units": ["month", "year", "decade"]}
    if verdict.kind in _REGIONS:
        return {"kind": "regions", "units": ["county", "city", "province"], "form": "text"}
    if verdict.kind in _NUMBERS:
        return {"kind": "intervals", "widths": _NUMBERS[verdict.kind]}
    if verdict.kind == "postal_code":
        return {"kind": "mask", "characters": [2, 4], "side": "right"}
    return {"kind": "star"}
