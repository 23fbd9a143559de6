"""Duties are a natural person's: what one account did counts for the person's other accounts."""

from __future__ import annotations

import ast

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, models, transaction
from django.db.models.signals import pre_migrate
from django.urls import reverse
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.decisions.models import Decision, Review, ReviewOutcome, SignOff
from approvals.decisions.services import review_record, signoff_decide, signoff_request, signoffs_lapse_stale
from approvals.governance.draft import Subject
from approvals.governance.triggers import ensure_registered, lift_registered
from approvals.governance.verdict import Refused
from deid_portal.accounts.models import User
from deid_portal.accounts.persons import accounts_of, person_link, person_unlink
from deid_portal.accounts.services import user_create
from projects.core.models import Membership
from projects.core.rules import has_role
from projects.core.services import member_add, member_end
from projects.workflow import Role
from projects.workflow.posts import AppointedPost
from tests.conftest import ROOT

pytestmark = pytest.mark.django_db
BACKEND = "deid_portal.accounts.backends.AccountBackend"


def account(name):
    return user_create(
        username=name,
        password="correct-horse-battery",
        full_name=name.title(),
        appointed=(AppointedPost.SUPERVISOR,),
        by=None,
    )


@pytest.fixture
def successor(people):
    """The executor's new account after a change of post."""
    made = account("successor")
    person_link(made, people.executor, reason="A new post.", by=people.administrator)
    return User.objects.get(pk=made.pk)


def refused(code):
    return pytest.raises(Refused, match=f"^{code}$")


def test_another_account_takes_no_other_role(project, people, successor):
    for role in (Role.SUPERVISOR, Role.MANAGEMENT, Role.PLANNER, Role.RECIPIENT):
        with refused("same_person"):
            member_add(project, user=successor, role=role, by=people.planner)
    member_end(project.memberships.get(role=Role.EXECUTOR), by=people.planner)
    with refused("same_person"):
        member_add(project, user=successor, role=Role.SUPERVISOR, by=people.planner)
    member_add(project, user=successor, role=Role.EXECUTOR, by=people.planner)
    assert has_role(successor, project, Role.EXECUTOR)


def test_who_turns_out_to_be_the_same_person_judges_no_more(project, people):
    second = account("second")
    member_add(project, user=second, role=Role.SUPERVISOR, by=people.planner)
    assert has_role(second, project, Role.SUPERVISOR)
    found = person_link(second, people.executor, reason="Seen in person.", by=people.administrator)
    assert found == [project.number]
    second = User.objects.get(pk=second.pk)
    verdict = has_role(second, project, Role.SUPERVISOR)
    assert verdict.code == "same_person"
    assert str(people.executor) in verdict.text
    assert has_role(people.supervisor, project, Role.SUPERVISOR)
    assert has_role(User.objects.get(pk=people.executor.pk), project, Role.EXECUTOR)


def test_the_database_refuses_it_below_the_rules(project, people, successor):
    common = {"project_id": project.pk, "subject_kind": "plan", "subject_id": "1", "subject_hash": "0" * 64}
    planners = account("planners")
    person_link(planners, people.planner, reason="A new post.", by=people.administrator)
    for who in (successor, planners):
        rows = [
            Review(
                **common, stage="objective", object="o", process="p", result="r", measures="m",
                outcome="passed", time=timezone.now(), submitted_by=people.planner, reviewed_by=who,
            ),
            SignOff(
                **common, subject_label="plan", submitted_by=people.planner, decided_by=who,
                decided_at=timezone.now(), decision="approved", reason="r",
            ),
        ]  # fmt: skip
        for row in rows:
            with pytest.raises(DatabaseError), transaction.atomic():
                models.Model.save(row)
    with pytest.raises(DatabaseError), transaction.atomic():
        models.Model.save(Membership(project=project, user=successor, role="supervisor"), force_insert=True)
    models.Model.save(Membership(project=project, user=successor, role="executor"), force_insert=True)


@pytest.mark.parametrize("found", ["submitter", "executor"])
def test_what_was_judged_before_a_link_can_still_lapse(project, people, found):
    """The past is not refused after the fact; another judge or submitter than before is."""
    signoff = signoff_request(
        project_id=project.pk, subject=Subject("plan", "1", "plan", "0" * 64), by=people.planner
    )
    signoff = signoff_decide(signoff, decision=Decision.APPROVED, reason="Seen.", by=people.management)
    review = review_record(
        project_id=project.pk, stage="objective", subject=Subject("plan", "1", "plan", "0" * 64), object="o",
        time=timezone.now(), process="p", result="r", measures="m", outcome=ReviewOutcome.PASSED,
        submitted_by=people.planner, by=people.supervisor,
    )  # fmt: skip
    other = people.planner if found == "submitter" else people.executor
    for judge in (people.management, people.supervisor):
        person_link(judge, other, reason="Seen in person.", by=people.administrator)
    assert signoffs_lapse_stale(project_id=project.pk, kind="plan", current_hash="1" * 64, by=people.planner)
    signoff.refresh_from_db()
    assert signoff.lapsed_at is not None
    models.Model.save(review, update_fields=["measures"])
    # Nor does it come to vouch for anything else.
    for row, changed in (
        (review, {"subject_hash": "1" * 64}),
        (review, {"outcome": ReviewOutcome.RETURNED}),
        (signoff, {"subject_hash": "1" * 64}),
        (signoff, {"decision": Decision.RETURNED}),
        (signoff, {"lapsed_at": None, "lapsed_why": ""}),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            models.QuerySet(type(row)).filter(pk=row.pk).update(**changed)
    clerk = account("clerk")
    for row, judge in ((signoff, "decided_by"), (review, "reviewed_by")):
        setattr(row, judge, clerk)
        models.Model.save(row)
        setattr(row, judge, people.supervisor if judge == "decided_by" else people.management)
        with pytest.raises(DatabaseError), transaction.atomic():
            models.Model.save(row)


def test_a_decision_that_is_entered_later_is_refused_as_one_at_once(project, people):
    signoff = signoff_request(
        project_id=project.pk, subject=Subject("plan", "1", "plan", "0" * 64), by=people.planner
    )
    person_link(people.management, people.planner, reason="Seen in person.", by=people.administrator)
    with pytest.raises(DatabaseError, match="under another account"), transaction.atomic():
        signoff_decide(signoff, decision=Decision.APPROVED, reason="Seen.", by=people.management)
    with pytest.raises(DatabaseError, match="who executes a project"), transaction.atomic():
        signoff_decide(signoff, decision=Decision.APPROVED, reason="Seen.", by=people.executor)


def test_accounts_without_a_link_are_different_people(project, people):
    member_add(project, user=account("one"), role=Role.SUPERVISOR, by=people.planner)
    member_add(project, user=account("two"), role=Role.EXECUTOR, by=people.planner)


def test_groups_are_joined_and_taken_apart(people):
    one, two, three, four = (account(name) for name in ("one", "two", "three", "four"))
    by = people.administrator

    def others(user):
        return {other.username for other in accounts_of(User.objects.get(pk=user.pk))}

    person_link(one, two, reason="r", by=by)
    person_link(three, four, reason="r", by=by)
    person_link(one, four, reason="r", by=by)
    assert others(two) == {"one", "three", "four"}
    person = User.objects.get(pk=one.pk).person
    person_unlink(person, reason="r", by=by)
    assert others(person) == set()
    rest = {"one", "two", "three", "four"} - {person.username}
    assert all(others(User.objects.get(username=name)) == rest - {name} for name in rest)
    with refused("not_linked"):
        person_unlink(person, reason="r", by=by)
    for name in sorted(rest)[:2]:
        person_unlink(User.objects.get(username=name), reason="r", by=by)
    assert not User.objects.filter(person__isnull=False).exists()
    assert AuditEvent.objects.filter(action="user.unlinked").count() == 3


def test_administrators_link_other_peoples_accounts(people, client):
    made = account("made")
    url = reverse("accounts:account_person", kwargs={"user_id": made.pk})
    data = {"person-other": people.executor.pk, "person-reason": "A new post."}
    client.force_login(people.planner, backend=BACKEND)
    assert client.post(url, data).status_code == 403
    client.force_login(people.administrator, backend=BACKEND)
    client.post(url, {**data, "person-reason": ""})
    assert User.objects.get(pk=made.pk).person is None
    assert client.post(url, data).status_code == 302
    assert User.objects.get(pk=made.pk).is_same_person(User.objects.get(pk=people.executor.pk))
    page = client.get(reverse("accounts:account", kwargs={"user_id": made.pk})).content.decode()
    assert people.executor.username in page
    assert AuditEvent.objects.get(action="user.linked").reason == "A new post."
    end = reverse("accounts:account_person_end", kwargs={"user_id": made.pk})
    assert client.post(end, {"unlink-reason": "Mistaken."}).status_code == 302
    assert User.objects.get(pk=made.pk).person is None
    with refused("not_yourself"):
        person_link(people.administrator, made, reason="r", by=people.administrator)
    with refused("same_account"):
        person_link(made, made, reason="r", by=people.administrator)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL alters tables in place")
def test_migrations_run_without_the_triggers_and_end_with_them(people):
    """SQLite renames no rebuilt table that a trigger of another table speaks of."""

    def triggers():
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%accounts_user%'"
            )
            return cursor.fetchone()[0]

    before = triggers()
    assert before
    lift_registered(using="default", plan=[])
    assert triggers() == before
    lift_registered(using="default", plan=["something"])
    assert triggers() == 0
    ensure_registered(using="default")
    assert triggers() == before
    assert any(
        lift_registered is receiver
        for receiver in pre_migrate._live_receivers(apps.get_app_config("core"))[0]
    )


def test_who_acts_has_a_type():
    """``by`` and ``user`` are the most important arguments of a governed system: none of them is ``Any``."""
    untyped = [
        f"{path.relative_to(ROOT)}:{argument.lineno}"
        for package in ("approvals", "deid_portal", "projects")
        for path in sorted((ROOT / package).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.arguments)
        for argument in (*node.posonlyargs, *node.args, *node.kwonlyargs)
        if argument.arg in ("by", "user")
        and argument.annotation
        and ast.unparse(argument.annotation) == "Any"
    ]
    assert untyped == []
