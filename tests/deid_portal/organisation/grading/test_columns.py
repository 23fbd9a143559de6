"""Columns that are graded higher than the data of their project: the gate holds back what is in the result, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from deid_portal.demo import story as demo
from projects.core.evidence import evidence_state
from projects.datasets.tables.selectors import dataset_now, first_table
from projects.identification.selectors import current_round
from projects.identification.services import Given, verdicts_give
from projects.queries.selectors import askable_columns
from projects.workflow import Evidence, State
from tests.projects.verification.stories import WHY, SmallStory, remove

pytestmark = pytest.mark.django_db


class Graded(SmallStory):
    """The small story with grades of single columns."""

    def __init__(self, people: Any, grades: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(people, **kwargs)
        self.grades = grades

    def judge(self) -> None:
        given = [
            Given(column, role, kind, WHY, grade=self.grades.get(column, ""))
            for column, (role, kind) in self.roles.items()
        ]
        verdicts_give(current_round(self.project), given, by=self.people["executor"])


def missing(story: SmallStory) -> list[str]:
    with translation.override("en"):
        return [str(one) for one in evidence_state(story.fresh(), Evidence.GATE_PASSED).missing]


HIGHER = (
    "Graded higher than the data in the target (Sensitive data): %s. Grade the data again in the target, "
    "or let the recipe remove the columns."
)
CORE = "Core data never leave: %s. Let the recipe remove the columns."


@pytest.mark.parametrize(
    ("grades", "scope", "change", "said"),
    [
        ({}, "sensitive", None, []),
        # As high as the target, or lower.
        ({"诊断": "sensitive", "年龄": "general"}, "sensitive", None, []),
        ({"诊断": "important"}, "sensitive", None, [HIGHER % "诊断 (Important data)"]),
        # Treated, and yet there.
        ({"年龄": "important"}, "sensitive", None, [HIGHER % "年龄 (Important data)"]),
        ({"年龄": "core", "诊断": "important"}, "sensitive", None, [HIGHER % "诊断 (Important data)", CORE % "年龄"]),
        ({"诊断": "important"}, "important", None, []),
        ({"诊断": "core"}, "important", None, [CORE % "诊断"]),
        # Removed by the recipe.
        ({"姓名": "core", "备注": "important"}, "sensitive", lambda recipe: remove(recipe, "备注"), []),
    ],
)  # fmt: skip
def test_the_gate_counts_what_is_in_the_result(people, monkeypatch, grades, scope, change, said):
    monkeypatch.setattr(demo, "SCOPE", demo.SCOPE.model_copy(update={"classification": scope}))
    story = Graded(people, grades, change=change)
    story.reach(State.VERIFICATION)
    verification = story.measure()
    assert verification.passed
    assert missing(story) == said


def test_a_result_that_is_held_back_is_not_submitted_and_pages_say_why(people, client):
    story = Graded(people, {"诊断": "important"})
    story.reach(State.VERIFICATION)
    client.force_login(people.executor)
    early = client.get(
        reverse("identification:page", args=[story.project.pk]), headers={"accept-language": "en"}
    )
    assert HIGHER % "诊断 (Important data)" in early.content.decode()
    story.measure()
    page = reverse("verification:page", args=[story.project.pk])
    assert (
        HIGHER % "诊断 (Important data)"
        in client.get(page, headers={"accept-language": "en"}).content.decode()
    )


def test_no_question_is_asked_about_a_column_that_is_held_back(people):
    story = Graded(people, {"年龄": "important", "性别": "sensitive"})
    story.reach(State.PROCESSING)
    dataset = dataset_now(first_table(story.fresh()))
    names = askable_columns(dataset)
    assert "性别" in names
    assert "年龄" not in names


def test_grades_cost_the_page_of_the_result_no_more_than_it_may_ask(people, client):
    story = Graded(people, {"诊断": "important"})
    story.reach(State.VERIFICATION)
    story.measure()
    client.force_login(people.executor)
    page = reverse("verification:page", args=[story.project.pk])
    client.get(page)
    with CaptureQueriesContext(connection) as statements:
        client.get(page)
    assert len(statements) <= 21
