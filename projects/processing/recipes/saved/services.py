"""Who saves recipes under a name and takes them, and the only writer of them."""

from __future__ import annotations

import uuid

from django.db.models import Q, QuerySet
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Verdict, deny
from projects.core.services import project_lock
from projects.datasets.models import Table
from projects.identification.selectors import verdicts_of
from techniques.core.canonical import canonical_hash
from techniques.core.messages import EngineError, gettext_noop

from ... import events, rules
from ...models import SavedRecipe
from ...rules import ProcessingReason
from ..selectors import current_recipe
from .carrying import Fitted, fitted
from .portability import portable


def saved_recipes(person: Person) -> QuerySet[SavedRecipe]:
    """Those that a person may take: their own, and those for everybody who writes recipes."""
    return SavedRecipe.objects.filter(
        Q(saved_by=person.pk) | Q(of_organisation=True), withdrawn_at=None
    ).select_related("saved_by")


def saved_get(saved_id: uuid.UUID | str, person: Person) -> SavedRecipe:
    """EngineError ``saved_recipe_unknown`` for one that the person may not take."""
    try:
        found = saved_recipes(person).filter(pk=uuid.UUID(str(saved_id))).first()
    except ValueError:
        found = None
    if found is None:
        raise EngineError("saved_recipe_unknown", gettext_noop("There is no such saved recipe."))
    return found


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
        name = " ".join(name.split())
        if not name:
            deny(ProcessingReason.SAVED_NAME_NEEDED).require()
        if SavedRecipe.objects.filter(saved_by=by.pk, name=name, withdrawn_at=None).exists():
            deny(ProcessingReason.SAVED_NAME_TAKEN).require()
        recipe = current_recipe(project)
        part = recipe.part_of(table) if recipe else None
        assert recipe is not None  # as the rule requires
        assert part is not None
        content = portable(part, verdicts_of(table))
        saved = SavedRecipe.objects.create(
            name=name[:120],
            content=content,
            content_hash=canonical_hash(content),
            of_organisation=of_organisation,
            project=project,
            saved_by=by,
        )
        event.subject = saved.subject
        event.facts["number"] = recipe.number
        return saved


def may_withdraw(person: Person, saved: SavedRecipe) -> Verdict:
    """Who saved it."""
    return ALLOW if saved.saved_by_id == person.pk else deny(ProcessingReason.SAVED_BY_ANOTHER)


def saved_withdraw(saved: SavedRecipe, *, by: Person) -> None:
    """Nobody takes it any more; recipes that began from it stay as they are."""
    with recording(events.RECIPE_WITHDRAWN, by=by, project_id=saved.project_id) as event:
        saved = SavedRecipe.objects.select_for_update(of=("self",)).get(pk=saved.pk)
        may_withdraw(by, saved).require()
        saved.withdrawn_at = saved.withdrawn_at or timezone.now()
        saved.save()
        event.subject = saved.subject


def saved_fit(saved: SavedRecipe, table: Table, *, by: Person) -> Fitted:
    """What it becomes upon the columns of a table; the executor, while the data is processed. Nothing is saved by it."""
    rules.may_edit_recipe(by, table.project).require()
    return fitted(saved.content, table)
