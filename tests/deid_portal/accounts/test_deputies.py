"""Who acts on whose behalf: named, confirmed by another person, within days, on one side only, and said wherever they reviewed or signed."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.audit.verify import verify
from approvals.decisions.models import Decision, ManagementReview, Review, ReviewOutcome, Signature, SignOff
from approvals.governance.triggers import lift, registered
from approvals.governance.verdict import Refused
from approvals.request_cache import caching_reads
from deid_portal.accounts.appointments.services import appointment_decide, appointment_end, appointment_give
from deid_portal.accounts.deputies import selectors
from deid_portal.accounts.deputies.enums import DeputationStatus
from deid_portal.accounts.deputies.services import deputation_decide, deputation_end, deputy_name
from deid_portal.accounts.leaving.services import leaving_record
from deid_portal.accounts.models import Deputation
from deid_portal.accounts.services import user_create, user_set_active
from projects.core.models import Notification
from projects.core.rules import acts_as, has_role, may_join, stead_of
from projects.core.selectors import (
    history_of,
    memberships_acting,
    memberships_held,
    role_of,
    visible_projects,
)
from projects.core.services import project_create
from projects.monitoring.rules import may_review_stage
from projects.monitoring.services import stage_review_record
from projects.objective.services import objective_decide
from projects.workflow import Role, State
from projects.workflow.posts import AppointedPost, Post
from tests.deid_portal.accounts.test_accounts import BACKEND
from tests.pages import sent_nowhere
from tests.projects.rows import account, allowed, change, delete, member, put, refused
from tests.projects.verification.stories import SmallStory

pytestmark = pytest.mark.django_db
SUPERVISOR, MANAGEMENT, PLANNER = AppointedPost.SUPERVISOR, AppointedPost.MANAGEMENT, AppointedPost.PLANNER


def START(people):
    for name, post, posts in (
        ("second", Post.ADMINISTRATOR, (AppointedPost.ADMINISTRATOR,)),
        ("deputy", Post.PLANNER, (SUPERVISOR, MANAGEMENT, PLANNER)),
        ("third", Post.STAFF, (SUPERVISOR,)),
    ):
        made = user_create(
            username=name, password=None, full_name=name.title(), post=post, appointed=posts, by=None
        )
        setattr(people, name, made)
    story = SmallStory(people)
    people.project = story.reach(State.OBJECTIVE_REVIEW)
    people.story = story
    return people


@pytest.fixture
def cast(own_start):
    return own_start.story


def days(first=0, last=7):
    today = timezone.localdate()
    return {"starts_on": today + timedelta(days=first), "ends_on": today + timedelta(days=last)}


def name(cast, who="supervisor", post=SUPERVISOR, *, deputy=None, by=None, reason="on leave", **when):
    of = getattr(cast, who)
    return deputy_name(
        of, post=post, deputy=deputy or cast.deputy, reason=reason, by=by or of, **(when or days())
    )


def stand_in(cast, who="supervisor", post=SUPERVISOR, **more):
    return deputation_decide(name(cast, who, post, **more), confirm=True, by=cast.administrator)


def code(act, *arguments, **more):
    with pytest.raises(Refused) as refusal:
        act(*arguments, **more)
    return refusal.value.verdict.code


def review(cast, by):
    return stage_review_record(
        cast.project,
        object="the target",
        time=timezone.now(),
        process="read",
        result="fits",
        measures="none",
        outcome=ReviewOutcome.PASSED,
        by=by,
    )


def signed_in(person, language="en"):
    client = Client(headers={"accept-language": language})
    client.force_login(person, backend=BACKEND)
    return client


def test_a_deputy_acts_only_once_another_person_confirmed_it(cast):
    deputy, project = cast.deputy, cast.project
    made = name(cast)
    assert role_of(deputy, project) is None
    assert project not in visible_projects(deputy)
    assert code(deputation_decide, made, confirm=True, by=cast.supervisor) == "not_an_administrator"
    deputation_decide(made, confirm=True, by=cast.second)
    assert role_of(deputy, project) == Role.SUPERVISOR
    assert project in visible_projects(deputy)
    assert stead_of(deputy, project) == cast.supervisor
    assert may_review_stage(deputy, project)
    with caching_reads():
        assert role_of(deputy, project) == Role.SUPERVISOR
        assert role_of(cast.supervisor, project) == Role.SUPERVISOR
        assert role_of(cast.outsider, project) is None
    assert [one.user for one in memberships_acting(deputy.pk)] == [cast.supervisor]
    assert memberships_held(deputy.pk) == []
    said = AuditEvent.objects.get(action="deputation.confirmed")
    assert (said.actor, said.facts["deputy"]) == (str(cast.second), str(deputy))
    assert not verify().faults


def test_who_names_and_the_two_whom_it_is_about_do_not_confirm(cast):
    made = name(cast, by=cast.administrator)
    assert code(deputation_decide, made, confirm=True, by=cast.administrator) == "deputy_second_person"
    hand = user_create(
        username="hand", password=None, full_name="Hand", post=Post.ADMINISTRATOR, by=cast.administrator
    )
    appointment_decide(hand.appointments.get(), confirm=True, by=cast.second)
    assert code(deputation_decide, made, confirm=True, by=hand) == "deputy_one_hand"
    for by in (cast.administrator, cast.supervisor, cast.deputy):
        with refused("deputation_by_two|goes back"):
            change(made, **DECIDED, decided_by=by)
    with refused("goes back to who named the deputy"):
        change(made, **DECIDED, decided_by=hand)
    deputation_decide(made, confirm=True, by=cast.second)
    assert code(deputation_decide, made, confirm=False, by=cast.second) == "deputy_decided"


def test_nobody_confirms_a_deputation_that_they_are_part_of_under_another_account(cast):
    """Everybody has two accounts here."""
    holder, deputy, giver, other = account(), account(), account(), account()
    said = {"account": holder, "deputy": deputy, "given_by": giver, "reason": "x", "post": SUPERVISOR}
    now, day = timezone.now(), timedelta(days=1)
    made = put(Deputation, **said, begins_at=now - day, over_at=now + day, status="waits")
    for part in (holder, deputy, giver):
        with refused("goes back to who named the deputy" if part == giver else "that they are part of"):
            change(made, **DECIDED, decided_by=account(part))
    with allowed():
        change(made, **DECIDED, decided_by=other)
    change(made, **DECIDED, decided_by=other)
    # Persons who are linked later stop nothing that was confirmed before.
    change(other, person_id=holder.person_id)
    with allowed():
        change(made, reason=made.reason)


def test_only_the_holder_or_an_administrator_names_and_only_who_could_have_the_role(cast):
    assert code(name, cast, by=cast.executor) == "deputy_not_for_others"
    assert code(name, cast, by=cast.deputy) == "deputy_not_for_others"
    assert code(name, cast, reason=" ") == "deputy_reason_needed"
    assert code(name, cast, **days(-3, -1)) == "deputy_days_over"
    assert code(name, cast, **days(3, 2)) == "deputy_days_over"
    assert code(name, cast, "executor", AppointedPost.AUDITOR) == "deputy_no_such_post"
    assert code(name, cast, "executor", SUPERVISOR) == "not_appointed"
    assert code(name, cast, deputy=cast.recipient) == "not_appointed"
    assert code(name, cast, deputy=cast.supervisor) == "deputy_same_person"
    given = appointment_give(
        cast.executor, post=SUPERVISOR, starts_on=timezone.localdate(), reason="x", by=cast.administrator
    )
    appointment_decide(given, confirm=True, by=cast.second)
    assert code(name, cast, deputy=cast.executor) == "deputy_other_role"
    user_set_active(cast.deputy, active=False, by=cast.administrator)
    assert code(name, cast) == "deputy_not_active"


def test_there_is_one_deputy_at_a_time_and_deputies_do_not_chain(cast):
    stand_in(cast)
    third = cast.third
    assert code(name, cast, deputy=third) == "deputy_taken"
    assert code(
        deputy_name, cast.deputy, post=SUPERVISOR, deputy=third, reason="x", by=cast.deputy, **days()
    ) == ("deputy_chained")
    assert code(
        deputy_name, third, post=SUPERVISOR, deputy=cast.supervisor, reason="x", by=third, **days()
    ) == ("deputy_chained")
    # Afterwards is another time.
    name(cast, deputy=third, **days(8, 9))


def test_nobody_stands_on_two_sides_of_one_project(cast):
    made = stand_in(cast)
    assert code(name, cast, "management", MANAGEMENT) == "deputy_other_side"
    deputation_end(made, reason="back", by=cast.supervisor)
    assert code(name, cast, "management", MANAGEMENT) == "deputy_other_side"
    assert may_join(cast.deputy, cast.project, Role.MANAGEMENT).code == "other_side"
    assert may_join(cast.deputy, cast.project, Role.SUPERVISOR)
    with refused("takes no other role"):
        member(cast.project, "executor", cast.deputy)
    with refused("two sides of one project"):
        waiting(cast, "management", MANAGEMENT)


DECIDED = {"status": "confirmed", "decided_at": timezone.now()}


def waiting(cast, who, post, **given):
    """A row past the services."""
    now = timezone.now()
    said = {"begins_at": now - timedelta(days=1), "over_at": now + timedelta(days=1), "status": "waits"}
    of = getattr(cast, who)
    said |= {"deputy": cast.deputy, "given_by": of, "reason": "x"}
    return put(Deputation, account=of, post=post, **said | given)


def confirm(made, cast):
    """Past the services, as the database is held to it."""
    change(made, **DECIDED, decided_by=cast.second)


def ended(made, cast):
    """Confirmed and over."""
    confirm(made, cast)
    change(made, status="ended", ended_by=cast.second, ended_at=timezone.now(), end_reason="back")


def over(days_ago):
    """Days that are over, of a deputation past the services."""
    now = timezone.now()
    return {"begins_at": now - timedelta(days=days_ago), "over_at": now - timedelta(days=days_ago - 1)}


SIDES = "two sides of one project"


@pytest.mark.parametrize("linked", [False, True])
def test_who_took_another_role_meanwhile_is_confirmed_as_nobodys_deputy(cast, linked):
    made = waiting(cast, "supervisor", SUPERVISOR)
    role_holder = account(cast.deputy) if linked else cast.deputy
    member(cast.project, "executor", role_holder, ended_at=timezone.now())
    with refused(SIDES):
        confirm(made, cast)
    with refused(SIDES):
        waiting(cast, "supervisor", SUPERVISOR, **over(9))


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("status", ["waits", "confirmed", "ended"])
def test_who_was_named_for_the_other_side_is_confirmed_for_one_alone(cast, linked, status):
    """Both were named before the two whom they stand in for met in one project."""
    cast.head, meeting = account(), project_create(title="Meeting", by=cast.planner)
    chosen = account(cast.deputy) if linked else cast.deputy
    made = waiting(cast, "third", SUPERVISOR)
    other = waiting(cast, "head", MANAGEMENT, deputy=chosen)
    if status != "waits":
        (confirm if status == "confirmed" else ended)(other, cast)
    member(meeting, "supervisor", cast.third)
    member(meeting, "management", cast.head)
    with refused(SIDES):
        confirm(made, cast)
    with refused(SIDES):
        waiting(cast, "third", SUPERVISOR, **over(9))


def test_other_people_roles_and_projects_keep_nobody_from_being_a_deputy(cast):
    """Neither other accounts, nor the same role, nor what was turned down, is over or is in another project."""
    head, deputy, supervisor = account(), cast.deputy, cast.supervisor
    cast.head = head
    roles = (
        # Elsewhere the deputy has a role, or stands in for the management.
        {"executor": deputy},
        {"management": head},
        # There the supervisor is something else.
        {"executor": supervisor, "recipient": deputy},
        {"executor": supervisor, "management": head},
    )
    for number, held in enumerate(roles):
        project = project_create(title=f"Project {number}", by=cast.planner)
        for role, holder in held.items():
            member(project, role, holder)
    # From there the supervisor has gone.
    for role, holder in (("executor", deputy), ("management", head)):
        project = project_create(title=role, by=cast.planner)
        member(project, "supervisor", supervisor, ended_at=timezone.now())
        member(project, role, holder)
    # All the people of the project have more accounts, and others have deputies of their own.
    for person in (deputy, supervisor, cast.executor, cast.management):
        account(person)
    confirm(waiting(cast, "management", MANAGEMENT, deputy=account()), cast)
    # For the other side it came to nothing; the deputy stood in for the same person before, and holds the same role.
    change(
        waiting(cast, "management", MANAGEMENT, **over(9)),
        **DECIDED | {"status": "turned_down"}, decided_by=cast.second,
    )  # fmt: skip
    ended(waiting(cast, "head", MANAGEMENT), cast)
    ended(waiting(cast, "supervisor", SUPERVISOR, **over(9)), cast)
    member(cast.project, "supervisor", deputy)
    # The executor has no part in the project by the post that the deputy was named for.
    waiting(cast, "executor", SUPERVISOR)
    confirm(waiting(cast, "supervisor", SUPERVISOR), cast)


def test_nobody_is_kept_from_a_role_by_what_they_did_not_stand_in_for(cast):
    """The same role, another project, another post of the same person, and what was never confirmed."""
    deputy = cast.deputy
    waiting(cast, "management", MANAGEMENT, deputy=cast.third)
    confirm(waiting(cast, "supervisor", SUPERVISOR), cast)
    for person in (deputy, cast.supervisor, cast.third):
        account(person)
    with allowed():
        member(cast.project, "supervisor", deputy)
    with allowed():
        member(project_create(title="Other", by=cast.planner), "executor", deputy)
    with allowed():
        member(cast.project, "executor", cast.third)
    with allowed():
        member(cast.project, "executor", account(cast.executor))
    for status in ("confirmed", "ended"):
        if status == "ended":
            change(
                Deputation.objects.get(deputy=deputy),
                status="ended", ended_by=cast.second, ended_at=timezone.now(), end_reason="back",
            )  # fmt: skip
        for who in (deputy, account(deputy)):
            with refused("takes no other role"):
                member(cast.project, "executor", who)


def test_it_begins_and_ends_with_its_days(cast):
    deputy, project = cast.deputy, cast.project
    stand_in(cast, **days(1, 7))
    assert role_of(deputy, project) is None
    lift(*registered())
    row = Deputation.objects.get()
    assert row.tenure == "to_come"
    now = timezone.now()
    change(row, begins_at=now - timedelta(days=2), over_at=now - timedelta(seconds=1))
    assert role_of(deputy, project) is None
    assert project not in visible_projects(deputy)
    change(row, over_at=now + timedelta(hours=1))
    assert role_of(deputy, project) == Role.SUPERVISOR


def test_either_of_the_two_or_an_administrator_ends_it_at_once(cast):
    deputy, project, row = cast.deputy, cast.project, stand_in(cast)
    assert code(deputation_end, row, reason=" ", by=deputy) == "deputy_reason_needed"
    assert code(deputation_end, row, reason="x", by=cast.planner) == "deputy_not_yours"
    deputation_end(row, reason="back early", by=deputy)
    assert role_of(deputy, project) is None
    assert code(deputation_end, row, reason="again", by=deputy) == "deputy_not_in_force"


def test_what_a_deputy_reviews_says_in_whose_stead_everywhere(cast):
    stand_in(cast)
    made = review(cast, cast.deputy)
    assert (made.reviewed_by, made.in_stead_of) == (cast.deputy, cast.supervisor)
    (event,) = history_of(cast.project).filter(action="review.recorded")
    assert event.facts["in_stead_of"] == str(cast.supervisor)
    moved = history_of(cast.project).first()
    assert moved.facts["in_stead_of"] == str(cast.supervisor)
    text = f"{cast.deputy} on behalf of {cast.supervisor}"
    for where in ("objective:decide", "monitoring:page"):
        page = signed_in(cast.management).get(reverse(where, args=[cast.project.pk])).content.decode()
        assert text in page, where
    answer = signed_in(cast.management).get(reverse("api:reviews", args=[cast.project.pk])).json()
    newest = (answer["results"] if isinstance(answer, dict) else answer)[0]
    assert newest["in_stead_of"] == cast.supervisor.full_name
    # When it is over, what was done stays said.
    deputation_end(Deputation.objects.get(), reason="back", by=cast.supervisor)
    assert Review.objects.get(pk=made.pk).reviewer_text.endswith(str(cast.supervisor))
    with refused("written once"):
        change(made, in_stead_of=None)


def test_what_a_deputy_signs_says_in_whose_stead(cast):
    review(cast, cast.supervisor)
    stand_in(cast, "management", MANAGEMENT)
    objective_decide(cast.project, decision=Decision.APPROVED, reason="fits", by=cast.deputy)
    signoff = SignOff.objects.get(decision="approved")
    assert (signoff.decided_by, signoff.in_stead_of) == (cast.deputy, cast.management)
    page = signed_in(cast.management).get(reverse("core:project", args=[cast.project.pk])).content.decode()
    assert f"{cast.deputy} on behalf of {cast.management}" in page
    for action in ("signoff.decided", "objective.decided"):
        (event,) = history_of(cast.project).filter(action=action)
        assert event.facts["in_stead_of"] == str(cast.management)
    assert not verify().faults


def test_a_deputy_does_nothing_that_does_not_say_so(cast):
    stand_in(cast, "planner", PLANNER)
    verdict = has_role(cast.deputy, cast.project, Role.PLANNER)
    assert (verdict.code, verdict.params["member"]) == ("not_in_stead", str(cast.planner))
    assert acts_as(cast.deputy, cast.project, Role.PLANNER)
    client = signed_in(cast.deputy)
    assert client.get(reverse("core:project", args=[cast.project.pk])).status_code == 200
    assert "on behalf of" in client.get(reverse("core:members", args=[cast.project.pk])).content.decode()


def test_tasks_and_notifications_reach_the_deputy(cast, django_capture_on_commit_callbacks):
    assert "on behalf of" not in signed_in(cast.deputy).get(reverse("core:home")).content.decode()
    stand_in(cast, "management", MANAGEMENT)
    with django_capture_on_commit_callbacks(execute=True):
        review(cast, cast.supervisor)
    left = Notification.objects.filter(project=cast.project, user__in=(cast.deputy, cast.management))
    assert {one.user_id for one in left} == {cast.deputy.pk, cast.management.pk}
    home = signed_in(cast.deputy).get(reverse("core:home")).content.decode()
    assert f"on behalf of {cast.management}" in home
    assert str(cast.project.title) in signed_in(cast.deputy).get(reverse("core:projects")).content.decode()


def test_no_deputy_outlives_the_post_or_the_person(cast):
    made = stand_in(cast)
    appointment_end(cast.supervisor.appointments.get(), reason="another post", by=cast.administrator)
    assert acts_as(cast.deputy, cast.project, Role.SUPERVISOR).code == "appointment_over"
    leaving_record(cast.supervisor, reason="left", agreed="silent", by=cast.administrator)
    made.refresh_from_db()
    assert made.status == DeputationStatus.ENDED
    assert AuditEvent.objects.get(action="user.left").facts["deputations"] == 1


def test_the_database_admits_a_deputy_in_force_and_nobody_else(cast):
    said = {
        "project_id": cast.project.pk,
        "object": "o",
        "process": "p",
        "result": "r",
        "measures": "m",
        "stage": "objective",
        "outcome": "passed",
        "subject_hash": "f" * 64,
        "submitted_by": cast.planner,
    }
    outside = "is their deputy at that moment"
    with refused(outside):
        put(Review, reviewed_by=cast.deputy, in_stead_of=cast.supervisor, **said)
    made = stand_in(cast)
    put(Review, reviewed_by=cast.deputy, in_stead_of=cast.supervisor, **said)
    with refused(outside):
        put(Review, reviewed_by=cast.deputy, **said)
    with refused(outside):
        put(Review, reviewed_by=cast.deputy, in_stead_of=cast.management, **said)
    deputation_end(made, reason="back", by=cast.supervisor)
    for stead in (cast.supervisor, None):
        with refused(outside):
            put(Review, reviewed_by=cast.deputy, in_stead_of=stead, **said)


def test_whom_a_deputy_stood_in_for_supervised_the_stage_as_well(cast):
    stand_in(cast)
    of = put(
        Review, project_id=cast.project.pk, reviewed_by=cast.deputy, in_stead_of=cast.supervisor, outcome="passed",
        submitted_by=cast.planner,
    )  # fmt: skip
    by_management = {
        "project_id": cast.project.pk,
        "review": of,
        "subject_hash": of.subject_hash,
        "outcome": "sound",
        "reviewed_by": cast.management,
    }
    with allowed():
        put(ManagementReview, **by_management)
    change(cast.supervisor, person_id=cast.management.pk)
    change(cast.management, person_id=cast.management.pk)
    with refused("that they handed in or supervised"):
        put(ManagementReview, **by_management)


def test_a_deputys_signature_is_that_of_whom_they_stand_in_for(cast):
    stand_in(cast, "management", MANAGEMENT)
    signoff = put(
        SignOff,
        project_id=cast.project.pk,
        subject_kind="release",
        subject_hash="a" * 64,
        submitted_by=cast.executor,
        needed=3,
    )
    of = {"project_id": cast.project.pk, "signoff": signoff, "subject_hash": "a" * 64, "reason": "r"}
    with refused("is their deputy at that moment"):
        put(Signature, signed_by=cast.deputy, **of)
    put(Signature, signed_by=cast.management, **of)
    with refused("given once"):
        put(Signature, signed_by=cast.deputy, in_stead_of=cast.management, **of)
    decided = {"decision": "returned", "decided_at": timezone.now(), "reason": "r"}
    with refused("is their deputy at that moment"):
        change(signoff, **decided, decided_by=cast.deputy)
    change(signoff, **decided, decided_by=cast.deputy, in_stead_of=cast.management)


def act(kind, project, deputy, stead):
    """A review, a signature, a sign-off that comes in decided, or one that is decided now, in somebody's stead."""
    of = {"project_id": project, "subject_hash": "b" * 64}
    decided = {"decision": "returned", "decided_at": timezone.now(), "reason": "r"}
    decided |= {"decided_by": deputy, "in_stead_of": stead}
    if kind == "review":
        said = {"stage": "objective", "outcome": "returned", "measures": "m"}
        put(Review, reviewed_by=deputy, in_stead_of=stead, submitted_by=account(), **of, **said)
    elif kind == "decided before":
        put(SignOff, **of | decided, submitted_by=account(), needed=1)
    else:
        signoff = put(SignOff, **of, submitted_by=account(), needed=2)
        if kind == "signature":
            put(Signature, signed_by=deputy, in_stead_of=stead, signoff=signoff, **of)
        else:
            change(signoff, **decided)


@pytest.mark.parametrize("kind", ["review", "signature", "decided before", "decided now"])
def test_only_who_is_in_force_at_that_moment_for_that_person_and_post_acts(cast, kind):
    post = SUPERVISOR if kind == "review" else MANAGEMENT
    other_post = MANAGEMENT if kind == "review" else SUPERVISOR
    now, day = timezone.now(), timedelta(days=1)
    wrong = {
        "waits": {"status": "waits"},
        "ended": {"status": "ended"},
        "not begun": {"begins_at": now + day, "over_at": now + 2 * day},
        "over": {"begins_at": now - 2 * day, "over_at": now - day},
        "other post": {"post": other_post},
        "other person": {"account": account()},
        "other deputy": {"deputy": account()},
    }

    def set_up(given, role=None, project=None, **membership):
        """Who acts, and in whose stead: others are deputies in the same project by all that is right."""
        place = project_create(title="Of deputies", by=cast.planner)
        stead, deputy = member(project or place, role or post, **membership), account()
        account(stead), account(deputy)
        for of, by, said in (
            (stead, deputy, given),
            (member(place, post), account(), {}),
            (member(place, other_post), account(), {}),
        ):
            row = {"account": of, "deputy": by, "post": post, "given_by": of, "reason": "x"}
            row |= {"begins_at": now - day, "over_at": now + day}
            made = put(Deputation, **row | {name: value for name, value in said.items() if name != "status"})
            if said.get("status") != "waits":
                change(made, **DECIDED, decided_by=cast.second)
            if said.get("status") == "ended":
                change(made, status="ended", ended_by=cast.second, ended_at=now, end_reason="back")
        return place.pk, deputy, stead

    for given in wrong.values():
        arguments = set_up(given)
        with refused("is their deputy at that moment"):
            act(kind, *arguments)
    # Whom they stand in for has the other post there, and they stand in for them in that.
    arguments = set_up({"post": other_post}, role=other_post)
    with refused("is their deputy at that moment"):
        act(kind, *arguments)
    elsewhere = project_create(title="Elsewhere", by=cast.planner)
    for of in ({"role": other_post}, {"project": elsewhere}, {"ended_at": now}):
        arguments = set_up({}, **of)
        with refused("is their deputy at that moment"):
            act(kind, *arguments)
    # Who has a role of their own in the project, under whatever account, stands in for nobody there.
    for linked in (False, True):
        place, deputy, stead = set_up({})
        member(place, post, account(deputy) if linked else deputy)
        with refused("is their deputy at that moment"):
            act(kind, place, deputy, stead)
    place, deputy, stead = set_up({})
    member(elsewhere, "recipient", deputy)
    with refused("the row says so"):
        act(kind, place, deputy, None)
    # Who stands in for nobody there says nothing of it; nor does who is there by a role of their own.
    for other in (account(), member(place, post)):
        with allowed():
            act(kind, place, other, None)
    act(kind, place, deputy, stead)


def test_what_a_deputation_says_stays(cast):
    made = stand_in(cast)
    stays = "never changes"
    for field, value in (
        ("over_at", timezone.now() + timedelta(days=99)),
        ("begins_at", timezone.now() - timedelta(days=99)),
        ("reason", "another"),
        ("deputy", cast.executor),
        ("account", cast.management),
        ("post", "management"),
        ("status", "waits"),
        ("decided_by", cast.administrator if made.decided_by != cast.administrator else cast.second),
    ):
        with refused(f"{stays}|deputation_"):
            change(made, **{field: value})
    with refused("never deleted"):
        delete(made)
    with refused("waits for an administrator"):
        waiting(cast, "outsider", PLANNER, deputy=account(), **DECIDED | {"decided_by": cast.second})
    with refused("one deputy at a time"):
        waiting(cast, "supervisor", SUPERVISOR)
    with refused("deputation_ends_after_start"):
        waiting(cast, "outsider", PLANNER, deputy=account(), over_at=timezone.now() - timedelta(days=2))
    with refused("deputation_has_reason"):
        waiting(cast, "outsider", PLANNER, deputy=account(), reason="")
    with refused("deputation_words_known"):
        waiting(cast, "outsider", "auditor", deputy=account())
    with refused("deputation_of_another"):
        waiting(cast, "outsider", PLANNER, deputy=cast.outsider)
    with refused("under another account"):
        waiting(cast, "planner", PLANNER, deputy=account(cast.planner))
    unheld = waiting(cast, "executor", SUPERVISOR, deputy=account(full_name="Fourth"))
    with refused("appointed to the post"):
        change(unheld, **DECIDED, decided_by=cast.second)


def test_one_names_confirms_and_ends_on_the_pages(cast):
    mine = reverse("accounts:deputies")
    client, admin = signed_in(cast.supervisor), signed_in(cast.second)
    shown = client.get(mine).content.decode()
    assert "Name a deputy" in shown
    assert "have deputies, while they are appointed" in signed_in(cast.executor).get(mine).content.decode()
    when = {key: value.isoformat() for key, value in days().items()}
    body = {"post": "supervisor", "deputy": cast.deputy.pk, "reason": "on leave", **when}
    assert client.post(mine, body | {"reason": ""}).status_code == 422
    assert client.post(mine, body).url == mine
    assert client.post(mine, body).status_code == 422
    (made,) = selectors.deputations_waiting()
    home = admin.get(reverse("core:home")).content.decode()
    assert "Confirm that Deputy acts on behalf of" in home
    decide = reverse("accounts:deputation_decide", args=[made.pk])
    assert "Confirm" in admin.get(reverse("accounts:deputations")).content.decode()
    assert client.post(decide, {"confirm": "yes"}).status_code == 403
    assert admin.post(decide, {"confirm": "maybe"}).status_code == 400
    admin.post(decide, {"confirm": "yes"})
    made.refresh_from_db()
    assert made.status == "confirmed"
    end = reverse("accounts:deputation_end", args=[made.pk])
    assert signed_in(cast.planner).post(end, {f"end-{made.pk}-reason": "x"}).status_code == 404
    for person, others in ((client, "?"), (admin, "?page=1")):
        mute = person.post(end + others, {f"end-{made.pk}-reason": " "})
        assert mute.status_code == 422
        page = mute.content.decode()
        assert f'href="#id_end-{made.pk}-reason"' in page
        assert page.count(f'id="id_end-{made.pk}-reason_error"') == 1
        assert sent_nowhere(page) == []
    made.refresh_from_db()
    assert made.status == "confirmed"
    assert client.post(end, {f"end-{made.pk}-reason": "back"}).url == mine
    made.refresh_from_db()
    assert (made.status, made.end_reason) == ("ended", "back")
    assert "back" in signed_in(cast.deputy).get(mine).content.decode()
    assert "代理人" in signed_in(cast.deputy, "zh-hans").get(mine).content.decode()


def test_an_administrator_names_one_for_who_cannot(cast):
    page = reverse("accounts:account_deputies", args=[cast.supervisor.pk])
    when = {key: value.isoformat() for key, value in days().items()}
    body = {"post": "supervisor", "deputy": cast.deputy.pk, "reason": "in hospital", **when}
    assert signed_in(cast.executor).post(page, body).status_code == 403
    assert signed_in(cast.second).post(page, body).url == page
    assert Deputation.objects.get().given_by == cast.second


def test_the_api_does_the_same(cast):
    client, admin = signed_in(cast.supervisor), signed_in(cast.second)
    every = reverse("api:deputation-list")
    when = {key: value.isoformat() for key, value in days().items()}
    body = {"post": "supervisor", "deputy": "deputy", "reason": "on leave", **when}
    made = client.post(every, body, content_type="application/json")
    assert made.status_code == 201
    assert (made.json()["username"], made.json()["tenure"]) == ("supervisor", "waits")
    other = client.post(every, body | {"username": "management"}, content_type="application/json")
    assert other.status_code == 403
    decide = reverse("api:deputation-decision", args=[made.json()["id"]])
    assert client.post(decide, {"confirm": True}, content_type="application/json").status_code == 403
    decided = admin.post(decide, {"confirm": True}, content_type="application/json").json()
    assert (decided["status"], decided["tenure"], decided["decided_by"]) == (
        "confirmed",
        "in_force",
        "second",
    )
    assert signed_in(cast.planner).get(every).json()["results"] == []
    assert client.get(every).json()["results"][0]["starts_on"] == when["starts_on"]
    end = reverse("api:deputation-end", args=[made.json()["id"]])
    ended = signed_in(cast.deputy).post(end, {"reason": "no time"}, content_type="application/json").json()
    assert (ended["status"], ended["end_reason"]) == ("ended", "no time")
    gone = reverse("api:deputation-end", args=[uuid.uuid4()])
    assert admin.post(gone, {"reason": "x"}, content_type="application/json").status_code == 404
