"""A first recipe out of the verdicts and the targets: what an executor would start from, never run by itself.

Every step follows a rule that can be read here; the executor looks at it, changes it and saves it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from projects.core.models import Project
from projects.datasets.models import Table
from projects.datasets.selectors import dataset_columns
from projects.datasets.tables.selectors import dataset_now, links_of
from projects.identification.enums import ColumnRole
from projects.identification.models import ColumnVerdict
from projects.identification.selectors import verdicts_of
from projects.objective.selectors import risk_targets
from projects.objective.targets.risk import RiskTargets
from techniques.catalogue import models

MODELS = tuple(model.key for model in models.TECHNIQUES)
REMOVAL = "suppression.remove_column"
SAMPLING = "statistical.sampling"
# Kinds that say whose several rows belong together: a pseudonym keeps that, removal would not.
_KEYS_OF_PERSONS = frozenset(
    {"medical_record", "record_key", "health_card", "student_number", "staff_number", "insurance_number"}
)
_DATES = frozenset({"birth_date", "event_date", "date"})
_REGIONS = frozenset({"address", "region", "workplace"})
_NUMBERS = {"age": [5, 10, 20], "income": [1000, 10_000, 100_000], "school_years": [3, 6]}


# The 55 minority groups of the census, as they are written in registers.
_MINORITIES = (  # noqa: SIM905  a list that people read
    "蒙古 回 藏 维吾尔 苗 彝 壮 布依 朝鲜 满 侗 瑶 白 土家 哈尼 哈萨克 傣 黎 傈僳 佤 畲 高山 拉祜 水 东乡 纳西 景颇 "
    "柯尔克孜 土 达斡尔 仫佬 羌 布朗 撒拉 毛南 仡佬 锡伯 阿昌 普米 塔吉克 怒 乌孜别克 俄罗斯 鄂温克 德昂 保安 裕固 京 "
    "塔塔尔 独龙 鄂伦春 赫哲 门巴 珞巴 基诺"
).split(" ")


def k_needed(targets: RiskTargets) -> int:
    """The k to start from: at least the target's, and under the maximum risk ceil(context / threshold) (G-170).

    Under the strict average the mean over rows lies far below 1/k as a rule; the gate measures it.
    """
    bounds = [targets.max_risk]
    if targets.measure == "max":
        bounds.append(targets.overall_threshold / targets.context_risk)
    else:
        bounds.append(targets.strict_cap)
    return max(targets.k, *(math.ceil(1 / min(1.0, bound) - 1e-9) for bound in bounds))


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
        is_key = verdict.role == ColumnRole.DIRECT and verdict.kind in _KEYS_OF_PERSONS
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
        parameters = model_settings(targets, quasi, sensitive)
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
    return {"recipe": 1, "title": project.title, "unlisted": "refuse", "steps": steps}


def model_settings(
    targets: RiskTargets, quasi: Sequence[ColumnVerdict], sensitive: Sequence[str]
) -> dict[str, Any]:
    """The settings that a model over ``quasi`` starts with: what the targets ask for, ``sensitive`` being the sensitive
    attributes of the result, and hierarchies by the kinds of the columns."""
    return {
        "k": k_needed(targets),
        "suppression_limit": targets.suppression_limit,
        "hierarchies": {verdict.column: hierarchy_of(verdict) for verdict in quasi},
        "maximum_levels": highest_levels(quasi),
        **conditions_of(targets, sensitive),
    }


def conditions_of(targets: RiskTargets, sensitive: Sequence[str]) -> dict[str, Any]:
    """What the targets ask of every sensitive attribute, as a parameter of a model; empty where they ask nothing."""
    asked: dict[str, Any] = {}
    if targets.l is not None:
        asked[targets.l_kind] = int(targets.l) if targets.l_kind == "distinct" else targets.l
    if targets.t is not None:
        asked |= {"t": targets.t, "distance": targets.t_distance}
    return {"sensitive": {column: dict(asked) for column in sensitive}} if asked and sensitive else {}


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
    return {
        verdict.column: len(hierarchy_of(verdict)["units"])
        for verdict in chosen
        if verdict.kind in _DATES | _REGIONS
    }


def hierarchy_of(verdict: ColumnVerdict) -> dict[str, Any]:
    """The hierarchy to start from for a column of this kind."""
    if verdict.kind in _DATES:
        return {"kind": "dates", "units": ["month", "year", "decade"]}
    if verdict.kind in _REGIONS:
        return {"kind": "regions", "units": ["county", "city", "province"], "form": "text"}
    if verdict.kind in _NUMBERS:
        return {"kind": "intervals", "widths": _NUMBERS[verdict.kind]}
    if verdict.kind == "ethnic_group":
        return {"kind": "table", "rows": _ethnic_rows()}
    if verdict.kind == "postal_code":
        return {"kind": "mask", "characters": [2, 4], "side": "right"}
    return {"kind": "star"}


# Kinds of verdicts by the masks that the engine knows.
_MASKS = {
    "id_number": "id_number",
    "phone": "phone",
    "person_name": "name",
    "bank_card": "bank_card",
    "email": "email",
}


def settings_for(
    project: Project, technique: str, chosen: Sequence[ColumnVerdict], sensitive: Sequence[str]
) -> dict[str, Any]:
    """Settings to start from when ``technique`` is chosen for columns with these verdicts; ``sensitive`` are the
    sensitive attributes that stay in the result."""
    kind = chosen[0].kind if chosen else ""
    if technique in MODELS:
        return model_settings(risk_targets(project), chosen, sensitive)
    if technique == "suppression.mask_identifier":
        return {"kind": _MASKS[kind]} if kind in _MASKS else {}
    if technique == "generalization.intervals" and kind in _NUMBERS:
        return {"width": float(_NUMBERS[kind][0])}
    if technique == "generalization.hierarchy" and chosen:
        return {"hierarchy": hierarchy_of(chosen[0])}
    return {}


def _ethnic_rows() -> list[list[str]]:
    """Each group, with and without its last character, under the majority or the minorities."""
    rows = [["汉族", "汉族", "*"], ["汉", "汉族", "*"]]
    for group in _MINORITIES:
        rows += [[f"{group}族", "少数民族", "*"], [group, "少数民族", "*"]]
    return [*rows, ["其他", "少数民族", "*"], ["外国血统", "少数民族", "*"]]
