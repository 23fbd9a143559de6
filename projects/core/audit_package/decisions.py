"""``decisions.json`` of an audit package: what was decided on the steps of a project, by whom, and about which content."""

from __future__ import annotations

from typing import Any

from approvals.decisions.models import FiveFields, ManagementReview, Review, Signature, SignOff
from approvals.decisions.selectors import management_reviews_of, reviews_of, signatures_of, signoffs_of

from ..models import Project

Decisions = dict[str, list[dict[str, Any]]]


def decisions_of(project: Project) -> Decisions:
    """Reviews and sign-offs, each the oldest first; reviews by senior management where there are any."""
    found = {
        "reviews": [_review(one) for one in reversed(reviews_of(project.pk))],
        "sign_offs": [_signoff(one) for one in reversed(signoffs_of(project.pk))],
    }
    by_management = [_management_review(one) for one in reversed(management_reviews_of(project.pk))]
    return found | ({"management_reviews": by_management} if by_management else {})


def _review(one: Review) -> dict[str, Any]:
    checklist = getattr(one, "checklist", None)
    return {
        "stage": one.stage,
        "subject": _subject(one),
        **_five_fields(one),
        "outcome": one.outcome,
        "submitted_by": _person(one.submitted_by),
        "reviewed_by": _person(one.reviewed_by),
        "in_stead_of": _person(one.in_stead_of),
        "recorded_at": one.recorded_at.isoformat(),
        "checklist": {"version": checklist.version, "rows": checklist.rows} if checklist else None,
        "justification": _justification(one),
    }


def _management_review(one: ManagementReview) -> dict[str, Any]:
    return {
        "stage": one.stage,
        "subject": _subject(one.review) | {"hash": one.subject_hash},
        **_five_fields(one),
        "outcome": one.outcome,
        "reviewed_by": _person(one.reviewed_by),
        "recorded_at": one.recorded_at.isoformat(),
    }


def _five_fields(one: FiveFields) -> dict[str, str]:
    return {
        "object": one.object,
        "time": one.time.isoformat(),
        "process": one.process,
        "result": one.result,
        "measures": one.measures,
    }


def _signoff(one: SignOff) -> dict[str, Any]:
    return {
        "subject": _subject(one),
        "submitted_by": _person(one.submitted_by),
        "submitted_at": one.submitted_at.isoformat(),
        "signatures_needed": one.needed,
        "signatures": [_signature(signature) for signature in signatures_of(one)],
        "decision": one.decision,
        "decided_by": _person(one.decided_by),
        "in_stead_of": _person(one.in_stead_of),
        "decided_at": one.decided_at.isoformat() if one.decided_at else None,
        "reason": one.reason,
        "acceptance": one.acceptance,
        "lapsed_at": one.lapsed_at.isoformat() if one.lapsed_at else None,
        "lapsed_why": one.lapsed_why,
        "justification": _justification(one),
    }


def _signature(one: Signature) -> dict[str, Any]:
    return {
        "signed_by": _person(one.signed_by),
        "in_stead_of": _person(one.in_stead_of),
        "signed_at": one.signed_at.isoformat(),
        "hash": one.subject_hash,
        "reason": one.reason,
        "acceptance": one.acceptance,
    }


def _subject(one: Review | SignOff) -> dict[str, str]:
    return {"kind": one.subject_kind, "id": one.subject_id, "hash": one.subject_hash}


def _justification(one: Review | SignOff) -> dict[str, Any] | None:
    given = getattr(one, "justification", None)
    if given is None:
        return None
    return {"text": given.text, "given_by": _person(given.given_by), "given_at": given.given_at.isoformat()}


def _person(person: Any) -> dict[str, str] | None:
    """By the id too, as the log has it: people come to be called otherwise."""
    return None if person is None else {"id": str(person.pk), "name": str(person)}
