"""A check is one row; verification and re-assessment run the same ones."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from django.utils import translation

import projects
from projects.verification.gate.check import TableCheck
from projects.verification.gate.checks import CHECKS, check_of
from projects.workflow import State
from tests.portal.monitoring.steps import reported
from tests.portal.releases import stories as released

pytestmark = pytest.mark.django_db
STORED = [
    "integrity", "residual", "k", "max_risk", "average_risk", "overall", "diversity", "closeness", "suppression",
    "utility", "join", "joined",
]  # fmt: skip


def test_what_is_stored_of_a_check_never_changes():
    assert [check.kind for check in CHECKS][: len(STORED)] == STORED


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.kind)
def test_every_check_says_what_it_is_in_both_languages(check):
    assert check_of(check.kind) is check
    assert check.clause
    for text in (check.label, check.meaning):
        with translation.override("zh-hans"):
            chinese = str(text)
        with translation.override("en"):
            assert str(text) not in ("", chinese)


class Always(TableCheck):
    """A check of this test: every result passes."""

    kind = "always"
    label = meaning = "Of this test"
    clause = "5.5"

    def measure(self, of, tick):
        return [self.row(passed=True, measured=of.case.result.rows, unit="count")]


@pytest.fixture
def added():
    CHECKS.append(Always())
    yield
    CHECKS.pop()


def test_a_new_check_is_missing_neither_in_verification_nor_in_reassessment(people, added):
    story = released.make_story(people, "Visits for a study")
    story.reach(State.MONITORING)
    sealed = story.project.verifications.get()
    assert [result.passed for result in sealed.results if result.kind == "always"] == [True]
    again = reported(story, people).remeasured
    assert [(one.kind, one.table) for one in again.checks] == [
        (one.kind, one.table) for one in sealed.results
    ]
    (mine,) = (one for one in again.checks if one.kind == "always")
    assert (mine.met, mine.measured, mine.approved) == (True, mine.measured, mine.measured)


def test_nobody_else_keeps_a_table_keyed_by_checks():
    """A fact about a check stands in its row: no dictionary has kinds of checks as its keys."""
    kinds = {check.kind for check in CHECKS if len(check.kind) > 1}
    figures = {"max_risk", "average_risk", "overall", "residual", "joined", "utility"}  # names of figures too
    found = []
    for path in Path(projects.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Dict):
                named = {key.value for key in node.keys if isinstance(key, ast.Constant)} & kinds - figures
                by_class = [key for key in node.keys if isinstance(key, ast.Attribute) and key.attr == "kind"]
                if len(named) > 1 or by_class:
                    found.append(f"{path}:{node.lineno}")
    assert found == []
