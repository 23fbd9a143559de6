"""The only writer of recipes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from projects.core.services import project_lock
from projects.datasets.models import Table
from projects.datasets.tables.names import label_of
from projects.identification.selectors import verdicts_hash

from .. import events, rules
from ..models import RecipeVersion
from .checks import preparation_check
from .scenes.recipes import scene_read
from .selectors import current_sources
from .sets import set_checked


def recipe_save(
    table: Table,
    *,
    content: dict[str, Any],
    note: str = "",
    scene: str = "",
    stated: bool = False,
    by: Person,
) -> RecipeVersion:
    """Add a version of the recipe; saving what is already the current version changes nothing.

    From the second version on ``note`` says what changed and why (Refused ``note_needed``). ``scene`` is the scene
    of use whose preset the recipe began from; it is kept with the columns that depart from the preset. ``content`` is
    the recipe of one ``table``, or a whole recipe set, refused where it breaks a declared link. ``stated``: a person writes it, who
    has to say how values are prepared, or why they are not; what carries an earlier recipe on says what that one said.
    Raises EngineError, naming the place in the recipe, before anything is written.
    """
    with governed_act():
        table.project = project = project_lock(table.project)
        rules.may_edit_recipe(by, project).require()
        began = scene_read(scene) if scene else None
        (current, sources), basis = current_sources(project), verdicts_hash(project)
        kept, content_hash = set_checked(table, content, sources, began)
        if current and (current.content_hash, current.verdicts_hash) == (content_hash, basis):
            return current
        if stated:
            preparation_check(_written(RecipeVersion(content=kept), table, content))
        rules.note_enough(current, note).require()
        with recording(events.RECIPE_SAVED, by=by, project_id=project.pk, reason=note.strip()) as event:
            version = RecipeVersion.objects.create(
                project=project,
                number=current.number + 1 if current else 1,
                content=kept,
                content_hash=content_hash,
                verdicts_hash=basis,
                note=note.strip()[:300],
                created_by=by,
            )
            event.subject = version.subject
            event.facts["number"] = version.number
            if began:
                (otherwise,) = (
                    one["departures"] for one in version.scenes if one["table"] == label_of(table)
                )
                event.facts.update(scene=began.value, departures=len(otherwise))
            named = ", ".join(version.tables)
            event.facts.update({"tables": named} if named else {})
            return version


def _written(version: RecipeVersion, table: Table, content: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    """The recipes that ``content`` is about: those of a whole set, or that of one ``table``."""
    part = version.part_of(table)
    return version.tables.values() if "tables" in content or part is None else [part]
