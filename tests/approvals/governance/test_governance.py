"""The frame: one writer, audit in the same transaction, separation of duties in rules and database."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection, models, transaction
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from approvals.audit.verify import Finding, verify
from approvals.decisions.models import Review, SignOff
from approvals.governance.governed import GovernanceBypassed
from approvals.governance.verdict import Refused
from projects.core.models import Membership, Project
from projects.core.selectors import visible_projects
from projects.core.services import member_add, member_end, project_create, project_move
from projects.workflow import MOVES, STATES, TERMINAL, Move, Role, State, moves_from

pytestmark = pytest.mark.django_db


def raw_sql(statement: str, *params) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, params)


def without_triggers() -> None:
    """What an attacker with the database's own password can do first."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("SELECT name FROM sqlite_master WHERE type='trigger' AND name LIKE 'audit_%'")
            for (name,) in cursor.fetchall():
                cursor.execute(f"DROP TRIGGER {name}")
    else:
        raw_sql("ALTER TABLE audit_auditevent DISABLE TRIGGER USER")


def test_a_direct_write_to_a_governed_model_raises(project):
    project.title = "changed"
    with pytest.raises(GovernanceBypassed):
        project.save()
    with pytest.raises(GovernanceBypassed):
        project.delete()
    for call in (
        lambda: Project.objects.update(title="x"),
        lambda: Project.objects.all().delete(),
        lambda: Project.objects.bulk_create([Project()]),
        lambda: Project.objects.bulk_update([project], ["title"]),
        lambda: Project.objects.create(title="x"),
        lambda: project.memberships.all().delete(),
    ):
        with pytest.raises(GovernanceBypassed):
            call()


def test_a_recording_that_fails_leaves_neither_write_nor_event(project, people):
    before = AuditEvent.objects.count()

    def write_and_fail():
        with recording("project.edited", by=people.planner):
            Project.objects.filter(pk=project.pk).update(title="half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_and_fail()
    project.refresh_from_db()
    assert project.title != "half"
    assert AuditEvent.objects.count() == before


def test_the_audit_log_refuses_change_in_orm_and_database(project):
    event = AuditEvent.objects.first()
    for call in (event.save, event.delete, AuditEvent.objects.all().delete):
        with pytest.raises(GovernanceBypassed):
            call()
    for statement in ("UPDATE audit_auditevent SET reason = 'x'", "DELETE FROM audit_auditevent"):
        with pytest.raises(DatabaseError), transaction.atomic():
            raw_sql(statement)


def test_a_sound_chain_verifies(project):
    result = verify()
    assert result.sound
    assert result.rows == AuditEvent.objects.count() > 5


@pytest.mark.parametrize(
    ("statement", "finding", "named"),
    [
        ("UPDATE audit_auditevent SET actor = 'somebody' WHERE seq = 4", Finding.ALTERED, {"seq": 4}),
        ("UPDATE audit_auditevent SET facts = '{}' WHERE seq = 12", Finding.ALTERED, {"seq": 12}),
        ("UPDATE audit_auditevent SET seq = 0 WHERE seq = 6", Finding.REORDERED, {"seq": 0}),
        ("DELETE FROM audit_auditevent WHERE seq = 5", Finding.REMOVED, {"first": 5, "last": 5}),
        ("DELETE FROM audit_auditevent WHERE seq > 10", Finding.CUT, {"first": 11}),
        ("UPDATE audit_audithead SET seq = 3", Finding.SEAL, {}),
    ],
)
def test_tampering_is_named(project, statement, finding, named):
    without_triggers()
    raw_sql(statement)
    faults = verify().faults
    assert any(f.kind == finding and named.items() <= f.params.items() for f in faults), faults


def test_exchanged_rows_are_named(project):
    without_triggers()
    raw_sql("UPDATE audit_auditevent SET seq = 100000 WHERE seq = 6")
    raw_sql("UPDATE audit_auditevent SET seq = 6 WHERE seq = 7")
    raw_sql("UPDATE audit_auditevent SET seq = 7 WHERE seq = 100000")
    kinds = {(f.kind, f.params.get("seq")) for f in verify().faults}
    assert (Finding.REORDERED, 6) in kinds
    assert (Finding.ALTERED, 6) in kinds


def test_one_person_has_one_role_for_all_time(project, people):
    executor = project.memberships.get(role=Role.EXECUTOR)
    member_end(executor, by=people.planner)
    with pytest.raises(Refused) as refused:
        member_add(project, user=people.executor, role=Role.SUPERVISOR, by=people.planner)
    assert refused.value.verdict.code == "role_is_final"
    with pytest.raises(DatabaseError), transaction.atomic():
        raw_sql("UPDATE core_membership SET role = 'supervisor' WHERE role = 'executor'")
    with pytest.raises(DatabaseError), transaction.atomic():
        raw_sql("DELETE FROM core_membership WHERE role = 'executor'")


def test_the_database_refuses_a_review_by_who_executed(project, people):
    """Even when the services are gone round, and for superusers too."""
    member_add(project, user=people.superuser, role=Role.EXECUTOR, by=people.planner)
    common = {"project_id": project.pk, "subject_kind": "plan", "subject_id": "1", "subject_hash": "0" * 64}
    for who in (people.executor, people.superuser):
        review = Review(
            **common, stage="objective", object="o", process="p", result="r", measures="m",
            outcome="passed", time=timezone.now(), submitted_by=people.planner, reviewed_by=who,
        )  # fmt: skip
        with pytest.raises(DatabaseError), transaction.atomic():
            models.Model.save(review)
        signoff = SignOff(
            **common, subject_label="plan", submitted_by=people.planner, decided_by=who,
            decided_at=timezone.now(), decision="approved", reason="r",
        )  # fmt: skip
        with pytest.raises(DatabaseError), transaction.atomic():
            models.Model.save(signoff)


def test_auditors_take_no_role_and_recipients_only_receive(project, people):
    for person, role in ((people.auditor, Role.SUPERVISOR), (people.assessor, Role.EXECUTOR)):
        with pytest.raises(Refused):
            member_add(project, user=person, role=role, by=people.planner)


def test_visibility(project, people):
    other = project_create(title="Another", by=people.outsider)
    for name in ("planner", "executor", "supervisor", "management"):
        assert list(visible_projects(getattr(people, name))) == [project], name
    assert set(visible_projects(people.auditor)) == {project, other}
    assert list(visible_projects(people.assessor)) == [project], "what they have an order for"
    for name in ("recipient", "superuser", "administrator"):
        assert not visible_projects(getattr(people, name)).exists(), name
    assert list(visible_projects(people.outsider)) == [other]


def test_an_assessor_sees_nothing_after_the_last_day(project, people):
    people.assessor.access_until = timezone.localdate() - timezone.timedelta(days=1)
    models.Model.save(people.assessor)
    assert not visible_projects(people.assessor).exists()


@pytest.mark.parametrize("move", Move)
def test_no_move_without_role(project, people, move):
    """From the first state nobody outside the team, and no superuser, can make any move."""
    for name in ("outsider", "superuser", "auditor", "assessor", "recipient", "administrator"):
        with pytest.raises(Refused):
            project_move(project, move=move, by=getattr(people, name), reason="because")
    project.refresh_from_db()
    assert project.state == State.OBJECTIVE_DRAFT


def test_the_tables_are_closed():
    assert set(STATES) == set(State)
    assert set(MOVES) == set(Move)
    for state in State:
        assert (not moves_from(state)) == (state in TERMINAL), state
    for rule in MOVES.values():
        assert Role.EXECUTOR not in rule.roles or not rule.move.value.startswith(
            ("pass", "approve", "return", "reject")
        )


def test_suspension_returns_where_it_came_from(project, people):
    project_move(project, move=Move.SUSPEND, by=people.supervisor, reason="doubt about the source")
    project.refresh_from_db()
    assert (project.state, project.suspended_from) == (State.SUSPENDED, State.OBJECTIVE_DRAFT)
    with pytest.raises(Refused):
        project_move(project, move=Move.RESUME, by=people.supervisor, reason=" ")
    project_move(project, move=Move.RESUME, by=people.supervisor, reason="cleared")
    project.refresh_from_db()
    assert (project.state, project.suspended_from) == (State.OBJECTIVE_DRAFT, "")


def test_membership_of_the_project_is_audited(project):
    added = AuditEvent.objects.filter(action="member.added", project_id=project.pk)
    assert added.count() == Membership.objects.filter(project=project).count() == 5
