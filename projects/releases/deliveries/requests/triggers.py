"""What no code may break about fetches: who requests, who decides, that one approval serves one fetch, and that every row stays."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import same_person

_REQUEST, _DECISION, _FETCH = "releases_fetchrequest", "releases_fetchdecision", "releases_fetch"
_ROW = "SELECT 1 FROM releases_fetchrequest q WHERE q.id = NEW.request_id"
_APPROVED = (
    "SELECT 1 FROM releases_fetchrequest q JOIN releases_fetchdecision d ON d.request_id = q.id "
    "JOIN releases_delivery v ON v.id = NEW.delivery_id WHERE q.id = NEW.request_id AND d.approved "
    "AND d.holds_until >= NEW.fetched_at AND q.project_id = NEW.project_id AND q.file = NEW.file "
    "AND q.release_id = v.release_id AND q.recipient_id = v.recipient_id "
    "AND EXISTS (SELECT 1 FROM releases_agreement a WHERE a.project_id = q.project_id AND a.recipient_id = q.recipient_id "
    "AND a.ended_at IS NULL AND a.recorded_at <= d.decided_at)"
)
_AGREED = (
    "SELECT 1 FROM releases_delivery v JOIN releases_agreement a ON a.recipient_id = v.recipient_id "
    "JOIN core_project p ON p.id = a.project_id WHERE v.id = NEW.delivery_id AND a.project_id = NEW.project_id "
    "AND a.ended_at IS NULL AND a.fetch_approval AND p.sharing_type = 'controlled'"
)

register(
    Trigger(
        "fetch_request_by_a_recipient",
        _REQUEST,
        ("INSERT",),
        "a recipient of the project requests to fetch what was released of it",
        "NOT (EXISTS (SELECT 1 FROM core_membership m WHERE m.project_id = NEW.project_id AND m.role = 'recipient' "
        "AND m.user_id = NEW.recipient_id AND m.ended_at IS NULL) "
        "AND EXISTS (SELECT 1 FROM releases_release r WHERE r.id = NEW.release_id AND r.project_id = NEW.project_id))",
    ),
    Trigger(
        "fetch_request_stays",
        _REQUEST,
        ("UPDATE", "DELETE"),
        "a request to fetch is written once",
    ),
    Trigger(
        "fetch_decision_by_a_supervisor",
        _DECISION,
        ("INSERT",),
        "a supervisor of the project decides about a fetch",
        f"NOT EXISTS ({_ROW} AND EXISTS (SELECT 1 FROM core_membership m WHERE m.project_id = q.project_id "
        "AND m.role = 'supervisor' AND m.user_id = NEW.decided_by_id AND m.ended_at IS NULL))",
    ),
    Trigger(
        "fetch_decision_by_another_person",
        _DECISION,
        ("INSERT",),
        "neither who requested a fetch nor an executor of the project decides about it, under whatever account",
        f"EXISTS ({_ROW} AND ({same_person('q.recipient_id', 'NEW.decided_by_id')} "
        "OR EXISTS (SELECT 1 FROM core_membership m WHERE m.project_id = q.project_id AND m.role = 'executor' "
        f"AND {same_person('m.user_id', 'NEW.decided_by_id')})))",
    ),
    Trigger(
        "fetch_decision_stays",
        _DECISION,
        ("UPDATE", "DELETE"),
        "what was decided about a fetch is written once",
    ),
    Trigger(
        "fetch_is_approved",
        _FETCH,
        ("INSERT",),
        "one fetch of this file by this recipient was approved, and neither the time of the approval nor its agreement is over",
        f"NEW.request_id IS NOT NULL AND NOT EXISTS ({_APPROVED})",
    ),
    Trigger(
        "fetch_by_an_approval_where_agreed",
        _FETCH,
        ("INSERT",),
        "where the agreement asks for it, each fetch has an approval of its own",
        f"NEW.request_id IS NULL AND EXISTS ({_AGREED})",
    ),
    Trigger(
        "fetch_stays",
        _FETCH,
        ("UPDATE", "DELETE"),
        "what was fetched stays on the record",
    ),
)
