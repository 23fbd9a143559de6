"""The only writer of requests to fetch, of what is decided about them, and of fetches."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.audit.proof import explained_require
from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.comments.identifiers import identifiers_in
from projects.core.models import Project
from projects.core.numbers import moment
from projects.core.rules import CoreReason
from projects.core.services import notify, notify_person, project_lock
from projects.workflow import Role

from ...models import Agreement, Delivery, Release
from . import events, rules
from .models import APPROVAL_HOLDS, Fetch, FetchDecision, FetchRequest
from .rules import FetchReason


def fetch_request(release: Release, *, file: int, purpose: str, by: Person) -> FetchRequest:
    """A recipient wants to fetch one file once; the supervisor decides."""
    purpose = purpose.strip()[:500]
    with recording(events.REQUESTED, by=by, project_id=release.project_id, reason=purpose) as event:
        project = project_lock(release.project)
        release = Release.objects.select_related("project").get(pk=release.pk)
        rules.may_request(by, release).require()
        if not 0 <= file < len(release.files):
            deny(FetchReason.NO_FILE).require()
        if not purpose:
            deny(FetchReason.NO_PURPOSE).require()
        if found := identifiers_in(purpose):
            deny(CoreReason.PERSONAL_IN_TEXT, kinds=_(", ").join(found)).require()
        explained_require(project.pk, by=by)
        request = FetchRequest(
            project=project,
            release=release,
            number=_next(project),
            recipient=by,
            file=file,
            purpose=purpose,
        )
        request.save(force_insert=True)
        event.subject = request.subject
        event.facts["file"] = request.file_name
        notify(
            project, events.REQUESTED, (Role.SUPERVISOR,), by=by, reason=purpose, subject=str(request),
            file=request.file_name,
        )  # fmt: skip
        return request


def fetch_decide(request: FetchRequest, *, approve: bool, reason: str, by: Person) -> FetchRequest:
    """The supervisor approves one fetch, for so long as :data:`APPROVAL_HOLDS`, or refuses it."""
    reason = reason.strip()[:500]
    facts: dict[str, Any] = {"recipient": str(request.recipient), "file": request.file_name}
    now = timezone.now()
    until = now + APPROVAL_HOLDS if approve else None
    if until is not None:
        facts["until"] = moment(until)
    action = events.APPROVED if approve else events.REFUSED
    with recording(action, by=by, about=request, reason=reason, **facts):
        project = project_lock(request.project)
        request = _locked(request)
        (rules.may_approve if approve else rules.may_decide)(by, request).require()
        if not reason:
            deny(CoreReason.REASON_NEEDED).require()
        if found := identifiers_in(reason):
            deny(CoreReason.PERSONAL_IN_TEXT, kinds=_(", ").join(found)).require()
        explained_require(project.pk, by=by)
        FetchDecision(
            request=request, approved=approve, reason=reason, decided_by=by, decided_at=now, holds_until=until
        ).save(force_insert=True)
        facts |= {"reason": reason, "subject": str(request)}
        notify_person(request.recipient, action, by=by, project=project, **facts)
        return _locked(request)


def fetch_record(
    delivery: Delivery, file: int, sha256: str, *, agreement: Agreement | None, approval: UUID | None
) -> Fetch:
    """Keep that a file is handed over, and use up the ``approval`` (id of the request) where one was needed; called in the transaction of the
    fetch, which has just asked the rule."""
    fetch = Fetch(
        project=delivery.release.project,
        delivery=delivery,
        file=file,
        sha256=sha256,
        agreement=agreement,
        request_id=approval,
        fetched_at=timezone.now(),
    )
    fetch.save(force_insert=True)
    return fetch


def _next(project: Project) -> int:
    found = FetchRequest.objects.filter(project=project)
    last: int | None = found.aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


def _locked(request: FetchRequest) -> FetchRequest:
    """As it stands in the database; its project is locked."""
    related = FetchRequest.objects.select_related(
        "project", "release__project", "recipient", "decision", "fetch"
    )
    return related.get(pk=request.pk)
