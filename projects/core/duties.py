"""Separation of duties in the database itself, below every rule in code."""

from approvals.triggers import Trigger

_EXECUTED = (
    "EXISTS (SELECT 1 FROM core_membership m WHERE m.project_id = NEW.project_id "
    "AND m.role = 'executor' AND m.user_id = NEW.{who})"
)
_JUDGED = (
    "(EXISTS (SELECT 1 FROM decisions_review r WHERE r.project_id = NEW.project_id "
    "AND r.reviewed_by_id = NEW.user_id) OR EXISTS (SELECT 1 FROM decisions_signoff s "
    "WHERE s.project_id = NEW.project_id AND s.decided_by_id = NEW.user_id))"
)
_DUTY = "who executes a project does not review, approve or supervise it"

TRIGGERS = (
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
        "NEW.role = 'executor' AND " + _JUDGED,
    ),
    Trigger("membership_stays", "core_membership", ("DELETE",), "a membership is ended, never deleted"),
    Trigger(
        "review_not_by_executor",
        "decisions_review",
        ("INSERT", "UPDATE"),
        _DUTY,
        _EXECUTED.format(who="reviewed_by_id"),
    ),
    Trigger(
        "signoff_not_by_executor",
        "decisions_signoff",
        ("INSERT", "UPDATE"),
        _DUTY,
        "NEW.decided_by_id IS NOT NULL AND " + _EXECUTED.format(who="decided_by_id"),
    ),
)
