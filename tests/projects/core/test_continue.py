"""“Continue the work”: in every state it leads each role to a page that the role may open."""

from __future__ import annotations

import pytest
from django.urls import reverse

from projects.core.services import project_move
from projects.core.timeline import Passage, course
from projects.workflow import STATES, Move, State
from tests.projects.processing.conftest import SmallStory, small_story

pytestmark = pytest.mark.django_db
BACKEND = "deid_portal.accounts.backends.AccountBackend"
INSIDE = ("planner", "executor", "supervisor", "management", "auditor", "assessor")


def gone_on(client, people, project) -> dict[str, str]:
    """Role → the address that it is led to, which answers each of them."""
    found = {}
    for name in INSIDE:
        client.force_login(getattr(people, name), backend=BACKEND)
        shown = client.get(reverse("core:project_continue", args=[project.pk]), follow=True)
        ((address, _status),) = shown.redirect_chain
        assert shown.status_code == 200, (project.state, name, address)
        project_page = client.get(reverse("core:project", args=[project.pk]))
        assert project_page.context["continue_url"] == address
        found[name] = address
    return found


class Followed(SmallStory):
    """Everybody goes on in each state on the straight way."""

    def __init__(self, client, group, *given, **more) -> None:
        super().__init__(*given, **more)
        self.client, self.group = client, group
        self.led: dict[str, dict[str, str]] = {}
        self.courses: dict[str, list[Passage]] = {}

    def follow(self) -> None:
        self.project.refresh_from_db()
        self.led[self.project.state] = gone_on(self.client, self.group, self.project)
        self.courses[self.project.state] = course(self.project)


def _followed(name):
    def step(self):
        getattr(SmallStory, name)(self)
        self.follow()

    return step


STEPS = (
    "open", "determine_target", "review", "approve_plan", "identify", "process", "verify", "approve_release", "release", "close",
)  # fmt: skip
for _name in STEPS:
    setattr(Followed, _name, _followed(_name))


def test_each_role_can_open_where_the_work_goes_on_in_each_state_of_the_straight_way(client, people):
    like = small_story(people)
    story = Followed(
        client, people, vars(people), like.title, like.data, file_name="visits.csv", documents=False
    )
    story.reach(State.CLOSED)
    assert set(story.led) == set(STATES) - {State.REJECTED, State.WITHDRAWN, State.SUSPENDED}
    pk = story.project.pk
    approved = story.led[State.APPROVED]
    assert approved.pop("planner") == reverse("releases:agreement", args=[pk])
    assert set(approved.values()) == {reverse("releases:page", args=[pk])}
    draft = story.led[State.OBJECTIVE_DRAFT]
    assert draft["planner"] == reverse("objective:sharing", args=[pk])
    assert draft["executor"] == reverse("objective:page", args=[pk])
    identifying = story.led[State.IDENTIFICATION]
    assert identifying["executor"] == reverse("datasets:page", args=[pk])
    said = {state: [passage.state for passage in passages] for state, passages in story.courses.items()}
    assert said[State.OBJECTIVE_DRAFT] == ["current", *["next"] * 4]
    assert said[State.IDENTIFICATION] == ["done", "current", *["next"] * 3]
    assert said[State.CLOSED] == ["done"] * 5
    first, now, then, *_rest = story.courses[State.IDENTIFICATION]
    assert str(people.management) in first.who
    assert str(people.executor) in now.who
    assert now.when.startswith(str(State.IDENTIFICATION.label))
    assert str(people.executor) in then.who


@pytest.mark.parametrize(
    ("move", "by"), [(Move.SUSPEND, "planner"), (Move.WITHDRAW, "planner")], ids=["suspended", "withdrawn"]
)
def test_where_no_work_goes_on_the_project_itself_is_shown(client, people, project, move, by):
    project_move(project, move=move, by=getattr(people, by), reason="for a good reason")
    project.refresh_from_db()
    led = gone_on(client, people, project)
    assert set(led.values()) == {reverse("core:project", args=[project.pk])}
    assert course(project)[0].state == ("blocked" if move == Move.SUSPEND else "current")
