"""Senior management finds on the home page which stages its supervisor has passed and nobody has reviewed since, where they may."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from approvals.decisions.models import Review, ReviewOutcome
from projects.core.services import project_move
from projects.core.tasks_registry import tasks_of
from projects.monitoring.oversight.rules import may_review_records
from projects.monitoring.oversight.selectors import REVIEWED_STAGES
from projects.workflow import Move, Stage, State
from tests.projects.monitoring.oversight.test_oversight import record
from tests.projects.releases import stories
from tests.projects.rows import change, put

pytestmark = pytest.mark.django_db


def START(people):
    """The target has passed its review; the plan waits for its signature."""
    return stories.reach(people, State.PLAN_APPROVAL)


@pytest.fixture
def story(own_start):
    return own_start.story


def todo(person, project):
    return [one for one in tasks_of(person) if "/oversight/" in one.url and str(project.pk) in one.url]


def address(project, stage=Stage.OBJECTIVE):
    return reverse("monitoring:oversight", args=[project.pk, stage.value])


def test_what_has_passed_is_there_until_it_is_reviewed(story, people):
    (task,) = todo(people.management, story.project)
    assert (task.url, task.deadline) == (address(story.project), None)
    for who in ("planner", "executor", "supervisor", "auditor", "recipient", "outsider"):
        assert todo(getattr(people, who), story.project) == []
    record(story.project, people)
    assert todo(people.management, story.project) == []


def test_one_task_for_all_stages_of_a_project_the_first_that_passed(people):
    project = stories.reach(people, State.PROCESSING, "Two stages").project
    (task,) = todo(people.management, project)
    assert task.url == address(project)
    record(project, people)
    (task,) = todo(people.management, project)
    assert task.url == address(project, Stage.IDENTIFICATION)
    assert may_review_records(people.management, project, Stage.IDENTIFICATION)


def test_nothing_is_to_be_reviewed_before_a_stage_has_passed(people):
    project = stories.reach(people, State.OBJECTIVE_REVIEW, "Not yet").project
    assert todo(people.management, project) == []
    assert not any(may_review_records(people.management, project, stage) for stage in REVIEWED_STAGES)


def test_nobody_is_asked_about_a_stage_that_they_handed_in_or_supervised(story, people):
    """Under another account neither, as the rule has it."""
    for other in (people.supervisor, people.planner):
        for one in (people.management, other):
            change(one, person_id=other.pk)
        people.management.refresh_from_db()
        assert not may_review_records(people.management, story.project, Stage.OBJECTIVE)
        assert todo(people.management, story.project) == []
        change(other, person_id=None)
        change(people.management, person_id=None)
    assert todo(people.management, story.project)


def test_nobody_is_asked_while_the_stage_is_returned_or_the_project_rests(story, people):
    project_move(story.project, move=Move.SUSPEND, by=people.supervisor, reason="for a while")
    assert todo(people.management, story.project) == []
    story.project.refresh_from_db()
    project_move(story.project, move=Move.RESUME, by=people.supervisor, reason="again")
    assert todo(people.management, story.project)
    change(story.project, state=State.OBJECTIVE_DRAFT)
    assert todo(people.management, story.project) == []


def test_what_passes_anew_is_to_be_reviewed_anew(story, people):
    """The supervisor's last word counts."""
    record(story.project, people)
    first = Review.objects.get()
    fields = {
        name: getattr(first, name)
        for name in ("project_id", "stage", "subject_kind", "subject_id", "subject_hash")
    }
    texts = dict.fromkeys(("object", "process", "result", "measures"), "again")
    people_then = {"submitted_by": first.submitted_by, "reviewed_by": first.reviewed_by}
    put(Review, **fields, **texts, **people_then, outcome=ReviewOutcome.PASSED)
    (task,) = todo(people.management, story.project)
    assert task.url == address(story.project)
    put(Review, **fields, **texts, **people_then, outcome=ReviewOutcome.RETURNED)
    assert todo(people.management, story.project) == []


def test_it_costs_the_home_page_no_statement(story, people, client):
    def statements():
        client.get(reverse("core:home"))
        with CaptureQueriesContext(connection) as queries:
            page = client.get(reverse("core:home")).content.decode()
        return len(queries), address(story.project) in page

    client.force_login(people.management)
    before = statements()
    record(story.project, people)
    assert (before, statements()) == ((before[0], True), (before[0], False))
