"""The solutions behind a recipe's model: who may have them listed, and the only writer of what was listed and chosen."""

from __future__ import annotations

import copy
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import ALLOW, Verdict, deny
from projects.core.models import Project
from projects.core.rules import CoreReason
from projects.core.services import project_lock
from projects.datasets.models import Table
from projects.datasets.tables.names import label_of
from projects.datasets.tables.selectors import dataset_now
from projects.jobs.models import Job
from projects.jobs.results import result_break_off, result_end, result_lock, result_number, result_queue
from techniques.core.canonical import canonical_hash
from techniques.core.messages import gettext_noop

from .. import events, rules
from ..models import Exploration, RecipeVersion
from ..recipes.selectors import current_recipe
from ..recipes.services import recipe_save
from ..recipes.suggestion import MODELS
from ..rules import ProcessingReason

EXPLORE_JOB = "processing.explore"


def explorations_of(project: Project) -> QuerySet[Exploration]:
    """All of them, newest first."""
    return Exploration.objects.filter(project=project).select_related(
        "project", "recipe_version", "dataset__table", "requested_by", "chosen_by", "chosen_in"
    )


def exploration_get(project: Project, exploration_id: uuid.UUID) -> Exploration:
    return explorations_of(project).get(pk=exploration_id)


def lattice_step(content: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The step of a table's recipe that searches among generalisations of whole columns, or None."""
    for step in reversed(content["steps"] if content else ()):
        if step["technique"] in MODELS:
            is_local = step["parameters"].get("recoding", "full_domain") != "full_domain"
            return None if is_local else dict(step)
    return None


def may_explore(user: Person, table: Table) -> Verdict:
    """The executor, while the data is processed, once a table's recipe searches for a generalisation."""
    verdict = rules.may_edit_recipe(user, table.project)
    if not verdict:
        return verdict
    recipe = current_recipe(table.project)
    if recipe is None or lattice_step(recipe.part_of(table)) is None:
        return deny(ProcessingReason.NO_LATTICE)
    if dataset_now(table) is None:
        return deny(ProcessingReason.EXPLORATION_OUTDATED)
    if Exploration.objects.filter(project=table.project_id, ended_at=None).exists():
        return deny(ProcessingReason.EXPLORATION_UNDER_WAY)
    return ALLOW


def may_choose(user: Person, exploration: Exploration) -> Verdict:
    """The executor, while the data is processed, and while recipe and data are those that were looked at."""
    project = exploration.project
    verdict = rules.may_edit_recipe(user, project)
    if not verdict:
        return verdict
    same = (
        exploration.measured_at is not None
        and exploration.recipe_version == current_recipe(project)
        and exploration.dataset == dataset_now(exploration.dataset.table)
        and exploration.chosen_in_id is None
    )
    return ALLOW if same else deny(ProcessingReason.EXPLORATION_OUTDATED)


def exploration_start(table: Table, *, by: Person) -> tuple[Exploration, Job]:
    """Have the solutions of the model in a table's current recipe listed, as a job."""
    with recording(events.EXPLORATION_STARTED, by=by, project_id=table.project_id) as event:
        table.project = project = project_lock(table.project)
        may_explore(by, table).require()
        recipe, dataset = current_recipe(project), dataset_now(table)
        assert recipe is not None  # as the rule requires
        assert dataset is not None
        exploration = Exploration.objects.create(
            project=project,
            recipe_version=recipe,
            dataset=dataset,
            number=result_number(Exploration, project),
            requested_by=by,
        )
        event.subject = exploration.subject
        event.facts.update(version=recipe.number, table=label_of(table))
        return exploration, result_queue(
            exploration, EXPLORE_JOB, title=gettext_noop("Look at the solutions"), by=by
        )


def exploration_complete(exploration: Exploration, *, result: dict[str, Any]) -> Exploration:
    """Record what was found; called once, in the transaction that ends the job."""
    space = result["space"]
    facts: dict[str, Any] = {"nodes": len(space["nodes"]), "solutions": space["lattice_size"]}
    with recording(events.EXPLORATION_MEASURED, by=None, project_id=exploration.project_id, **facts) as event:
        exploration = result_lock(exploration)
        exploration.result = result
        exploration.content_hash = canonical_hash(result)
        result_end(exploration)
        event.subject = exploration.subject
        return exploration


def exploration_break_off(exploration: Exploration, *, code: str) -> None:
    """Record that there is no list: the job failed or was cancelled."""
    result_break_off(exploration, events.EXPLORATION_BROKEN_OFF, code=code)


def solution_choose(
    exploration: Exploration, *, levels: Sequence[int], reason: str, by: Person
) -> RecipeVersion:
    """Fix another solution in a new version of the recipe: each column at exactly the level chosen, with the reason.

    ``levels`` stand in the order of the result's columns and must be one of its solutions that keep the conditions.
    """
    reason = reason.strip()
    with governed_act():
        project_lock(exploration.project)
        exploration = result_lock(exploration, "recipe_version", "dataset__table")
        may_choose(by, exploration).require()
        if not reason:
            deny(CoreReason.REASON_NEEDED).require()
        space = exploration.result["space"]
        node = next((one for one in space["nodes"] if one["levels"] == list(levels)), None)
        if node is None or not node["satisfies"]:
            deny(ProcessingReason.NO_SOLUTION).require()
        assert node is not None
        if node["best"]:
            deny(ProcessingReason.SOLUTION_IS_BEST).require()
        with recording(events.SOLUTION_CHOSEN, by=by, about=exploration, reason=reason) as event:
            fixed = dict(zip(space["columns"], node["levels"], strict=True))
            table = exploration.dataset.table
            part = exploration.recipe_version.part_of(table)
            assert part is not None  # its solutions were listed
            version = recipe_save(table, content=with_levels(part, fixed), note=reason, by=by)
            exploration.chosen_levels, exploration.choice_reason = fixed, reason
            exploration.chosen_in, exploration.chosen_by = version, by
            exploration.chosen_at = timezone.now()
            exploration.save()
            event.facts["version"] = version.number
            return version


def with_levels(content: Mapping[str, Any], levels: Mapping[str, int]) -> dict[str, Any]:
    """The recipe whose model has nothing left to search for: lowest and highest level of each column are one."""
    made: dict[str, Any] = copy.deepcopy(dict(content))
    step = next(one for one in reversed(made["steps"]) if one["technique"] in MODELS)
    step["parameters"] |= {"minimum_levels": dict(levels), "maximum_levels": dict(levels)}
    return made
