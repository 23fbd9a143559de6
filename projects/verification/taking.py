"""A way that would make a failing result pass is taken over into the recipe: who may, and what becomes of it."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from approvals.governance import ALLOW, Verdict, deny, first_denial, recording
from approvals.turn import acting
from projects.core.models import Project
from projects.core.rules import has_role
from projects.core.services import project_lock
from projects.datasets.selectors import current_dataset
from projects.identification.selectors import verdicts, verdicts_hash
from projects.objective.selectors import basis_hash
from projects.processing.models import RecipeVersion
from projects.processing.rules import may_edit_recipe
from projects.processing.selectors import current_recipe
from projects.processing.services import recipe_save
from projects.processing.suggestion import MODELS, REMOVAL, hierarchy_of
from projects.workflow import Role, State
from techniques import catalogue
from techniques.catalogue import Scope

from . import events
from .models import Verification
from .rules import VerificationReason
from .selectors import latest_verification
from .ways import ways_of


def may_take_way(user: Any, verification: Verification) -> Verdict:
    """The executor, while the data is processed and as long as what was measured is what there is."""
    project = verification.project
    return first_denial(
        has_role(user, project, Role.EXECUTOR),
        deny(VerificationReason.BACK_FIRST) if State(project.state) == State.VERIFICATION else ALLOW,
        may_edit_recipe(user, project),
        ALLOW if _still_holds(project, verification) else deny(VerificationReason.WAYS_OUTDATED),
    )


def _still_holds(project: Project, verification: Verification) -> bool:
    """Whether recipe, data, verdicts and targets are those that the ways were searched for with."""
    run = verification.run
    return (
        verification.passed is False
        and verification == latest_verification(project)
        and run.recipe_version == current_recipe(project)
        and run.dataset_id == getattr(current_dataset(project), "pk", None)
        and run.recipe_version.verdicts_hash == verdicts_hash(project)
        and verification.targets_hash == basis_hash(project)
    )


def way_take(verification: Verification, *, number: int, by: Any) -> RecipeVersion:
    """Write way ``number`` (from 1, in the order of the page) into the recipe, as a new version.

    Refused ``no_way`` unless it is one that passes. Raises EngineError where the recipe then does not hold together.
    """
    with acting():
        project = project_lock(verification.project)
        verification = Verification.objects.select_related("project", "run__recipe_version").get(
            pk=verification.pk
        )
        verification.project = project
        may_take_way(by, verification).require()
        found, shown = verification.report.get("remedies"), ways_of(verification.report)
        row = next((row for row in (shown or {}).get("rows", ()) if row.number == number), None)
        if not found or row is None or not row.passes:
            deny(VerificationReason.NO_WAY).require()
        assert found is not None
        assert row is not None
        way = found["ways"][number - 1]
        with recording(
            events.WAY_TAKEN,
            by=by,
            subject=verification.subject,
            project_id=project.pk,
            way=number,
            changes=[f"{one['code']} {one['column']}".strip() for one in (way, *way.get("further", ()))],
        ) as event:
            given = verdicts(project)
            content = with_way(
                verification.run.recipe_version.content,
                found["columns"],
                way,
                {name: hierarchy_of(given[name]) for name in found["columns"] if name in given},
            )
            note = _("Verification %(verification)s, way %(number)s: %(change)s") % {
                "verification": verification.number,
                "number": number,
                "change": row.text,
            }
            version = recipe_save(project, content=content, note=note, by=by)
            event.facts["version"] = version.number
            return version


def with_way(
    content: Mapping[str, Any],
    columns: Sequence[str],
    way: Mapping[str, Any],
    hierarchies: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """The recipe that the ``way`` was searched for with, over the quasi-identifiers ``columns``.

    All of them are in the last model step then, or in a new one; a column that comes into it leaves what treated it
    before, for the search saw its source. ``hierarchies`` are those that such columns begin with.
    """
    made: dict[str, Any] = copy.deepcopy(dict(content))
    changes = [way, *way.get("further", ())]
    dropped = [one["column"] for one in changes if one["code"] == "drop"]
    wanted = [name for name in columns if name not in dropped]
    step = next((one for one in reversed(made["steps"]) if one["technique"] in MODELS), None)
    if step is None:
        step = {"technique": MODELS[0], "columns": [], "parameters": {"hierarchies": {}}}
        made["steps"].append(step)
    settings = step["parameters"]
    missing = [name for name in wanted if name not in step["columns"]]
    for other in made["steps"]:
        leaving = [*dropped, *(missing if _treats_columns(other["technique"]) else ())]
        other["columns"] = [name for name in other["columns"] if name not in leaving]
    step["columns"] += missing
    if missing:
        settings["unfit"] = "suppress"
        settings["hierarchies"] |= {name: hierarchies.get(name, {"kind": "star"}) for name in missing}
    settings |= {**way["settings"], "maximum_risk": None}
    if any(one["code"] == "local" for one in changes):
        settings |= {"recoding": "local", "loss": "geometric"}
    unbound = [*dropped, *(one["column"] for one in changes if one["code"] == "unbind")]
    for key in ("minimum_levels", "maximum_levels"):
        settings[key] = {k: v for k, v in settings.get(key, {}).items() if k not in unbound}
    for key in ("hierarchies", "weights"):
        settings[key] = {k: v for k, v in settings.get(key, {}).items() if k not in dropped}
    if dropped:
        _remove(made, dropped)
    made["steps"] = [one for one in made["steps"] if one["columns"]]
    return made


def _treats_columns(technique: str) -> bool:
    """Whether a step says what becomes of each of its columns; not one that looks at rows, such as drawing some."""
    return technique in MODELS or catalogue.get(technique).scope is not Scope.TABLE


def _remove(content: dict[str, Any], columns: Sequence[str]) -> None:
    """Have ``columns`` removed by the step that removes others already, else by one of their own at the beginning."""
    removal = next((one for one in content["steps"] if one["technique"] == REMOVAL), None)
    if removal is None:
        removal = {"technique": REMOVAL, "columns": [], "parameters": {}}
        content["steps"].insert(0, removal)
    removal["columns"] += columns
