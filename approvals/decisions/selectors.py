"""Reading reviews and sign-offs."""

from __future__ import annotations

import uuid

from django.db.models import QuerySet

from .models import Decision, Review, ReviewOutcome, SignOff


def reviews_of(project_id: uuid.UUID) -> QuerySet[Review]:
    return Review.objects.filter(project_id=project_id).select_related("reviewed_by", "submitted_by")


def passed_review(project_id: uuid.UUID, *, stage: str, content_hash: str) -> Review | None:
    """The latest review of the stage, if it passed exactly this content."""
    latest = Review.objects.filter(project_id=project_id, stage=stage).first()
    if latest and latest.outcome == ReviewOutcome.PASSED and latest.subject_hash == content_hash:
        return latest
    return None


def signoffs_of(project_id: uuid.UUID) -> QuerySet[SignOff]:
    return SignOff.objects.filter(project_id=project_id).select_related("submitted_by", "decided_by")


def open_signoff(project_id: uuid.UUID, kind: str) -> SignOff | None:
    return SignOff.objects.filter(
        project_id=project_id, subject_kind=kind, decision="", lapsed_at=None
    ).first()


def standing_approval(project_id: uuid.UUID, *, kind: str, content_hash: str) -> SignOff | None:
    """The approval that judged exactly this content and has not lapsed."""
    return SignOff.objects.filter(
        project_id=project_id,
        subject_kind=kind,
        subject_hash=content_hash,
        decision=Decision.APPROVED,
        lapsed_at=None,
    ).first()
