"""Evidence that processing answers for, and what it does when the project moves."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.db.models import CharField, F, Value
from django.db.models.functions import Concat
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.person import Person
from projects.core.evidence import Changes, Missing, provides, since_return, stage_content, stage_work
from projects.core.models import Project
from projects.core.pages import Judged, goes_on_at, judged_as
from projects.core.sentences import Sentence, kept, written_by_portal
from projects.core.services import on_move
from projects.datasets.store.holdings import HeldKind, Holder, holds_files
from projects.identification.selectors import verdicts_hash
from projects.vault.uses import names_uses
from projects.workflow import Evidence, Move, MoveRule, Stage, State

from .editor.whole.services import rows_let_go
from .models import LevelAnswers, MappingTable, RunTable, ShareFile, WholePreview
from .recipes.objections import run_objections
from .recipes.selectors import current_recipe
from .runs.documents import report_start
from .runs.keys import key_uses
from .runs.pages import results, version_changes
from .runs.selectors import RUN, latest_run, run_get, run_subject, work_hash

# As runs and their tables are called: "#3 visits".
_RUN = Concat(Value("#"), "run__number", Value(" "), "name", output_field=CharField())
_RUN_TABLE = Concat(Value("#"), "run__number", Value(" "), "table", output_field=CharField())
_COLUMN = Concat(_RUN_TABLE, Value(" "), "column", output_field=CharField())
_SHARE = Concat(_RUN_TABLE, Value(" "), "number", output_field=CharField())

holds_files(
    Holder(RunTable, "result", HeldKind.RESULT, _("Result of a run"), _RUN, "run__project"),
    Holder(
        RunTable, "subjects", HeldKind.WORKSPACE, _("Whose each row of a result is"), _RUN, "run__project"
    ),
    Holder(ShareFile, "stored", HeldKind.RESULT, _("Shares of a holder"), _SHARE),
    Holder(MappingTable, "stored", HeldKind.AUXILIARY, _("Mapping table of a run"), _COLUMN),
    Holder(WholePreview, "rows", HeldKind.WORKSPACE, _("Rows of a preview"), F("number")),
    Holder(LevelAnswers, "stored", HeldKind.SOURCE, _("Answers about protection levels"), F("number")),
)


names_uses(key_uses)


@provides(Evidence.RUN_SUCCEEDED)
def run_succeeded(project: Project) -> Missing:
    recipe = current_recipe(project)
    if recipe is None:
        return [_("A recipe")]
    if recipe.verdicts_hash != verdicts_hash(project):
        return [_("A recipe that was checked against the current verdicts")]
    run = latest_run(project)
    if run is None:
        return [
            _("A finished run of version %(number)s of the recipe on the current data set")
            % {"number": recipe.number}
        ]
    # Also of a run that ended before the policy was switched on: nothing of it may be verified or leave the house.
    return list(run_objections(run))


@goes_on_at(Stage.PROCESSING)
def next_step(project: Project) -> str:
    """The editor, until a recipe was saved."""
    if current_recipe(project) is not None:
        return ""
    return reverse("processing:recipe", kwargs={"project_id": project.pk})


@stage_content(Stage.PROCESSING)
def content(project: Project) -> Subject | None:
    run = latest_run(project)
    return None if run is None else run_subject(run)


@stage_work(Stage.PROCESSING)
def work(project: Project) -> str:
    return work_hash(project)


def _judged_title() -> str:
    return str(_("Processing: run %(run)s of version %(version)s of the recipe"))


@written_by_portal
def _judged_titles() -> tuple[Sentence, ...]:
    return (Sentence(_judged_title, dict.fromkeys(("run", "version"), kept("[0-9]+"))),)


@judged_as(Stage.PROCESSING)
def judged(project: Project) -> Judged:
    run = latest_run(project)
    assert run is not None  # it is the content
    title = _judged_title() % {"run": run.number, "version": run.recipe_version.number}
    return Judged(title, "processing/_steps_by_table.html", {"results": results(run)})


@since_return(RUN)
def changes(project: Project, returned: Subject, at: datetime) -> Changes:
    before, now = run_get(project, uuid.UUID(returned.id)).recipe_version, current_recipe(project)
    return version_changes(before, now) if now is not None else []


@on_move
def print_report(project: Project, rule: MoveRule, by: Person) -> None:
    """The report of a submitted processing becomes a document."""
    if rule.move == Move.SUBMIT_PROCESSING:
        report_start(project, by=by)


@on_move
def let_preview_rows_go(project: Project, rule: MoveRule, by: Person) -> None:
    """What previews show of rows is for who writes the recipe; data are replaced, and projects end, in other states alone."""
    if project.state != State.PROCESSING:
        rows_let_go(project)
