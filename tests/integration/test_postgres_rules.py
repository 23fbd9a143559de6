"""The schema and its triggers on PostgreSQL, asked with plain SQL past everything in code."""

from __future__ import annotations

import uuid

import psycopg
import psycopg.sql
import pytest
from psycopg import errors

pytestmark = [pytest.mark.slow, pytest.mark.services]

REVIEW = (
    "INSERT INTO decisions_review (id, project_id, stage, subject_kind, subject_id, subject_hash, object, time, "
    "process, result, measures, outcome, submitted_by_id, reviewed_by_id, recorded_at, work_hash) VALUES "
    "(%s, %s, 'objective', 'plan', '1', 'h', 'o', now(), 'p', 'r', 'm', 'passed', %s, %s, now(), '')"
)
SIGNOFF = (
    "INSERT INTO decisions_signoff (id, project_id, subject_kind, subject_id, subject_label, subject_hash, "
    "submitted_by_id, submitted_at, needed, decision, decided_by_id, decided_at, reason, lapsed_why, work_hash) VALUES "
    "(%s, %s, %s, '1', 'l', 'h', %s, now(), 1, %s, %s, now(), 'r', '', '')"
)
MEMBER = (
    "INSERT INTO core_membership (project_id, user_id, role, since) VALUES (%s, %s, %s, now()) RETURNING id"
)


@pytest.fixture
def ids(portal):
    """The demo's people by their part, and a project in which nobody but its planner has a role yet."""
    found = portal.query("SELECT split_part(username, '.', 2), id FROM accounts_user")
    return dict(found) | {"project": portal.query("SELECT id FROM core_project")[0][0]}


@pytest.fixture(params=["deid", "postgres"])
def sql(request, portal):
    """A connection as the portal's own role, which owns the tables, and one as superuser."""
    with portal.postgres.connect(portal.database, user=request.param) as connection:
        yield connection


APPOINTED = (
    "INSERT INTO accounts_appointment (id, account_id, post, starts_on, reason, basis, given_at, status, decided_at, end_reason) "
    "VALUES (gen_random_uuid(), %s, %s, '2020-01-01', 'as ever', 'set_up', now(), 'confirmed', now(), '')"
)
"""That somebody holds a post, so that what is asked about is refused for its own reason."""


DEPUTATION = (
    "INSERT INTO accounts_deputation (id, account_id, post, deputy_id, begins_at, over_at, reason, given_by_id, given_at, "
    "status, end_reason) VALUES (gen_random_uuid(), %s, 'supervisor', %s, now() - interval '1 hour', "
    "now() + interval '1 hour', 'on leave', %s, now(), 'waits', '') RETURNING id"
)


def refused(sql: psycopg.Connection, message: str, statement: str, *values: object) -> None:
    with pytest.raises(errors.IntegrityConstraintViolation, match=message), sql.transaction():
        sql.execute(statement, values)


def test_migrations_are_whole_and_reach_every_table(portal):
    said = portal.ask("schema")["said"]
    assert "No changes" in said
    assert "[X] 0001_initial" in said
    assert "[ ]" not in said
    triggers = portal.query("SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal")
    assert triggers[0][0] >= 10
    types = dict(
        portal.query(
            "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'audit_auditevent'"
        )
    )
    assert (types["facts"], types["act"], types["at"]) == ("jsonb", "uuid", "timestamp with time zone")


def test_the_audit_log_is_append_only(sql):
    for statement in (
        "UPDATE audit_auditevent SET reason = 'x' WHERE seq = 1",
        "DELETE FROM audit_auditevent WHERE seq = 1",
        "TRUNCATE audit_auditevent",
    ):
        refused(sql, "append-only", statement)


def test_who_executes_neither_reviews_nor_approves(sql, ids):
    project, executor, planner = ids["project"], ids["executor"], ids["planner"]
    sql.execute(MEMBER, (project, executor, "executor"))
    duty = "who executes a project"
    refused(sql, duty, REVIEW, uuid.uuid4(), project, planner, executor)
    refused(sql, duty, SIGNOFF, uuid.uuid4(), project, "plan", planner, "approved", executor)
    # By somebody else it is possible, and cannot be rewritten afterwards.
    review, signoff = uuid.uuid4(), uuid.uuid4()
    sql.execute(REVIEW, (review, project, planner, ids["supervisor"]))
    sql.execute(SIGNOFF, (signoff, project, "plan", planner, "approved", ids["management"]))
    refused(sql, duty, "UPDATE decisions_review SET reviewed_by_id = %s WHERE id = %s", executor, review)
    refused(sql, duty, "UPDATE decisions_signoff SET decided_by_id = %s WHERE id = %s", executor, signoff)


def test_who_judged_does_not_become_executor(sql, ids):
    project, planner = ids["project"], ids["planner"]
    sql.execute(REVIEW, (uuid.uuid4(), project, planner, ids["supervisor"]))
    sql.execute(SIGNOFF, (uuid.uuid4(), project, "plan", planner, "returned", ids["management"]))
    for judge in ("supervisor", "management"):
        refused(sql, "does not execute it", MEMBER, project, ids[judge], "executor")


def test_a_role_is_never_exchanged_or_removed(sql, ids):
    project, executor = ids["project"], ids["executor"]
    sql.execute(APPOINTED, (executor, "supervisor"))
    member = sql.execute(MEMBER, (project, executor, "executor")).fetchone()[0]
    update = "UPDATE core_membership SET role = %s, user_id = %s WHERE id = %s"
    refused(sql, "never exchanged", update, "supervisor", executor, member)
    refused(sql, "never exchanged", update, "executor", ids["supervisor"], member)
    refused(sql, "never deleted", "DELETE FROM core_membership WHERE id = %s", member)
    refused(sql, "never deleted", "TRUNCATE core_membership CASCADE")
    sql.execute("UPDATE core_membership SET ended_at = now() WHERE id = %s", (member,))
    with pytest.raises(errors.UniqueViolation):
        sql.execute(MEMBER, (project, executor, "supervisor"))


def test_a_deputy_reviews_while_in_force_only_and_says_so(sql, ids):
    project, member, deputy = ids["project"], ids["supervisor"], ids["management"]
    for person in (member, deputy):
        sql.execute(APPOINTED, (person, "supervisor"))
    sql.execute(MEMBER, (project, member, "supervisor"))
    in_stead = REVIEW.replace("work_hash)", "work_hash, in_stead_of_id)").replace("'')", "'', %s)")

    def review(stead):
        return in_stead, uuid.uuid4(), project, ids["planner"], deputy, stead

    outside = "is their deputy at that moment"
    refused(sql, outside, *review(member))
    given = sql.execute(DEPUTATION, (member, deputy, member)).fetchone()[0]
    refused(sql, outside, *review(member))
    confirm = "UPDATE accounts_deputation SET status = 'confirmed', decided_at = now(), decided_by_id = %s WHERE id = %s"
    sql.execute(confirm, (ids["executor"], given))
    query, *values = review(member)
    sql.execute(query, values)
    refused(sql, outside, *review(None))
    refused(sql, "takes no other role", MEMBER, project, deputy, "recipient")
    moved = "UPDATE accounts_deputation SET over_at = now() + interval '9 days' WHERE id = %s"
    refused(sql, "never changes", moved, given)
    ended = "UPDATE accounts_deputation SET status = 'ended', ended_at = now(), ended_by_id = %s, end_reason = 'x' WHERE id = %s"
    sql.execute(ended, (member, given))
    refused(sql, outside, *review(member))


def test_accounts_of_one_person_count_as_one(sql, ids):
    project, planner, second = ids["project"], ids["planner"], ids["supervisor"]
    sql.execute(MEMBER, (project, ids["executor"], "executor"))
    sql.execute(
        "UPDATE accounts_user SET person_id = %s WHERE id IN (%s, %s)", (second, second, ids["executor"])
    )
    refused(sql, "one role in a project", MEMBER, project, second, "supervisor")
    refused(sql, "who executes a project", REVIEW, uuid.uuid4(), project, planner, second)
    refused(
        sql, "who executes a project", SIGNOFF, uuid.uuid4(), project, "plan", planner, "approved", second
    )
    boss = ids["management"]
    sql.execute("UPDATE accounts_user SET person_id = %s WHERE id IN (%s, %s)", (boss, boss, planner))
    refused(sql, "under another account", REVIEW, uuid.uuid4(), project, planner, boss)
    refused(sql, "under another account", SIGNOFF, uuid.uuid4(), project, "plan", planner, "approved", boss)


def test_accounts_linked_later_do_not_stop_a_lapse(sql, ids):
    project, planner, boss = ids["project"], ids["planner"], ids["management"]
    review, signoff = uuid.uuid4(), uuid.uuid4()
    sql.execute(REVIEW, (review, project, planner, ids["supervisor"]))
    sql.execute(SIGNOFF, (signoff, project, "plan", planner, "approved", boss))
    people = (boss, ids["supervisor"], planner)
    sql.execute("UPDATE accounts_user SET person_id = %s WHERE id IN (%s, %s, %s)", (boss, *people))
    sql.execute(
        "UPDATE decisions_signoff SET lapsed_at = now(), lapsed_why = 'content changed' WHERE id = %s",
        (signoff,),
    )
    sql.execute("UPDATE decisions_review SET measures = 'more' WHERE id = %s", (review,))
    other = "UPDATE decisions_signoff SET decided_by_id = %s WHERE id = %s"
    refused(sql, "under another account", other, ids["supervisor"], signoff)


SAMPLE = (
    "INSERT INTO findings_receivedsample (id, release_id, recipient_id, number, file, rows, size, seed, drawn_at, outcome, "
    "inside, is_cut, shown_rows, pages_seen, looked) "
    "VALUES (%s, %s, %s, 1, 0, 9, 3, 'ff', now(), 'open', false, false, 0, '[]', 0)"
)
REMEDY = (
    "INSERT INTO findings_recipientremedy (id, deviation_id, kind, text, done_on, recorded_by_id, recorded_at, state, reason, "
    "stead_reason) VALUES (%s, %s, 'deleted', 'x', now(), %s, now(), 'waiting', '', '')"
)
IN_STEAD = REMEDY.replace("'', '')", "'', 'gone')")
CONFIRM = "UPDATE findings_recipientremedy SET state = 'confirmed', reason = 'r', decided_at = now(), decided_by_id = %s"


def test_what_a_recipient_found_is_closed_after_a_supervisor_has_confirmed_the_remedy(sql, ids):
    """Rows that a foreign key asks for are missing until the end of a transaction that is never committed."""
    with sql.transaction(force_rollback=True):
        _found_and_closed(sql, ids)


def _found_and_closed(sql, ids):
    release, sample, ticket, deviation = (uuid.uuid4() for _ in range(4))
    project, recipient, supervisor = ids["project"], ids["recipient"], ids["supervisor"]
    refused(sql, "who fetched the release", SAMPLE, sample, release, recipient)
    sql.execute(
        "INSERT INTO releases_delivery (id, release_id, recipient_id, status, notice_acknowledged_at, requested_at, verified_at, "
        "fetched_at) VALUES (%s, %s, %s, 'fetched', now(), now(), now(), now())",
        (uuid.uuid4(), release, recipient),
    )
    sql.execute(SAMPLE, (sample, release, recipient))
    found = "INSERT INTO findings_sampledeviation (id, sample_id, kind, text, ticket_id) VALUES (%s, %s, 'other', 'x', %s)"
    refused(sql, "becomes a finding", found, deviation, sample, ticket)
    sql.execute(
        "INSERT INTO findings_finding (id, project_id, number, source, origin_id, stage, severity, title, description, "
        "raised_by_id, raised_at, owner_id, due_on, status) VALUES (%s, %s, 901, 'received', %s, 'release', 'minor', 't', 'd', "
        "%s, now(), %s, now(), 'acted')",
        (ticket, project, sample, recipient, ids["planner"]),
    )
    sql.execute(found, (deviation, sample, ticket))
    close = (
        "UPDATE findings_finding SET status = 'closed', closed_at = now(), closed_by_id = %s WHERE id = %s"
    )
    refused(sql, "what they did is confirmed", close, ids["management"], ticket)
    refused(sql, "the recipient who found it", REMEDY, uuid.uuid4(), deviation, ids["planner"])
    refused(sql, "inactive or no recipient any more", IN_STEAD, uuid.uuid4(), deviation, recipient)
    sql.execute(REMEDY, (uuid.uuid4(), deviation, recipient))
    refused(sql, "a supervisor decides", CONFIRM, ids["management"])
    sql.execute(MEMBER, (project, supervisor, "supervisor"))
    sql.execute(CONFIRM, (supervisor,))
    refused(sql, "as it was stated", "UPDATE findings_recipientremedy SET text = 'y'")
    sql.execute(close, (ids["management"], ticket))


TAMPERING = [
    ("UPDATE audit_auditevent SET actor = 'somebody' WHERE seq = 2", "Row 2 was altered"),
    ("UPDATE audit_auditevent SET facts = facts || '{\"x\": 1}' WHERE seq = 4", "Row 4 was altered"),
    ("DELETE FROM audit_auditevent WHERE seq = 6", "Rows 6 to 6 were removed"),
    ("UPDATE audit_auditevent SET seq = 0 WHERE seq = 8", "Row 0 does not follow"),
    ("DELETE FROM audit_auditevent WHERE seq >= 10", "The end of the log was cut off: rows 10 to"),
]


def test_tampering_by_the_superuser_is_found_and_named(portal):
    """With the triggers switched off: every row that was touched is named, and no other."""
    rows = portal.query("SELECT max(seq) FROM audit_auditevent")[0][0]
    assert f"{rows} rows, chain and seals sound" in portal.run("manage.py", "audit_verify")
    with portal.postgres.connect(portal.database) as sql:
        sql.execute("ALTER TABLE audit_auditevent DISABLE TRIGGER USER")
        for statement, _named in TAMPERING:
            sql.execute(statement)
    found = portal.run("manage.py", "audit_verify", fails=True)
    for _statement, named in TAMPERING:
        assert named in found, found
    assert not [row for row in (1, 3, 5, 7, 9) if f"Row {row} " in found], found


GRANTS = """
    DROP ROLE IF EXISTS deid_app;
    CREATE ROLE deid_app LOGIN PASSWORD {password};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO deid_app;
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO deid_app;
    REVOKE UPDATE, DELETE ON audit_auditevent FROM deid_app;
"""


def test_a_role_with_rights_on_rows_only_is_enough(portal):
    """As docs/how-to/operations.md advises: the portal works, and cannot switch its own triggers off."""
    server = portal.postgres
    with server.connect(portal.database) as sql:
        sql.execute(psycopg.sql.SQL(GRANTS).format(password=psycopg.sql.Literal(server.password)))
    portal.env["DATABASE_URL"] = server.url(portal.database).replace(f"//{server.role}:", "//deid_app:")
    assert portal.ask("race_projects", "2")["outcomes"] == ["done", "done"]
    with server.connect(portal.database, user="deid_app") as sql:
        for statement in (
            "ALTER TABLE audit_auditevent DISABLE TRIGGER USER",
            "ALTER TABLE core_membership DISABLE TRIGGER USER",
            "UPDATE audit_auditevent SET reason = 'x'",
            "TRUNCATE audit_auditevent",
            "SET session_replication_role = replica",
        ):
            with pytest.raises(errors.InsufficientPrivilege):
                sql.execute(statement)
