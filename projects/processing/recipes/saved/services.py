"""Who saves recipes under a name and takes them, and the only writer of them."""

from __future__ import annotations

import uuid

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Verdict, deny
from projects.core.saved.services import SavedContents
from projects.core.services import project_lock
from projects.datasets.models import Table
from projects.identification.selectors import verdicts_of
from techniques.core.messages import EngineError, gettext_noop

from ... import events, rules
from ...models import SavedRecipe
from ...rules import ProcessingReason
from ..selectors import current_recipe
from .carrying import Fitted, fitted
from .portability import portable

SAVED_RECIPES = SavedContents(
    SavedRecipe.objects,
    audience=lambda person: True,
    withdrawal=events.RECIPE_WITHDRAWN,
    name_needed=ProcessingReason.SAVED_NAME_NEEDED,
    name_taken=ProcessingReason.SAVED_NAME_TAKEN,
    saved_by_another=ProcessingReason.SAVED_BY_ANOTHER,
)
"""Saved recipes; whoever writes a recipe takes one, as the rule of recipes says."""


def saved_get(saved_id: uuid.UUID | str, person: Person) -> SavedRecipe:
    """EngineError ``saved_recipe_unknown`` for one that the person may not take."""
    try:
        return SAVED_RECIPES.get(uuid.UUID(str(saved_id)), person)
    except (ValueError, SavedRecipe.DoesNotExist):
        raise EngineError("saved_recipe_unknown", gettext_noop("There is no such saved recipe.")) from None


def may_save(person: Person, table: Table) -> Verdict:
    """The executor, while the data is processed, once the table has a recipe."""
    verdict = rules.may_edit_recipe(person, table.project)
    if not verdict:
        return verdict
    recipe = current_recipe(table.project)
    if recipe is None or recipe.part_of(table) is None:
        return deny(ProcessingReason.NO_RECIPE)
    return ALLOW


def saved_create(table: Table, *, name: str, of_organisation: bool, by: Person) -> SavedRecipe:
    """Keep what the current version does with a table, under a name that the person has not given yet."""
    with recording(events.RECIPE_KEPT, by=by, project_id=table.project_id) as event:
        table.project = project = project_lock(table.project)
        may_save(by, table).require()
        recipe = current_recipe(project)
        part = recipe.part_of(table) if recipe else None
        assert recipe is not None  # as the rule requires
        assert part is not None
        saved = SAVED_RECIPES.create(
            portable(part, verdicts_of(table)),
            name=name,
            of_organisation=of_organisation,
            project=project,
            by=by,
        )
        event.subject = saved.subject
        event.facts["number"] = recipe.number
        return saved


def saved_fit(saved: SavedRecipe, table: Table, *, by: Person) -> Fitted:
    """What it becomes upon the columns of a table; the executor, while the data is processed. Nothing is saved by it."""
    rules.may_edit_recipe(by, table.project).require()
    return fitted(saved.content, table)
