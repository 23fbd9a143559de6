"""Reading reviews and sign-offs."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from approvals.governance.person import Person
from approvals.request_cache import cached_read, prime

from .models import Decision, ManagementReview, Review, ReviewOutcome, Signature, SignOff

# Who decided, why returned work comes back as it was, and the checklist that was answered.
WITH_REVIEWS = ("reviewed_by", "in_stead_of", "submitted_by", "justification__given_by", "checklist")
WITH_SIGNOFFS = ("submitted_by", "decided_by", "in_stead_of", "justification__given_by")


def _reviews() -> QuerySet[Review]:
    """With what senior management concluded last about the records of each: None where it has not reviewed them."""
    by_management = ManagementReview.objects.filter(review=OuterRef("pk")).order_by("-recorded_at")
    concluded = Subquery(by_management.values("outcome")[:1])
    return Review.objects.select_related(*WITH_REVIEWS).annotate(by_management_last=concluded)


@cached_read
def reviews_of(project_id: uuid.UUID) -> list[Review]:
    """Every review of the project by its supervisors, youngest first."""
    found = _reviews().filter(project_id=project_id)
    # A handful of rows with many columns is sorted sooner than a statement that sorts them is put together.
    return sorted(found.order_by(), key=lambda one: one.recorded_at, reverse=True)


@cached_read
def management_reviews_of(project_id: uuid.UUID) -> list[ManagementReview]:
    """Every review of records by senior management, youngest first; nothing is read where there is none."""
    if all(one.by_management_last is None for one in reviews_of(project_id)):  # type: ignore[attr-defined]
        return []
    found = ManagementReview.objects.filter(project_id=project_id).select_related("review", "reviewed_by")
    return sorted(found.order_by(), key=lambda one: one.recorded_at, reverse=True)


def review_latest(project_id: uuid.UUID, stage: str) -> Review | None:
    """The last word of a supervisor about the stage."""
    return next((review for review in reviews_of(project_id) if review.stage == stage), None)


def passed_review(project_id: uuid.UUID, *, stage: str, content_hash: str) -> Review | None:
    """The latest review of the stage, if it passed exactly this content."""
    latest = review_latest(project_id, stage)
    if latest and latest.outcome == ReviewOutcome.PASSED and latest.subject_hash == content_hash:
        return latest
    return None


@cached_read
def signoffs_of(project_id: uuid.UUID) -> list[SignOff]:
    """Every sign-off that was ever asked for in the project, youngest first."""
    found = SignOff.objects.filter(project_id=project_id).select_related(*WITH_SIGNOFFS)
    return sorted(found.order_by(), key=lambda one: one.submitted_at, reverse=True)


@cached_read
def _signatures_in(signoff_id: uuid.UUID) -> list[Signature]:
    found = Signature.objects.filter(signoff=signoff_id).select_related("signed_by", "in_stead_of")
    return sorted(found.order_by(), key=lambda one: one.signed_at)


def signatures_of(signoff: SignOff) -> list[Signature]:
    """What was signed before the last of several who have to sign, oldest first; nothing is read where one signs."""
    return _signatures_in(signoff.pk) if signoff.needed > 1 else []


def signatures_that_count(signoff: SignOff | None) -> list[Signature]:
    """Those before the last one, of what was approved; none where it was returned or rejected, which voids them."""
    if signoff is None or signoff.decision != Decision.APPROVED:
        return []
    return signatures_of(signoff)


def has_signed(user: Person, signoff: SignOff) -> bool:
    """Whether ``user``, under whatever account, signed while others are still to sign, or a deputy did in their stead."""
    return any(user.is_same_person(one) for one in signed_for(signatures_of(signoff)))


def signed_for(signatures: Iterable[Signature]) -> list[Person]:
    """Whose signatures are given: who signed themselves, and on whose behalf."""
    return [person for one in signatures for person in (one.signed_by, one.in_stead_of) if person is not None]


def open_signoff(project_id: uuid.UUID, kind: str) -> SignOff | None:
    for signoff in signoffs_of(project_id):
        if signoff.subject_kind == kind and not signoff.decision and signoff.lapsed_at is None:
            return signoff
    return None


def current_approval(project_id: uuid.UUID, *, kind: str, content_hash: str) -> SignOff | None:
    """The approval of exactly this content, if it has not lapsed and is the last word about it.

    The same content may be asked about again, after a release was taken back for instance; then an earlier
    approval stands no longer, neither beside another decision nor while the new request is open.
    """
    for signoff in signoffs_of(project_id):
        about_this = signoff.subject_kind == kind and signoff.subject_hash == content_hash
        if about_this and signoff.lapsed_at is None:
            return signoff if signoff.decision == Decision.APPROVED else None
    return None


def decisions_read(project_ids: list[uuid.UUID]) -> None:
    """Read the reviews and sign-offs of several projects at once, for who asks about each of them."""
    rows: list[tuple[Callable[..., Any], QuerySet[Any]]] = [
        (reviews_of, _reviews()),
        (signoffs_of, SignOff.objects.select_related(*WITH_SIGNOFFS)),
    ]
    for read, every in rows:
        found: dict[uuid.UUID, list[Any]] = {project_id: [] for project_id in project_ids}
        for row in every.filter(project_id__in=project_ids):
            found[row.project_id].append(row)
        for project_id, result in found.items():
            prime(read, project_id, result=result)
