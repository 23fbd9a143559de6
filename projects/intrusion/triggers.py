"""What no code may break about intruder tests: what was said stays, another person checks, and the end waits for it."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged, linked_accounts, where_named

_TEST = "intrusion_intrudertest"
_CLAIM = "intrusion_intruderclaim"
_SAID = changed(
    "id", "project_id", "run_id", "number", "knowledge", "scope", "testers", "auxiliary", "opened_by_id", "opened_at"
)  # fmt: skip
_CLAIMED = changed("id", "test_id", "number", "of_table", "record", "reference", "made_by_id", "made_at")
_CLOSED = f"EXISTS (SELECT 1 FROM {_TEST} t WHERE t.id = NEW.test_id AND t.closed_at IS NOT NULL)"

register(
    Trigger(
        "intruder_test_stays_as_said",
        _TEST,
        ("UPDATE",),
        "an intruder test stays as it was opened and concluded",
        f"{_SAID} OR {exchanged('closed_by_id', 'closed_at', 'attempts')} "
        f"OR (OLD.closed_at IS NOT NULL AND {changed('conclusion')})",
    ),
    Trigger(
        "intruder_test_of_a_run_of_its_project",
        _TEST,
        ("INSERT",),
        "an intruder test is of a result of its project",
        "NOT EXISTS (SELECT 1 FROM processing_run r WHERE r.id = NEW.run_id AND r.project_id = NEW.project_id)",
    ),
    Trigger(
        "intruder_test_closed_once_checked",
        _TEST,
        ("UPDATE",),
        "an intruder test is concluded once every claim is checked",
        "NEW.closed_at IS NOT NULL AND OLD.closed_at IS NULL AND (EXISTS (SELECT 1 FROM "
        f"{_CLAIM} c WHERE c.test_id = NEW.id AND c.verdict = 'waiting') OR NEW.attempts < (SELECT COUNT(*) FROM "
        f"{_CLAIM} c WHERE c.test_id = NEW.id))",
    ),
    Trigger("intruder_test_never_deleted", _TEST, ("DELETE",), "an intruder test is kept"),
    Trigger(
        "intruder_claim_while_open",
        _CLAIM,
        ("INSERT", "UPDATE"),
        "nothing is claimed or checked once an intruder test is concluded",
        _CLOSED,
    ),
    Trigger(
        "intruder_claim_stays_as_made",
        _CLAIM,
        ("UPDATE",),
        "a claim stays as it was made and checked",
        f"{_CLAIMED} OR {exchanged('checked_by_id', 'checked_at')} OR (OLD.verdict <> 'waiting' AND {changed('verdict')})",
    ),
    *where_named(
        "intruder_claim_not_by_own_person",
        _CLAIM,
        "nobody checks a claim that they recorded under another account",
        linked_accounts("NEW.checked_by_id", "NEW.made_by_id"),
        "OLD.checked_by_id IS NULL",
    ),
    Trigger("intruder_claim_never_deleted", _CLAIM, ("DELETE",), "a claim of an intruder test is kept"),
)
