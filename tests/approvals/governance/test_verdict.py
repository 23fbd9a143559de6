"""What a rule answers, and what the database is told to refuse."""

from __future__ import annotations

import pytest

from approvals.audit.rules import AuditReason
from approvals.governance import triggers
from approvals.governance.triggers import Trigger
from approvals.governance.verdict import ALLOW, RIGHTS, Reason, Refused, Verdict, deny, first_denial


class Shut(Reason):
    NOT_YOUR_ROLE = "not_your_role", "Not your role"
    TOO_MANY = "too_many", "100 %% of %(count)d"
    HALF = "half", "50 % are gone"


def test_what_is_denied_says_why_and_what_is_allowed_says_nothing() -> None:
    denied = deny(Shut.TOO_MANY, count=3, missing=("a",))
    assert (bool(denied), denied.code, denied.text) == (False, "too_many", "100 % of 3")
    assert (denied.missing, denied.params) == (("a",), {"count": 3})
    assert deny(Shut.HALF).text == "50 % are gone", "without figures nothing is put in"
    assert (bool(ALLOW), ALLOW.code, ALLOW.text, ALLOW.missing) == (True, "", "", ())
    assert Verdict(allowed=False).text == ""


def test_the_first_denial_counts_and_raises() -> None:
    first, second = deny(Shut.HALF), deny(Shut.NOT_YOUR_ROLE)
    assert first_denial(ALLOW, first, second) is first
    assert first_denial(ALLOW, ALLOW) is first_denial() is ALLOW
    ALLOW.require()
    with pytest.raises(Refused, match=r"^half$") as refused:
        first.require()
    assert refused.value.verdict is first


def test_a_reason_of_right_is_about_who_asks() -> None:
    assert [one.value for one in Shut if one.of_right] == ["not_your_role"]
    assert [one.value for one in AuditReason if one.of_right] == ["readers_only"]
    assert len(RIGHTS) == 12


GUARD = Trigger("t_guard", "t", ("UPDATE", "DELETE"), "100 % it's kept")


def test_the_statements_for_sqlite() -> None:
    assert triggers._statements(GUARD, "sqlite") == [
        "DROP TRIGGER IF EXISTS t_guard_update",
        "CREATE TRIGGER t_guard_update BEFORE UPDATE ON t WHEN TRUE BEGIN SELECT RAISE(ABORT, '100 % it''s kept'); END",
        "DROP TRIGGER IF EXISTS t_guard_delete",
        "CREATE TRIGGER t_guard_delete BEFORE DELETE ON t WHEN TRUE BEGIN SELECT RAISE(ABORT, '100 % it''s kept'); END",
    ]


@pytest.mark.parametrize(
    ("events", "condition", "wanted"),
    [
        (("UPDATE", "DELETE"), "TRUE", [("update", "ROW", "NEW"), ("delete", "ROW", "OLD"), ("truncate", "STATEMENT", "NULL")]),
        (("DELETE",), "OLD.sealed", [("delete", "ROW", "OLD")]),
        (("INSERT", "UPDATE"), "TRUE", [("insert", "ROW", "NEW"), ("update", "ROW", "NEW")]),
    ],
)  # fmt: skip
def test_the_statements_for_postgresql(
    events: tuple[str, ...], condition: str, wanted: list[tuple[str, str, str]]
) -> None:
    """Rows that are never deleted are not truncated either; a sign for a value in the message is doubled, as is a quote."""
    made = triggers._statements(Trigger("g", "t", events, "100 % it's kept", condition), "postgresql")
    assert made == [
        statement
        for event, each, row in wanted
        for statement in (
            f"CREATE OR REPLACE FUNCTION g_{event}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF {condition} THEN "
            f"RAISE EXCEPTION '100 %% it''s kept' USING ERRCODE = 'integrity_constraint_violation'; END IF; "
            f"RETURN {row}; END $$",
            f"DROP TRIGGER IF EXISTS g_{event} ON t",
            f"CREATE TRIGGER g_{event} BEFORE {event.upper()} ON t FOR EACH {each} EXECUTE FUNCTION g_{event}()",
        )
    ]
