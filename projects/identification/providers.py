"""Evidence that identification answers for, and what it does when the project moves."""

from __future__ import annotations

from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from approvals.governance.draft import Subject
from approvals.governance.person import Person
from projects.core.evidence import Changes, Missing, provides, since_return, stage_content, stage_work
from projects.core.models import Project
from projects.core.pages import Judged, goes_on_at, judged_as
from projects.core.sentences import Sentence, kept, written_by_portal
from projects.core.services import on_move
from projects.datasets.models import Dataset, Table
from projects.datasets.selectors import dataset_columns
from projects.datasets.services import goes_on_with
from projects.datasets.tables.names import label_of, titled
from projects.datasets.tables.selectors import datasets_now
from projects.workflow import Evidence, Move, MoveRule, Stage

from . import selectors
from .documents import persons_said, report_start
from .models import IdentificationRound
from .persons.rules import is_settled
from .persons.selectors import was_looked_for
from .presentation import above_of_rows, overrides_of, rows_of, verdict_changes
from .rules import may_scan
from .services import scan_start

_NAMED = 8


@goes_on_at(Stage.IDENTIFICATION)
def step_to_do(project: Project) -> str:
    """The data first; once every table has its own, the columns."""
    if all(dataset is not None and dataset.is_ready for _table, dataset in datasets_now(project)):
        return ""
    return reverse("datasets:page", kwargs={"project_id": project.pk})


@provides(Evidence.VERDICTS_COMPLETE)
def verdicts_complete(project: Project) -> Missing:
    """Every column of the current data set, of each table, has a verdict in the light of its newest scan, and somebody has
    said whose rows they are where that can be asked."""
    return [
        titled(label_of(table), text)
        for table, dataset in datasets_now(project)
        for text in _missing_of(table, dataset)
    ]


def _missing_of(table: Table, dataset: Dataset | None) -> Missing:
    if dataset is None or not dataset.is_ready:
        return [_("A data set that was checked to its last row")]
    round_ = selectors.round_now(table)
    if round_ is None:
        return [_("A finished scan of this data set: look-up and rules applied to every row")]
    given = selectors.verdicts_in(round_)
    missing = [column for column in dataset_columns(dataset) if column not in given]
    whose = _whose_rows(round_)
    if not missing:
        return whose
    named = _(", ").join(missing[:_NAMED])
    if len(missing) > _NAMED:
        text = _("A verdict about %(columns)s and %(more)s more columns")
        return [text % {"columns": named, "more": len(missing) - _NAMED}, *whose]
    return [_("A verdict about: %(columns)s") % {"columns": named}, *whose]


def _whose_rows(round_: IdentificationRound) -> Missing:
    """The question whose rows they are. Of a scan that did not look for it, it is asked while the stage lasts: what was
    measured of such a table since says that it is about rows, and the gate asks when it measures again."""
    if not was_looked_for(round_) and round_.project.stage != Stage.IDENTIFICATION:
        return []
    settled = is_settled(round_, selectors.person_key_in(round_))
    return [] if settled else [settled.text]


@stage_content(Stage.IDENTIFICATION)
def content(project: Project) -> Subject | None:
    """The newest round with its verdicts: what the stage's review judges."""
    round_ = selectors.current_round(project)
    if round_ is None or any(found is None for _table, found in selectors.rounds_now(project)):
        return None
    return selectors.report_subject(round_)


@stage_work(Stage.IDENTIFICATION)
def work(project: Project) -> str:
    return selectors.verdicts_hash(project)


def _judged_title(columns: int) -> str:
    return ngettext(
        "Identification: verdicts about %(count)s column",
        "Identification: verdicts about %(count)s columns",
        columns,
    )


@written_by_portal
def _judged_titles() -> tuple[Sentence, ...]:
    one, several = ({"count": kept(pattern)} for pattern in ("1", "[0-9]+"))
    return Sentence(lambda: _judged_title(1), one), Sentence(lambda: _judged_title(2), several)


@judged_as(Stage.IDENTIFICATION)
def judged(project: Project) -> Judged:
    tables = [
        (
            label_of(table),
            rows := rows_of(project, round_),
            persons_said(round_),
            above_of_rows(project, rows),
        )
        for table, round_ in selectors.rounds_now(project)
        if round_ is not None
    ]
    columns = sum(len(rows) for _label, rows, _persons, _above in tables)
    title = _judged_title(columns) % {"count": columns}
    return Judged(
        title, "identification/_judged.html", {"judged_tables": tables, "overrides": overrides_of(project)}
    )


@since_return(selectors.IDENTIFICATION)
def changes(project: Project, returned: Subject, at: datetime) -> Changes:
    return verdict_changes(project, at)


@goes_on_with
def scan_after_check(dataset: Dataset, by: Person) -> None:
    """Who confirmed the data set let the scan start after its check; where it may not, it is left to be started by hand."""
    if may_scan(by, dataset.table):
        scan_start(dataset.table, by=by)


@on_move
def print_report(project: Project, rule: MoveRule, by: Person) -> None:
    """The report of a submitted identification becomes a document."""
    if rule.move == Move.SUBMIT_IDENTIFICATION:
        report_start(project, by=by)
