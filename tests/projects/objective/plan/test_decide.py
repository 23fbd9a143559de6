"""The screen on which the plan is signed: what who signs must know, and the decision, without scrolling."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from html import unescape
from typing import Any

import pytest
from django.urls import reverse
from django.utils import translation

from projects.core.enums import SharingType
from projects.objective.plan.summary import plan_summary
from projects.objective.presentation import risk_rows
from projects.objective.selectors import objective_of
from projects.objective.targets.risk import RiskTargets, risk_defaults
from projects.workflow import State
from tests.projects.verification.stories import SmallStory
from tests.projects.verification.test_sign_off import WINDOW, on_screens

pytestmark = pytest.mark.django_db
ANSWERS = (
    "caveats", "recipient", "sharing", "purpose", "source", "law", "risk", "worst", "utility", "reviewers", "changes", "deadline",
)  # fmt: skip


@pytest.fixture
def project(people: Any) -> Any:
    story = SmallStory(people)
    story.reach(State.PLAN_APPROVAL)
    return story.fresh()


def page_of(client: Any, project: Any, language: str = "en") -> str:
    answer = client.get(
        reverse("objective:decide", kwargs={"project_id": project.pk}), headers={"accept-language": language}
    )
    assert answer.status_code == 200
    return answer.content.decode()


def test_it_says_who_gets_what_for_which_purpose(client, project, people):
    client.force_login(people.management)
    page = unescape(page_of(client, project))
    screen = page[page.index('id="answer"') : page.index('class="sign__decision"')]
    objective = objective_of(project)
    assert objective is not None
    for said in (
        str(people.recipient),
        project.summary,
        objective.scope["source"],
        "This plan awaits your decision",
    ):
        assert said in screen
    for day in objective.plan["deadlines"].values():
        assert day in screen
    assert all(f'data-answers="{one}"' in screen for one in ANSWERS)
    assert page.index('name="decision"') < page.index("Evidence"), (
        "the decision comes before what it rests on"
    )


def test_what_stands_against_it_is_named(project):
    objective = objective_of(project)
    assert objective is not None
    rows = risk_rows(RiskTargets(**objective.risk), project.sharing_type)
    targets = {"risk_rows": rows, "conflicts": ["One contradicts the other."]}
    said = plan_summary(project, objective, targets=targets, returns=[])
    assert said.caveats == ["One contradicts the other."]
    assert said.worst == next(row["plain"] for row in rows if row["key"] == "max_risk")
    nothing = {"risk_rows": rows, "conflicts": []}
    assert plan_summary(project, objective, targets=nothing, returns=[]).caveats == []
    # What asks for less than the sharing type suggests is named; a stricter target is not.
    suggested = risk_defaults(project.sharing_type)
    objective.risk = {**objective.risk, "k": suggested.k + 5, "max_risk": min(1.0, suggested.max_risk * 2)}
    with translation.override("en"):
        rows = risk_rows(RiskTargets(**objective.risk), project.sharing_type)
        (text,) = plan_summary(
            project, objective, targets={"risk_rows": rows, "conflicts": []}, returns=[]
        ).caveats
    label = next(row["label"] for row in rows if row["key"] == "max_risk")
    assert text == f"Asks for less than is suggested for this sharing type: {label}"
    project.sharing_type = SharingType.PUBLIC
    said = plan_summary(project, objective, targets={"risk_rows": None, "conflicts": []}, returns=[])
    assert any("撤回" in text or "收回" in text for text in said.caveats), said.caveats


@pytest.mark.browser
def test_the_first_screen_holds_the_answers_and_the_decision(client, project, people):
    client.force_login(people.management)
    pages = {language: page_of(client, project, language) for language in ("zh-CN", "en")}
    path = reverse("objective:decide", kwargs={"project_id": project.pk})
    # The driver keeps a loop of its own in its thread, where no connection to the database is at home.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(look_at, path, pages).result()


def look_at(path: str, pages: dict[str, str]) -> None:
    on_screens(path, pages, in_view)


def in_view(page: Any) -> None:
    boxes = {name: page.locator(f'[data-answers="{name}"]').bounding_box() for name in ANSWERS}
    decisions = page.locator("#decide form button[name=decision]")
    assert decisions.count() == 3
    boxes |= {f"button {place}": decisions.nth(place).bounding_box() for place in range(3)}
    for name, box in boxes.items():
        assert box is not None, name
        assert box["height"] > 10, name
        assert box["x"] + box["width"] <= WINDOW["width"], (name, box)
        assert box["y"] + box["height"] <= WINDOW["height"], (name, box)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    decision = page.locator("#decide").bounding_box()
    assert 0 <= decision["y"] < WINDOW["height"], "the decision stays in view"
