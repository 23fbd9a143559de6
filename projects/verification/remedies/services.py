"""A remedy that would make a failing result pass is taken over into the recipe: who may, and what becomes of it."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import ALLOW, Verdict, deny, first_denial
from projects.core.models import Project
from projects.core.rules import has_role, may_move_directly
from projects.core.services import project_lock, project_move_directly
from projects.datasets.models import Table
from projects.datasets.tables.names import titled
from projects.datasets.tables.selectors import tables_of
from projects.identification.selectors import verdicts_hash, verdicts_of
from projects.objective.selectors import basis_hash
from projects.processing.models import RecipeVersion
from projects.processing.recipes.pages import differences
from projects.processing.recipes.selectors import current_recipe
from projects.processing.recipes.services import recipe_save
from projects.processing.recipes.suggestion import MODELS, REMOVAL, SAMPLING, hierarchy_of, is_misread
from projects.processing.rules import may_edit_recipe
from projects.processing.runs.selectors import latest_run, on_current_data
from projects.processing.runs.services import run_start
from projects.workflow import Move, Role, State
from techniques import catalogue
from techniques.catalogue.technique import Scope

from .. import events
from ..models import Verification
from ..reports.remedies import Remedy, ViewRemedy
from ..rules import VerificationReason
from ..selectors import latest_verification
from ..trials.models import Trial
from ..trials.services import trial_plan
from .presentation import NumberedRemedy, RemedyRow, RemedyTable, passing_remedies, remedy_by_number


def may_take_remedy(user: Person, verification: Verification, table: str = "") -> Verdict:
    """The executor, while the data is processed and as long as what was measured is what there is.

    A remedy for one ``table`` holds as long as that table's recipe is the one that was measured.
    """
    project = verification.project
    return first_denial(
        has_role(user, project, Role.EXECUTOR),
        deny(VerificationReason.BACK_FIRST) if State(project.state) == State.VERIFICATION else ALLOW,
        may_edit_recipe(user, project),
        ALLOW if _still_holds(project, verification, table) else deny(VerificationReason.REMEDIES_OUTDATED),
    )


def may_carry_out(user: Person, verification: Verification, table: str = "") -> Verdict:
    """Whether one click may go back to processing, take a remedy, run the recipe and measure its result: what each of these
    steps asks is asked again where it is made."""
    project = verification.project
    if State(project.state) != State.VERIFICATION:
        return first_denial(may_take_remedy(user, verification, table), _none_under_way(project))
    # A trial that is under way here began before the work was handed over; the service asks, and the page need not.
    return first_denial(
        has_role(user, project, Role.EXECUTOR),
        may_move_directly(user, project, Move.BACK_TO_PROCESSING),
        ALLOW if _still_holds(project, verification, table) else deny(VerificationReason.REMEDIES_OUTDATED),
    )


def _none_under_way(project: Project) -> Verdict:
    if project.trials.filter(ended_at=None).exists():
        return deny(VerificationReason.TRIAL_UNDER_WAY)
    return ALLOW


def remedies_that_hold(project: Project, verification: Verification) -> list[RemedyRow]:
    """The remedies that pass and can still be taken into the recipe as it is now."""
    if verification.passed is not False:
        return []
    return [
        row
        for row in passing_remedies(verification.measurement.report)
        if _same_recipe(verification.run.recipe_version, current_recipe(project), row.table)
    ]


def _same_recipe(measured: RecipeVersion, now: RecipeVersion | None, table: str) -> bool:
    """Whether the whole recipe, or that of one table, is still the one that was measured."""
    if now is None or measured.verdicts_hash != now.verdicts_hash:
        return False
    return measured == now or now.tables.get(table) == measured.tables.get(table, {})


def _still_holds(project: Project, verification: Verification, table: str) -> bool:
    """Whether recipe, data, verdicts and targets are those that the remedies were searched for with."""
    run = verification.run
    return (
        verification.passed is False
        and verification == latest_verification(project)
        and _same_recipe(run.recipe_version, current_recipe(project), table)
        and (run == latest_run(project) or on_current_data(project.runs.filter(pk=run.pk)).exists())
        and run.recipe_version.verdicts_hash == verdicts_hash(project)
        and verification.targets_hash == basis_hash(project)
    )


def remedy_take(verification: Verification, *, number: int, by: Person) -> RecipeVersion:
    """Write remedy ``number`` (from 1, in the order of the page) into the recipe, as a new version.

    Refused ``no_way`` unless it is one that passes. Raises EngineError where the recipe then does not hold together.
    """
    with governed_act():
        project = project_lock(verification.project)
        verification = Verification.objects.select_related("project", "run__recipe_version").get(
            pk=verification.pk
        )
        verification.project = project
        found = remedy_by_number(verification.measurement.report, number)
        may_take_remedy(by, verification, found.row.table if found else "").require()
        if found is None or not found.row.passes:
            deny(VerificationReason.NO_REMEDY).require()
        assert found is not None
        name = found.row.table
        facts: dict[str, Any] = {"way": number, "changes": _changes(found)}
        with recording(events.REMEDY_TAKEN, by=by, about=verification, **facts) as event:
            if name:
                event.facts["table"] = name
            note = _("Verification %(verification)s, way %(number)s: %(change)s") % {
                "verification": verification.number,
                "number": number,
                "change": titled(name, found.row.text),
            }
            measured = verification.run.recipe_version
            content, table = _recipe_with(project, measured, found), _table_of(project, measured, found)
            version = recipe_save(table, content=content, note=note, by=by)
            event.facts["version"] = version.number
            return version


def remedy_carry_out(verification: Verification, *, number: int, by: Person) -> tuple[RecipeVersion, Trial]:
    """Go back to processing where need be, write remedy ``number`` into the recipe, run it, and have the result measured as a
    trial. All of it or nothing: what one step refuses, none has done. Nothing is handed over."""
    with governed_act():
        project = project_lock(verification.project)
        verification.project = project
        found = remedy_by_number(verification.measurement.report, number)
        may_carry_out(by, verification, found.row.table if found else "").require()
        if found is None or not found.row.passes:
            deny(VerificationReason.NO_REMEDY).require()
        with recording(events.REMEDY_CARRIED_OUT, by=by, about=verification, way=number) as event:
            if State(project.state) == State.VERIFICATION:
                reason = _("Verification %(verification)s did not pass; way %(number)s is taken.") % {
                    "verification": verification.number,
                    "number": number,
                }
                project_move_directly(project, move=Move.BACK_TO_PROCESSING, by=by, reason=reason)
                verification = Verification.objects.select_related("project", "run__recipe_version").get(
                    pk=verification.pk
                )
            version = remedy_take(verification, number=number, by=by)
            run, _job = run_start(verification.project, by=by)
            event.facts["run"] = str(run)
            return version, trial_plan(run, by=by)


def _changes(found: NumberedRemedy) -> list[str]:
    """What the remedy changes, for the log: codes and columns."""
    if isinstance(found.stored, ViewRemedy):
        return [f"remove {'.'.join(place)}" for place in found.stored.columns]
    return [f"{one.code} {one.column}".strip() for one in found.stored.changes]


def with_alterations(project: Project, verification: Verification, shown: RemedyTable) -> RemedyTable:
    """The table of remedies in which each that passes says everything that it would change in the recipe."""
    measured = verification.run.recipe_version
    rows = []
    stored_rows: Sequence[Remedy | ViewRemedy] = shown.stored
    for row, stored in zip(shown.rows, stored_rows, strict=True):
        if row.passes:
            content = _recipe_with(project, measured, NumberedRemedy(row, stored, shown))
            whole = content.get("tables") or {**measured.tables, shown.table: content}
            parts = {name: (measured.tables[name], whole[name]) for name in measured.tables}
            row = replace(
                row,
                alters=[
                    (titled(name, place), was, now)
                    for name, (before, after) in parts.items()
                    for place, was, now in differences(before, after)
                ],
            )
        rows.append(row)
    return replace(shown, rows=rows)


def _table_of(project: Project, measured: RecipeVersion, found: NumberedRemedy) -> Table:
    """The table that the remedy is about; the first where it is about all."""
    tables = {measured.name_of(table): table for table in tables_of(project)}
    return next(iter(tables.values())) if isinstance(found.stored, ViewRemedy) else tables[found.row.table]


def _recipe_with(project: Project, measured: RecipeVersion, found: NumberedRemedy) -> dict[str, Any]:
    """What is to be saved: the recipe of the table that the remedy is about, or that of all."""
    if isinstance(found.stored, ViewRemedy):
        gone = found.stored.columns
        parts = {
            name: without_columns(content, [column for table, column in gone if table == name])
            for name, content in measured.tables.items()
        }
        return {"recipe": 1, "tables": parts}
    content, searched = measured.tables[found.row.table], found.shown.searched
    in_models = {name for one in content["steps"] if one["technique"] in MODELS for name in one["columns"]}
    given = verdicts_of(_table_of(project, measured, found)) if set(searched) - in_models else {}
    verdicts = {name: given[name] for name in searched if name in given}
    known = {name: hierarchy_of(verdict) for name, verdict in verdicts.items()}
    misread = {name for name, verdict in verdicts.items() if is_misread(verdict)}
    return with_remedy(content, searched, found.stored, known, misread)


def without_columns(content: Mapping[str, Any], columns: Sequence[str]) -> dict[str, Any]:
    """The recipe with these columns removed once all else is done, so that the rest comes out as it did."""
    made: dict[str, Any] = copy.deepcopy(dict(content))
    for step in made["steps"]:
        if step["technique"] == "as_is":
            step["columns"] = [name for name in step["columns"] if name not in columns]
    made["steps"] = [one for one in made["steps"] if one["columns"] or one["technique"] != "as_is"]
    if columns:
        made["steps"].append({"technique": REMOVAL, "columns": list(columns), "parameters": {}})
    return made


def with_remedy(
    content: Mapping[str, Any],
    columns: Sequence[str],
    remedy: Remedy,
    hierarchies: Mapping[str, Mapping[str, Any]],
    misread: Collection[str] = (),
) -> dict[str, Any]:
    """The recipe that the ``remedy`` was searched for with, over the quasi-identifiers ``columns``.

    All of them are in the last model step then, or in a new one; a column that comes into it leaves what treated it
    before, for the search saw its source. ``hierarchies`` are those that such columns begin with; some values of the
    columns ``misread`` do not fit theirs.
    """
    made: dict[str, Any] = copy.deepcopy(dict(content))
    dropped = [one.column for one in remedy.changes if one.code == "drop"]
    wanted = [name for name in columns if name not in dropped]
    step = next((one for one in reversed(made["steps"]) if one["technique"] in MODELS), None)
    if step is None:
        step = {"technique": MODELS[0], "columns": [], "parameters": {"hierarchies": {}}}
        made["steps"].append(step)
    settings = step["parameters"]
    missing = [name for name in wanted if name not in step["columns"]]
    for other in made["steps"]:
        leaving = [*dropped, *(missing if _treats_columns(other["technique"]) else ())]
        left = [name for name in other["columns"] if name not in leaving]
        # Rows are drawn whatever column the step stands at.
        other["columns"] = left or (wanted[:1] if other["technique"] == SAMPLING else [])
    step["columns"] += missing
    if not set(misread).isdisjoint(missing):
        settings["unfit"] = "suppress"
    if missing:
        settings["hierarchies"] |= {name: hierarchies.get(name, {"kind": "star"}) for name in missing}
    settings |= {**remedy.settings.as_json(), "maximum_risk": None}
    if any(one.code == "local" for one in remedy.changes):
        settings |= {"recoding": "local", "loss": "geometric"}
    if any(one.code == "suppress" for one in remedy.changes) and remedy.outcome is not None:
        settings |= {"minimum_levels": remedy.outcome.levels, "maximum_levels": remedy.outcome.levels}
    unbound = [*dropped, *(one.column for one in remedy.changes if one.code == "unbind")]
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
