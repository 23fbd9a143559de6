"""The only writer of publications, and of how often their files are fetched."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

from django.db.models import F, Max
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.audit.proof import explained_require
from approvals.audit.recording import recording
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny
from projects.core.comments.identifiers import identifiers_in
from projects.core.models import Project
from projects.core.rules import CoreReason
from projects.core.services import notify, notify_person, project_lock
from projects.datasets.models import StoredFile
from projects.jobs.services import job_start
from projects.processing.runs.designation.rule import Designation
from projects.workflow import Role
from techniques.core.canonical import canonical_hash
from techniques.core.messages import gettext_noop

from ... import events
from ...enums import Availability, PublicationStatus
from ...models import Publication, PublicationDownloads, Release
from ...rules import ReleaseReason
from ...selectors import current_release
from ..files import sealed_files
from ..notice import designation_of_release
from ..services import row_is_sound, seal_break, sealed_open, sealed_pieces
from . import rules

PUBLISH_JOB = "releases.publish"
NOT_SEALED = "release.not_sealed"
"""Why nothing was published: what is stored is not what was sealed."""
OVERTAKEN = "release.overtaken"
"""Why nothing was published: the release has ended or the project was suspended while the seal was verified."""


def publication_propose(
    project: Project,
    *,
    title: str,
    summary: str,
    conditions: str,
    contact: str,
    irrevocable_understood: bool,
    by: Person,
) -> Publication:
    """Propose to publish the release in force; a proposal that waits is replaced."""
    said = {"title": title, "summary": summary, "conditions": conditions, "contact": contact}
    said = {name: text.strip() for name, text in said.items()}
    with recording(events.PUBLICATION_PROPOSED, by=by, project_id=project.pk) as event:
        project = project_lock(project)
        rules.may_propose(by, project).require()
        if not irrevocable_understood:
            deny(ReleaseReason.IRREVOCABLE).require()
        # A contact is somebody who wants to be asked; nothing else that everybody will read may point to a person.
        if found := identifiers_in("\n".join([title, summary, conditions])):
            deny(CoreReason.PERSONAL_IN_TEXT, kinds=_(", ").join(found)).require()
        release = current_release(project)
        assert release is not None  # of a verdict that asks for one
        earlier = Publication.objects.filter(project=project)
        earlier.filter(release=release, status=PublicationStatus.WAITING).update(
            status=PublicationStatus.REPLACED
        )
        publication = Publication(
            project=project,
            release=release,
            number=(earlier.aggregate(last=Max("number"))["last"] or 0) + 1,
            token=secrets.token_urlsafe(24),
            **said,
            content_hash=canonical_hash([release.seal, *said.values()]),
            proposed_by=by,
        )
        others = {field.name for field in Publication._meta.fields} - said.keys()
        publication.clean_fields(exclude=others)
        publication.save(force_insert=True)
        event.subject = publication.subject
        notify(project, events.PUBLICATION_PROPOSED, (Role.SUPERVISOR,), by=by, subject=str(publication))
        return publication


def publication_decide(
    publication: Publication, *, approve: bool, reason: str, seen_hash: str, by: Person
) -> Publication:
    """The supervisor approves exactly what is proposed, whereupon a job verifies the seal, or refuses it.

    ``seen_hash`` is the content hash of what was on the screen.
    """
    reason = reason.strip()
    action = events.PUBLICATION_APPROVED if approve else events.PUBLICATION_REFUSED
    with recording(action, by=by, about=publication, reason=reason):
        project = project_lock(publication.project)
        publication = _locked(publication)
        rule = rules.may_approve if approve else rules.may_decide
        rule(by, publication).require()
        if not reason:
            deny(CoreReason.REASON_NEEDED).require()
        if seen_hash != publication.content_hash:
            deny(rules.PublicationReason.OTHER_CONTENT).require()
        explained_require(project.pk, by=by)
        publication.status = PublicationStatus.VERIFYING if approve else PublicationStatus.REFUSED
        publication.decided_by, publication.decided_at = by, timezone.now()
        publication.reason = reason[:500]
        publication.save()
        notify(project, action, (Role.PLANNER,), by=by, reason=reason, subject=str(publication))
        if approve:
            job_start(
                PUBLISH_JOB,
                project=project,
                subject=Subject("publication", str(publication.pk), str(publication)),
                title=gettext_noop("Verify the seal"),
                by=by,
            )
        return publication


def publication_conclude(publication: Publication, *, measured_sha256: str) -> None:
    """Publish what is stored as it was sealed; called when the bytes have been hashed."""
    release = publication.release
    if measured_sha256 != release.files[0]["sha256"] or not row_is_sound(release):
        seal_break(release, recipient=None, measured=measured_sha256)
        publication_break_off(publication, code=NOT_SEALED)
        return
    shown = designation_of_release(release)
    with governed_act():
        publication = _locked(publication)
        if (
            publication.status != PublicationStatus.VERIFYING
            or rules.availability_of_release(publication.release, publication.project) is not Availability.UP
        ):
            publication_break_off(publication, code=OVERTAKEN)
            return
        with recording(events.PUBLISHED, by=None, about=publication, data_leave=True) as event:
            published = Publication.objects.filter(project=publication.project)
            version = (published.aggregate(last=Max("version"))["last"] or 0) + 1
            event.facts["version"] = version
            publication.status = PublicationStatus.LIVE
            publication.published_at, publication.version = timezone.now(), version
            publication.designation = shown.code if shown is not None else Designation.NONE
            publication.save()
            to = (Role.PLANNER, Role.SUPERVISOR)
            notify(
                publication.project,
                events.PUBLISHED,
                to,
                by=None,
                subject=str(publication),
                version=version,
            )


def publication_break_off(publication: Publication, *, code: str) -> None:
    """The verification did not come to an end, or not to a good one: nothing is published, and it may be proposed again."""
    with recording(events.PUBLICATION_STOPPED, by=None, about=publication, code=code):
        Publication.objects.filter(pk=publication.pk, status=PublicationStatus.VERIFYING).update(
            status=PublicationStatus.STOPPED
        )
        notify(
            publication.project,
            events.PUBLICATION_STOPPED,
            (Role.PLANNER, Role.SUPERVISOR),
            by=None,
            subject=str(publication),
            code=code,
        )


def publication_withdraw(publication: Publication, *, why: str, by: Person) -> Publication:
    """Take the address down, with a reason; that something was published there stays on the record."""
    why = why.strip()
    with recording(events.PUBLICATION_WITHDRAWN, by=by, about=publication, reason=why):
        project_lock(publication.project)
        publication = _locked(publication)
        rules.may_withdraw(by, publication).require()
        if not why:
            deny(CoreReason.REASON_NEEDED).require()
        publication.status = PublicationStatus.WITHDRAWN
        publication.ended_by, publication.ended_at, publication.ended_why = by, timezone.now(), why[:200]
        publication.save()
        to = (Role.PLANNER, Role.SUPERVISOR)
        notify(
            publication.project,
            events.PUBLICATION_WITHDRAWN,
            to,
            by=by,
            reason=why,
            subject=str(publication),
        )
        return publication


def publications_down(release: Release, *, why: str, by: Person | None) -> None:
    """With its release, what was published of it hands nothing out any more; whoever answers for it is told."""
    for publication in Publication.objects.filter(release=release, status=PublicationStatus.LIVE):
        with recording(events.PUBLICATION_DOWN, by=by, about=publication, reason=why):
            notify(
                release.project,
                events.PUBLICATION_DOWN,
                (Role.PLANNER, Role.SUPERVISOR, Role.MANAGEMENT),
                by=by,
                reason=why,
                subject=str(publication),
            )


def publication_lapse(release: Release, *, why: str) -> None:
    """With its release, what waits to be decided about it is withdrawn by the portal; who proposed it is told, and who would decide."""
    waiting = Publication.objects.filter(release=release, status=PublicationStatus.WAITING)
    for publication in waiting.select_related("project", "proposed_by"):
        with recording(events.PUBLICATION_LAPSED, by=None, about=publication, reason=why):
            publication.status = PublicationStatus.LAPSED
            publication.ended_at, publication.ended_why = timezone.now(), why
            publication.save()
            facts = {"reason": why, "subject": str(publication)}
            notify(release.project, events.PUBLICATION_LAPSED, (Role.SUPERVISOR,), by=None, **facts)
            notify_person(
                publication.proposed_by,
                events.PUBLICATION_LAPSED,
                by=None,
                project=release.project,
                **facts,
            )


def _locked(publication: Publication) -> Publication:
    locked = Publication.objects.select_for_update(of=("self",))
    return locked.select_related("project", "release", "proposed_by").get(pk=publication.pk)


def availability_now(publication: Publication) -> Availability:
    """Whether it is handed out; an altered row of the release is found and recorded as a broken seal."""
    availability = rules.availability_of(publication)
    if availability is Availability.UP and not row_is_sound(publication.release):
        seal_break(publication.release, recipient=None)
        return Availability.BROKEN
    return availability


def publication_open(publication: Publication, file: int) -> Iterator[bytes]:
    """The bytes of a published file, decrypted and authenticated piece by piece while they are sent to whoever asks.

    ``file``: which of the release's files; ``StoredFile.DoesNotExist`` beyond the last. Before, the log has to explain every
    row of the project. What is counted says nothing of who asked.
    """
    if availability_now(publication) is not Availability.UP:
        deny(rules.PublicationReason.DOWN).require()
    with governed_act():
        explained_require(publication.project_id, by=None)
    files = sealed_files(publication.release)
    if file >= len(files):
        raise StoredFile.DoesNotExist
    stream = sealed_open(publication.release, files[file][0], recipient=None)
    counted, _made = PublicationDownloads.objects.get_or_create(
        publication=publication, day=timezone.localdate(), file=file
    )
    PublicationDownloads.objects.filter(pk=counted.pk).update(count=F("count") + 1)
    return sealed_pieces(stream, publication.release, recipient=None)
