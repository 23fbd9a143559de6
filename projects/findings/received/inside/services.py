"""The only writer of what is read and seen of samples in an enclave: each look is an audit event without a value."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.services import project_lock
from projects.datasets.models import StoredFile
from projects.datasets.samples import PAGE_ROWS
from projects.datasets.store.store import store_destroy
from projects.jobs.one_by_one import each_by_itself
from projects.jobs.services import job_about
from techniques.core.messages import gettext_noop

from ...inspected.enums import SampleUnit
from ...inspected.presentation import DrawnPage, shown_whole
from ...inspected.rules import InspectionReason
from .. import events, rules
from ..enums import READ_JOB, SampleOutcome
from ..models import ReceivedSample
from .selectors import is_being_read, rows_of, table_drawn_from

KEPT = timedelta(days=1)
"""For so long the rows that were read lie ready; after that they are read again by the seed."""


def rows_read(sample: ReceivedSample, *, by: Person) -> None:
    """Have a job read what was drawn; called in the transaction of who asks."""
    job_about(sample, READ_JOB, title=gettext_noop("Read the records that were drawn"), by=by)


def received_read(sample: ReceivedSample, *, by: Person) -> ReceivedSample:
    """Have the same rows read again, by the seed."""
    with recording(events.READ_AGAIN, by=by, about=sample):
        sample = locked(sample)
        rules.may_read(by, sample, is_being_read(sample)).require()
        _require_sound(sample)
        rows_read(sample, by=by)
        return sample


def read_end(sample: ReceivedSample, found: dict[str, Any], *, content: StoredFile) -> ReceivedSample:
    """Keep what was read, which lies in ``content``; called in the transaction that ends the job."""
    facts = {"sample_unit": found["unit"], "drawn": found["size"], "drawable": found["population"]}
    with recording(events.READ, by=None, about=sample, **facts):
        sample = locked(sample)
        persons = found["population"] if found["unit"] == SampleUnit.PERSON else None
        if sample.outcome == SampleOutcome.READING:
            sample.outcome, sample.is_cut, sample.persons = SampleOutcome.OPEN, found["is_cut"], persons
            sample.shown_rows = len(found["rows"])
        elif (persons, len(found["rows"])) != (sample.persons, sample.shown_rows):
            deny(InspectionReason.DIFFERS).require()
        content_destroy(sample)
        sample.content, sample.kept_until = content, timezone.now() + KEPT
        sample.save()
        return sample


def read_fail(sample: ReceivedSample, *, code: str) -> ReceivedSample:
    """The job broke off or was cancelled. What was drawn before stays drawn."""
    with recording(events.FAILED, by=None, about=sample, code=code):
        sample = locked(sample)
        if sample.outcome == SampleOutcome.READING:
            sample.outcome = SampleOutcome.FAILED
            sample.save()
        return sample


def received_look(sample: ReceivedSample, *, page: int, by: Person) -> DrawnPage:
    """One page of the rows that were drawn, for the recipient's eyes within the portal; that they look is recorded before it is shown."""
    with recording(events.LOOKED, by=by, about=sample, data_leave=True) as event:
        sample = locked(sample)
        rules.may_look(by, sample).require()
        _require_sound(sample)
        found = rows_of(sample)
        shown = DrawnPage.of(found, page, PAGE_ROWS)
        event.facts.update(first=shown.first, last=shown.last)
        sample.pages_seen = sorted({*sample.pages_seen, shown.number})
        sample.looked = shown_whole([row[0] for row in found["rows"]], sample.pages_seen, PAGE_ROWS)
        sample.save(update_fields=["pages_seen", "looked"])
    return shown


def _require_sound(sample: ReceivedSample) -> None:
    if table_drawn_from(sample) is None:
        deny(InspectionReason.ALTERED).require()


def received_expire() -> int:
    """Destroy the rows of samples whose time is over; how many. One that cannot be ended keeps no other alive."""
    overdue = ReceivedSample.objects.filter(kept_until__lte=timezone.now(), content__destroyed_at=None)
    return each_by_itself(overdue.exclude(content=None).select_related("release__project"), _expire)


def _expire(sample: ReceivedSample) -> bool:
    with transaction.atomic(), recording(events.EXPIRED, by=None, about=sample):
        content_destroy(locked(sample))
        return True


def content_destroy(sample: ReceivedSample) -> None:
    if sample.content is not None and sample.content.destroyed_at is None:
        store_destroy(sample.content)


def locked(sample: ReceivedSample) -> ReceivedSample:
    """As it stands in the database, with its project locked."""
    project_lock(sample.release.project)
    rows = ReceivedSample.objects.select_for_update(of=("self",))
    return rows.select_related("release__project", "recipient", "content").get(pk=sample.pk)
