"""Deadlines: the plan's own days compared with today, in header, tasks, lists and API; the clock is moved, not the days."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone, translation

from approvals.request_cache import caching_reads
from projects.core import deadlines
from projects.core.deadlines import (
    Deadline,
    by_deadline,
    deadline_of,
    deadlines_of,
    due_day,
    is_near,
    is_overdue,
)
from projects.core.models import Project
from projects.core.selectors import project_get
from projects.core.services import project_move
from projects.core.tasks_registry import tasks_of
from projects.objective import services
from projects.objective.models import PlanVersion
from projects.objective.presentation import plan_rows
from projects.objective.selectors import objective_of
from projects.objective.targets.content import DEADLINE_STAGES, Plan
from projects.objective.targets.reading import plan_read
from projects.workflow import Move, Stage, State
from tests.fixtures import make_project
from tests.projects.objective.plan.test_preparation import SECTIONS, STEPS
from tests.projects.objective.steps import decide, fill, fresh, review, submit, write_plan
from tests.projects.rows import change

pytestmark = pytest.mark.django_db
DAYS = {
    "objective": "2031-03-03",
    "identification": "2031-03-10",
    "processing": "2031-03-24",
    "verification": "2031-04-07",
    "release": "2031-04-14",
}


@pytest.fixture
def moved(monkeypatch):
    """Set the clock by which deadlines are compared."""

    def move(day: str) -> None:
        at = timezone.make_aware(datetime.fromisoformat(f"{day}T12:00"))
        monkeypatch.setattr(deadlines.timezone, "localdate", lambda: at.date())

    return move


@pytest.fixture
def planned(project, people):
    project = fill(project, people)
    write_plan(project, people, deadlines=DAYS)
    return fresh(project)


@pytest.mark.parametrize(
    ("days", "tone", "english", "chinese"),
    [
        (30, "neutral", "due in 30 days", "还剩30天"),
        (8, "neutral", "due in 8 days", "还剩8天"),
        (7, "warn", "due in 7 days", "还剩7天"),
        (1, "warn", "due in 1 day", "还剩1天"),
        (0, "warn", "due today", "今天到期"),
        (-1, "fail", "1 day overdue", "逾期1天"),
        (-2, "fail", "2 days overdue", "逾期2天"),
    ],
)
def test_a_deadline_says_how_many_days_are_left(days, tone, english, chinese):
    today = date(2031, 3, 1)
    found = Deadline(today + timedelta(days=days), today)
    assert (found.days, found.tone, found.is_overdue) == (days, tone, days < 0)
    with translation.override("en"):
        assert found.text == english
    with translation.override("zh-hans"):
        assert found.text == chinese


def test_days_of_a_plan_are_typed_and_in_the_order_of_the_stages():
    assert [Stage(name) for name in DEADLINE_STAGES] == [stage for stage in Stage if stage != Stage.CLOSED]
    assert Plan(**SECTIONS).model_dump(mode="json") == SECTIONS
    some = plan_read(SECTIONS | {"deadlines": {"processing": "2031-03-24"}})
    assert some.model_dump(mode="json") == SECTIONS | {"deadlines": {"processing": "2031-03-24"}}
    for wrong in (
        {"objective": "2031-03-11", "release": "2031-03-10"},
        {"processing": "soon"},
        {"closed": "2031-01-01"},
    ):
        with pytest.raises(ValidationError) as refused:
            plan_read(SECTIONS | {"deadlines": wrong})
        assert list(refused.value.message_dict) == ["deadlines"]


def test_the_deadline_is_that_of_the_stage_that_the_project_is_in(planned, people, moved):
    moved("2031-03-01")
    assert deadline_of(planned) == Deadline(date(2031, 3, 3), date(2031, 3, 1))
    submit(planned, people)
    review(planned, people)
    decide(planned, people)
    project = fresh(planned)
    assert project.state == State.IDENTIFICATION
    assert deadline_of(project).due == date(2031, 3, 10)
    moved("2031-03-12")
    assert deadline_of(project).days == -2
    # What is suspended stays due; what is over is not.
    project = project_move(project, move=Move.SUSPEND, by=people.supervisor, reason="a leak is looked into")
    assert deadline_of(fresh(project)).due == date(2031, 3, 10)
    project = project_move(fresh(project), move=Move.RESUME, by=people.supervisor, reason="nothing was found")
    project = project_move(fresh(project), move=Move.WITHDRAW, by=people.planner, reason="no longer needed")
    assert deadline_of(fresh(project)) is None


def test_the_submitted_plan_counts_and_while_it_is_written_the_draft(planned, people):
    write_plan(planned, people, deadlines={"objective": "2031-03-05"})
    assert deadline_of(fresh(planned)).due == date(2031, 3, 5)
    submit(planned, people)
    # A plan without days has no deadline, whatever a draft has said before.
    project_move(fresh(planned), move=Move.RETURN_OBJECTIVE, by=people.supervisor, reason="unclear")
    write_plan(fresh(planned), people, deadlines=None)
    assert deadline_of(fresh(planned)) is None
    assert PlanVersion.objects.get(project=planned).content["plan"]["deadlines"] == {
        "objective": "2031-03-05"
    }


def test_header_home_list_and_api_say_the_same(client, planned, people, moved):
    moved("2031-03-05")
    client.force_login(people.planner, backend="deid_portal.accounts.backends.AccountBackend")
    english = {"accept-language": "en"}
    addresses = [reverse("core:project", args=[planned.pk]), reverse("core:home"), reverse("core:projects")]
    for address in addresses:
        assert "2 days overdue" in client.get(address, headers=english).content.decode(), address
    moved("2031-03-01")
    for address in addresses:
        shown = client.get(address, headers=english).content.decode()
        assert "due in 2 days" in shown, address
        assert "overdue" not in shown
    given = client.get(reverse("api:project-detail", args=[planned.pk])).json()
    assert (given["deadline"], given["days_left"]) == ("2031-03-03", 2)
    (listed,) = client.get(reverse("api:project-list")).json()["results"]
    (task,) = client.get(reverse("api:task-list")).json()
    assert {one["deadline"] for one in (listed, task)} == {"2031-03-03"}
    assert {one["days_left"] for one in (listed, task)} == {2}


def test_what_is_due_first_stands_first(client, planned, people, django_assert_num_queries, moved):
    moved("2031-03-01")
    sooner = fill(make_project(people, "Sooner"), people)
    write_plan(sooner, people, deadlines={"objective": "2031-03-02"})
    none = make_project(people, "Without a plan")
    wanted = [sooner.pk, planned.pk, none.pk]
    assert [one.pk for one in by_deadline(Project.objects.all())] == wanted
    assert [task.project for task in tasks_of(people.planner)] == [str(sooner), str(planned), str(none)]
    client.force_login(people.planner, backend="deid_portal.accounts.backends.AccountBackend")
    shown = client.get(reverse("core:projects"), {"sort": "due"}).content.decode()
    places = [shown.index(str(pk)) for pk in wanted]
    assert places == sorted(places)
    with django_assert_num_queries(1):
        assert len(deadlines_of([none, planned, sooner])) == 2


def test_lists_and_pages_have_the_same_day_in_every_state(planned, people):
    """Lists have the database choose it, and the pages of one project choose it themselves."""
    submit(planned, people)
    later = {name: day.replace("2031", "2032") for name, day in DAYS.items()}
    change(objective_of(planned), plan=objective_of(planned).plan | {"deadlines": later})
    places = [(state, "") for state in State if state != State.SUSPENDED]
    places += [(State.SUSPENDED, state) for state, _before in places]
    found = {}
    for state, before in places:
        change(planned, state=state, suspended_from=before)
        with caching_reads():
            one = deadline_of(project_get(people.planner, planned.pk))
        (due,) = Project.objects.values_list(due_day(), flat=True)
        found[state, before] = due
        assert due == (one.due if one else None), (state, before)
        if one:
            assert Project.objects.annotate(due=due_day()).filter(is_overdue()).exists() is one.is_overdue
    days = {None, *(date.fromisoformat(day) for day in [*DAYS.values(), later["objective"]])}
    assert {*found.values()} == days
    assert (
        found[State.OBJECTIVE_DRAFT, ""] == found[State.SUSPENDED, State.OBJECTIVE_DRAFT] == date(2032, 3, 3)
    )
    assert found[State.MONITORING, ""] is found[State.SUSPENDED, State.CLOSED] is None


@pytest.mark.parametrize(("days", "near"), [(-1, False), (0, True), (7, True), (8, False)])
def test_what_is_near_is_so_in_lists(planned, days, near):
    due = timezone.localdate() + timedelta(days=days)
    change(
        objective_of(planned), plan=objective_of(planned).plan | {"deadlines": {"objective": due.isoformat()}}
    )
    found = Project.objects.annotate(due=due_day())
    assert found.filter(is_near()).exists() is near is deadline_of(planned).is_near
    assert found.filter(is_overdue()).exists() is (days < 0)


def test_the_plan_shows_its_days_and_the_form_keeps_them(client, planned, people):
    with translation.override("en"):
        (row,) = [row for row in plan_rows(objective_of(planned).plan) if row["key"] == "Deadlines"]
    assert row["under"] == "Schedule"
    assert row["value"].splitlines()[0] == "Plan approved by 2031-03-03"
    client.force_login(people.planner, backend="deid_portal.accounts.backends.AccountBackend")
    address = reverse("objective:plan_edit", args=[planned.pk])
    shown = client.get(address).content.decode()
    assert all(f'value="{day}"' in shown for day in DAYS.values())
    sent = SECTIONS | {"preparation_1": "none", "preparation_explanation": STEPS["explanation"]}
    sent["seen"] = client.get(address).context["seen"]
    wrong = client.post(
        address, sent | {"deadline_objective": "2031-05-01", "deadline_release": "2031-04-01"}
    )
    assert wrong.status_code == 422
    assert client.post(address, sent | {"deadline_processing": "2031-05-01"}).status_code == 302
    assert objective_of(fresh(planned)).plan["deadlines"] == {"processing": "2031-05-01"}
    sent["seen"] = client.get(address).context["seen"]
    assert client.post(address, sent).status_code == 302
    assert "deadlines" not in objective_of(fresh(planned)).plan
    services.plan_save(fresh(planned), plan=plan_read(SECTIONS | {"deadlines": DAYS}), by=people.planner)
    assert objective_of(fresh(planned)).plan["deadlines"] == DAYS
