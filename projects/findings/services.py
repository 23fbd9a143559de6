"""The only writer of findings, of what was done about them, and of spot checks."""

from __future__ import annotations

import uuid
from datetime import date
from typing import Any

from django.conf import settings
from django.utils import timezone, translation

from approvals.audit.recording import recording
from approvals.governance.draft import Draft
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.models import Project
from projects.core.services import notify, notify_person, project_lock
from projects.workflow import Stage

from . import events, rules
from .draw import drawn, seed_new
from .enums import CheckResult, FindingSeverity, FindingSource, FindingStatus, StepKind
from .models import CheckedStep, Finding, FindingStep, SpotCheck
from .origins import origin_find
from .selectors import population_now


def finding_raise(
    project: Project,
    *,
    source: FindingSource,
    stage: Stage,
    severity: FindingSeverity,
    title: str,
    description: str,
    owner: Person,
    due_on: date,
    by: Person,
    origin_id: uuid.UUID | None = None,
) -> Finding:
    """Say what deviates, who puts it right and by when. ``origin_id`` is the row in which it was found."""
    source, severity = FindingSource(source), FindingSeverity(severity)
    with recording(events.RAISED, by=by, about=project, finding_severity=str(severity)) as event:
        project = project_lock(project)
        rules.may_raise(by, project).require()
        _may_be_due(project, owner, due_on)
        if not _found_there(project, source, origin_id):
            deny(rules.FindingReason.ORIGIN_UNKNOWN).require()
        finding = _raised(
            project, event, source, severity, title=title, description=description, by=by, stage=Stage(stage), owner=owner,
            due_on=due_on, origin_id=origin_id,
        )  # fmt: skip
        _tell(finding, owner, events.RAISED, by=by, finding_severity=str(severity), title=finding.headline)
        return finding


def _found_there(project: Project, source: FindingSource, origin_id: uuid.UUID | None) -> bool:
    """Whether the row in which it was found is of this project; only a review by senior management has to be named."""
    if origin_id is None:
        return source != FindingSource.MANAGEMENT
    return origin_find(project, source, origin_id) is not None


def finding_of_sample(
    project: Project,
    source: FindingSource,
    stage: Stage,
    *,
    origin_id: uuid.UUID,
    severity: FindingSeverity,
    title: str,
    description: str,
    owner: Person,
    due_on: date,
    by: Person,
) -> Finding:
    """What was found in the sample ``origin_id``, whose report the rules of samples have allowed; they notify of it."""
    with recording(events.RAISED, by=by, about=project, finding_severity=str(severity)) as event:
        project = project_lock(project)
        _may_be_due(project, owner, due_on)
        return _raised(
            project, event, source, severity, title=title, description=description, by=by, stage=stage, owner=owner,
            due_on=due_on, origin_id=origin_id,
        )  # fmt: skip


def _raised(
    project: Project,
    event: Draft,
    source: FindingSource,
    severity: FindingSeverity,
    *,
    title: str,
    description: str,
    owner: Person,
    due_on: date,
    by: Person,
    **given: Any,
) -> Finding:
    """The next finding of a locked project, and what the log says of it."""
    last = Finding.objects.filter(project=project).order_by("-number").first()
    finding = Finding(
        project=project,
        number=last.number + 1 if last else 1,
        source=source,
        severity=severity,
        title=_said(title)[:120],
        description=_said(description),
        raised_by=by,
        owner=owner,
        due_on=due_on,
        **given,
    )
    finding.save()
    event.subject = finding.subject
    with translation.override(settings.LANGUAGE_CODE):
        title = finding.headline
    event.facts.update(title=title, owner=str(owner), due_on=str(due_on))
    return finding


def finding_assign(finding: Finding, *, owner: Person, due_on: date, reason: str, by: Person) -> Finding:
    """Another owner or another day, with the reason; what held before stands in the steps and in the log."""
    facts: dict[str, Any] = {"owner": str(owner), "due_on": str(due_on)}
    with recording(events.ASSIGNED, by=by, about=finding, reason=reason, **facts):
        finding = _locked(finding)
        rules.may_assign(by, finding).require()
        _may_be_due(finding.project, owner, due_on)
        finding.owner, finding.due_on = owner, due_on
        finding.save()
        _step(finding, StepKind.ASSIGNED, reason, by=by, owner=owner, due_on=due_on)
        _tell(finding, owner, events.ASSIGNED, by=by, **facts)
        return finding


def finding_act(finding: Finding, *, action: str, by: Person) -> Finding:
    """Its owner says what was done; the effect is for somebody else to check."""
    with recording(events.ACTED, by=by, about=finding):
        finding = _locked(finding)
        rules.may_act(by, finding).require()
        finding.status = FindingStatus.ACTED
        finding.save()
        _step(finding, StepKind.ACTION, action, by=by)
        notify(finding.project, events.ACTED, rules.CHECKING, by=by, subject=str(finding))
        if finding.raised_by_id != by.pk and finding.raised_by.post in rules.OUTSIDE_POSTS:
            _tell(finding, finding.raised_by, events.ACTED, by=by)
        return finding


def finding_check(finding: Finding, *, effective: bool, remark: str, by: Person) -> Finding:
    """Somebody else than who put it right checks the effect: the finding is closed, or open again."""
    action = events.CLOSED if effective else events.REOPENED
    with recording(action, by=by, about=finding):
        finding = _locked(finding)
        (rules.may_close if effective else rules.may_check)(by, finding).require()
        if effective:
            finding.status, finding.closed_by, finding.closed_at = FindingStatus.CLOSED, by, timezone.now()
        else:
            finding.status = FindingStatus.OPEN
        finding.save()
        _step(finding, StepKind.EFFECTIVE if effective else StepKind.INEFFECTIVE, remark, by=by)
        _tell(finding, finding.owner, action, by=by)
        return finding


def spot_check_draw(*, size: int, reason: str, by: Person) -> SpotCheck:
    """Draw ``size`` steps among all steps of the projects that were released once. The portal makes the seed."""
    with recording(events.DRAWN, by=by, reason=reason) as event:
        rules.may_draw(by).require()
        population = population_now()
        if not population:
            deny(rules.FindingReason.NOTHING_RELEASED).require()
        last = SpotCheck.objects.order_by("-number").first()
        check = SpotCheck(
            number=last.number + 1 if last else 1,
            seed=seed_new(),
            size=min(size, len(population)),
            population=list(population),
            reason=_said(reason)[:500],
            drawn_by=by,
        )
        check.save()
        event.subject = check.subject
        event.facts.update(drawn=check.size, drawable=len(population), seed=check.seed)
        for place, entry in enumerate(drawn(population, seed=check.seed, size=check.size), start=1):
            project, stage = population[entry]
            CheckedStep.objects.create(spot_check=check, project=project, stage=stage, place=place)
        return check


def checked_step_record(step: CheckedStep, *, remark: str, by: Person) -> CheckedStep:
    """The records of the step are complete and sound; ``remark`` says what was looked through."""
    with recording(events.CHECKED, by=by, about=step):
        return _checked(step, CheckResult.SOUND, remark, by=by)


def checked_step_deviates(step: CheckedStep, *, by: Person, **finding: Any) -> Finding:
    """The records deviate: a finding is raised, whose description is what the check says."""
    with recording(events.DEVIATED, by=by, about=step):
        locked = _checked(step, CheckResult.DEVIATING, finding["description"], by=by)
        about = {"source": FindingSource.SPOT_CHECK, "origin_id": locked.pk, "stage": Stage(locked.stage)}
        return finding_raise(locked.project, **(finding | about), by=by)


def _checked(step: CheckedStep, result: CheckResult, remark: str, *, by: Person) -> CheckedStep:
    step = (
        CheckedStep.objects.select_for_update(of=("self",))
        .select_related("project", "spot_check")
        .get(pk=step.pk)
    )
    rules.may_record(by, step).require()
    step.result, step.remark = result, _said(remark)
    step.checked_by, step.checked_at = by, timezone.now()
    step.save()
    return step


def _may_be_due(project: Project, owner: Person, due_on: date) -> None:
    rules.may_own(owner, project).require()
    if due_on < timezone.localdate():
        deny(rules.FindingReason.DUE_IN_PAST).require()


def _said(text: str) -> str:
    if not text.strip():
        deny(rules.FindingReason.TEXT_NEEDED).require()
    return text.strip()


def _step(finding: Finding, kind: StepKind, text: str, *, by: Person, **assigned: Any) -> None:
    FindingStep.objects.create(finding=finding, kind=kind, text=_said(text), by=by, **assigned)


def _tell(finding: Finding, person: Person, action: str, *, by: Person, **facts: Any) -> None:
    """One person who did not act themselves."""
    if person.pk != by.pk:
        notify_person(person, action, by=by, project=finding.project, subject=str(finding), **facts)


def _locked(finding: Finding) -> Finding:
    found = Finding.objects.select_for_update(of=("self",))
    return found.select_related("project", "owner", "raised_by").get(pk=finding.pk)
