"""What no code may break about intruder tests: what was said stays, another person checks, and the end waits for it."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed, exchanged, linked_accounts, same_person, where_named

_TEST = "intrusion_intrudertest"
_CLAIM = "intrusion_intruderclaim"
_INVITATION = "intrusion_invitation"
_SAID = changed(
    "id", "project_id", "run_id", "number", "knowledge", "scope", "testers", "auxiliary", "opened_by_id", "opened_at"
)  # fmt: skip
_CLAIMED = changed(
    "id", "test_id", "number", "of_table", "record", "reference", "grounds", "certainty", "made_by_id", "made_at"
)  # fmt: skip
_INVITED = changed(
    "id", "test_id", "tester_id", "task", "until", "gets_file", "shows_verdicts", "invited_by_id", "invited_at"
)  # fmt: skip
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
        f"(SELECT DISTINCT c.of_table, c.record FROM {_CLAIM} c WHERE c.test_id = NEW.id) d))",
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
        f"{_CLAIMED} OR {exchanged('checked_by_id', 'checked_at')} OR {exchanged('invitation_id')} "
        "OR (OLD.invitation_id IS NULL AND NEW.invitation_id IS NOT NULL) "
        f"OR (OLD.verdict <> 'waiting' AND {changed('verdict')})",
    ),
    *where_named(
        "intruder_claim_not_by_own_person",
        _CLAIM,
        "nobody checks a claim that they recorded under another account",
        linked_accounts("NEW.checked_by_id", "NEW.made_by_id"),
        "OLD.checked_by_id IS NULL",
    ),
    Trigger(
        "intruder_claim_by_invitation",
        _CLAIM,
        ("INSERT",),
        "who is invited to an intruder test claims by an invitation of their own that lasts, and nobody else by it",
        "(NEW.invitation_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "
        f"{_INVITATION} i WHERE i.id = NEW.invitation_id AND i.test_id = NEW.test_id AND i.tester_id = NEW.made_by_id "
        "AND i.ended_at IS NULL)) OR (NEW.invitation_id IS NULL AND EXISTS (SELECT 1 FROM accounts_user u "
        "WHERE u.id = NEW.made_by_id AND u.post = 'tester'))",
    ),
    Trigger("intruder_claim_never_deleted", _CLAIM, ("DELETE",), "a claim of an intruder test is kept"),
)

register(
    Trigger(
        "invitation_of_a_tester",
        _INVITATION,
        ("INSERT",),
        "an account for testers is invited to an intruder test that is open, in a country that is stated, and looks later",
        "NEW.country IS NULL OR NEW.country = '' OR NEW.ended_at IS NOT NULL OR NEW.looked_at IS NOT NULL OR NOT EXISTS (SELECT 1 FROM accounts_user u "
        "WHERE u.id = NEW.tester_id AND u.post = 'tester' AND u.access_until >= NEW.until) OR NOT EXISTS "
        f"(SELECT 1 FROM {_TEST} t WHERE t.id = NEW.test_id AND t.closed_at IS NULL)",
    ),
    Trigger(
        "invitation_not_of_who_works_here",
        _INVITATION,
        ("INSERT",),
        "who conducts the test invites to it, and nobody of the project under whatever account is invited",
        f"EXISTS (SELECT 1 FROM core_membership m JOIN {_TEST} t ON t.project_id = m.project_id "
        "WHERE t.id = NEW.test_id AND ((m.role <> 'supervisor' AND "
        f"{same_person('m.user_id', 'NEW.invited_by_id')}) OR {same_person('m.user_id', 'NEW.tester_id')}))",
    ),
    Trigger(
        "member_tests_nothing",
        "core_membership",
        ("INSERT",),
        "who is or was invited to test a result of a project gets no role in it, under whatever account",
        f"EXISTS (SELECT 1 FROM {_INVITATION} i JOIN {_TEST} t ON t.id = i.test_id "
        f"WHERE t.project_id = NEW.project_id AND {same_person('i.tester_id', 'NEW.user_id')})",
    ),
    Trigger(
        "invitation_stays_as_made",
        _INVITATION,
        ("UPDATE",),
        "an invitation stays as it was made; it is ended once, and its looks are counted on",
        f"{_INVITED} OR {exchanged('country', 'ended_by_id', 'ended_at')} OR (OLD.country IS NULL AND NEW.country IS NOT NULL) OR (OLD.end_reason <> '' AND {changed('end_reason')}) "
        "OR NEW.views < OLD.views OR NEW.fetches < OLD.fetches "
        "OR (OLD.looked_at IS NOT NULL AND (NEW.looked_at IS NULL OR NEW.looked_at < OLD.looked_at)) "
        "OR (OLD.ended_at IS NOT NULL AND (NEW.views <> OLD.views OR NEW.fetches <> OLD.fetches))",
    ),
    Trigger(
        "invitation_never_deleted", _INVITATION, ("DELETE",), "an invitation to an intruder test is kept"
    ),
)
