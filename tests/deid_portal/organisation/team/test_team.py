"""The team for personal information: led by senior management, its duties given, ended and never changed (T/ISC 0078 12.1)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from approvals.audit.models import AuditEvent
from approvals.audit.registry import sentence_for
from approvals.governance.verdict import Refused
from deid_portal.accounts.appointments.services import appointment_end
from deid_portal.accounts.leaving.services import leaving_record
from deid_portal.accounts.models import Appointment, User
from deid_portal.accounts.persons import person_link
from deid_portal.accounts.services import user_create, user_set_active
from deid_portal.organisation.team.enums import TeamDuty
from deid_portal.organisation.team.models import TeamSeat
from deid_portal.organisation.team.selectors import head_now, team_now
from deid_portal.organisation.team.services import head_propose, head_take, seat_end, seat_give
from deid_portal.records.enums import RecordKind
from deid_portal.records.services import record_add, record_take_back
from projects.core.models import Notification
from projects.core.tasks_registry import tasks_of
from projects.workflow.posts import AppointedPost, Post
from tests.projects.rows import change, delete, put, refused

pytestmark = pytest.mark.django_db
PAGE = "organisation:team"


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def code(act, *arguments, **more):
    with pytest.raises(Refused) as refusal:
        act(*arguments, **more)
    return refusal.value.verdict.code


def client_of(person):
    client = Client(headers={"accept-language": "en"})
    client.force_login(person, backend="deid_portal.accounts.backends.AccountBackend")
    return client


def anew(person):
    return User.objects.get(pk=person.pk)


def sentence(action):
    event = AuditEvent.objects.filter(action=action).latest("seq")
    return sentence_for(
        action, actor=event.actor, subject=event.subject, reason=event.reason, facts=event.facts
    )


def led(people, who="management"):
    """The team with a head."""
    person = getattr(people, who)
    return head_take(head_propose(person, by=people.administrator), by=person)


def post_lost(people, person):
    appointment = Appointment.objects.get(account=person, post=AppointedPost.MANAGEMENT)
    appointment_end(appointment, reason="another task", by=people.administrator)


def tasks(person):
    with translation.override("en"):
        return [str(one.title) for one in tasks_of(anew(person)) if one.url == reverse(PAGE)]


def test_an_administrator_proposes_the_head_who_takes_the_lead_themself(people):
    seat = head_propose(people.management, by=people.administrator)
    assert (seat.waits, seat.in_office, head_now()) == (True, False, None)
    assert code(head_take, seat, by=people.outsider) == "team_not_proposed"
    assert code(head_take, seat, by=people.administrator) == "team_not_proposed"
    taken = head_take(seat, by=people.management)
    assert taken.in_office
    assert head_now() == taken
    assert code(head_take, seat, by=people.management) == "team_not_proposed"
    assert sentence("team.head_proposed") == (
        "Administrator Person proposed Management Person as head of the team for personal information"
    )
    assert sentence("team.head_taken") == (
        "Management Person took the lead of the team for personal information"
    )


@pytest.mark.parametrize("who", ["planner", "management", "supervisor", "auditor", "superuser"])
def test_nobody_else_proposes_a_head(people, who):
    assert code(head_propose, people.management, by=getattr(people, who)) == "not_an_administrator"


@pytest.mark.parametrize("who", ["planner", "supervisor", "auditor", "recipient", "superuser"])
def test_the_head_is_of_senior_management(people, who):
    assert code(head_propose, getattr(people, who), by=people.administrator) == "team_head_not_management"


def test_who_lost_the_post_before_deciding_takes_no_lead(people):
    seat = head_propose(people.management, by=people.administrator)
    post_lost(people, people.management)
    assert code(head_take, seat, by=anew(people.management)) == "team_head_not_management"
    # Who was proposed in vain stands in nobody's way once that is ended.
    assert code(head_propose, people.outsider, by=people.administrator) == "team_head_waits"
    seat_end(seat, reason="no longer in the post", by=people.administrator)
    assert head_propose(people.outsider, by=people.administrator).waits


def test_nobody_is_proposed_by_themself_under_another_account(people):
    person_link(people.management, people.administrator, reason="one person", by=_second(people))
    assert code(head_propose, anew(people.management), by=anew(people.administrator)) == "team_own_proposal"
    with refused("proposed by another person"):
        put(TeamSeat, account=people.management, duty="head", named_by=people.administrator)


def _second(people):
    return user_create(username="second", password=None, full_name="Second", post=Post.ADMINISTRATOR, by=None)


def test_who_takes_the_lead_follows_who_had_it(people):
    former = led(people)
    assert code(head_propose, people.management, by=people.administrator) == "team_has_duty"
    now = led(people, "outsider")
    former.refresh_from_db()
    assert head_now() == now
    assert (former.end_reason, former.why, former.ended_by) == (
        "succeeded", "Somebody else took the lead", people.outsider,
    )  # fmt: skip
    assert AuditEvent.objects.filter(action="team.head_taken").latest("seq").facts == {
        "former_head": "Management Person"
    }


def test_the_head_gives_the_other_duties_and_nobody_else_does(people, django_capture_on_commit_callbacks):
    for who in ("management", "planner", "administrator", "auditor"):
        given = (people.executor, TeamDuty.TECHNIQUE)
        assert code(seat_give, *given, by=getattr(people, who)) == "team_not_the_head"
    led(people)
    with django_capture_on_commit_callbacks(execute=True):
        seat = seat_give(people.executor, TeamDuty.TECHNIQUE, by=people.management)
    assert seat.in_office
    assert Notification.objects.filter(user=people.executor, action="team.seat_given").exists()
    assert sentence("team.seat_given") == (
        "Management Person gave Executor Person a duty in the team for personal information: Techniques"
    )
    assert code(seat_give, people.executor, TeamDuty.TECHNIQUE, by=people.management) == "team_has_duty"
    assert seat_give(people.executor, TeamDuty.TRAINING, by=people.management).in_office
    assert seat_give(people.supervisor, TeamDuty.TECHNIQUE, by=people.management).in_office
    assert code(seat_give, people.outsider, TeamDuty.HEAD, by=people.management) == "team_head_by_proposal"


@pytest.mark.parametrize("who", ["recipient", "assessor", "tester"])
def test_nobody_from_outside_is_in_the_team(people, who):
    led(people)
    assert (
        code(seat_give, getattr(people, who), TeamDuty.LIAISON, by=people.management) == "team_member_outside"
    )


def test_an_auditor_has_review_and_audit_alone(people):
    led(people)
    for duty in TeamDuty:
        if duty not in (TeamDuty.REVIEW, TeamDuty.HEAD):
            assert code(seat_give, people.auditor, duty, by=people.management) == "team_auditor_reviews"
    assert seat_give(people.auditor, TeamDuty.REVIEW, by=people.management).in_office


def test_nobody_has_one_duty_under_two_accounts(people):
    led(people)
    seat_give(people.executor, TeamDuty.TRAINING, by=people.management)
    person_link(people.executor, people.planner, reason="a new post", by=people.administrator)
    assert code(seat_give, anew(people.planner), TeamDuty.TRAINING, by=people.management) == "team_has_duty"
    with refused("under two accounts"):
        put(TeamSeat, account=people.planner, duty="training", taken_at=timezone.now())


def test_a_duty_ends_once_with_a_reason_by_who_has_it_the_head_or_an_administrator(people):
    led(people)

    def seat(duty=TeamDuty.RULES):
        return seat_give(people.executor, duty, by=people.management)

    first = seat()
    for who in ("planner", "outsider", "auditor"):
        assert code(seat_end, first, reason="enough", by=getattr(people, who)) == "team_not_their_seat"
    assert code(seat_end, first, reason=" ", by=people.management) == "reason_needed"
    with pytest.raises(ValidationError):
        seat_end(first, reason="a\x07b", by=people.management)
    for who in ("executor", "management", "administrator"):
        ended = seat_end(first, reason="enough", by=getattr(people, who))
        assert (ended.in_office, ended.why, ended.ended_by) == (False, "enough", getattr(people, who))
        assert code(seat_end, first, reason="enough", by=getattr(people, who)) == "team_seat_ended"
        first = seat()
    assert sentence("team.seat_ended") == (
        "Administrator Person ended a duty of Executor Person in the team for personal information "
        "(Rules and policies): enough"
    )


def test_the_seat_of_the_head_is_ended_by_themself_and_administrators(people):
    seat = led(people)
    assert code(seat_end, seat, reason="enough", by=people.outsider) == "team_not_their_lead"
    waiting = head_propose(people.outsider, by=people.administrator)
    assert code(seat_end, waiting, reason="not them", by=people.management) == "team_not_their_lead"
    assert not seat_end(waiting, reason="no time", by=people.outsider).waits
    seat_end(seat, reason="enough", by=people.management)
    assert head_now() is None
    assert code(seat_give, people.executor, TeamDuty.RULES, by=people.management) == "team_not_the_head"


@pytest.mark.parametrize("lost", ["post", "account"])
def test_a_head_without_post_or_account_leads_no_longer(people, lost):
    led(people)
    seat_give(people.executor, TeamDuty.RULES, by=people.management)
    assert tasks(people.administrator) == tasks(people.outsider) == []
    if lost == "post":
        post_lost(people, people.management)
    else:
        user_set_active(people.management, active=False, by=people.administrator)
    assert head_now() is None
    assert code(seat_give, people.planner, TeamDuty.RULES, by=anew(people.management)) == "team_not_the_head"
    # It is said to who can do something about it, and to nobody else.
    said = ["Nobody leads the team for personal information today"]
    assert tasks(people.administrator) == tasks(people.outsider) == said
    assert tasks(people.planner) == tasks(people.executor) == tasks(people.auditor) == []
    body = client_of(people.executor).get(reverse(PAGE)).content.decode()
    why = {"post": "Management Person does not hold the post", "account": "Management Person is not active"}
    assert "Nobody leads the team today" in body
    assert why[lost] in body
    # The others keep what they have.
    assert "Rules and policies" in body
    assert team_now(with_trainings=False).having(TeamDuty.RULES)[0].seat.in_office
    head_propose(people.outsider, by=people.administrator)
    assert tasks(people.administrator) == []
    assert tasks(people.outsider) == ["Decide whether you lead the team for personal information"]


def test_nobody_is_reminded_of_a_team_that_was_never_begun(people):
    assert tasks(people.administrator) == tasks(people.management) == []
    assert "Nobody leads the team today" in client_of(people.executor).get(reverse(PAGE)).content.decode()


def test_who_leaves_has_no_duty_any_more(people):
    led(people)
    seat_give(people.executor, TeamDuty.RULES, by=people.management)
    seat_give(people.executor, TeamDuty.TRAINING, by=people.management)
    page = reverse("accounts:leaving", args=[people.executor.pk])
    body = client_of(people.administrator).get(page).content.decode()
    assert "Rules and policies" in body
    assert "Training of staff" in body
    address = reverse("api:account-leaving", args=[people.executor.pk])
    assert client_of(people.administrator).get(address).json()["team"] == ["rules", "training"]
    leaving_record(people.executor, reason="another house", agreed="silent", by=people.administrator)
    ended = TeamSeat.objects.filter(account=people.executor)
    assert {one.end_reason for one in ended} == {"another house"}
    assert AuditEvent.objects.get(action="user.left").facts["team_duties"] == 2
    assert client_of(people.administrator).get(address).json()["team"] == []


def test_the_database_keeps_what_was_given(people):
    seat = led(people)
    with refused("ended, never deleted"):
        delete(seat)
    with refused("stays as it was given"):
        change(seat, account=people.outsider)
    with refused("UNIQUE"):
        put(TeamSeat, account=people.management, duty="head")
    waiting = put(TeamSeat, account=people.supervisor, duty="head", named_by=people.administrator)
    with refused("of senior management"):
        change(waiting, taken_at=timezone.now())
    with refused("UNIQUE"):
        put(TeamSeat, account=people.planner, duty="head", named_by=people.administrator)
    with refused("takes the seat afterwards"):
        put(TeamSeat, account=people.planner, duty="head", taken_at=timezone.now())
    with refused("CHECK"):
        put(TeamSeat, account=people.planner, duty="rules")
    second = head_propose_past(people)
    with refused("UNIQUE"):
        change(second, taken_at=timezone.now())
    with refused("CHECK"):
        change(second, ended_at=timezone.now(), ended_by=people.administrator)
    change(second, ended_at=timezone.now(), ended_by=people.administrator, end_reason="no")
    with refused("stays as it was given"):
        change(second, taken_at=timezone.now())


def head_propose_past(people):
    """Somebody of senior management who waits beside the head."""
    change(
        TeamSeat.objects.get(taken_at=None, ended_at=None),
        ended_at=timezone.now(),
        ended_by=people.administrator,
        end_reason="x",
    )
    return head_propose(people.outsider, by=people.administrator)


def test_trainings_that_count_today_are_for_who_may_know_of_them(people):
    led(people)
    seat_give(people.executor, TeamDuty.TECHNIQUE, by=people.management)
    today = timezone.localdate()
    kept = {"passed": True, "kept_at": "folder 7", "by": people.administrator, "kind": RecordKind.TRAINING}
    record_add(people.executor, title="Techniques 2026", done_on=today, valid_until=today, **kept)
    record_add(
        people.executor,
        title="Techniques 2020",
        done_on=today - timedelta(days=9),
        valid_until=today - timedelta(days=1),
        **kept,
    )
    record_add(people.executor, title="Not passed", done_on=today, **kept | {"passed": False})
    record_add(people.executor, title="Spotless", done_on=today, **kept | {"kind": RecordKind.BACKGROUND})
    gone = record_add(people.executor, title="A mistake", done_on=today, **kept)
    record_take_back(gone, reason="a mistake", by=people.administrator)
    for who in ("administrator", "management", "auditor"):
        client = client_of(getattr(people, who))
        body = client.get(reverse(PAGE)).content.decode()
        assert "Techniques 2026" in body
        for other in ("Techniques 2020", "Not passed", "Spotless", "A mistake"):
            assert other not in body
        rows = client.get(reverse("api:team")).json()["seats"]
        assert [[one["title"] for one in row["trainings"]] for row in rows] == [[], ["Techniques 2026"]]
    for who in ("planner", "executor", "supervisor"):
        client = client_of(getattr(people, who))
        assert "Techniques 2026" not in client.get(reverse(PAGE)).content.decode()
        assert {row["trainings"] for row in client.get(reverse("api:team")).json()["seats"]} == {None}


def test_outsiders_read_nothing_of_the_team(people):
    led(people)
    for address in (reverse(PAGE), reverse("api:team"), reverse("api:team-ended")):
        assert client_of(people.recipient).get(address).status_code == 403
        assert client_of(people.assessor).get(address).status_code == 200


def test_the_page_does_it_all(people):
    administrator, head = client_of(people.administrator), client_of(people.management)
    address = reverse(PAGE)
    assert administrator.post(reverse("organisation:team_head_propose"), {}).status_code == 422
    sent = {"account": people.management.pk}
    assert administrator.post(reverse("organisation:team_head_propose"), sent).url == address
    assert administrator.post(reverse("organisation:team_head_propose"), sent).status_code == 403
    seat = TeamSeat.objects.get()
    assert "Take the lead of the team" not in administrator.get(address).content.decode()
    assert "Take the lead of the team" in head.get(address).content.decode()
    assert head.post(reverse("organisation:team_head_take", args=[seat.pk])).url == address
    given = reverse("organisation:team_seat_give")
    assert head.post(given, {"account": people.executor.pk}).status_code == 422
    assert head.post(given, {"account": people.executor.pk, "duty": "head"}).status_code == 422
    assert head.post(given, {"account": people.auditor.pk, "duty": "rules"}).status_code == 422
    assert head.post(given, {"account": people.executor.pk, "duty": "rules"}).url == address
    rules = TeamSeat.objects.get(duty="rules")
    end = reverse("organisation:team_seat_end", args=[rules.pk])
    assert head.post(end, {}).status_code == 422
    assert head.post(end, {f"{rules.pk}-reason": "a\x07b"}).status_code == 422
    assert client_of(people.planner).post(end, {f"{rules.pk}-reason": "enough"}).status_code == 403
    assert head.post(end, {f"{rules.pk}-reason": "a new task"}).url == address
    assert "a new task" in client_of(people.planner).get(address).content.decode()


def test_programs_do_the_same(people):
    administrator, head = client_of(people.administrator), client_of(people.management)

    def post(client, name, sent, *arguments):
        return client.post(reverse(f"api:{name}", args=arguments), sent, content_type="application/json")

    made = post(administrator, "team-head-propose", {"person": "management"})
    assert made.status_code == 201
    assert made.json() | {"id": 0, "named_at": 0} == {
        "id": 0, "duty": "head", "person": "management", "named_by": "administrator", "named_at": 0, "taken_at": None,
        "in_office": False, "posts": ["management"], "trainings": [], "ended_by": None, "ended_at": None, "end_reason": "",
    }  # fmt: skip
    assert (
        post(administrator, "team-head-propose", {"person": "outsider"}).json()["code"] == "team_head_waits"
    )
    now = administrator.get(reverse("api:team")).json()
    assert (now["head"], now["proposed"]) == (None, "management")
    assert post(head, "team-head-take", {}, made.json()["id"]).json()["in_office"] is True
    now = administrator.get(reverse("api:team")).json()
    assert (now["head"], now["proposed"]) == ("management", None)
    seat = post(head, "team-seat-give", {"person": "executor", "duty": "rules"})
    assert (seat.status_code, seat.json()["duty"]) == (201, "rules")
    again = post(head, "team-seat-give", {"person": "executor", "duty": "rules"})
    assert (again.status_code, again.json()["code"]) == (403, "team_has_duty")
    ended = post(head, "team-seat-end", {"reason": "enough"}, seat.json()["id"]).json()
    assert (ended["in_office"], ended["end_reason"], ended["ended_by"]) == (False, "enough", "management")
    rows = administrator.get(reverse("api:team-ended")).json()
    assert [row["id"] for row in rows["results"]] == [seat.json()["id"]]


def test_no_row_asks_the_database_by_itself(people):
    led(people)

    def count(client):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(reverse(PAGE)).status_code == 200
            assert client.get(reverse("api:team")).status_code == 200
            assert client.get(reverse("api:team-ended")).status_code == 200
        return len(queries)

    client = client_of(people.administrator)
    client.get(reverse(PAGE))
    seat_end(
        seat_give(people.planner, TeamDuty.RULES, by=people.management), reason="x", by=people.management
    )
    seat_give(people.executor, TeamDuty.RULES, by=people.management)
    few = count(client)
    for person in (people.supervisor, people.planner, people.outsider):
        for duty in (TeamDuty.TECHNIQUE, TeamDuty.TRAINING, TeamDuty.LIAISON):
            seat_give(person, duty, by=people.management)
        seat_end(seat_give(person, TeamDuty.REVIEW, by=people.management), reason="x", by=people.management)
    assert count(client) == few


def test_ended_duties_come_in_pages(people):
    led(people)
    for number in range(13):
        given = seat_give(people.executor, TeamDuty.RULES, by=people.management)
        seat_end(given, reason=f"reason {number:02}", by=people.management)
    client = client_of(people.executor)
    first, second = (client.get(reverse(PAGE), {"page": page}).content.decode() for page in (1, 2))
    assert "reason 12" in first
    assert "reason 00" not in first
    assert "reason 00" in second
