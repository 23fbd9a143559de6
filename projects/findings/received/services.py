"""The only writer of samples that recipients check, of what they found, and of what they did about it."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from approvals.sentences import message_of
from projects.core.comments.identifiers import identifiers_in
from projects.core.models import Project
from projects.core.rules import CoreReason
from projects.core.selectors import members_by_role
from projects.core.services import notify, notify_person, project_lock
from projects.releases.models import Release
from projects.workflow import Role, Stage

from ..draw import seed_new
from ..enums import FindingSource
from ..inspected.enums import InspectionKind
from ..models import Finding
from ..selectors import owners_possible
from ..services import finding_of_sample
from . import events, rules
from .enums import DeviationKind, RemedyKind, RemedyState, SampleOutcome
from .inside.services import content_destroy, locked, rows_read
from .models import ReceivedSample, RecipientRemedy, SampleDeviation

DAYS = 14
"""By so many days after the report a finding is to be put right, until somebody of the project sets another day."""
NOTIFIED = (Role.PLANNER, Role.SUPERVISOR)
Deviated = Callable[[SampleDeviation], None]
_deviated: list[Deviated] = []


def on_deviation(function: Deviated) -> Deviated:
    """Subscribe to what recipients find in samples: how monitoring opens a re-assessment (T/ISC 0078 11.1 d)."""
    _deviated.append(function)
    return function


def sample_draw(release: Release, *, file: int, size: int, by: Person) -> ReceivedSample:
    """Draw ``size`` row numbers of a file that ``by`` fetched; in an enclave so many rows, or persons, which a job then reads. The
    portal makes the seed."""
    with recording(events.DRAWN, by=by, project_id=release.project_id) as event:
        project_lock(release.project)
        rules.may_draw(by, release).require()
        rows = int(release.files[file]["rows"] or 0) if file < len(release.files) else 0
        if not rows:
            deny(rules.SampleReason.FILE_UNKNOWN).require()
        if not 0 < size <= rules.MOST_ROWS:
            deny(rules.SampleReason.SIZE, most=rules.MOST_ROWS).require()
        last = ReceivedSample.objects.filter(release=release).aggregate(last=Max("number"))["last"] or 0
        sample = ReceivedSample(
            release=release,
            recipient=by,
            number=last + 1,
            file=file,
            rows=rows,
            size=min(size, rows),
            seed=seed_new(),
        )
        if rules.is_inside(release):
            sample.inside, sample.outcome = True, SampleOutcome.READING
        sample.save(force_insert=True)
        event.subject = sample.subject
        event.facts.update(sample=sample.size, rows=rows, seed=sample.seed)
        if sample.inside:
            rows_read(sample, by=by)
        return sample


def sample_report(
    sample: ReceivedSample,
    *,
    checked_on: date,
    checked: int,
    deviations: Mapping[DeviationKind, str],
    by: Person,
) -> ReceivedSample:
    """Say on which day how many of the rows were looked through, and what was found in them: nothing where ``deviations`` is
    empty. Each of these becomes a finding of the project."""
    action = events.DEVIATED if deviations else events.SOUND
    facts: dict[str, Any] = {"checked": checked}
    if deviations:
        facts["count"] = len(deviations)
    with recording(action, by=by, about=sample, **facts):
        sample = locked(sample)
        project = sample.project
        rules.may_report(by, sample).require()
        if not timezone.localdate(sample.drawn_at) <= checked_on <= timezone.localdate():
            deny(rules.SampleReason.DAY).require()
        most = sample.looked if sample.inside else sample.size
        if not 0 < checked <= most:
            deny(rules.SampleReason.CHECKED, most=most).require()
        sample.outcome = SampleOutcome.FOUND if deviations else SampleOutcome.NOTHING
        sample.checked_on, sample.checked, sample.reported_at = checked_on, checked, timezone.now()
        content_destroy(sample)
        sample.save()
        for kind, text in deviations.items():
            made = _deviate(sample, project, DeviationKind(kind), said_without_persons(text), by)
            for subscriber in _deviated:
                subscriber(made)
        notify(project, action, NOTIFIED, by=by, subject=str(sample), **facts)
        return sample


def remedy_record(
    deviation: SampleDeviation, *, kind: RemedyKind, text: str, done_on: date, by: Person
) -> RecipientRemedy:
    """The recipient says what they did with the data, and when; the supervisor is to confirm it."""
    if kind == RemedyKind.UNCLEAR:
        deny(rules.SampleReason.NOT_KNOWN).require()
    return _remedy(deviation, kind, text, done_on, by)


def remedy_record_in_stead(
    deviation: SampleDeviation, *, kind: RemedyKind, text: str, done_on: date, stead_reason: str, by: Person
) -> RecipientRemedy:
    """The planning manager says what was done with the data of a recipient who cannot say it any more, and why they say it."""
    return _remedy(deviation, kind, text, done_on, by, said_without_persons(stead_reason)[:500])


def _remedy(
    deviation: SampleDeviation, kind: RemedyKind, text: str, done_on: date, by: Person, stead_reason: str = ""
) -> RecipientRemedy:
    kind = RemedyKind(kind)
    facts: dict[str, Any] = {"recipient_remedy": str(kind)}
    action, may, given = events.REMEDY_RECORDED, rules.may_remedy, facts
    if stead_reason:
        action, may = events.REMEDY_IN_STEAD, rules.may_remedy_in_stead
        given = facts | {"reason": stead_reason}
    with recording(action, by=by, about=deviation, **given):
        project = project_lock(deviation.ticket.project)
        deviation = _read(deviation)
        may(by, deviation).require()
        reported = deviation.sample.reported_at
        assert reported is not None  # of a sample in which something was found
        if not timezone.localdate(reported) <= done_on <= timezone.localdate():
            deny(rules.SampleReason.REMEDY_DAY).require()
        made = RecipientRemedy.objects.create(
            deviation=deviation,
            kind=kind,
            text=said_without_persons(text),
            done_on=done_on,
            recorded_by=by,
            stead_reason=stead_reason,
        )
        notify(project, action, NOTIFIED, by=by, subject=str(deviation.ticket), **given)
        return made


def remedy_decide(deviation: SampleDeviation, *, confirm: bool, reason: str, by: Person) -> RecipientRemedy:
    """The supervisor confirms what the recipient did, or asks again; ``reason`` says by what that was seen."""
    action = events.REMEDY_CONFIRMED if confirm else events.REMEDY_AGAIN
    with recording(action, by=by, about=deviation, reason=reason):
        project = project_lock(deviation.ticket.project)
        deviation = _read(deviation)
        rules.may_decide(by, deviation).require()
        current = rules.current_remedy(deviation)
        assert current is not None  # as the rule requires
        current.state = RemedyState.CONFIRMED if confirm else RemedyState.AGAIN
        current.reason = said_without_persons(reason)[:500]
        current.decided_by, current.decided_at = by, timezone.now()
        current.save()
        given: dict[str, Any] = {"project": project, "subject": str(deviation.ticket), "reason": reason}
        notify_person(deviation.sample.recipient, action, by=by, **given)
        notify(project, action, (Role.PLANNER,), by=by, subject=str(deviation.ticket), reason=reason)
        return current


def _deviate(
    sample: ReceivedSample, project: Project, kind: DeviationKind, text: str, by: Person
) -> SampleDeviation:
    ticket = ticket_of_sample(
        project, FindingSource.RECEIVED, Stage.RELEASE, origin_id=sample.pk, kind=kind, text=text, by=by
    )
    return SampleDeviation.objects.create(sample=sample, kind=kind, text=text, ticket=ticket)


def ticket_of_sample(
    project: Project,
    source: FindingSource,
    stage: Stage,
    *,
    origin_id: uuid.UUID,
    kind: DeviationKind | InspectionKind,
    text: str,
    by: Person,
) -> Finding:
    """The finding that something of ``kind`` in a sample becomes: the planning manager's, due in ``DAYS``."""
    return finding_of_sample(
        project,
        source,
        stage,
        origin_id=origin_id,
        severity=kind.severity,
        title=message_of(kind.label),
        description=text,
        owner=_responsible(project),
        due_on=timezone.localdate() + timedelta(days=DAYS),
        by=by,
    )


def _responsible(project: Project) -> Person:
    """The planning manager; where none is active, whoever else could put it right."""
    planners = [one for one in members_by_role(project).get(Role.PLANNER, []) if one.is_active]
    owner = next(iter(planners or owners_possible(project)), None)
    if owner is None:
        deny(rules.SampleReason.NOBODY).require()
        raise AssertionError
    return owner


def _read(deviation: SampleDeviation) -> SampleDeviation:
    """As it is now, the project being locked: what was read before may lack a remedy."""
    found = SampleDeviation.objects.select_related("sample__release", "sample__recipient", "ticket__project")
    return found.get(pk=deviation.pk)


def said_without_persons(text: str) -> str:
    """A text that says something, and nothing by which a person is identified."""
    if not text.strip():
        deny(rules.SampleReason.TEXT_NEEDED).require()
    if found := identifiers_in(text):
        deny(CoreReason.PERSONAL_IN_TEXT, kinds=_(", ").join(found)).require()
    return text.strip()
