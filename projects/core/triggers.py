"""Separation of duties in the database itself, below every rule in code: memberships, reviews and sign-offs."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register

from .trigger_conditions import changed, exchanged, linked_accounts, same_person, where_named

_JUDGED = (
    "(EXISTS (SELECT 1 FROM decisions_review r WHERE r.project_id = NEW.project_id "
    f"AND {same_person('r.reviewed_by_id', 'NEW.user_id')}) OR EXISTS (SELECT 1 FROM decisions_signoff s "
    f"WHERE s.project_id = NEW.project_id AND {same_person('s.decided_by_id', 'NEW.user_id')}) "
    "OR EXISTS (SELECT 1 FROM decisions_signature g WHERE g.project_id = NEW.project_id "
    f"AND {same_person('g.signed_by_id', 'NEW.user_id')}))"
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

_PASSED = (
    "EXISTS (SELECT 1 FROM decisions_review r WHERE r.id = NEW.review_id AND r.project_id = NEW.project_id "
    "AND r.outcome = 'passed' AND r.subject_hash = NEW.subject_hash)"
)
# Of whatever review of the stage: what somebody returned once is their supervision too.
_OWN_STAGE = (
    "EXISTS (SELECT 1 FROM decisions_review r JOIN decisions_review s ON s.project_id = r.project_id AND s.stage = r.stage "
    "WHERE r.id = NEW.review_id AND ("
    + " OR ".join(
        same_person(f"s.{column}", "NEW.reviewed_by_id")
        for column in ("reviewed_by_id", "in_stead_of_id", "submitted_by_id")
    )
    + "))"
)
_MANAGES = (
    "EXISTS (SELECT 1 FROM core_membership m WHERE m.project_id = NEW.project_id AND m.role = 'management' "
    "AND m.user_id = NEW.reviewed_by_id AND m.ended_at IS NULL)"
)
_RETURNED_AS_IT_IS = (
    "(EXISTS (SELECT 1 FROM decisions_review r WHERE r.project_id = NEW.project_id AND r.outcome = 'returned' "
    "AND r.subject_hash = NEW.subject_hash) OR EXISTS (SELECT 1 FROM decisions_signoff s WHERE "
    "s.project_id = NEW.project_id AND s.decision = 'returned' AND s.subject_hash = NEW.subject_hash))"
)
# The last signature is the decision itself.
_STILL_OPEN = (
    "EXISTS (SELECT 1 FROM decisions_signoff s WHERE s.id = NEW.signoff_id AND s.project_id = NEW.project_id "
    "AND s.subject_hash = NEW.subject_hash AND s.decision = '' AND s.lapsed_at IS NULL AND s.needed - 1 > "
    "(SELECT COUNT(*) FROM decisions_signature g WHERE g.signoff_id = s.id))"
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
        "signoff_needed_stays",
        "decisions_signoff",
        ("UPDATE",),
        "how many have to sign is fixed when a content is submitted",
        f"{changed('needed')} OR {exchanged('needed_by')} OR (OLD.needed_by IS NULL AND NEW.needed_by IS NOT NULL)",
    ),
    Trigger(
        "signoff_by_all_who_are_needed",
        "decisions_signoff",
        ("INSERT",),
        "what several people have to sign is not approved by one",
        "NEW.decision = 'approved' AND NEW.needed > 1",
    ),
    Trigger(
        "signoff_by_all_who_are_needed",
        "decisions_signoff",
        ("UPDATE",),
        "what several people have to sign is approved once as many different people have signed it",
        "NEW.decision = 'approved' AND OLD.decision <> 'approved' AND ((SELECT COUNT(*) FROM decisions_signature g "
        "WHERE g.signoff_id = NEW.id AND g.subject_hash = NEW.subject_hash) <> NEW.needed - 1 "
        "OR EXISTS (SELECT 1 FROM decisions_signature g WHERE g.signoff_id = NEW.id "
        f"AND {same_person('g.signed_by_id', 'NEW.decided_by_id')}))",
    ),
    Trigger(
        "signature_of_what_is_open",
        "decisions_signature",
        ("INSERT",),
        "a signature is about exactly what waits for it, and none is given beyond those that are needed",
        f"NOT {_STILL_OPEN}",
    ),
    Trigger(
        "signature_one_of_each_person",
        "decisions_signature",
        ("INSERT",),
        "one person signs one content once, under whatever account",
        "EXISTS (SELECT 1 FROM decisions_signature g WHERE g.signoff_id = NEW.signoff_id "
        f"AND {same_person('g.signed_by_id', 'NEW.signed_by_id')})",
    ),
    Trigger(
        "signature_not_of_own_work",
        "decisions_signature",
        ("INSERT",),
        "nobody signs what they submitted themselves",
        "EXISTS (SELECT 1 FROM decisions_signoff s WHERE s.id = NEW.signoff_id "
        f"AND {same_person('s.submitted_by_id', 'NEW.signed_by_id')})",
    ),
    Trigger(
        "signature_not_by_executor",
        "decisions_signature",
        ("INSERT",),
        _DUTY,
        _executed_by("NEW.signed_by_id"),
    ),
    Trigger(
        "signature_stays",
        "decisions_signature",
        ("UPDATE", "DELETE"),
        "a signature is written once",
    ),
    Trigger(
        "management_review_of_what_passed",
        "decisions_managementreview",
        ("INSERT",),
        "senior management reviews the records of a stage as its supervisor passed them",
        f"NOT {_PASSED}",
    ),
    Trigger(
        "management_review_by_management",
        "decisions_managementreview",
        ("INSERT",),
        "only senior management of the project reviews the records of its stages in that role",
        f"NOT {_MANAGES}",
    ),
    Trigger(
        "management_review_not_of_own_stage",
        "decisions_managementreview",
        ("INSERT",),
        "nobody reviews as senior management the records of a stage that they handed in or supervised",
        _OWN_STAGE,
    ),
    Trigger(
        "management_review_not_by_executor",
        "decisions_managementreview",
        ("INSERT",),
        _DUTY,
        _executed_by("NEW.reviewed_by_id"),
    ),
    Trigger(
        "management_review_stays",
        "decisions_managementreview",
        ("UPDATE", "DELETE"),
        "a review by senior management is written once",
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
        "checklist_of_what_passed_holds",
        "decisions_checklistrecord",
        ("INSERT",),
        "no stage passes against an obligatory item of its checklist",
        "NOT EXISTS (SELECT 1 FROM decisions_review r WHERE r.id = NEW.review_id AND r.project_id = NEW.project_id "
        "AND (r.outcome <> 'passed' OR NEW.against = 0))",
    ),
    Trigger(
        "checklist_record_stays",
        "decisions_checklistrecord",
        ("UPDATE", "DELETE"),
        "an answered checklist is written once",
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
        changed("id", "project_id", "user_id", "role"),
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

register(
    Trigger(
        "assessment_ordered_of_an_assessor",
        "core_assessmentorder",
        ("INSERT",),
        "an external assessor is given an order, and reports later",
        "NEW.conclusion <> '' OR NEW.ended_at IS NOT NULL OR NOT EXISTS (SELECT 1 FROM accounts_user u "
        "WHERE u.id = NEW.assessor_id AND u.post = 'assessor')",
    ),
    Trigger(
        "assessment_not_by_who_is_assessed",
        "core_assessmentorder",
        ("INSERT",),
        "who plans or executes a project orders no assessment of it, and who works on it does not assess it",
        "EXISTS (SELECT 1 FROM core_membership m WHERE m.project_id = NEW.project_id AND "
        f"((m.role NOT IN ('supervisor', 'management') AND {same_person('m.user_id', 'NEW.ordered_by_id')}) "
        f"OR {same_person('m.user_id', 'NEW.assessor_id')}))",
    ),
    Trigger(
        "member_assesses_nothing",
        "core_membership",
        ("INSERT",),
        "who has or had an order to assess a project gets no role in it, under whatever account",
        "EXISTS (SELECT 1 FROM core_assessmentorder o WHERE o.project_id = NEW.project_id "
        f"AND {same_person('o.assessor_id', 'NEW.user_id')})",
    ),
    Trigger(
        "assessment_stays_as_ordered",
        "core_assessmentorder",
        ("UPDATE",),
        "an order stays as it was given; it is reported on once, and ended once",
        changed("id", "project_id", "number", "assessor_id", "covers", "until", "ordered_by_id", "ordered_at")
        + " OR COALESCE(OLD.again_months, 0) <> COALESCE(NEW.again_months, 0)"
        + " OR (OLD.conclusion <> '' AND "
        + f"{changed('conclusion', 'report')}) OR {exchanged('reported_at')} "
        + f"OR {exchanged('ended_at')} OR {exchanged('ended_by_id')} "
        + f"OR (OLD.end_reason <> '' AND {changed('end_reason')})",
    ),
    Trigger(
        "assessment_never_deleted",
        "core_assessmentorder",
        ("DELETE",),
        "what was ordered and reported is kept",
    ),
)
