"""The only writer of samples of a result: each draw, each look and each report is an audit event without a value."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.models import Project
from projects.core.services import notify, project_lock
from projects.datasets.models import StoredFile
from projects.datasets.samples import PAGE_ROWS
from projects.datasets.store.store import store_destroy
from projects.jobs.one_by_one import each_by_itself
from projects.jobs.selectors import latest_job
from projects.jobs.services import job_about
from projects.processing.runs.selectors import tables_of_run
from projects.workflow import Role, Stage
from projects.workflow.posts import Post
from techniques.core.messages import gettext_noop

from ..draw import seed_new
from ..enums import FindingSource
from ..received.services import said_without_persons, ticket_of_sample
from . import events, rules
from .enums import READ_JOB, InspectionKind, InspectionOutcome
from .models import ResultDeviation, ResultSample
from .presentation import DrawnPage, shown_whole
from .rules import InspectionReason
from .selectors import rows_of, run_inspected

KEPT = timedelta(days=1)
"""For so long the rows that were read lie ready; after that they are read again by the seed."""
NOTIFIED = (Role.PLANNER, Role.EXECUTOR)


def result_sample_draw(
    project: Project, *, by: Person, table: str = "", size: int | None = None
) -> ResultSample:
    """Have ``size`` records, or persons, of a table of the result drawn and read: as many as are proposed where no size is given.
    The portal makes the seed."""
    with recording(events.REQUESTED, by=by, project_id=project.pk) as event:
        project = project_lock(project)
        rules.may_draw(by, project).require()
        run = run_inspected(project)
        assert run is not None  # as the rule requires
        tables = tables_of_run(run)
        # The only table need not be named, whatever it is called.
        table = next(iter(tables)) if len(tables) == 1 and not table else table
        written = tables.get(table)
        if written is None or not written.result_rows:
            deny(InspectionReason.TABLE).require()
            raise AssertionError
        if size is not None and not 0 < size <= rules.MOST:
            deny(InspectionReason.SIZE, most=rules.MOST).require()
        last = ResultSample.objects.filter(project=project).aggregate(last=Max("number"))["last"] or 0
        sample = ResultSample(
            project=project,
            run=run,
            number=last + 1,
            of_table=table,
            sha256=written.result_sha256,
            asked=size,
            seed=seed_new(),
            drawn_by=by,
        )
        sample.save(force_insert=True)
        event.subject = sample.subject
        event.facts.update(seed=sample.seed, run=str(run), sha256=sample.sha256)
        if table:
            event.facts["table"] = table
        job_about(sample, READ_JOB, title=gettext_noop("Read the records that were drawn"), by=by)
        return sample


def result_sample_read(sample: ResultSample, *, by: Person) -> ResultSample:
    """Have the same records read again from the result, by the seed."""
    with recording(events.READ_AGAIN, by=by, about=sample):
        sample = _locked(sample)
        rules.may_read(by, sample, is_being_read(sample)).require()
        job_about(sample, READ_JOB, title=gettext_noop("Read the records that were drawn"), by=by)
        return sample


def is_being_read(sample: ResultSample) -> bool:
    job = latest_job(sample.project, READ_JOB, sample.pk)
    return job is not None and job.is_active


def read_end(sample: ResultSample, found: dict[str, Any], *, content: StoredFile) -> ResultSample:
    """Keep what was read, which lies in ``content``; called in the transaction that ends the job."""
    facts = {"sample_unit": found["unit"], "drawn": found["size"], "drawable": found["population"]}
    with recording(events.READ, by=None, about=sample, **facts):
        sample = _locked(sample)
        read = (found["unit"], found["population"], found["size"])
        if sample.outcome == InspectionOutcome.READING:
            sample.outcome, sample.is_cut = InspectionOutcome.OPEN, found["is_cut"]
            sample.unit, sample.population, sample.size = read
        elif read != (sample.unit, sample.population, sample.size):
            deny(InspectionReason.DIFFERS).require()
        _content_destroy(sample)
        sample.content, sample.kept_until = content, timezone.now() + KEPT
        sample.save()
        return sample


def read_fail(sample: ResultSample, *, code: str) -> ResultSample:
    """The job broke off or was cancelled. What was drawn before stays drawn."""
    with recording(events.FAILED, by=None, about=sample, code=code):
        sample = _locked(sample)
        if sample.outcome == InspectionOutcome.READING:
            sample.outcome = InspectionOutcome.FAILED
            sample.save()
        return sample


def result_sample_look(sample: ResultSample, *, page: int, by: Person) -> DrawnPage:
    """One page of the rows that were drawn, for the eyes of who may, within the portal; that they look is recorded before it is shown."""
    with recording(events.LOOKED, by=by, about=sample, data_leave=True) as event:
        sample = _locked(sample)
        rules.may_look(by, sample).require()
        found = rows_of(sample)
        shown = DrawnPage.of(found, page, PAGE_ROWS)
        event.facts.update(first=shown.first, last=shown.last)
        # Who looks and is no auditor is the supervisor, by the rule.
        if sample.outcome == InspectionOutcome.OPEN and by.post != Post.AUDITOR:
            sample.pages_seen = sorted({*sample.pages_seen, shown.number})
            sample.looked = shown_whole([row[0] for row in found["rows"]], sample.pages_seen, PAGE_ROWS)
            sample.looked_at = sample.looked_at or timezone.now()
            sample.save(update_fields=["pages_seen", "looked", "looked_at"])
    return shown


def result_sample_report(
    sample: ResultSample, *, found: int, deviations: Mapping[InspectionKind, str], remark: str, by: Person
) -> ResultSample:
    """Say in how many of those that were looked through something was found, and what; each kind becomes a finding of the project. The
    rows are destroyed with it."""
    facts: dict[str, Any] = {"count": found, "drawn": sample.size} if deviations else {}
    action = events.DEVIATED if deviations else events.SOUND
    with recording(action, by=by, about=sample, **facts):
        sample = _locked(sample)
        project = sample.project
        rules.may_report(by, sample).require()
        assert sample.size is not None  # it was read
        if bool(deviations) != (found > 0) or not 0 <= found <= sample.looked:
            deny(InspectionReason.FOUND, most=sample.looked).require()
        sample.outcome = InspectionOutcome.FOUND if deviations else InspectionOutcome.NOTHING
        sample.found, sample.remark = found, said_without_persons(remark)
        sample.reported_by, sample.reported_at = by, timezone.now()
        _content_destroy(sample)
        sample.save()
        for kind, text in deviations.items():
            _deviate(sample, project, InspectionKind(kind), said_without_persons(text), by)
        notify(project, action, NOTIFIED, by=by, subject=str(sample), **facts)
        return sample


def _deviate(sample: ResultSample, project: Project, kind: InspectionKind, text: str, by: Person) -> None:
    ticket = ticket_of_sample(
        project, FindingSource.RESULT, Stage.VERIFICATION, origin_id=sample.pk, kind=kind, text=text, by=by
    )
    ResultDeviation.objects.create(sample=sample, kind=kind, text=text, ticket=ticket)


def results_expire() -> int:
    """Destroy the rows of samples whose time is over; how many. One that cannot be ended keeps no other alive."""
    overdue = ResultSample.objects.filter(kept_until__lte=timezone.now(), content__destroyed_at=None)
    return each_by_itself(overdue.exclude(content=None).select_related("project", "run"), _expire)


def _expire(sample: ResultSample) -> bool:
    with transaction.atomic(), recording(events.EXPIRED, by=None, about=sample):
        _content_destroy(_locked(sample))
        return True


def _content_destroy(sample: ResultSample) -> None:
    if sample.content is not None and sample.content.destroyed_at is None:
        store_destroy(sample.content)


def _locked(sample: ResultSample) -> ResultSample:
    """As it stands in the database, with its project locked."""
    project_lock(sample.project)
    rows = ResultSample.objects.select_for_update(of=("self",))
    return rows.select_related("project", "run__project", "content").get(pk=sample.pk)
