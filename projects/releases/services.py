"""The only writer of agreements and releases; ``deliveries`` writes what recipients do."""

from __future__ import annotations

from datetime import date
from typing import Any, BinaryIO

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.audit.proof import explained_require
from approvals.audit.recording import recording
from approvals.countries import UNKNOWN, is_country
from approvals.decisions.selectors import current_approval
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.models import Project
from projects.core.rules import CoreReason, may_see_inside
from projects.core.services import project_lock, project_move
from projects.datasets.models import StoredFile
from projects.datasets.store.store import store_open
from projects.processing.models import RunTable
from projects.processing.runs.selectors import latest_run, results_are_sound, tables_of_run
from projects.verification.selectors import content_hash_now, current_verification
from projects.workflow import Move

from . import events, rules
from .agreements.approvals import approval_fact
from .agreements.changes.selectors import asks_of
from .agreements.checks import interval_fact
from .agreements.parties import may_agree, register_kept
from .deliveries.publications.services import publication_lapse, publications_down
from .deliveries.services import delivery_open, delivery_request
from .enums import DeliveryStatus
from .models import Agreement, Delivery, Release
from .seal import seal_of
from .shares.selectors import shares_hash

__all__ = [
    "agreement_end",
    "agreement_record",
    "agreement_scan_open",
    "delivery_open",
    "delivery_request",
    "release_create",
    "release_end",
]


def agreement_record(
    project: Project,
    *,
    recipient: Person,
    organisation: str,
    purpose: str,
    prohibits_reidentification: bool,
    prohibits_linkage: bool,
    prohibits_onward_sharing: bool,
    signed_by: str,
    signed_on: date,
    valid_until: date,
    check_months: int | None,
    country: str,
    fetch_approval: bool | None = None,
    scan: StoredFile | None,
    by: Person,
) -> Agreement:
    """Record a signed data use agreement; it replaces the one in force with the same recipient.

    ``check_months`` is a value of ``CheckInterval``, or None where nothing was agreed; ``country`` a code of ISO 3166-1;
    ``fetch_approval`` whether each fetch needs an approval of its own, None where nothing was agreed about it. One that alters what senior management has signed is proposed instead (:mod:`projects.releases.agreements.changes`). Where the
    register of organisations knows ``organisation``, the agreement is noted there.
    """
    facts: dict[str, Any] = {"recipient": str(recipient), "valid_until": str(valid_until)}
    facts |= interval_fact(check_months) | {"country": country} | approval_fact(fetch_approval)
    with recording(events.AGREEMENT_RECORDED, by=by, about=project, **facts) as event:
        project = project_lock(project)
        rules.may_record_agreement(by, project, recipient).require()
        may_agree(project, organisation).require()
        if valid_until < timezone.localdate():
            raise ValidationError({"valid_until": _("The agreement would already have ended.")})
        if scan is None:
            deny(rules.ReleaseReason.SCAN_NEEDED).require()
            raise AssertionError
        rules.can_be_agreed(project, check_months, fetch_approval).require()
        if not is_country(country):
            raise ValidationError({"country": [UNKNOWN]})
        said: dict[str, Any] = {
            "purpose": purpose, "valid_until": valid_until, "check_months": check_months, "country": country,
            "fetch_approval": fetch_approval,
        }  # fmt: skip
        if asks_of(project, recipient, **said):
            deny(rules.ReleaseReason.NEEDS_APPROVAL).require()
        Agreement.objects.filter(project=project, recipient=recipient, ended_at=None).update(
            ended_at=timezone.now()
        )
        agreement = Agreement(
            project=project,
            recipient=recipient,
            organisation=organisation,
            **said,
            prohibits_reidentification=prohibits_reidentification,
            prohibits_linkage=prohibits_linkage,
            prohibits_onward_sharing=prohibits_onward_sharing,
            signed_by=signed_by,
            signed_on=signed_on,
            scan=scan,
            scan_sha256=scan.sha256,
            recorded_by=by,
        )
        agreement.full_clean(exclude=["scan", "scan_sha256", "ended_at"])
        agreement.save()
        if party := register_kept().link(agreement):
            event.facts["party"] = party
        return agreement


def agreement_end(agreement: Agreement, *, why: str, by: Person) -> Agreement:
    """End an agreement, with a reason: from now on its recipient cannot fetch anything."""
    with recording(
        events.AGREEMENT_ENDED,
        by=by,
        about=agreement.project,
        reason=why.strip(),
        recipient=str(agreement.recipient),
    ):
        agreement = Agreement.objects.select_for_update().get(pk=agreement.pk)
        rules.may_end_agreement(by, agreement).require()
        if not why.strip():
            deny(CoreReason.REASON_NEEDED).require()
        agreement.ended_at = timezone.now()
        agreement.save()
        return agreement


def agreement_scan_open(agreement: Agreement, *, by: Person) -> BinaryIO:
    """The scan of a signed agreement, for who may see the project; on the record, because people signed it."""
    assert agreement.scan is not None
    may_see_inside(by, agreement.project).require()
    with recording(
        events.AGREEMENT_SCAN_READ, by=by, about=agreement.project, recipient=str(agreement.recipient)
    ):
        return store_open(agreement.scan)


def release_create(project: Project, *, by: Person) -> Release:
    """Seal exactly what senior management approved, and hand it out."""
    with recording(events.RELEASE_CREATED, by=by, project_id=project.pk) as event:
        project = project_lock(project)
        rules.may_release(by, project).require()
        explained_require(project.pk, by=by)
        run, verification = latest_run(project), current_verification(project)
        signoff = verification and current_approval(
            project.pk, kind="release", content_hash=verification.content_hash
        )
        if run is None or verification is None or signoff is None:
            # The move below would refuse as well; without these there is nothing to seal.
            project_move(project, move=Move.RELEASE, by=by)
            raise AssertionError("a release without evidence was let through")
        if content_hash_now(verification, run) != verification.content_hash or not results_are_sound(run):
            deny(rules.ReleaseReason.OTHER_FILES).require()
        release = Release(
            project=project,
            run_id=run.pk,
            signoff_id=signoff.pk,
            recipe_hash=run.recipe_version.content_hash,
            verification_hash=verification.content_hash,
            shares_hash=shares_hash(run),
            files=[_file(project, one) for one in tables_of_run(run).values()],
            released_by=by,
        )
        release.seal = seal_of(release)
        release.save(force_insert=True)
        event.subject = release.subject
        project_move(project, move=Move.RELEASE, by=by)
        return release


def _file(project: Project, one: RunTable) -> dict[str, Any]:
    """What a release says of the file of a table."""
    assert one.result is not None  # a succeeded run has the results of all its tables
    return {
        "table": one.name,
        "file_name": one.file_name(project.number),
        "stored": str(one.result.pk),
        "sha256": one.result_sha256,
        "size": one.result.size,
        "rows": one.result_rows,
        "notice": one.notice,
    }


def release_end(release: Release, *, why: str, by: Person | None) -> Release:
    """End a release: from now on nobody can fetch it. ``by`` None: the portal, when the project moves back."""
    with recording(events.RELEASE_ENDED, by=by, about=release, reason=why):
        release = Release.objects.select_for_update().get(pk=release.pk)
        if by is not None:
            rules.may_end_release(by, release).require()
        if not why.strip():
            deny(CoreReason.REASON_NEEDED).require()
        release.ended_at, release.ended_why = timezone.now(), why[:200]
        release.save()
        Delivery.objects.filter(
            release=release, status__in=(DeliveryStatus.VERIFYING, DeliveryStatus.READY)
        ).update(status=DeliveryStatus.EXPIRED)
        publications_down(release, why=why[:200], by=by)
        publication_lapse(release, why=why[:200])
        return release
