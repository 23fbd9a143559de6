"""Evidence that processing answers for, and what it does when the project moves."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.person import Person
from projects.core.evidence import Missing, provides, stage_content
from projects.core.models import Project
from projects.core.services import on_move
from projects.identification.selectors import verdicts_hash
from projects.workflow import Evidence, Move, MoveRule, Stage

from .recipes.objections import run_objections
from .recipes.selectors import current_recipe
from .runs.documents import report_start
from .runs.selectors import latest_run, run_subject


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


@stage_content(Stage.PROCESSING)
def content(project: Project) -> Subject | None:
    run = latest_run(project)
    return None if run is None else run_subject(run)


@on_move
def print_report(project: Project, rule: MoveRule, by: Person) -> None:
    """The report of a submitted processing becomes a document."""
    if rule.move == Move.SUBMIT_PROCESSING:
        report_start(project, by=by)
