"""The grading of data: proposed by one, put in force by another, and what it holds back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from django.utils import translation

from approvals.governance.verdict import Refused
from deid_portal.accounts.services import user_create
from deid_portal.organisation.grading import demands
from deid_portal.organisation.grading.policy import (
    NONE_YET,
    GradeRule,
    grading_decide,
    grading_propose,
    policy_at,
    versions,
)
from deid_portal.organisation.proposals.home import proposals_waiting
from projects.core.evidence import evidence_state
from projects.core.services import project_move
from projects.objective.selectors import plan_versions
from projects.workflow import Evidence, Move, State
from projects.workflow.posts import Post
from tests.projects.verification.stories import SmallStory

pytestmark = pytest.mark.django_db
STRICT = {
    "general": GradeRule(("public", "controlled", "enclave"), 2, False),
    "sensitive": GradeRule(("enclave",), 7, True),
    "important": GradeRule((), 20, True, 2),
}


@pytest.fixture
def second(people):
    return user_create(username="second", password=None, full_name="Second", post=Post.ADMINISTRATOR, by=None)


def in_force(rules: Any, people: Any, second: Any) -> None:
    waiting = grading_propose(rules, reason="the law", by=people.planner)
    grading_decide(waiting, accept=True, reason="agreed", by=second)


def missing(project: Any, evidence: Evidence) -> str:
    with translation.override("en"):
        return " ".join(str(one) for one in evidence_state(project, evidence).missing)


def test_two_people_by_rule_and_by_constraint(people, second):
    assert policy_at(None) == NONE_YET
    waiting = grading_propose(STRICT, reason="the law", by=people.planner)
    assert policy_at(None) == NONE_YET, "nothing holds before a second person has said so"
    assert len(proposals_waiting(second)) == 1
    assert not proposals_waiting(people.planner)
    with pytest.raises(Refused, match="own_proposal"):
        grading_decide(waiting, accept=True, reason="mine", by=people.planner)
    with pytest.raises(Refused, match="one_is_waiting"):
        grading_propose(NONE_YET.rules, reason="other", by=second)
    for nobody in (people.executor, people.auditor, people.superuser):
        with pytest.raises(Refused):
            grading_decide(waiting, accept=True, reason="why not", by=nobody)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE organisation_gradingpolicy SET status = 'in_force'")
    grading_decide(waiting, accept=True, reason="agreed", by=second)
    assert policy_at(None).rules == STRICT
    with pytest.raises(Refused, match="nothing_changed"):
        grading_propose(STRICT, reason="again", by=second)
    assert [one.number for one in versions()] == [1]


@pytest.mark.parametrize(
    ("rules", "field"),
    [
        ({grade: rule for grade, rule in STRICT.items() if grade != "general"}, "general_sharing"),
        (STRICT | {"sensitive": replace(STRICT["sensitive"], sharing=("post",))}, "sensitive_sharing"),
        (STRICT | {"important": replace(STRICT["important"], minimum_k=1)}, "important_minimum_k"),
        (STRICT | {"general": replace(STRICT["general"], signers=0)}, "general_signers"),
        (STRICT | {"general": replace(STRICT["general"], signers=6)}, "general_signers"),
        (STRICT | {"core": GradeRule(("enclave",), 5, True)}, "__all__"),
    ],
)
def test_rules_that_cannot_be_are_refused(people, rules, field):
    with pytest.raises(ValidationError) as error:
        grading_propose(rules, reason="x", by=people.planner)
    assert list(error.value.message_dict) == [field]


def graded(monkeypatch: Any, grade: str) -> None:
    monkeypatch.setattr(demands, "grade_of", lambda _project: demands.Classification(grade))


@pytest.mark.parametrize(
    ("grade", "said"),
    [
        ("sensitive", ["Sensitive data may not be shared by “Controlled public sharing”", "at least 7"]),
        ("important", ["Important data may not be shared at all", "at least 20"]),
        ("core", ["Core data never leave"]),
        ("general", []),
    ],
)
def test_of_the_target_sharing_and_k_are_held_back(project, monkeypatch, grade, said):
    monkeypatch.setattr(demands, "policy_for", lambda _project: demands.Policy(1, STRICT))
    graded(monkeypatch, grade)
    project.sharing_type = "controlled"
    with translation.override("en"):
        found = " ".join(demands.of_target(project))
    assert all(text in found for text in said), found
    assert bool(found) == bool(said)


def test_core_data_are_held_back_before_anything_is_decided(project, monkeypatch):
    graded(monkeypatch, "core")
    project.sharing_type = "enclave"
    # While the target is being determined, and once more where the way out is next.
    for state, demand in ((project.state, demands.of_target), (State.APPROVED, demands.of_release)):
        project.state = state
        with translation.override("en"):
            assert demand(project) == ["Core data never leave: no sharing type is allowed for them."]


def test_a_plan_that_the_grading_refuses_is_not_submitted(people, second):
    in_force(STRICT, people, second)
    story = SmallStory(people)
    story.open()
    with pytest.raises(Refused):
        story.determine_target()
    assert "may not be shared by" in missing(story.fresh(), Evidence.OBJECTIVE_COMPLETE)


def test_a_result_is_held_back_by_its_smallest_class_and_by_the_verdicts(people, second, monkeypatch):
    story = SmallStory(people)
    story.reach(State.VERIFICATION)
    verification = story.measure()
    k = verification.measurement.report.risk.k
    in_force(STRICT, people, second)
    assert demands.policy_for(story.fresh()) == NONE_YET, "the plan was submitted before"
    assert "grading" not in missing(story.fresh(), Evidence.GATE_PASSED)
    asked = {grade: GradeRule(("controlled",), k + 1, False) for grade in STRICT}
    monkeypatch.setattr(demands, "policy_for", lambda _project: demands.Policy(1, asked))
    said = f"at least {k + 1} by version 1 of the grading, not {k}"
    assert said in missing(story.fresh(), Evidence.GATE_PASSED)
    graded(monkeypatch, "general")
    assert "诊断 is sensitive: grade the data again" in missing(story.fresh(), Evidence.GATE_PASSED)


def test_a_plan_that_is_submitted_anew_goes_by_what_is_in_force_then(people, second):
    """Also where nothing changed in it, so that it stays the same version."""
    story = SmallStory(people)
    story.reach(State.OBJECTIVE_REVIEW)
    project = story.fresh()
    assert demands.policy_for(project) == NONE_YET
    rules = {grade: GradeRule(("controlled",), 2, True) for grade in STRICT}
    in_force(rules, people, second)
    assert demands.policy_for(story.fresh()) == NONE_YET, "the plan was submitted before"
    project_move(story.fresh(), move=Move.RETURN_OBJECTIVE, by=people.supervisor, reason="unclear")
    project_move(story.fresh(), move=Move.SUBMIT_OBJECTIVE, justification="it is right", by=people.planner)
    assert [one.number for one in plan_versions(story.fresh())] == [1]
    assert demands.policy_for(story.fresh()).version == 1


def test_pages_and_api_from_proposal_to_force(client, people, second):
    page = reverse("organisation:grading")
    fields = {
        f"{grade}_{name}": said for grade, rule in STRICT.items() for name, said in rule.as_json().items()
    }
    said = {name: value for name, value in fields.items() if value is not False} | {"reason": "the law"}
    client.force_login(people.planner)
    for beyond in ({"general_minimum_k": "1"}, {"general_signers": "0"}, {"general_signers": "6"}):
        assert client.post(page, said | beyond).status_code == 422
    assert client.post(page, said).status_code == 302
    (waiting,) = versions()
    assert 'name="decision"' not in client.get(page).content.decode()
    client.force_login(second)
    decide = reverse("organisation:grading_decide", args=[waiting.pk])
    client.post(decide, {"decision": "accept", "reason": ""})
    assert policy_at(None).version == 0, "a reason is needed"
    client.post(decide, {"decision": "accept", "reason": "good"})
    assert policy_at(None).rules == STRICT
    api = reverse("api:organisation-grading")
    rules = {grade: rule.as_json() for grade, rule in NONE_YET.rules.items()}
    made = client.post(api, {"rules": rules, "reason": "less"}, content_type="application/json")
    assert made.status_code == 201
    client.force_login(people.planner)
    decided = client.post(
        reverse("api:organisation-grading-decide", args=[made.json()["id"]]),
        {"accept": True, "reason": "as before"},
        content_type="application/json",
    )
    assert (decided.status_code, decided.json()["status"]) == (200, "in_force")
    assert [one["number"] for one in client.get(api).json()] == [2, 1]
