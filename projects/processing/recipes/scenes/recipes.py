"""A whole first recipe for a scene of use (T/ISC 0078 Annex B), and how far a saved recipe has left it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from projects.datasets.models import Table
from projects.datasets.selectors import dataset_columns
from projects.datasets.tables.selectors import dataset_now
from projects.identification.enums import ENGINE_ROLE, ColumnRole
from projects.identification.models import ColumnVerdict
from projects.identification.selectors import person_key_of, verdicts_of
from techniques import catalogue
from techniques.catalogue.table_c1 import Effect
from techniques.catalogue.technique import Claims
from techniques.core.attributes import AttributeRole, Scene
from techniques.core.messages import EngineError, gettext_noop
from techniques.recipe.recipe import Recipe
from techniques.recipe.scenes import SCENES, Treatment, treatment

from ..suggestion import REMOVAL, k_needed, settings_for, targets_of


@dataclass(frozen=True)
class SceneLine:
    """What a scene does with one column, as a page shows it."""

    column: str
    role: ColumnRole
    technique: str
    name: str
    clause: str
    keeps: str
    lost: list[str]

    @property
    def role_text(self) -> str:
        return str(self.role.label)


def scene_read(code: str) -> Scene:
    """The scene with this code; EngineError ``scene_unknown``."""
    if code not in set(Scene):
        raise EngineError("scene_unknown", gettext_noop("There is no scene “%(scene)s”."), scene=code[:20])
    return Scene(code)


def scene_name(code: str) -> str:
    """The scene's name in the reader's language; "" for none."""
    return _(SCENES[Scene(code)].name) if code else ""


def _judged(table: Table) -> list[ColumnVerdict]:
    """The verdicts in the order of the file's columns."""
    dataset, given = dataset_now(table), verdicts_of(table)
    return [given[column] for column in (dataset_columns(dataset) if dataset else []) if column in given]


def _treatment(scene: Scene, verdict: ColumnVerdict) -> Treatment:
    return treatment(scene, AttributeRole(ENGINE_ROLE[ColumnRole(verdict.role)]), verdict.kind)


def scene_recipe(table: Table, scene: Scene) -> dict[str, Any]:
    """The content of a recipe that treats every judged column of a table as the scene asks; empty without verdicts.

    Removals come first and what stays as it is comes last; else the steps follow the columns of the file.
    """
    steps: dict[tuple[str, str], dict[str, Any]] = {}
    chosen: dict[tuple[str, str], list[ColumnVerdict]] = {}
    for verdict in _judged(table):
        one = _treatment(scene, verdict)
        settings = dict(one.settings)
        if "reason" in settings:
            settings["reason"] = _(settings["reason"])
        apart = {"alone": verdict.column, "all": ""}.get(one.group, json.dumps(settings, sort_keys=True))
        key = (one.technique, apart)
        step = steps.setdefault(key, {"technique": one.technique, "columns": [], "parameters": settings})
        step["columns"].append(verdict.column)
        chosen.setdefault(key, []).append(verdict)
    # What another step changes too has other values in the result than the model would see.
    as_they_are = [
        verdict.column
        for (technique, _apart), those in chosen.items()
        for verdict in those
        if technique == "as_is" and verdict.role == ColumnRole.SENSITIVE
    ]
    for (technique, apart), step in steps.items():
        if technique == "model.k_anonymity":
            step["parameters"] = settings_for(table, technique, chosen[technique, apart], as_they_are)
        elif technique == "randomization.microaggregation":
            step["parameters"] = {"k": max(3, k_needed(targets_of(table, as_they_are)))}
    order = {REMOVAL: 0, "as_is": 2}
    ordered = sorted(steps.values(), key=lambda step: order.get(step["technique"], 1))
    if not ordered:
        return {}
    person_key = person_key_of(table)
    return {
        "recipe": 1,
        "title": table.project.title,
        "unlisted": "refuse",
        "order": "shuffled",
        **({} if person_key is None else {"subject": [*person_key]}),
        "steps": ordered,
    }


def scene_lines(table: Table, scene: Scene) -> list[SceneLine]:
    """One line for each judged column: its treatment in the scene, what stays of the value and what is lost."""
    lines = []
    for verdict in _judged(table):
        one = _treatment(scene, verdict)
        spec = catalogue.get(one.technique)
        lines.append(
            SceneLine(
                verdict.column,
                ColumnRole(verdict.role),
                spec.key,
                _(spec.name),
                spec.clause,
                _(one.keeps),
                [_("Everything")] if spec.key == REMOVAL else losses(spec.claims),
            )
        )
    return lines


def losses(claims: Claims | None) -> list[str]:
    """What a technique takes away from the values, and what it takes away in part."""
    if claims is None:
        return []
    named = (
        (_("Order"), claims.order),
        (_("Format"), claims.format),
        (_("Data type"), claims.type),
        (_("Distinction between values"), claims.distinctness),
        (_("Statistics"), claims.statistics),
    )
    partly = _("%(what)s (in part)")
    return [
        name if effect is Effect.NO else partly % {"what": name}
        for name, effect in named
        if effect is not Effect.YES
    ]


def departures(table: Table, scene: Scene, content: Mapping[str, Any]) -> list[str]:
    """Columns that ``content`` treats otherwise than the scene would, for the verdicts that stand now."""
    preset = scene_recipe(table, scene)
    if not preset:
        return []
    wanted = _by_column(Recipe.from_data(preset).model_dump(mode="json"))
    given = _by_column(content)
    return [column for column in wanted if wanted[column] != given.get(column)]


def _by_column(content: Mapping[str, Any]) -> dict[str, list[tuple[str, dict[str, Any]]]]:
    """Column → what is done to it: of settings by column only its own, of reasons nothing."""
    found: dict[str, list[tuple[str, dict[str, Any]]]] = {}
    for step in content["steps"]:
        for column in step["columns"]:
            own = {
                name: value.get(column) if isinstance(value, dict) else value
                for name, value in step["parameters"].items()
                if name != "reason"
            }
            found.setdefault(column, []).append((step["technique"], own))
    return found
