"""Talks with authorities, technical units and partners stay on record, and what follows from them is somebody's task (6.1 a)."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from approvals.audit.models import AuditEvent
from approvals.audit.registry import sentence_for
from approvals.governance.verdict import Refused
from deid_portal.accounts.services import user_set_active
from deid_portal.messaging.enums import MessageKind
from deid_portal.messaging.models import Message
from deid_portal.messaging.tasks import run
from deid_portal.organisation.talks.enums import CounterpartKind
from deid_portal.organisation.talks.home import follow_ups_due
from deid_portal.organisation.talks.models import FollowUp, Talk, TalkCorrection
from deid_portal.organisation.talks.selectors import talks
from deid_portal.organisation.talks.services import (
    ToDo,
    follow_up_close,
    follow_up_give,
    talk_correct,
    talk_record,
)
from projects.core.models import Notification
from projects.core.services import project_create
from projects.core.tasks_registry import tasks_of
from tests.projects.rows import change, delete, refused

pytestmark = pytest.mark.django_db
SAID = "They accept a report each year."


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def today(days=0):
    return timezone.localdate() + timedelta(days=days)


def record(people, /, **given):
    said = {
        "kind": CounterpartKind.AUTHORITY,
        "counterpart": "Cyberspace administration",
        "held_on": today(-1),
        "people": [people.planner, people.executor],
        "topic": "Cards of wards",
        "outcome": SAID,
        "by": people.planner,
    }
    return talk_record(**said | given)


def give(people, talk, *, days=3, owner=None, by=None):
    to_do = ToDo("Write the report.", owner or people.executor, today(days))
    return follow_up_give(talk, to_do, by=by or people.planner)


def code(act, *arguments, **more):
    with pytest.raises(Refused) as refusal:
        act(*arguments, **more)
    return refusal.value.verdict.code


def wrong(people, given):
    with pytest.raises(ValidationError) as error:
        record(people, **given)
    return set(error.value.message_dict)


def client_of(person):
    client = Client(headers={"accept-language": "en"})
    client.force_login(person, backend="deid_portal.accounts.backends.AccountBackend")
    return client


def due(person):
    return [(str(task.title), task.tone) for task in follow_ups_due(person)]


def test_a_talk_is_written_down_whole_and_its_text_stands_in_no_event(people, project):
    talk = record(people, projects=[project], kept_at="folder 3", document_hash="a" * 64)
    assert {one.account for one in talk.participants.all()} == {people.planner, people.executor}
    assert [one.project for one in talk.projects.all()] == [project]
    event = AuditEvent.objects.get(action="talk.recorded")
    said = sentence_for(event.action, actor="Planner", subject=event.subject, facts=event.facts)
    assert said == (
        f"Planner recorded the talk “Cards of wards” of {today(-1)} with “Cyberspace administration” (Regulator or authority)"
    )
    assert SAID not in str(event.__dict__)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"held_on": today(1)}, "held_on"),
        ({"people": []}, "people"),
        ({"counterpart": "  "}, "counterpart"),
        ({"topic": ""}, "topic"),
        ({"outcome": " "}, "outcome"),
        ({"document_hash": "a" * 64}, "kept_at"),
    ],
)
def test_what_is_not_whole_is_not_recorded(people, given, field):
    assert wrong(people, given) == {field}
    assert not Talk.objects.exists()
    assert not AuditEvent.objects.filter(action="talk.recorded").exists()


def test_nobody_outside_took_part_and_no_project_is_named_that_the_writer_does_not_see(people):
    assert wrong(people, {"people": [people.recipient]}) == {"people"}
    user_set_active(people.executor, active=False, by=people.administrator)
    assert wrong(people, {}) == {"people"}
    hidden = project_create(title="Of others", by=people.outsider)
    assert wrong(people, {"people": [people.planner], "projects": [hidden]}) == {"projects"}


def test_only_planning_managers_write(people):
    talk = record(people)
    others = (people.executor, people.supervisor, people.management, people.auditor, people.administrator)
    for person in (*others, people.assessor, people.recipient, people.superuser):
        assert code(record, people, by=person) == "not_the_planner"
        assert code(talk_correct, talk, text="a", reason="b", by=person) == "not_the_planner"
        assert code(give, people, talk, by=person) == "not_the_planner"
    assert (Talk.objects.count(), TalkCorrection.objects.count(), FollowUp.objects.count()) == (1, 0, 0)


def test_a_correction_stands_beside_with_its_reason(people):
    talk = record(people)
    assert code(talk_correct, talk, text="Every two years.", reason=" ", by=people.planner) == "reason_needed"
    talk_correct(talk, text="Every two years.", reason="misheard", by=people.outsider)
    talk.refresh_from_db()
    assert talk.outcome == SAID
    (event,) = AuditEvent.objects.filter(action="talk.corrected")
    assert event.reason == "misheard"
    assert "Every two years" not in str(event.__dict__)


def test_who_is_given_a_follow_up_is_told_and_has_it_until_it_is_closed(
    people, django_capture_on_commit_callbacks, time_machine
):
    talk = record(people)
    with django_capture_on_commit_callbacks(execute=True):
        row = give(people, talk, days=10)
    assert [one.user for one in Notification.objects.filter(action="talk.follow_up")] == [people.executor]
    own = "Do what follows from the talk “Cards of wards”"
    assert due(people.executor) == [(own, "info")]
    assert due(people.planner) == due(people.supervisor) == due(people.recipient) == []
    time_machine.move_to(timezone.now() + timedelta(days=4))
    assert due(people.executor) == [(own, "warn")]
    time_machine.move_to(timezone.now() + timedelta(days=7))
    assert due(people.executor) == [(own, "fail")]
    left = "What Executor Person has to do after the talk “Cards of wards” is overdue"
    assert due(people.planner) == due(people.outsider) == [(left, "warn")]
    assert own in [str(task.title) for task in tasks_of(people.executor)]
    assert code(follow_up_close, row, result="Done.", by=people.supervisor) == "not_their_follow_up"
    assert code(follow_up_close, row, result=" ", by=people.executor) == "reason_needed"
    closed = follow_up_close(row, result="Sent to them.", by=people.executor)
    assert (closed.closed_by, closed.result, closed.is_overdue) == (people.executor, "Sent to them.", False)
    assert due(people.executor) + due(people.planner) == []
    assert code(follow_up_close, row, result="Again.", by=people.planner) == "follow_up_closed"
    (event,) = AuditEvent.objects.filter(action="talk.follow_up_closed")
    assert "Sent to them" not in str(event.__dict__)


def test_by_message_it_is_new_near_and_overdue_once_each(people, mailbox, reachable, time_machine):
    give(people, record(people), days=10)
    for _day in range(13):
        run()
        time_machine.move_to(timezone.now() + timedelta(days=1))
    kinds = (
        Message.objects.filter(recipient=people.executor).order_by("made_at").values_list("kind", flat=True)
    )
    assert list(kinds) == [MessageKind.NEW, MessageKind.REMINDER, MessageKind.OVERDUE]
    texts = [str(mail.get_content()) for mail in mailbox.mails]
    assert any("Cards of wards" in one for one in texts)
    assert not any(SAID in one or "Write the report." in one for one in texts)


def test_a_planning_manager_closes_what_an_owner_leaves(people):
    row = give(people, record(people))
    assert (
        follow_up_close(row, result="He has left; I wrote it.", by=people.outsider).closed_by
        == people.outsider
    )


def test_a_follow_up_is_for_somebody_inside_and_for_a_day_to_come(people):
    talk = record(people)
    assert code(give, people, talk, owner=people.recipient) == "owner_outside"
    with pytest.raises(ValidationError) as error:
        give(people, talk, days=-1)
    assert set(error.value.message_dict) == {"due_on"}
    assert not FollowUp.objects.exists()


def test_a_talk_and_its_first_follow_up_are_recorded_together_or_not_at_all(people):
    with pytest.raises(ValidationError):
        record(people, follow_up=ToDo("Write.", people.executor, today(-1)))
    assert not Talk.objects.exists()
    talk = record(people, follow_up=ToDo("Write.", people.executor, today(1)))
    assert talk.follow_ups.get().owner == people.executor
    acts = AuditEvent.objects.filter(action__in=("talk.recorded", "talk.follow_up"))
    assert len(acts) == 2
    assert len({one.act for one in acts}) == 1


def test_the_database_keeps_it(people, project):
    talk = record(people, projects=[project])
    correction = talk_correct(talk, text="a", reason="b", by=people.planner)
    for row, new, message in (
        (talk, {"outcome": "other"}, "a talk is written down once"),
        (talk.participants.first(), {"account": people.supervisor}, "who took part in a talk"),
        (talk.projects.get(), {"talk": record(people)}, "which projects a talk concerns"),
        (correction, {"text": "other"}, "a correction of a talk is written once"),
    ):
        with refused(message):
            change(row, **new)
        with refused(message):
            delete(row)
    row = follow_up_close(give(people, talk), result="Done.", by=people.planner)
    with refused("a follow-up stays as it was given"):
        change(row, result="Nothing.")
    with refused("closed, never deleted"):
        delete(row)


def test_it_is_found_by_kind_name_subject_text_and_correction(people):
    first = record(people)
    second = record(
        people, kind=CounterpartKind.TECHNICAL, counterpart="A laboratory", topic="Noise", outcome="No."
    )
    talk_correct(second, text="Yes, from autumn on.", reason="misheard", by=people.planner)
    assert list(talks(kind="technical")) == [second]
    assert list(talks(wanted="CYBERSPACE")) == list(talks(wanted="each year")) == [first]
    assert list(talks(wanted="noise")) == list(talks(wanted="autumn")) == [second]
    assert list(talks(kind="technical", wanted="wards")) == []
    assert set(talks(kind="unheard of")) == {first, second}


def test_who_may_not_read_the_record_neither_sees_it_nor_its_card(people, project):
    talk = record(people, projects=[project])
    addresses = [reverse("organisation:talks"), reverse("organisation:talk", args=[talk.pk])]
    for person in (people.planner, people.management, people.auditor):
        client = client_of(person)
        assert [client.get(one).status_code for one in addresses] == [200, 200]
        assert addresses[0] in client.get(reverse("organisation:page")).content.decode()
    for person in (people.executor, people.supervisor, people.administrator):
        client = client_of(person)
        assert [client.get(one).status_code for one in addresses] == [403, 403]
        assert addresses[0] not in client.get(reverse("organisation:page")).content.decode()


def test_who_has_a_follow_up_reads_that_talk_and_no_other(people):
    talk, other = record(people), record(people)
    give(people, talk)
    client = client_of(people.executor)
    page = client.get(reverse("organisation:talk", args=[talk.pk]))
    assert page.status_code == 200
    assert SAID in page.content.decode()
    assert f'href="{reverse("organisation:talks")}"' not in page.content.decode()
    assert client.get(reverse("organisation:talk", args=[other.pk])).status_code == 403


def test_a_reader_sees_only_the_projects_they_may_know_of(people, project):
    hidden = project_create(title="A hidden thing", by=people.outsider)
    talk = record(people, by=people.outsider, projects=[hidden])
    address = reverse("organisation:talk", args=[talk.pk])
    assert "A hidden thing" in client_of(people.auditor).get(address).content.decode()
    assert "A hidden thing" not in client_of(people.planner).get(address).content.decode()


def sent(people, /, **more):
    return {
        "kind": "partner",
        "counterpart": "A partner",
        "held_on": today().isoformat(),
        "people": [people.planner.pk],
        "topic": "A study",
        "outcome": "They join.",
    } | more


def test_on_the_pages_it_is_recorded_corrected_followed_and_closed(people, project):
    client = client_of(people.planner)
    body = sent(
        people, projects=[project.pk], what="Ask them.", owner=people.executor.pk, due_on=today(2).isoformat()
    )
    made = client.post(reverse("organisation:talk_add"), body)
    talk = Talk.objects.get()
    assert made.url == reverse("organisation:talk", args=[talk.pk])
    client.post(
        reverse("organisation:talk_correct", args=[talk.pk]), {"text": "They may join.", "reason": "misheard"}
    )
    given = {"what": "Write.", "owner": people.supervisor.pk, "due_on": today(3).isoformat()}
    client.post(reverse("organisation:talk_follow_up", args=[talk.pk]), given)
    first = talk.follow_ups.get(owner=people.executor)
    close = reverse("organisation:talk_follow_up_close", args=[talk.pk, first.pk])
    owner = client_of(people.executor)
    empty = owner.post(close, {f"{first.pk}-result": ""})
    assert empty.status_code == 422
    assert owner.post(close, {f"{first.pk}-result": "Asked."}).status_code == 302
    page = client.get(made.url).content.decode()
    for said in ("They join.", "They may join.", "misheard", "Asked.", "Write.", project.title):
        assert said in page
    found = client.get(reverse("organisation:talks"), {"q": "partner", "kind": "partner"}).content.decode()
    assert "A study" in found
    assert "No talk matches" in client.get(reverse("organisation:talks"), {"q": "nothing"}).content.decode()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"held_on": today(1).isoformat()}, "The day has not come yet."),
        ({"what": "Ask them."}, "A follow-up needs what is to be done, its owner and its day."),
        ({"document_hash": "abc"}, "64 hexadecimal digits in lower case."),
        ({"document_hash": "a" * 64}, "Say where the document lies whose hash you give."),
        ({"outcome": ""}, "This field is required."),
    ],
)
def test_a_fault_of_the_form_is_said_and_what_was_typed_stays(people, more, said):
    answer = client_of(people.planner).post(reverse("organisation:talk_add"), sent(people, **more))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert said in page
    assert "A partner" in page
    assert not Talk.objects.exists()


def test_a_follow_up_for_a_day_that_is_over_is_refused_at_its_field(people):
    client = client_of(people.planner)
    late = {"what": "Ask.", "owner": people.executor.pk, "due_on": today(-1).isoformat()}
    answer = client.post(reverse("organisation:talk_add"), sent(people, **late))
    assert answer.status_code == 422
    assert "The day is over." in answer.content.decode()
    talk = record(people)
    answer = client.post(reverse("organisation:talk_follow_up", args=[talk.pk]), late)
    assert answer.status_code == 422
    assert "The day is over." in answer.content.decode()


def test_programs_do_the_same(people, project):
    client = client_of(people.planner)

    def post(name, body, *arguments):
        return client.post(reverse(f"api:{name}", args=arguments), body, content_type="application/json")

    body = sent(people) | {"people": ["planner"], "projects": [str(project.pk)]}
    body["follow_up"] = {"what": "Ask them.", "owner": "executor", "due_on": today(2).isoformat()}
    made = post("talks", body)
    assert made.status_code == 201
    talk = made.json()
    assert (talk["people"], talk["projects"], talk["open_count"]) == (["planner"], [str(project.pk)], 1)
    (row,) = talk["follow_ups"]
    assert post("talk-corrections", {"text": "a", "reason": "b"}, talk["id"]).status_code == 201
    given = {"what": "Write.", "owner": "supervisor", "due_on": today(3).isoformat()}
    assert post("talk-follow-ups", given, talk["id"]).status_code == 201
    closed = post("talk-follow-up-close", {"result": "Asked."}, talk["id"], row["id"])
    assert (closed.status_code, closed.json()["closed_by"]) == (200, "planner")
    read = client_of(people.auditor).get(reverse("api:talk", args=[talk["id"]])).json()
    assert [one["text"] for one in read["corrections"]] == ["a"]
    assert [one["result"] for one in read["follow_ups"]] == ["Asked.", ""]
    assert client.get(reverse("api:talks"), {"kind": "authority"}).json()["count"] == 0
    assert post("talks", body | {"people": ["nobody"]}).status_code == 400


def test_control_characters_are_refused_where_they_were_typed(people):
    made = record(people)
    client = client_of(people.planner)
    sent = {"text": "It was the 3rd.", "reason": "A slip\x07"}
    assert client.post(reverse("organisation:talk_correct", args=[made.pk]), sent).status_code == 422
    address = reverse("api:talk-corrections", args=[made.pk])
    assert client.post(address, sent, content_type="application/json").status_code == 400
    assert not made.corrections.exists()
    for name in ("counterpart", "topic", "outcome"):
        assert wrong(people, {name: "Mr\x07 X"}) == {name}


def test_a_hidden_project_is_answered_as_one_that_is_not_there(people):
    hidden = project_create(title="Of others", by=people.outsider)
    client, said = client_of(people.planner), set()
    for one in (hidden.pk, uuid.uuid4()):
        sent = {
            "kind": "authority", "counterpart": "The authority", "held_on": today(-1).isoformat(),
            "people": [people.planner.username], "topic": "Cards", "outcome": SAID, "projects": [str(one)],
        }  # fmt: skip
        answer = client.post(reverse("api:talks"), sent, content_type="application/json")
        assert answer.status_code == 400
        said.add(str(answer.json()).replace(str(one), "ID"))
    assert len(said) == 1
