"""Separation of duties in the database itself, below every rule in code: memberships, reviews and sign-offs."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register

from .trigger_conditions import changed, exchanged, linked_accounts, same_person, where_named

_JUDGED = (
    "(EXISTS (SELECT 1 FROM decisions_review r WHERE r.project_id = NEW.project_id "
    f"AND {same_person('r.reviewed_by_id', 'NEW.user_id')}) OR EXISTS (SELECT 1 FROM decisions_signoff s "
    f"WHERE s.project_id = NEW.project_id AND {same_person('s.decided_by_id', 'NEW.user_id')}))"
)
_OTHER_ROLE = (
    "EXISTS (SELECT 1 FROM core_membership m WHERE m.project_id = NEW.project_id AND m.role <> NEW.role "
    f"AND {linked_accounts('m.user_id', 'NEW.user_id')})"
)
_APPOINTED = (
    "EXISTS (SELECT 1 FROM accounts_appointment p WHERE p.account_id = NEW.user_id AND p.post = NEW.role "
    "AND p.status = 'confirmed')"
)
_DUTY = "who executes a project does not review, approve or supervise it"


def _executed_by(column: str) -> str:
    """Whether the person in ``column`` of the new row is an executor of its project."""
    return (
        "EXISTS (SELECT 1 FROM core_membership m WHERE m.project_id = NEW.project_id "
        f"AND m.role = 'executor' AND {same_person('m.user_id', column)})"
    )


_REVIEWER_NAMED = changed(
    "project_id", "stage", "subject_kind", "subject_id", "subject_hash", "outcome", "reviewed_by_id", "submitted_by_id"
)  # fmt: skip
_DECISION_CHANGED = changed(
    "project_id", "subject_kind", "subject_id", "subject_hash", "decision", "decided_by_id", "submitted_by_id"
)  # fmt: skip
_DECIDER_NAMED = f"(OLD.decided_by_id IS NULL OR {_DECISION_CHANGED} OR {exchanged('lapsed_at')})"

_RETURNED_AS_IT_IS = (
    "(EXISTS (SELECT 1 FROM decisions_review r WHERE r.project_id = NEW.project_id AND r.outcome = 'returned' "
    "AND r.subject_hash = NEW.subject_hash) OR EXISTS (SELECT 1 FROM decisions_signoff s WHERE "
    "s.project_id = NEW.project_id AND s.decision = 'returned' AND s.subject_hash = NEW.subject_hash))"
)
_UNANSWERED = "what was returned does not pass as it was: a change or a justification gives it another hash"

register(
    Trigger(
        "review_of_returned",
        "decisions_review",
        ("INSERT",),
        _UNANSWERED,
        f"NEW.outcome = 'passed' AND {_RETURNED_AS_IT_IS}",
    ),
    Trigger(
        "signoff_of_returned",
        "decisions_signoff",
        ("UPDATE",),
        _UNANSWERED,
        f"NEW.decision = 'approved' AND OLD.decision <> 'approved' AND {_RETURNED_AS_IT_IS}",
    ),
    Trigger(
        "justification_not_by_who_returned",
        "decisions_justification",
        ("INSERT",),
        "nobody justifies work that they returned themselves",
        "(EXISTS (SELECT 1 FROM decisions_review r WHERE r.id = NEW.review_id "
        f"AND {same_person('r.reviewed_by_id', 'NEW.given_by_id')}) OR EXISTS (SELECT 1 FROM decisions_signoff s "
        f"WHERE s.id = NEW.signoff_id AND {same_person('s.decided_by_id', 'NEW.given_by_id')}))",
    ),
    Trigger(
        "justification_stays",
        "decisions_justification",
        ("UPDATE", "DELETE"),
        "a justification is written once",
    ),
    Trigger(
        "membership_role_is_final",
        "core_membership",
        ("UPDATE",),
        "a role in a project is never exchanged",
        "OLD.project_id <> NEW.project_id OR OLD.user_id <> NEW.user_id OR OLD.role <> NEW.role",
    ),
    Trigger(
        "executor_has_not_judged",
        "core_membership",
        ("INSERT",),
        "who reviewed or approved a project does not execute it",
        f"NEW.role = 'executor' AND {_JUDGED}",
    ),
    Trigger(
        "membership_one_role_per_person",
        "core_membership",
        ("INSERT",),
        "one person has one role in a project, under whatever account",
        _OTHER_ROLE,
    ),
    Trigger(
        "membership_of_appointed",
        "core_membership",
        ("INSERT",),
        "who plans, supervises or signs was appointed to that post, and the appointment was confirmed",
        f"NEW.role IN ('planner', 'supervisor', 'management') AND NOT {_APPOINTED}",
    ),
    Trigger(
        "project_keeps_a_planner",
        "core_membership",
        ("UPDATE",),
        "a project is never left without a planning manager: the planning is handed over",
        "NEW.role = 'planner' AND OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL AND NOT EXISTS "
        "(SELECT 1 FROM core_membership m WHERE m.project_id = NEW.project_id AND m.role = 'planner' "
        "AND m.ended_at IS NULL AND m.id <> NEW.id)",
    ),
    Trigger("comment_stays", "core_stagecomment", ("UPDATE", "DELETE"), "a comment is written once"),
    Trigger("membership_stays", "core_membership", ("DELETE",), "a membership is ended, never deleted"),
    *where_named(
        "review_not_of_own_person",
        "decisions_review",
        "nobody reviews what they submitted under another account",
        linked_accounts("NEW.reviewed_by_id", "NEW.submitted_by_id"),
        _REVIEWER_NAMED,
    ),
    *where_named(
        "signoff_not_of_own_person",
        "decisions_signoff",
        "nobody decides about what they submitted under another account",
        linked_accounts("NEW.decided_by_id", "NEW.submitted_by_id"),
        _DECIDER_NAMED,
    ),
    *where_named(
        "review_not_by_executor",
        "decisions_review",
        _DUTY,
        _executed_by("NEW.reviewed_by_id"),
        _REVIEWER_NAMED,
    ),
    *where_named(
        "signoff_not_by_executor",
        "decisions_signoff",
        _DUTY,
        _executed_by("NEW.decided_by_id"),
        _DECIDER_NAMED,
    ),
)
