"""Who holds which post: two administrators of two origins, from a day to a day, and nothing counts before."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from approvals.audit.verify import verify
from approvals.governance.triggers import lift, registered
from approvals.governance.verdict import Refused
from deid_portal.accounts.appointments import rules
from deid_portal.accounts.appointments.enums import AppointmentStatus, Basis
from deid_portal.accounts.appointments.events import TAKEN_OVER
from deid_portal.accounts.appointments.services import (
    appointment_decide,
    appointment_end,
    appointment_give,
    posts_take_over,
)
from deid_portal.accounts.appointments.taking_over import posts_take_over_if_proved
from deid_portal.accounts.models import Appointment, User
from deid_portal.accounts.persons import person_link
from deid_portal.accounts.services import user_create
from projects.core.models import Membership, Notification
from projects.core.rules import has_role, may_join
from projects.core.services import member_add, project_create
from projects.workflow import Role
from projects.workflow.posts import AppointedPost, Post, TenureKind
from tests.deid_portal.accounts.test_accounts import BACKEND
from tests.projects.rows import account, allowed, appoint, change, refused

pytestmark = pytest.mark.django_db
SUPERVISOR, ADMINISTRATOR = AppointedPost.SUPERVISOR, AppointedPost.ADMINISTRATOR


def START(people):
    people.second = user_create(
        username="second", password=None, full_name="Second", post=Post.ADMINISTRATOR, by=None
    )
    return people


@pytest.fixture
def second(own_start):
    return own_start.story.second


def today(days=0):
    return timezone.localdate() + timedelta(days=days)


def give(account, by, post=SUPERVISOR, *, first=0, last=None):
    ends = None if last is None else today(last)
    return appointment_give(account, post=post, starts_on=today(first), ends_on=ends, reason="elected", by=by)


def fresh(row):
    return type(row).objects.get(pk=row.pk)


def code(act, *arguments, **more):
    with pytest.raises(Refused) as refusal:
        act(*arguments, **more)
    return refusal.value.verdict.code


def test_two_administrators_appoint_and_a_planner_picks_only_then(people, second):
    project = project_create(title="Visits", by=people.planner)
    assert may_join(people.executor, project, Role.SUPERVISOR).code == "not_appointed"
    given = give(people.executor, people.administrator)
    assert may_join(people.executor, project, Role.SUPERVISOR).code == "appointment_unconfirmed"
    assert not people.executor.holds(SUPERVISOR)
    assert code(appointment_decide, given, confirm=True, by=people.administrator) == "given_by_you"
    appointment_decide(given, confirm=True, by=second)
    assert people.executor.holds(SUPERVISOR)
    member_add(project, user=people.executor, role=Role.SUPERVISOR, by=people.planner)
    said = AuditEvent.objects.filter(action__startswith="appointment.").exclude(action="appointment.set_up")
    assert [(one.action, one.actor) for one in said.order_by("seq")] == [
        ("appointment.given", str(people.administrator)),
        ("appointment.confirmed", str(second)),
    ]
    assert code(appointment_decide, given, confirm=False, by=second) == "appointment_decided"


def test_nobody_confirms_through_an_account_that_they_made(people, second):
    """The account itself was confirmed by two; its first password was in one hand all the same."""
    puppet = user_create(
        username="puppet", password=None, full_name="Puppet", post=Post.ADMINISTRATOR, by=people.administrator
    )
    assert not puppet.holds(ADMINISTRATOR)
    given = give(people.executor, people.administrator)
    assert code(appointment_decide, given, confirm=True, by=puppet) == "not_appointed_administrator"
    appointment_decide(Appointment.objects.get(account=puppet), confirm=True, by=second)
    puppet = fresh(puppet)
    assert puppet.holds(ADMINISTRATOR)
    assert code(appointment_decide, given, confirm=True, by=puppet) == "one_hand"
    # The other way round, and through one account more.
    through = give(people.management, puppet)
    assert code(appointment_decide, through, confirm=True, by=people.administrator) == "one_hand"
    puppets = user_create(
        username="puppets", password=None, full_name="Puppet's", post=Post.ADMINISTRATOR, by=puppet
    )
    assert puppets.origin == people.administrator
    appointment_decide(Appointment.objects.get(account=puppets), confirm=True, by=second)
    assert code(appointment_decide, given, confirm=True, by=fresh(puppets)) == "one_hand"
    with refused("goes back to who gave"):
        change(given, status="confirmed", decided_by_id=puppets.pk, decided_at=timezone.now())
    with refused("written once"):
        change(puppets, origin_id=second.pk)
    appointment_decide(given, confirm=True, by=second)


def test_nobody_confirms_as_another_account_of_their_own_or_for_themselves(people, second):
    person_link(second, people.administrator, reason="one person", by=user_create(
        username="third", password=None, full_name="Third", post=Post.ADMINISTRATOR, by=None
    ))  # fmt: skip
    given = give(people.executor, people.administrator)
    assert code(appointment_decide, given, confirm=True, by=fresh(second)) == "given_by_you"
    with refused("gave themselves|goes back to who gave"):
        change(given, status="confirmed", decided_by_id=second.pk, decided_at=timezone.now())
    own = give(second, User.objects.get(username="third"), ADMINISTRATOR)
    assert code(appointment_decide, own, confirm=True, by=fresh(second)) == "own_appointment"


def test_what_nobody_may_confirm_they_may_turn_down(people, second):
    """Their own appointment, and what another account of theirs gave: the database refuses the one and not the other."""
    given, own = (
        give(people.executor, people.administrator),
        give(second, people.administrator, ADMINISTRATOR),
    )
    other, holder = account(people.administrator), account(second, post=Post.ADMINISTRATOR)
    now = timezone.now()
    for row, who in ((given, other), (own, second), (own, holder)):
        with refused("nobody confirms"):
            change(row, status="confirmed", decided_by=who, decided_at=now)
        with allowed():
            change(row, status="turned_down", decided_by=who, decided_at=now)
    with allowed():
        change(given, status="confirmed", decided_by=people.planner, decided_at=now)
    # Who is found to be one person afterwards does not undo it, and nobody gave what was there from the beginning.
    change(given, status="confirmed", decided_by=people.planner, decided_at=now)
    account(people.executor)
    change(people.planner, person_id=User.objects.get(pk=people.executor.pk).person_id)
    with allowed():
        change(given, end_reason="")
    with allowed():
        appointment = appoint(people.executor, ADMINISTRATOR, status="waits", decided_at=None)
        change(appointment, status="confirmed", decided_by=people.executor, decided_at=now)


def test_the_database_lets_nothing_given_be_confirmed_by_one(people):
    given = give(people.executor, people.administrator)
    with pytest.raises(IntegrityError), transaction.atomic():
        change(given, status="confirmed", decided_by_id=people.administrator.pk, decided_at=timezone.now())
    with refused("waits for a second one"):
        appoint(people.executor, SUPERVISOR, basis=Basis.GIVEN, given_by=people.administrator)
    for new in ({"post": "management"}, {"ends_on": today(9)}, {"starts_on": today(-9)}):
        with refused("never changes"):
            change(given, **new)


def test_a_post_to_come_is_none_yet_and_says_from_when(people, second):
    project = project_create(title="Visits", by=people.planner)
    given = give(people.executor, people.administrator, first=10, last=20)
    appointment_decide(given, confirm=True, by=second)
    verdict = may_join(people.executor, project, Role.SUPERVISOR)
    assert (verdict.code, verdict.params["day"]) == ("appointment_to_come", today(10).isoformat())
    # What is to come does not stand in the way of another appointment for the days before, and is found when its day is there.
    between = give(people.executor, people.administrator, last=5)
    appointment_decide(between, confirm=False, by=people.administrator)
    for days, kind in ((0, TenureKind.TO_COME), (10, TenureKind.IN_FORCE), (21, TenureKind.OVER)):
        with pytest.MonkeyPatch.context() as moved:
            day = today(days)
            moved.setattr(timezone, "localdate", lambda *_value, day=day: day)
            assert people.executor.tenure(SUPERVISOR).kind == kind
            assert people.executor.holds(SUPERVISOR) == (kind == TenureKind.IN_FORCE)


def test_who_holds_the_post_no_more_sees_the_project_and_acts_no_more(people, project):
    held = people.supervisor.appointments.get()
    assert has_role(people.supervisor, project, Role.SUPERVISOR)
    assert code(appointment_end, held, reason="", by=people.administrator) == "reason_needed"
    appointment_end(held, reason="left the audit", by=people.administrator)
    verdict = has_role(people.supervisor, project, Role.SUPERVISOR)
    assert (verdict.code, verdict.params["day"]) == ("appointment_over", today().isoformat())
    client = signed_in(people.supervisor)
    assert client.get(reverse("core:project", args=[project.pk])).status_code == 200
    assert code(appointment_end, held, reason="again", by=people.administrator) == "appointment_not_confirmed"


def test_each_kind_of_account_is_open_to_its_own_posts_from_days_that_are_not_over(people):
    assert rules.may_appoint(
        people.administrator, people.recipient, SUPERVISOR, starts_on=today(), ends_on=None
    ).code == ("post_not_for_account")
    late = rules.may_appoint(
        people.administrator, people.executor, SUPERVISOR, starts_on=today(-9), ends_on=today(-1)
    )
    turned = rules.may_appoint(
        people.administrator, people.executor, SUPERVISOR, starts_on=today(9), ends_on=today(8)
    )
    assert (late.code, turned.code) == ("days_over", "days_over")
    give(people.executor, people.administrator)
    assert code(give, people.executor, people.administrator) == "appointment_waits"
    assert code(give, people.administrator, people.administrator, ADMINISTRATOR) == "not_yourself"
    assert code(give, people.executor, people.planner) == "not_an_administrator"


def test_an_account_made_by_one_administrator_reads_nothing_until_another_confirms(people, second):
    auditor = user_create(
        username="newcomer", password=None, full_name="New", post=Post.AUDITOR, by=people.administrator
    )
    assert not auditor.reads_all_projects
    appointment_decide(Appointment.objects.get(account=auditor), confirm=True, by=second)
    assert fresh(auditor).reads_all_projects


@pytest.fixture
def older(people, project, second):
    """The rows as they were before there were appointments."""
    made = user_create(
        username="made", password=None, full_name="Made", post=Post.ADMINISTRATOR, by=people.administrator
    )
    with transaction.atomic():
        lift(*registered())
        with recording(TAKEN_OVER, by=None, count=0):
            Appointment.objects.all().delete()
            for account in User.objects.exclude(origin=None):
                account.origin = None
                account.save(update_fields=["origin"])
        yield made
        transaction.set_rollback(True)


def test_posts_are_taken_over_only_where_the_log_explains_who_held_them(older, project, people, caplog):
    """A role that somebody wrote past the log is no post; the log stays as broken as it is, and as easily found."""
    role = Membership.objects.get(project=project, user=people.executor)
    change(role, role="management")
    assert posts_take_over_if_proved() == 0
    assert "nobody was taken over" in caplog.text
    assert not Appointment.objects.exists()
    assert [fault.params.get("id") for fault in verify().faults][:1] == [str(role.pk)]
    change(role, role="executor")
    assert posts_take_over_if_proved() == Appointment.objects.count() > 0
    assert not verify().faults
    assert posts_take_over_if_proved() == 0


def test_no_posts_are_taken_over_while_a_migration_is_to_come(older):
    ((_app, newest),) = MigrationLoader(connection).graph.leaf_nodes("accounts")
    MigrationRecorder(connection).record_unapplied("accounts", newest)
    assert posts_take_over_if_proved() == 0
    MigrationRecorder(connection).record_applied("accounts", newest)
    assert posts_take_over_if_proved() > 0


def test_an_older_portal_keeps_its_people_and_the_log_says_what_that_means(older, people, project):
    made, count = older, posts_take_over()
    held = {(one.account.username, one.post) for one in Appointment.objects.select_related("account")}
    assert len(held) == count
    assert {("supervisor", "supervisor"), ("management", "management"), ("planner", "planner")} <= held
    assert ("executor", "supervisor") not in held
    assert {("auditor", "auditor"), ("assessor", "assessor"), ("administrator", "administrator")} <= held
    assert set(Appointment.objects.values_list("basis", "status")) == {
        (Basis.TAKEN_OVER, AppointmentStatus.CONFIRMED)
    }
    assert has_role(people.supervisor, project, Role.SUPERVISOR)
    assert fresh(made).origin == people.administrator, "the log knows who made it"
    assert AuditEvent.objects.order_by("-seq")[0].facts["count"] == count
    assert posts_take_over() == 0
    assert not verify().faults


def signed_in(person):
    client = Client(headers={"accept-language": "en"})
    client.force_login(person, backend=BACKEND)
    return client


def test_the_pages_of_two_administrators(people, second, django_capture_on_commit_callbacks):
    first, other = signed_in(people.administrator), signed_in(second)
    page = reverse("accounts:account", args=[people.executor.pk])
    sent = {"post-post": "supervisor", "post-starts_on": today().isoformat(), "post-reason": "elected"}
    with django_capture_on_commit_callbacks(execute=True):
        assert first.post(reverse("accounts:appointment_give", args=[people.executor.pk]), sent).url == page
    assert Notification.objects.filter(user=second, action="appointment.waits").exists()
    given = Appointment.objects.get(status="waits")
    decide = reverse("accounts:appointment_decide", args=[given.pk])
    listed = reverse("accounts:appointments")
    assert "You made this appointment yourself" in first.get(listed).content.decode()
    assert first.post(decide, {"confirm": "yes"}).status_code == 403
    assert "Confirm the appointment of Executor Person" in other.get(reverse("core:home")).content.decode()
    assert other.post(decide).status_code == 400, "a decision that does not say which is none"
    assert other.post(decide, {"confirm": "yes"}).url == listed
    assert "In force" in first.get(page).content.decode()
    end = reverse("accounts:appointment_end", args=[given.pk])
    first.post(end, {f"end-{given.pk}-reason": "moved"})
    assert fresh(given).status == AppointmentStatus.ENDED


def test_the_team_page_offers_holders_and_says_why_not_the_others(people, second):
    project = project_create(title="Visits", by=people.planner)
    appointment_decide(give(people.executor, people.administrator, first=10), confirm=True, by=second)
    shown = signed_in(people.planner).get(reverse("core:members", args=[project.pk]))
    offered = {key for key, _label in shown.context["team_form"].fields["supervisor"].choices}
    assert str(people.supervisor.pk) in offered
    assert str(people.executor.pk) not in offered
    assert f"Executor Person as Supervisor begins on {today(10).isoformat()}" in shown.content.decode()
    one = signed_in(people.planner).post(
        reverse("core:members", args=[project.pk]), {"user": people.executor.pk, "role": "supervisor"}
    )
    assert one.status_code == 422
    assert "begins on" in one.content.decode()
    assert not project.memberships.filter(user=people.executor).exists()


def test_the_list_asks_no_more_the_longer_it_is(people, second, django_assert_max_num_queries):
    for number in range(12):
        account = user_create(
            username=f"s{number}", password=None, full_name=f"S {number}", by=people.administrator
        )
        give(account, people.administrator)
    client = signed_in(second)
    with django_assert_max_num_queries(12):
        client.get(reverse("accounts:appointments"))
