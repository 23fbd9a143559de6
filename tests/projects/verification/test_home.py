"""The task of a result that was measured and did not pass says so: of this project, and for as long as this is its result."""

from __future__ import annotations

import pytest
from django.utils import translation

from projects.core.services import project_move
from projects.core.tasks_registry import tasks_of
from projects.workflow import Move, State
from tests.projects.verification.remedies.test_remedies import weak
from tests.projects.verification.stories import SmallStory

pytestmark = pytest.mark.django_db
FAILED = "Verify the result (the last measurement did not pass)"


def labels(person, project):
    with translation.override("en"):
        return [
            f"{one.title} {one.hint}"
            for one in tasks_of(person)
            if one.project_id == project.pk or str(project.pk) in one.url
        ]


def test_it_is_said_of_the_project_that_failed_alone(people):
    failing = SmallStory(people, change=weak)
    failing.reach(State.VERIFICATION)
    assert FAILED not in " ".join(labels(people.executor, failing.project)), "nothing was measured"
    failing.measure()
    other = SmallStory(people)
    other.reach(State.VERIFICATION)
    assert FAILED in " ".join(labels(people.executor, failing.project))
    assert FAILED not in " ".join(labels(people.executor, other.project))
    assert labels(people.executor, other.project), "it waits for its measurement"


def test_a_suspension_does_not_take_it_back(people):
    failing = SmallStory(people, change=weak)
    failing.reach(State.VERIFICATION)
    failing.measure()
    for move, by in ((Move.SUSPEND, people.planner), (Move.RESUME, people.supervisor)):
        project_move(failing.fresh(), move=move, by=by, reason="for the test")
    assert FAILED in " ".join(labels(people.executor, failing.project))
