"""What no code may break about the policy library: two persons, and what was written stays as it was."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged, linked_accounts, rewritten, where_named

_MANAGES = (
    "EXISTS (SELECT 1 FROM accounts_appointment a WHERE a.account_id = NEW.decided_by_id "
    "AND a.post = 'management' AND a.status = 'confirmed')"
)
_IS_POLICY = "EXISTS (SELECT 1 FROM organisation_policy p WHERE p.id = NEW.policy_id AND p.kind = 'policy')"
_APPROVED = "NEW.decided_by_id IS NOT NULL"
# Where there was none, a document is not added afterwards either.
_SAID = (
    changed(
        "id", "policy_id", "number", "content_hash", "edition", "text", "document_name", "document_kind", "document_hash",
        "effective_on", "review_on", "reason", "made_by_id", "made_at", "concerns",
    )
    + f" OR {exchanged('stored_id')} OR (OLD.stored_id IS NULL AND NEW.stored_id IS NOT NULL)"
)  # fmt: skip

register(
    Trigger(
        "policy_version_stays",
        "organisation_policyversion",
        ("UPDATE",),
        "what a version says stays, and what was decided about it is decided once",
        f"{_SAID} OR {exchanged('decided_by_id', 'decided_at')} OR {rewritten('decision_reason')}",
    ),
    *where_named(
        "policy_version_by_another_person",
        "organisation_policyversion",
        "nobody approves what they proposed under another account",
        linked_accounts("NEW.decided_by_id", "NEW.made_by_id"),
        "OLD.decided_by_id IS NULL",
    ),
    Trigger(
        "policy_by_management",
        "organisation_policyversion",
        ("INSERT",),
        "senior management approves an internal policy",
        f"{_APPROVED} AND {_IS_POLICY} AND NOT {_MANAGES}",
    ),
    Trigger(
        "policy_by_management",
        "organisation_policyversion",
        ("UPDATE",),
        "senior management approves an internal policy",
        f"OLD.decided_by_id IS NULL AND {_APPROVED} AND {_IS_POLICY} AND NOT {_MANAGES}",
    ),
    Trigger(
        "policy_version_never_deleted",
        "organisation_policyversion",
        ("DELETE",),
        "a version of the policy library is never deleted",
    ),
    Trigger(
        "policy_stays_what_it_is",
        "organisation_policy",
        ("UPDATE",),
        "what an entry of the policy library is never changes",
        changed("id", "title", "kind", "regulation", "every_project", "added_at"),
    ),
    Trigger(
        "policy_never_deleted",
        "organisation_policy",
        ("DELETE",),
        "an entry of the policy library is never deleted",
    ),
    Trigger(
        "policy_acknowledgement_is_final",
        "organisation_policyacknowledgement",
        ("UPDATE", "DELETE"),
        "an acknowledgement is written once",
    ),
    Trigger(
        "policy_review_is_final",
        "organisation_policyreview",
        ("UPDATE", "DELETE"),
        "a review of the policy library is written once",
    ),
)
