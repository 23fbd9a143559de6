"""A training is planned, who it is for is told and reminded, and who attended stands on record once (6.2 d)."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone, translation

from approvals.audit.models import AuditEvent
from approvals.audit.registry import sentence_for
from approvals.governance.verdict import Refused
from deid_portal.records.enums import AttendanceOutcome, TrainingStatus
from deid_portal.records.models import Attendance, StaffRecord, Training
from deid_portal.records.selectors import records_missing
from deid_portal.records.services import record_take_back
from deid_portal.records.trainings.home import trainings_due
from deid_portal.records.trainings.selectors import people_concerned, training_get, trainings
from deid_portal.records.trainings.services import training_cancel, training_hold, training_plan
from projects.core.deadlines import months_later
from projects.core.models import Notification
from projects.core.services import member_end
from projects.workflow import Role
from tests.deid_portal.records.test_records import catalogue, code, signed_in, today
from tests.pages import sent_nowhere
from tests.projects.rows import change, delete, put, refused

pytestmark = pytest.mark.django_db
PASSED, FAILED, ABSENT = AttendanceOutcome.PASSED, AttendanceOutcome.FAILED, AttendanceOutcome.ABSENT


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def plan(people, *, days=0, roles=(Role.EXECUTOR,), months=12, repeat=None, by=None):
    return training_plan(
        title="Techniques of Annex A",
        teaches="Each technique; ten questions.",
        roles=roles,
        held_on=today(days),
        valid_months=months,
        repeat_months=repeat,
        by=by or people.planner,
    )


def hold(people, training, outcomes, **more):
    given = {"kept_at": "folder 9", "by": people.administrator, **more}
    return training_hold(training, outcomes=outcomes, **given)


def due(person):
    return [(task.title, task.tone) for task in trainings_due(person)]


def test_who_holds_a_role_of_it_is_concerned_while_they_hold_it(people, project):
    training = plan(people, roles=(Role.EXECUTOR, Role.SUPERVISOR))
    assert set(people_concerned(training)) == {people.executor, people.supervisor}
    member_end(project.memberships.get(user=people.supervisor), by=people.planner)
    assert set(people_concerned(training)) == {people.executor}


def test_who_it_is_for_is_told_of_it_and_of_its_end(people, project, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        training = plan(people, days=5)
    notes = Notification.objects.filter(action="training.of_yours")
    assert [one.user for one in notes] == [people.executor]
    with django_capture_on_commit_callbacks(execute=True):
        training_cancel(training, reason="The teacher is ill", by=people.administrator)
    (off,) = Notification.objects.filter(action="training.off")
    assert (off.user, off.reason) == (people.executor, "The teacher is ill")


@pytest.mark.parametrize(
    ("days", "of_executor", "of_administrator"),
    [
        (31, [], []),
        (30, ["info"], []),
        (0, ["info"], ["warn"]),
        (-1, [], ["warn"]),
        (-7, [], ["warn"]),
        (-8, [], ["fail"]),
    ],
)
def test_it_is_recalled_before_its_day_and_to_be_recorded_after_it(
    people, project, days, of_executor, of_administrator, time_machine
):
    training = plan(people, days=31)
    time_machine.move_to(timezone.now() + timedelta(days=31 - days))
    assert [tone for _title, tone in due(people.executor)] == of_executor
    assert [tone for _title, tone in due(people.administrator)] == of_administrator
    assert due(people.supervisor) == due(people.outsider) == []
    training_cancel(training, reason="moved", by=people.planner)
    assert due(people.executor) + due(people.administrator) == []


def test_who_passes_has_it_on_record_and_may_take_the_role(people, project):
    catalogue(people)
    key = (people.executor.pk, Role.EXECUTOR)
    assert key in records_missing([people.executor])
    training = plan(people, months=24)
    hold(people, training, {people.executor.pk: PASSED}, others=[people.outsider], document_hash="a" * 64)
    assert key not in records_missing([people.executor])
    for person in (people.executor, people.outsider):
        record = StaffRecord.objects.get(account=person)
        day = today()
        until = date(day.year + 2, day.month, min(day.day, 28 if day.month == 2 else day.day))
        assert (record.kind, record.title, record.done_on) == ("training", "Techniques of Annex A", day)
        assert (record.valid_until, record.passed, record.kept_at) == (until, True, "folder 9")
        assert record.document_hash == "a" * 64
        assert Attendance.objects.get(account=person).record == record
    event = AuditEvent.objects.get(action="training.held")
    assert (event.facts["recorded"], event.facts["passed"]) == (2, 2)
    assert "persons recorded: 2, passed its test: 2" in sentence_for(
        event.action, actor="A", subject="S", facts=event.facts
    )
    seen = training_get(training.pk)
    assert (seen.recorded, seen.passed, seen.status) == (2, 2, "held")


def test_who_fails_has_that_on_record_and_who_was_absent_nothing(people, project):
    catalogue(people)
    training = plan(people, roles=(Role.EXECUTOR, Role.SUPERVISOR), months=None)
    hold(people, training, {people.executor.pk: FAILED, people.supervisor.pk: ABSENT})
    record = StaffRecord.objects.get()
    assert (record.account, record.passed, record.valid_until) == (people.executor, False, None)
    assert records_missing([people.executor])[people.executor.pk, Role.EXECUTOR] == (
        "Training with a test, not passed"
    )
    assert Attendance.objects.get(account=people.supervisor).record is None


def test_everybody_is_accounted_for_and_nobody_else(people, project):
    training = plan(people)
    for outcomes, others, why in (
        ({}, [], "unsaid"),
        ({people.executor.pk: PASSED, people.supervisor.pk: PASSED}, [], "stranger"),
        ({people.executor.pk: PASSED}, [people.executor], "stranger"),
        ({people.executor.pk: PASSED}, [people.recipient], "stranger"),
        ({people.executor.pk: PASSED}, [people.administrator], "stranger"),
    ):
        with pytest.raises(ValidationError) as error:
            hold(people, training, outcomes, others=others)
        assert error.value.code == why
    assert not StaffRecord.objects.exists()
    training.refresh_from_db()
    assert training.status == "planned"
    with pytest.raises(ValidationError) as error:
        hold(people, training, {people.executor.pk: ABSENT})
    assert error.value.code == "nobody"
    for_nobody = plan(people, roles=(Role.MANAGEMENT,))
    member_end(project.memberships.get(user=people.management), by=people.planner)
    with pytest.raises(ValidationError) as error:
        hold(people, for_nobody, {})
    assert error.value.code == "nobody"


def test_who_may_and_when(people, project):
    for person in (people.executor, people.supervisor, people.management, people.auditor):
        with pytest.raises(Refused):
            plan(people, by=person)
    for given, field in (
        ({"roles": ()}, "roles"),
        ({"days": -1}, "held_on"),
        ({"days": 5 * 366 + 1}, "held_on"),
        ({"roles": (Role.RECIPIENT,)}, "roles"),
    ):
        with pytest.raises(ValidationError) as error:
            plan(people, **given)
        assert list(error.value.message_dict) == [field]
    later = plan(people, days=1)
    everyone = {people.executor.pk: PASSED}
    assert code(hold, people, later, everyone) == "training_not_yet"
    assert code(training_cancel, later, reason=" ", by=people.planner) == "training_text_needed"
    now = plan(people, by=people.administrator)
    with pytest.raises(Refused):
        hold(people, now, everyone, by=people.planner)
    hold(people, now, everyone)
    assert code(hold, people, now, everyone) == "training_closed"
    assert code(training_cancel, now, reason="so", by=people.planner) == "training_closed"
    assert StaffRecord.objects.count() == 1


@pytest.mark.parametrize(("late", "months"), [(0, 12), (40, 1), (700, 12)])
def test_one_that_repeats_is_planned_again_once_it_was_held(
    people, project, late, months, django_capture_on_commit_callbacks
):
    first = plan(people, repeat=months)
    with time_machine.travel(timezone.now() + timedelta(days=late)):
        with django_capture_on_commit_callbacks(execute=True):
            hold(people, first, {people.executor.pk: ABSENT}, others=[people.supervisor])
        again = Training.objects.get(status=TrainingStatus.PLANNED)
        series = [months_later(first.held_on, times * months) for times in range(1, 99)]
        assert again.held_on == next(day for day in series if day >= timezone.localdate())
        same = ("title", "teaches", "roles", "valid_months", "repeat_months")
        assert [getattr(again, name) for name in same] == [getattr(first, name) for name in same]
        assert again.planned_by == people.administrator
        (sent,) = Notification.objects.filter(action="training.of_yours")
        assert sent.user == people.executor, "who was absent is concerned by the next"
        assert sent.facts["day"] == again.held_on.isoformat()


def test_one_that_is_cancelled_or_repeats_not_is_not_planned_again(people, project):
    training_cancel(plan(people, repeat=12), reason="so", by=people.planner)
    hold(people, plan(people), {people.executor.pk: PASSED})
    assert not Training.objects.filter(status=TrainingStatus.PLANNED).exists()


def test_the_database_keeps_what_was_planned_and_who_attended(people, project):
    training = plan(people)
    for new in (
        {"title": "Another"}, {"teaches": "less"}, {"roles": ["planner"]}, {"held_on": today(3)},
        {"valid_months": 60}, {"valid_months": None}, {"repeat_months": 60}, {"planned_by_id": people.administrator.pk},
        {"planned_at": timezone.now()},
    ):  # fmt: skip
        with refused("stays as it was planned"):
            change(training, **new)
    with refused("cancelled, never deleted"):
        delete(training)
    hold(people, training, {people.executor.pk: PASSED})
    training.refresh_from_db()
    for new in ({"kept_at": "elsewhere"}, {"closed_by_id": people.planner.pk}):
        with refused("as it was recorded"):
            change(training, **new)
    for new in ({"document_hash": "a" * 64}, {"status": "planned"}, {"status": "cancelled"}):
        with refused("held or cancelled once"):
            change(training, **new)
    row = Attendance.objects.get()
    other = plan(people)
    for more in ({"training_id": other.pk}, {"account_id": people.outsider.pk}):
        fresh = {"training_id": training.pk, "account_id": people.executor.pk, "record_id": row.record_id}
        with refused("of a training that was held, with the record of the same person"):
            put(Attendance, outcome="passed", **fresh | more)
    with refused("written once"):
        change(row, outcome="failed")
    with refused("written once"):
        delete(row)


def test_the_pages(people, project):
    every = reverse("records:trainings")
    planner, administrator = signed_in(people.planner), signed_in(people.administrator)
    assert "No training has been planned" in signed_in(people.outsider).get(every).content.decode()
    body = {
        "title": "Annex A", "teaches": "Techniques", "roles": ["executor"], "held_on": today().isoformat(),
        "valid_months": "12", "repeat_months": "12",
    }  # fmt: skip
    assert planner.post(every, body | {"roles": []}).status_code == 422
    over = planner.post(every, body | {"held_on": today(-1).isoformat()})
    assert over.status_code == 422
    assert "The day is over." in over.content.decode()
    assert signed_in(people.executor).post(every, body).status_code == 403
    address = planner.post(every, body).url
    training = Training.objects.get()
    assert address == reverse("records:training", args=[training.pk])
    shown = signed_in(people.executor).get(address).content.decode()
    assert "Techniques" in shown
    assert "after 12 months, planned once this one was held" in " ".join(shown.split())
    assert "Record who attended" not in shown
    assert "Cancel the training" not in shown
    listed = administrator.get(address).content.decode()
    assert str(people.executor) in listed
    assert "Cancel the training" in listed
    held = reverse("records:training_hold", args=[training.pk])
    mute = administrator.post(held, {"kept_at": "folder 9"})
    assert mute.status_code == 422
    assert f'href="#id_outcome_{people.executor.pk}"' in mute.content.decode()
    assert sent_nowhere(mute.content.decode()) == []
    assert planner.post(held, {}).status_code == 403
    cancel = reverse("records:training_cancel", args=[training.pk])
    empty = planner.post(cancel, {"cancel-reason": " "})
    assert empty.status_code == 422
    assert 'href="#id_cancel-reason"' in empty.content.decode()
    assert sent_nowhere(empty.content.decode()) == []
    changed = {f"outcome_{people.executor.pk}": "passed", f"outcome_{people.supervisor.pk}": "failed"}
    late = administrator.post(held, changed | {"kept_at": "folder 9"})
    assert late.status_code == 422
    assert "The list of people has changed" in late.content.decode()
    sent = {f"outcome_{people.executor.pk}": "passed", "others": [people.outsider.pk], "kept_at": "folder 9"}
    assert administrator.post(held, sent).url == address
    done = administrator.get(address).content.decode()
    assert "Passed the test: 2" in done
    record_take_back(
        StaffRecord.objects.get(account=people.outsider), reason="of somebody else", by=people.administrator
    )
    assert "The record was withdrawn." in administrator.get(address).content.decode()
    assert "folder 9" not in signed_in(people.executor).get(address).content.decode()
    assert "Passed the test" not in signed_in(people.planner).get(every).content.decode()
    assert "Passed the test" in administrator.get(every).content.decode()
    with translation.override("zh-hans"):
        assert "考核通过" in administrator.get(every, headers={"accept-language": "zh-hans"}).content.decode()


def test_the_api_does_the_same(people, project):
    every = reverse("api:records-trainings")
    planner, administrator = signed_in(people.planner), signed_in(people.administrator)
    body = {
        "title": "Annex A",
        "teaches": "Techniques",
        "roles": ["executor"],
        "held_on": today().isoformat(),
    }
    as_json = {"content_type": "application/json"}
    assert planner.post(every, body | {"roles": []}, **as_json).status_code == 400
    made = planner.post(every, body, **as_json)
    assert made.status_code == 201
    assert (made.json()["roles"], made.json()["valid_until"]) == (["executor"], None)
    assert signed_in(people.executor).get(every).json()["count"] == 1
    attendance = reverse("api:records-training-attendance", args=[made.json()["id"]])
    row = {"username": people.executor.username, "outcome": "passed"}
    assert planner.get(attendance).status_code == 403
    unknown = {"attendance": [row | {"username": "nobody"}], "kept_at": "folder 9"}
    assert administrator.post(attendance, unknown, **as_json).status_code == 400
    twice = {"attendance": [row | {"outcome": "failed"}, row], "kept_at": "folder 9"}
    assert administrator.post(attendance, twice, **as_json).status_code == 400
    unsaid = administrator.post(attendance, {"attendance": [], "kept_at": "folder 9"}, **as_json)
    assert unsaid.status_code == 400
    held = administrator.post(attendance, {"attendance": [row], "kept_at": "folder 9"}, **as_json)
    assert held.status_code == 201
    (said,) = administrator.get(attendance).json()
    assert said == row | {"record": str(StaffRecord.objects.get().pk)}
    cancel = reverse("api:records-training-cancel", args=[made.json()["id"]])
    assert planner.post(cancel, {"reason": "late"}, **as_json).status_code == 403


def test_the_latest_stands_first(people):
    for days in (3, 9, 1, 6):
        plan(people, days=days)
    listed = [one.held_on for one in trainings()]
    assert listed == sorted(listed, reverse=True)
