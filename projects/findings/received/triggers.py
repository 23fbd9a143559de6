"""What no code may break about samples that recipients check: the draw stays, who found it says what was done, a supervisor confirms."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged, linked_accounts, same_person

_DRAWN = changed(
    "id", "release_id", "recipient_id", "number", "file", "rows", "size", "seed", "drawn_at", "inside"
)
_NOT_FETCHED = (
    "NOT EXISTS (SELECT 1 FROM releases_delivery d WHERE d.release_id = NEW.release_id "
    "AND d.recipient_id = NEW.recipient_id AND d.fetched_at IS NOT NULL)"
)
_NOT_OPENED = (
    "NOT EXISTS (SELECT 1 FROM releases_delivery d JOIN releases_release r ON r.id = d.release_id "
    "JOIN core_project p ON p.id = r.project_id WHERE d.release_id = NEW.release_id "
    "AND d.recipient_id = NEW.recipient_id AND d.verified_at IS NOT NULL AND p.sharing_type = 'enclave')"
)
_STATED = changed(
    "id", "deviation_id", "kind", "text", "done_on", "recorded_by_id", "recorded_at", "stead_reason"
)
_NOT_THE_FINDER = (
    "NOT EXISTS (SELECT 1 FROM findings_sampledeviation d JOIN findings_receivedsample s ON s.id = d.sample_id "
    "WHERE d.id = NEW.deviation_id AND s.recipient_id = NEW.recorded_by_id)"
)
_FOUND_BY = "findings_sampledeviation d JOIN findings_receivedsample s ON s.id = d.sample_id"
_NO_STEAD = (
    f"NOT EXISTS (SELECT 1 FROM {_FOUND_BY} JOIN findings_finding f ON f.id = d.ticket_id "
    "JOIN core_membership m ON m.project_id = f.project_id JOIN accounts_user u ON u.id = s.recipient_id "
    "WHERE d.id = NEW.deviation_id AND m.user_id = NEW.recorded_by_id AND m.role = 'planner' AND m.ended_at IS NULL "
    f"AND NOT {same_person('s.recipient_id', 'NEW.recorded_by_id')} "
    "AND (NOT u.is_active OR NOT EXISTS (SELECT 1 FROM core_membership r WHERE r.project_id = f.project_id "
    "AND r.user_id = s.recipient_id AND r.role = 'recipient' AND r.ended_at IS NULL)))"
)
_BY_THE_RECIPIENT = (
    f"NEW.stead_reason <> '' AND EXISTS (SELECT 1 FROM {_FOUND_BY} WHERE d.id = NEW.deviation_id "
    f"AND {same_person('s.recipient_id', 'NEW.decided_by_id')})"
)
_NO_SUPERVISOR = (
    "NOT EXISTS (SELECT 1 FROM findings_sampledeviation d JOIN findings_finding f ON f.id = d.ticket_id "
    "JOIN core_membership m ON m.project_id = f.project_id WHERE d.id = NEW.deviation_id "
    "AND m.user_id = NEW.decided_by_id AND m.role = 'supervisor' AND m.ended_at IS NULL)"
)
_UNCONFIRMED = (
    "EXISTS (SELECT 1 FROM findings_sampledeviation d WHERE d.ticket_id = NEW.id) AND NOT EXISTS "
    "(SELECT 1 FROM findings_sampledeviation d JOIN findings_recipientremedy r ON r.deviation_id = d.id "
    "WHERE d.ticket_id = NEW.id AND r.state = 'confirmed')"
)

register(
    Trigger(
        "sample_of_what_was_fetched",
        "findings_receivedsample",
        ("INSERT",),
        "a sample is drawn for a recipient who fetched the release, or opened it in an enclave, and reported on later",
        f"(NEW.inside AND (NEW.outcome <> 'reading' OR {_NOT_OPENED})) "
        f"OR (NOT NEW.inside AND (NEW.outcome <> 'open' OR {_NOT_FETCHED}))",
    ),
    Trigger(
        "sample_stays_as_drawn",
        "findings_receivedsample",
        ("UPDATE",),
        "a sample stays as it was drawn and reported on",
        f"{_DRAWN} OR {exchanged('checked_on', 'checked', 'reported_at', 'persons')} "
        "OR (OLD.outcome = 'reading' AND NEW.outcome NOT IN ('reading', 'open', 'failed')) "
        "OR (OLD.outcome = 'open' AND NEW.outcome IN ('reading', 'failed')) "
        "OR (OLD.outcome IN ('nothing', 'found', 'failed') "
        f"AND ({changed('outcome', 'looked', 'is_cut', 'pages_seen', 'shown_rows')}))",
    ),
    Trigger(
        "sample_never_deleted", "findings_receivedsample", ("DELETE",), "a sample that was drawn stays drawn"
    ),
    Trigger(
        "deviation_has_its_finding",
        "findings_sampledeviation",
        ("INSERT",),
        "what a recipient found becomes a finding of the project",
        "NOT EXISTS (SELECT 1 FROM findings_finding f WHERE f.id = NEW.ticket_id AND f.source = 'received' "
        "AND f.origin_id = NEW.sample_id)",
    ),
    Trigger(
        "deviation_is_final",
        "findings_sampledeviation",
        ("UPDATE", "DELETE"),
        "what a recipient found is written once",
    ),
    Trigger(
        "recipient_remedy_by_the_finder",
        "findings_recipientremedy",
        ("INSERT",),
        "the recipient who found it says what was done, and somebody else decides later",
        f"NEW.state <> 'waiting' OR (NEW.stead_reason = '' AND {_NOT_THE_FINDER})",
    ),
    Trigger(
        "recipient_remedy_in_stead",
        "findings_recipientremedy",
        ("INSERT",),
        "a planning manager says what was done in the stead of a recipient who is inactive or no recipient any more",
        f"NEW.stead_reason <> '' AND {_NO_STEAD}",
    ),
    Trigger(
        "recipient_remedy_stays",
        "findings_recipientremedy",
        ("UPDATE",),
        "what a recipient did stays as it was stated and decided on",
        f"{_STATED} OR {exchanged('decided_by_id', 'decided_at')} "
        f"OR (OLD.state <> 'waiting' AND {changed('state', 'reason')})",
    ),
    Trigger(
        "recipient_remedy_by_a_supervisor",
        "findings_recipientremedy",
        ("UPDATE",),
        "a supervisor decides on what a recipient did, never the recipient under another account",
        "OLD.state = 'waiting' AND NEW.state <> 'waiting' AND "
        f"({_NO_SUPERVISOR} OR ({_BY_THE_RECIPIENT}) OR {linked_accounts('NEW.decided_by_id', 'NEW.recorded_by_id')})",
    ),
    Trigger(
        "recipient_remedy_never_deleted",
        "findings_recipientremedy",
        ("DELETE",),
        "what a recipient did is kept",
    ),
    Trigger(
        "finding_closed_after_the_remedy",
        "findings_finding",
        ("INSERT", "UPDATE"),
        "what a recipient found is closed once what they did is confirmed",
        f"NEW.status = 'closed' AND {_UNCONFIRMED}",
    ),
)
