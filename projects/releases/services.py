"""The only writer of agreements, releases and deliveries."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any, BinaryIO

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.decisions.selectors import standing_approval
from approvals.governance import Subject, deny, recording
from projects.core.models import Project
from projects.core.services import notify, project_lock, project_move
from projects.datasets.models import StoredFile
from projects.datasets.store import store_open
from projects.jobs.models import Job
from projects.jobs.services import job_start
from projects.processing.selectors import latest_run
from projects.verification.selectors import current_verification
from projects.workflow import Move, Role
from techniques.messages import gettext_noop

from . import events, rules
from .enums import DeliveryStatus
from .models import Agreement, Delivery, Release
from .seal import seal_matches, seal_of

DELIVERY_JOB = "releases.verify_seal"


def agreement_record(
    project: Project,
    *,
    recipient: Any,
    organisation: str,
    purpose: str,
    prohibits_reidentification: bool,
    prohibits_linkage: bool,
    prohibits_onward_sharing: bool,
    signed_by: str,
    signed_on: date,
    valid_until: date,
    scan: StoredFile | None = None,
    by: Any,
) -> Agreement:
    """Record a signed data use agreement; it replaces the one in force with the same recipient."""
    with recording(
        events.AGREEMENT_RECORDED,
        by=by,
        subject=project.subject,
        project_id=project.pk,
        recipient=str(recipient),
        valid_until=str(valid_until),
    ):
        project = project_lock(project)
        rules.may_record_agreement(by, project, recipient).require()
        if valid_until < timezone.localdate():
            raise ValidationError({"valid_until": _("The agreement would already have ended.")})
        Agreement.objects.filter(project=project, recipient=recipient, ended_at=None).update(
            ended_at=timezone.now()
        )
        agreement = Agreement(
            project=project,
            recipient=recipient,
            organisation=organisation,
            purpose=purpose,
            prohibits_reidentification=prohibits_reidentification,
            prohibits_linkage=prohibits_linkage,
            prohibits_onward_sharing=prohibits_onward_sharing,
            signed_by=signed_by,
            signed_on=signed_on,
            valid_until=valid_until,
            scan=scan,
            scan_sha256=scan.sha256 if scan else "",
            recorded_by=by,
        )
        agreement.full_clean(exclude=["scan", "scan_sha256", "ended_at"])
        agreement.save()
        return agreement


def agreement_end(agreement: Agreement, *, by: Any) -> Agreement:
    with recording(
        events.AGREEMENT_ENDED,
        by=by,
        subject=agreement.project.subject,
        project_id=agreement.project_id,
        recipient=str(agreement.recipient),
    ):
        agreement = Agreement.objects.select_for_update().get(pk=agreement.pk)
        rules.may_end_agreement(by, agreement).require()
        agreement.ended_at = agreement.ended_at or timezone.now()
        agreement.save()
        return agreement


def release_create(project: Project, *, by: Any) -> Release:
    """Seal exactly what senior management approved, and hand it out."""
    with recording(events.RELEASE_CREATED, by=by, project_id=project.pk) as event:
        project = project_lock(project)
        rules.may_release(by, project).require()
        run, verification = latest_run(project), current_verification(project)
        signoff = verification and standing_approval(
            project.pk, kind="release", content_hash=verification.content_hash
        )
        if run is None or verification is None or signoff is None:
            # The move below would refuse as well; without these there is nothing to seal.
            project_move(project, move=Move.RELEASE, by=by)
            raise AssertionError("a release without evidence was let through")
        assert run.result is not None  # a succeeded run has its result, by constraint
        assert run.result_rows is not None
        hashes = {
            "result_sha256": run.result_sha256,
            "recipe_hash": run.recipe_version.content_hash,
            "verification_hash": verification.content_hash,
        }
        release = Release.objects.create(
            project=project,
            result=run.result,
            file_name=f"{project.number}.{run.result_extension}",
            run_id=run.pk,
            signoff_id=signoff.pk,
            **hashes,
            seal=seal_of(**hashes),
            rows=run.result_rows,
            notice=run.notice,
            released_by=by,
        )
        event.subject = release.subject
        project_move(project, move=Move.RELEASE, by=by)
        return release


def release_end(release: Release, *, why: str, by: Any) -> Release:
    """End a release: from now on nobody can fetch it. ``by`` None: the portal, when the project moves back."""
    with recording(
        events.RELEASE_ENDED, by=by, subject=release.subject, project_id=release.project_id, reason=why
    ):
        release = Release.objects.select_for_update().get(pk=release.pk)
        if by is not None:
            rules.may_end_release(by, release).require()
        release.ended_at, release.ended_why = timezone.now(), why[:200]
        release.save()
        Delivery.objects.filter(
            release=release, status__in=(DeliveryStatus.VERIFYING, DeliveryStatus.READY)
        ).update(status=DeliveryStatus.EXPIRED)
        return release


def delivery_request(release: Release, *, notice_read: bool, by: Any) -> tuple[Delivery, Job]:
    """A recipient asks for the file; a job verifies the seal over the stored bytes first."""
    with recording(
        events.DELIVERY_REQUESTED, by=by, subject=release.subject, project_id=release.project_id
    ) as event:
        rules.may_fetch(by, release).require()
        if not notice_read:
            deny(rules.ReleaseReason.NOTICE_UNREAD).require()
        delivery = Delivery.objects.create(
            release=release, recipient=by, notice_acknowledged_at=timezone.now()
        )
        event.facts["delivery"] = str(delivery.pk)
        job = job_start(
            DELIVERY_JOB,
            project=release.project,
            subject=Subject("delivery", str(delivery.pk), release.file_name),
            title=gettext_noop("Verify the seal"),
            by=by,
        )
        return delivery, job


def delivery_conclude(delivery: Delivery, *, measured_sha256: str) -> Delivery:
    """Compare what is stored with what was sealed; called when the bytes have been hashed."""
    release = delivery.release
    sound = measured_sha256 == release.result_sha256 and seal_matches(
        release.seal,
        result_sha256=measured_sha256,
        recipe_hash=release.recipe_hash,
        verification_hash=release.verification_hash,
    )
    action = events.DELIVERY_READY if sound else events.SEAL_BROKEN
    with recording(
        action,
        by=None,
        subject=release.subject,
        project_id=release.project_id,
        recipient=str(delivery.recipient),
        measured=measured_sha256,
    ):
        delivery = Delivery.objects.select_for_update().get(pk=delivery.pk)
        delivery.status = DeliveryStatus.READY if sound else DeliveryStatus.REFUSED
        delivery.verified_at = timezone.now() if sound else None
        delivery.save()
        if not sound:
            Release.objects.filter(pk=release.pk).update(seal_broken_at=timezone.now())
            project = release.project
            transaction.on_commit(
                lambda: notify(project, events.SEAL_BROKEN, (Role.SUPERVISOR, Role.PLANNER), by=None)
            )
        return delivery


def delivery_open(delivery: Delivery, *, by: Any) -> tuple[Iterator[bytes], Delivery]:
    """The bytes of a verified delivery, decrypted (and authenticated) piece by piece while they are sent."""
    with recording(
        events.DELIVERY_FETCHED,
        by=by,
        subject=delivery.release.subject,
        project_id=delivery.release.project_id,
        delivery=str(delivery.pk),
    ):
        delivery = Delivery.objects.select_for_update().get(pk=delivery.pk)
        rules.may_download(by, delivery).require()
        delivery.status, delivery.fetched_at = DeliveryStatus.FETCHED, timezone.now()
        delivery.save()
    return _pieces(store_open(delivery.release.result)), delivery


def release_look(release: Release, *, by: Any) -> BinaryIO:
    """Enclave sharing: open the result for the recipient's eyes within the portal, on the record."""
    with recording(events.RELEASE_VIEWED, by=by, subject=release.subject, project_id=release.project_id):
        rules.may_look(by, release).require()
    return store_open(release.result)


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    with stream:
        while piece := stream.read(1 << 18):
            yield piece
