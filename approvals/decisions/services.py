"""The only writer of reviews and sign-offs.

Whether a person may review or decide is answered by the rules of the package that owns the
subject; the constraints here hold whatever the caller did.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from approvals.audit.proof import explained_require
from approvals.audit.recording import recording
from approvals.governance.draft import Subject
from approvals.governance.person import Person

from . import events
from .models import (
    ChecklistRecord,
    Decision,
    Justification,
    ManagementOutcome,
    ManagementReview,
    Review,
    ReviewOutcome,
    Signature,
    SignOff,
)


def review_record(
    *,
    project_id: uuid.UUID,
    stage: str,
    subject: Subject,
    object: str,
    time: datetime,
    process: str,
    result: str,
    measures: str,
    outcome: ReviewOutcome,
    submitted_by: Person,
    by: Person,
    work_hash: str = "",
    checklist: Mapping[str, Any] | None = None,
    in_stead_of: Person | None = None,
) -> Review:
    """Record a stage review (5.6.1). ``work_hash`` says what people had put into what is returned; ``checklist`` is what a
    :class:`ChecklistRecord` keeps of one that was answered with it: ``version``, ``checklist_hash``, ``rows`` and ``against``;
    ``in_stead_of`` is whose deputy reviews."""
    facts: dict[str, Any] = {"stage": stage, "outcome": str(outcome)}
    if checklist is not None:
        facts["checklist"] = checklist["checklist_hash"]
    facts |= _stead(in_stead_of)
    with recording(events.REVIEW_RECORDED, by=by, subject=subject, project_id=project_id, **facts):
        explained_require(project_id, by=by)
        review = Review.objects.create(
            project_id=project_id,
            stage=stage,
            subject_kind=subject.kind,
            subject_id=subject.id,
            subject_hash=subject.hash,
            object=object,
            time=time,
            process=process,
            result=result,
            measures=measures,
            outcome=outcome,
            work_hash=work_hash,
            submitted_by=submitted_by,
            reviewed_by=by,
            in_stead_of=in_stead_of,
        )
        if checklist is not None:
            ChecklistRecord.objects.create(project_id=project_id, review=review, **checklist)
        return review


def management_review_record(
    review: Review,
    *,
    subject: Subject,
    object: str,
    time: datetime,
    process: str,
    result: str,
    measures: str,
    outcome: ManagementOutcome,
    by: Person,
) -> ManagementReview:
    """Record what senior management found in the records that ``review`` passed (5.6.1), as ``subject`` has them now."""
    project_id = review.project_id
    facts: dict[str, Any] = {"stage": review.stage, "outcome": str(outcome)}
    with recording(events.RECORDS_REVIEWED, by=by, subject=subject, project_id=project_id, **facts):
        explained_require(project_id, by=by)
        return ManagementReview.objects.create(
            project_id=project_id,
            review=review,
            subject_hash=subject.hash,
            object=object,
            time=time,
            process=process,
            result=result,
            measures=measures,
            outcome=outcome,
            reviewed_by=by,
        )


def signoff_request(
    *,
    project_id: uuid.UUID,
    subject: Subject,
    by: Person,
    needed: int = 1,
    needed_by: list[dict[str, Any]] | None = None,
) -> SignOff:
    """Ask senior management to sign ``subject`` as it is now; ``needed`` people have to, because of ``needed_by``. An earlier
    open request of the kind lapses."""
    for earlier in SignOff.objects.filter(
        project_id=project_id, subject_kind=subject.kind, decision="", lapsed_at=None
    ):
        signoff_lapse(earlier, why="superseded", by=by)
    facts: dict[str, Any] = {"needed": needed} if needed > 1 else {}
    with recording(events.SIGNOFF_REQUESTED, by=by, subject=subject, project_id=project_id, **facts):
        return SignOff.objects.create(
            project_id=project_id,
            subject_kind=subject.kind,
            subject_id=subject.id,
            subject_label=subject.label,
            subject_hash=subject.hash,
            submitted_by=by,
            needed=needed,
            needed_by=needed_by,
        )


def signature_give(
    signoff: SignOff,
    *,
    reason: str,
    by: Person,
    acceptance: str | None = None,
    related_acceptance: str | None = None,
    related_accepted: Sequence[str] | None = None,
    in_stead_of: Person | None = None,
) -> Signature:
    """Write an approval that is not the last which an open sign-off needs; raises ``SignOff.DoesNotExist`` when it is no longer
    open. The last one is the decision: :func:`signoff_decide`."""
    facts: dict[str, Any] = {"given": signoff.signatures.count() + 1, "needed": signoff.needed}
    facts |= _accepted(acceptance, related_acceptance) | _stead(in_stead_of)
    with recording(events.SIGNATURE_GIVEN, by=by, about=signoff, reason=reason, **facts):
        explained_require(signoff.project_id, by=by)
        signoff = SignOff.objects.select_for_update().get(pk=signoff.pk, decision="", lapsed_at=None)
        return Signature.objects.create(
            project_id=signoff.project_id,
            signoff=signoff,
            subject_hash=signoff.subject_hash,
            signed_by=by,
            in_stead_of=in_stead_of,
            reason=reason,
            acceptance=acceptance,
            related_acceptance=related_acceptance,
            related_accepted=None if related_accepted is None else [*related_accepted],
        )


def signoff_decide(
    signoff: SignOff,
    *,
    decision: Decision,
    reason: str,
    by: Person,
    work_hash: str = "",
    acceptance: str | None = None,
    related_acceptance: str | None = None,
    related_accepted: Sequence[str] | None = None,
    in_stead_of: Person | None = None,
) -> SignOff:
    """Write the decision about an open sign-off; raises ``SignOff.DoesNotExist`` when it is no longer open.

    ``acceptance`` says why what a scale refuses is approved all the same, ``related_acceptance`` why what other releases tell
    together with it is; None where neither is asked.
    """
    facts: dict[str, Any] = {"decision": str(decision)} | _accepted(acceptance, related_acceptance)
    facts |= _stead(in_stead_of)
    with recording(events.SIGNOFF_DECIDED, by=by, about=signoff, reason=reason, **facts):
        explained_require(signoff.project_id, by=by)
        signoff = SignOff.objects.select_for_update().get(pk=signoff.pk, decision="", lapsed_at=None)
        signoff.decision, signoff.decided_by, signoff.decided_at = decision, by, timezone.now()
        signoff.reason, signoff.work_hash = reason, work_hash
        signoff.acceptance, signoff.related_acceptance = acceptance, related_acceptance
        signoff.related_accepted = None if related_accepted is None else [*related_accepted]
        signoff.in_stead_of = in_stead_of
        signoff.save()
        return signoff


def signoff_lapse(signoff: SignOff, *, why: str, by: Person | None) -> None:
    """Mark that the content which this sign-off judged is no longer there."""
    with recording(events.SIGNOFF_LAPSED, by=by, about=signoff, reason=why):
        signoff.lapsed_at, signoff.lapsed_why = timezone.now(), why
        signoff.save()


def signoffs_lapse_stale(*, project_id: uuid.UUID, kind: str, current_hash: str, by: Person | None) -> int:
    """Lapse every current or open sign-off of ``kind`` that judged another content than ``current_hash``."""
    stale = (
        SignOff.objects.filter(project_id=project_id, subject_kind=kind, lapsed_at=None)
        .exclude(subject_hash=current_hash)
        .exclude(decision__in=(Decision.REJECTED, Decision.RETURNED))
    )
    count = 0
    for signoff in stale:
        signoff_lapse(signoff, why="content changed", by=by)
        count += 1
    return count


def return_justify(returned: Review | SignOff, *, subject: Subject, text: str, by: Person) -> Justification:
    """Keep why the work that a review or a decision returned comes back as it was."""
    of = {"review": returned} if isinstance(returned, Review) else {"signoff": returned}
    with recording(
        events.RETURN_JUSTIFIED,
        by=by,
        subject=subject,
        project_id=returned.project_id,
        reason=text,
        returned=returned.subject_hash,
    ):
        return Justification.objects.create(project_id=returned.project_id, text=text, given_by=by, **of)


def _accepted(acceptance: str | None, related: str | None) -> dict[str, Any]:
    every = {"acceptance": acceptance, "related_acceptance": related}
    return {name: text for name, text in every.items() if text}


def _stead(of: Person | None) -> dict[str, Any]:
    return {} if of is None else {"in_stead_of": str(of)}
