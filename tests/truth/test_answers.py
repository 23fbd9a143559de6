"""May this be signed? Each answer is given in the states in which it is true, and in no other."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.utils import translation

from projects.core.services import project_move
from projects.datasets.services import dataset_confirm, dataset_upload
from projects.datasets.tables.selectors import dataset_now, first_table
from projects.objective.models import Objective
from projects.processing.runs.services import run_start
from projects.verification.selectors import latest_verification
from projects.verification.services import release_decide
from projects.verification.sign_off.answer import answer_of
from projects.workflow import Move, State
from techniques.core.messages import filled
from tests.projects.verification.gate.test_gate import with_governance
from tests.projects.verification.remedies.test_remedies import weak
from tests.projects.verification.stories import SmallStory, flip_a_byte, measurable, remove
from tests.truth.sentences import the_one
from tests.truth.tables import _parts, matching
from tests.truth.unsaid import HELD

pytestmark = pytest.mark.django_db
START = measurable
ANSWERS = HELD["tests/truth/test_answers.py"]
RETURNED = "The regions are still too fine."


@pytest.fixture(autouse=True)
def store(settings: Any, tmp_path: Any) -> None:
    settings.DEID_STORE_DIR = tmp_path / "store"


@pytest.fixture
def story(people: Any, story_at: Any) -> SmallStory:
    """Ready to be measured, and not measured yet."""
    found: SmallStory = story_at(State.VERIFICATION, measurable)
    return found


def said(story: SmallStory) -> set[str]:
    """Title and lead of the answer, and each sentence of it."""
    project = story.fresh()
    with translation.override("en"):
        answer = answer_of(project, latest_verification(project))
    parts = re.split(r"(?<=\.) (?=\d)", answer.lead)
    return {answer.title, *(text for part in parts for text in _parts(part))}


def is_said(story: SmallStory, *true: str, **params: Any) -> None:
    """Of all answers those that begin so are given, with the parameters, and no other."""
    expected = {filled(the_one(begins), params) for begins in true}
    given = {text for begins in ANSWERS for text in matching(said(story), the_one(begins))}
    assert given == expected


def outcomes(story: SmallStory) -> Mapping[Any, int]:
    """How many checks of the newest measurement passed, did not, and could not run."""
    found = latest_verification(story.fresh())
    assert found is not None
    passed = [check["passed"] for check in found.checks]
    return {one: passed.count(one) for one in (True, False, None)}


def test_before_and_after_a_measurement(story: SmallStory, people: Any) -> None:
    is_said(story, "There is a result, but", "No: not measured yet")
    story.measure()
    every = outcomes(story)[True]
    is_said(story, "Every one of the %(n)s checks", "The stage review by the supervisor", n=every)
    project_move(story.fresh(), move=Move.SUBMIT_VERIFICATION, by=people.executor)
    story.fresh()
    story.review()
    assert story.fresh().state == State.RELEASE_APPROVAL
    is_said(story, "Every one of the %(n)s checks", "Yes: this result may be signed", n=every)
    release_decide(story.fresh(), decision="returned", reason=RETURNED, by=people.management)
    returned = {text for text in said(story) if RETURNED.rstrip(".") in text}
    pattern = rf"Management Person returned it on [-\d]+ [:\d]+.*: “{re.escape(RETURNED.rstrip('.'))}”\."
    assert any(re.fullmatch(pattern, text) for text in returned)
    run_start(story.fresh(), by=people.executor)
    story.run_jobs()
    is_said(story, "Recipe, data or result changed")


def test_nothing_has_run(people: Any) -> None:
    story = SmallStory(people)
    story.reach(State.PROCESSING)
    is_said(story, "There is no result of the current recipe", "No: not measured yet")


def test_a_stored_file_that_was_damaged(story: SmallStory) -> None:
    flip_a_byte(story.project)
    story.measure()
    failed, unknown = outcomes(story)[False], outcomes(story)[None]
    assert failed == 1
    assert unknown > 1
    given = {text for begins in ANSWERS for text in matching(said(story), the_one(begins))}
    assert given == {
        filled(the_one("%(n)s check did not pass"), {"n": failed}),
        filled(the_one("%(n)s checks could not"), {"n": unknown}),
        the_one("No: the result does not meet"),
    }


def test_other_targets_than_those_that_were_measured_by(story: SmallStory) -> None:
    story.measure()
    row = Objective.objects.get(project=story.project)
    row.risk = {**row.risk, "k": 6}
    with_governance(row)
    is_said(story, "The targets changed")


def test_a_population_table_that_is_named_later(story: SmallStory, people: Any) -> None:
    story.measure()
    for move in (Move.BACK_TO_PROCESSING, Move.BACK_TO_IDENTIFICATION):
        project_move(story.fresh(), move=move, by=people.executor, reason="for this test")
    table = first_table(story.fresh())
    register = io.BytesIO("性别,年龄\n男,30\n女,31\n男,40\n".encode())
    dataset_upload(table, content=register, name="register.csv", by=people.executor, population=True)
    story.run_jobs()
    found = dataset_now(first_table(story.fresh()), population=True)
    assert found is not None
    is_said(
        story, "Every one of the %(n)s checks", "The stage review by the supervisor", n=outcomes(story)[True]
    )
    dataset_confirm(found, by=people.executor)
    story.run_jobs()
    is_said(story, "Another population table was named")


def test_several_checks_that_did_not_pass(people: Any) -> None:
    story = SmallStory(people, change=weak)
    story.reach(State.VERIFICATION)
    story.measure()
    found = outcomes(story)
    assert found[False] > 1
    is_said(story, "No: the result does not meet", "%(n)s checks did not pass", n=found[False])


def test_a_check_that_could_not_run(people: Any) -> None:
    story = SmallStory(people, change=lambda content: remove(content, "费用"))
    story.reach(State.VERIFICATION)
    story.measure()
    found = outcomes(story)
    assert found[False] == 0
    is_said(story, "No: a check could not run", "%(n)s check could not", n=found[None])
