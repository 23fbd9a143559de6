"""Who writes and runs a recipe, and each thing that a run waits for (5.2.4, 5.3, A.2.1)."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from projects.core.evidence import EvidenceState
from projects.core.models import Project
from projects.identification import selectors as identification
from projects.processing import rules
from projects.processing.models import RecipeVersion, Run
from projects.workflow import Evidence, State
from techniques.core.messages import EngineError
from tests.projects.rows import change, put, team, unkept

pytestmark = pytest.mark.django_db
AES = {"technique": "encryption.deterministic", "columns": ["a"], "parameters": {"algorithm": "aes-siv"}}
SM4 = {"technique": "encryption.deterministic", "columns": ["a"], "parameters": {"algorithm": "sm4-siv"}}


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


@pytest.mark.parametrize("state", State)
def test_the_executor_writes_and_runs_while_processing(state):
    project = put(Project, state=state, suspended_from="monitoring" if state == State.SUSPENDED else "")
    for role, user in team(project).items():
        allowed = role == "executor" and state == State.PROCESSING
        assert bool(rules.may_edit_recipe(user, project)) == allowed, role
    executor = next(one.user for one in project.memberships.filter(role="executor"))
    assert (rules.may_edit_recipe(executor, project).code == "wrong_state") == (state != State.PROCESSING)
    if state != State.PROCESSING:
        assert rules.may_run(executor, project).code == "wrong_state"


@pytest.mark.parametrize(
    ("number", "note", "code"),
    [(None, "", ""), (1, "", "note_needed"), (1, "  ", "note_needed"), (1, "k", "")],
)
def test_a_change_is_explained_and_a_beginning_is_not(number, note, code):
    verdict = rules.note_enough(RecipeVersion(number=number) if number else None, note)
    assert verdict.code == code
    assert not code or verdict.params == {"number": 1}


@pytest.mark.parametrize("why", [[], ["one.", "two."]])
def test_what_the_policy_objects_to_does_not_go_forward(monkeypatch, why):
    monkeypatch.setattr(rules, "recipe_objections", lambda version: why)
    verdict = rules.may_go_forward(RecipeVersion())
    assert (verdict.code, verdict.params) == (
        ("recipe_not_national", {"why": "one. two."}) if why else ("", {})
    )


@pytest.fixture
def it(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Everything is there to run; how it is read is shown where it is read."""
    project = put(Project, state=State.PROCESSING)
    it = SimpleNamespace(
        project=project, people=team(project), missing=[], national=False, sources=[], hash="h"
    )
    it.recipe = recipe(SM4)
    monkeypatch.setattr(
        rules, "evidence_state", lambda of, e: EvidenceState(e, (e.label,) if e in it.missing else ())
    )
    monkeypatch.setattr(rules, "current_sources", lambda of: (it.recipe, it.sources))
    monkeypatch.setattr(rules, "national_only", lambda: it.national)
    monkeypatch.setattr("projects.processing.recipes.policy.national_only", lambda: it.national)
    monkeypatch.setattr(identification, "verdicts_hash", lambda of: it.hash)
    return it


def recipe(*steps: dict[str, Any], broken: EngineError | None = None) -> SimpleNamespace:
    tables = {str(number): {"recipe": 1, "steps": [one]} for number, one in enumerate(steps)}
    return SimpleNamespace(tables=tables, verdicts_hash="h", broken_link=lambda: broken)


def run(it: SimpleNamespace) -> str:
    return rules.may_run(it.people["executor"], it.project).code


def test_everything_there_the_executor_runs_it(it):
    assert [role for role, user in it.people.items() if rules.may_run(user, it.project)] == ["executor"]


@pytest.mark.parametrize(
    "evidence",
    [
        Evidence.PLAN_APPROVED,
        Evidence.DATASET_READY,
        Evidence.VERDICTS_COMPLETE,
        Evidence.IDENTIFICATION_REVIEWED,
    ],
)
def test_no_data_are_processed_before(it, evidence):
    it.missing = [evidence]
    verdict = rules.may_run(it.people["executor"], it.project)
    assert (verdict.code, verdict.missing) == ("evidence_missing", (str(evidence.label),))
    assert str(evidence.label) in verdict.params["what"]


def test_a_recipe_for_what_was_judged_is_there(it):
    for other in ("another", "z"):
        it.hash = other
        assert run(it) == "recipe_outdated"
    it.recipe = None
    assert run(it) == "no_recipe"


def test_the_recipe_speaks_of_every_table(it):
    named = [
        SimpleNamespace(table=SimpleNamespace(name=name), recipe=part)
        for name, part in (("a", {}), ("b", None), ("c", None))
    ]
    it.sources = named[:1]
    assert run(it) == ""
    it.sources = named
    verdict = rules.may_run(it.people["executor"], it.project)
    assert verdict.code == "table_without_recipe"
    assert str(verdict.params["tables"]) in ("b, c", "b、c")


def test_a_recipe_that_breaks_a_link_is_not_run(it):
    it.recipe = recipe(SM4, broken=EngineError("link", "This is why."))
    verdict = rules.may_run(it.people["executor"], it.project)
    assert (verdict.code, str(verdict.params["why"])) == ("link_broken", "This is why.")


def test_national_cryptography_is_asked_of_every_table_where_it_is_the_policy(it):
    for steps, code in (((SM4, SM4), ""), ((SM4, AES), "not_national"), ((AES, SM4), "not_national")):
        it.recipe, it.national = recipe(*steps), True
        assert run(it) == code
        it.national = False
        assert run(it) == ""


@pytest.mark.parametrize("status", ["running", "failed", "cancelled"])
def test_one_run_is_under_way_at_a_time(it, status):
    put(Run, status="running")
    put(Run, project=it.project, status=status)
    assert run(it) == ("already_running" if status == "running" else "")


def test_a_run_that_ended_stands_in_no_ones_way(it):
    row = put(Run, project=it.project)
    assert run(it) == "already_running"
    change(row, status="failed")
    assert run(it) == ""
