"""The core's pages: who sees what, what they say, what they cost."""

from __future__ import annotations

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from projects.core import tasks_registry
from projects.core.help.clauses import CLAUSE_TEXTS
from projects.core.help.diagram import markdown
from projects.core.help.diagram_svg import places, process_svg
from projects.core.models import Notification, Project
from projects.core.services import member_end, project_create, project_move
from projects.core.tasks_registry import Task, tasks_of
from projects.workflow import MOVES, STAGES, STATES, Evidence, Move, Role, State, moves_from
from tests.conftest import ROOT

pytestmark = pytest.mark.django_db
INSIDE = ("planner", "executor", "supervisor", "management", "auditor", "assessor")
OUTSIDE = ("recipient", "outsider", "administrator", "superuser")


@pytest.fixture
def sign_in(client, people):
    def by(name):
        client.force_login(getattr(people, name), backend="deid_portal.accounts.backends.AccountBackend")
        return client

    return by


def url(name, project=None, **kwargs):
    return reverse(f"core:{name}", kwargs=({"project_id": project.pk} if project else {}) | kwargs)


PROJECT_PAGES = ("project", "members", "history")


@pytest.mark.parametrize("who", INSIDE + OUTSIDE)
def test_project_pages_are_for_those_who_may_see_the_project(sign_in, project, who):
    client = sign_in(who)
    for name in PROJECT_PAGES:
        assert client.get(url(name, project)).status_code == (200 if who in INSIDE else 404), name


@pytest.mark.parametrize("who", INSIDE + OUTSIDE)
def test_pages_for_everybody(sign_in, project, who):
    client = sign_in(who)
    for name in ("home", "projects", "notifications", "help_process", "help_glossary"):
        assert client.get(url(name)).status_code == 200, name


def test_the_list_hides_what_one_may_not_see(sign_in, people, project):
    other = project_create(title="Hidden from the team", by=people.outsider)
    shown = sign_in("executor").get(url("projects")).content.decode()
    assert project.title in shown
    assert other.title not in shown
    assert other.number not in shown
    everything = sign_in("auditor").get(url("projects")).content.decode()
    assert project.title in everything
    assert other.title in everything


def test_the_list_filters(sign_in, people, project):
    client = sign_in("planner")
    assert project.title in client.get(url("projects"), {"q": "visits"}).content.decode()
    assert project.title not in client.get(url("projects"), {"q": "nothing like it"}).content.decode()
    assert project.title in client.get(url("projects"), {"stage": "objective", "mine": "on"}).content.decode()
    assert project.title not in client.get(url("projects"), {"stage": "release"}).content.decode()
    assert project.title not in sign_in("executor").get(url("projects"), {"mine": "on"}).content.decode()


def test_only_planning_managers_open_projects(sign_in, people):
    for who in ("executor", "auditor", "recipient", "administrator", "superuser"):
        client = sign_in(who)
        assert client.get(url("project_create")).status_code == 403
        assert client.post(url("project_create"), {"title": "Mine"}).status_code == 403
    assert not Project.objects.exists()
    answer = sign_in("planner").post(url("project_create"), {"title": "Mine", "summary": "For research"})
    project = Project.objects.get()
    assert answer.url == url("members", project)
    assert project.created_by == people.planner


def test_the_team_is_given_and_ended_by_the_planner_only(sign_in, people, project):
    membership = project.memberships.get(role=Role.EXECUTOR)
    for who in ("executor", "supervisor", "management", "auditor"):
        client = sign_in(who)
        assert client.post(url("member_end", project, membership_id=membership.pk)).status_code == 403
        data = {"user": people.outsider.pk, "role": "executor"}
        assert client.post(url("members", project), data).status_code == 403
    client = sign_in("planner")
    assert client.post(url("member_end", project, membership_id=membership.pk)).status_code == 302
    membership.refresh_from_db()
    assert membership.ended_at is not None
    # Who was executor is not offered again, in any role.
    answer = client.post(url("members", project), {"user": people.executor.pk, "role": "supervisor"})
    assert answer.status_code == 422
    assert project.memberships.filter(user=people.executor, ended_at=None).count() == 0
    assert (
        client.post(url("members", project), {"user": people.outsider.pk, "role": "executor"}).status_code
        == 302
    )


def test_administrators_auditors_and_assessors_are_never_offered_a_role(sign_in, people, project):
    form = sign_in("planner").get(url("members", project)).context["form"]
    offered = set(form.fields["user"].queryset)
    assert offered == {people.outsider, people.superuser}


def test_a_move_changes_the_state_and_tells_the_others(
    sign_in, people, project, django_capture_on_commit_callbacks
):
    client = sign_in("supervisor")
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(url("move", project, move="suspend"), {"reason": "doubt about the source"})
    assert answer.status_code == 302
    project.refresh_from_db()
    assert project.state == State.SUSPENDED
    assert {n.user for n in Notification.objects.all()} == {
        people.planner,
        people.executor,
        people.management,
    }
    page = sign_in("management").get(url("notifications")).content.decode()
    assert "Supervisor Person" in page
    assert sign_in("management").post(url("notifications_read")).status_code == 302
    assert not Notification.objects.filter(user=people.management, read_at=None).exists()
    assert Notification.objects.filter(user=people.planner, read_at=None).exists()


def test_moves_need_post_role_and_reason(sign_in, project):
    assert sign_in("planner").get(url("move", project, move="withdraw")).status_code == 405
    asked = sign_in("planner").post(url("move", project, move="withdraw"), {"reason": " "})
    assert asked.status_code == 422
    page = asked.content.decode()
    assert '<a href="#id_reason">理由：必须填写理由。</a>' in page, "in the list of errors, as in any form"
    assert "id_justification" not in page
    long = "x" * 2001
    asked = sign_in("planner").post(url("move", project, move="withdraw"), {"reason": long})
    assert asked.status_code == 422
    assert long in asked.content.decode(), "what was written is not lost"
    assert sign_in("planner").post(url("move", project, move="nonsense")).status_code == 404
    assert sign_in("executor").post(url("move", project, move="withdraw"), {"reason": "x"}).status_code == 403
    assert sign_in("outsider").post(url("move", project, move="withdraw"), {"reason": "x"}).status_code == 404
    project.refresh_from_db()
    assert project.state == State.OBJECTIVE_DRAFT


@pytest.mark.parametrize("move", sorted(rule.move for rule in MOVES.values() if rule.judged))
def test_judgements_are_not_made_by_the_general_move(sign_in, people, project, move):
    for who in ("supervisor", "management", "planner"):
        answer = sign_in(who).post(url("move", project, move=move), {"reason": "because"})
        assert answer.status_code == 403
    project.refresh_from_db()
    assert project.state == State.OBJECTIVE_DRAFT


def test_a_closed_button_says_why(sign_in, project):
    page = sign_in("planner").get(url("project", project)).content.decode()
    assert 'aria-disabled="true"' in page
    offers = sign_in("planner").get(url("project", project)).context["offers"]
    submit = next(offer for offer in offers if offer.rule.move == Move.SUBMIT_OBJECTIVE)
    assert not submit.verdict.allowed
    assert submit.verdict.missing


def test_the_team_sees_no_buttons_that_are_not_theirs(sign_in, project):
    assert sign_in("auditor").get(url("project", project)).context["offers"] == []
    assert sign_in("executor").get(url("project", project)).context["offers"] == []


def test_home_shows_what_is_mine_and_nothing_else(sign_in, people, project):
    assert [task.project for task in tasks_of(people.planner)] == [str(project)]
    for who in ("executor", "supervisor", "management", "recipient", "auditor", "outsider"):
        assert tasks_of(getattr(people, who)) == [], who
    page = sign_in("planner").get(url("home")).content.decode()
    assert project.title in page
    assert project.title not in sign_in("executor").get(url("home")).content.decode()
    assert project.title in sign_in("auditor").get(url("home")).content.decode()


def test_whose_role_has_ended_has_nothing_to_do(people, project):
    project_move(project, move=Move.SUSPEND, by=people.planner, reason="unclear")
    assert len(tasks_of(people.supervisor)) == 1
    member_end(project.memberships.get(user=people.supervisor), by=people.planner)
    assert tasks_of(people.supervisor) == []


def test_signatures_stand_first(monkeypatch, sign_in, people):
    monkeypatch.setattr(
        tasks_registry,
        "_tasks",
        [
            lambda user: [Task("later", "/later/", rank=50), Task("sign", "/sign/", rank=10)],
            lambda user: [Task("review", "/review/", rank=20)],
        ],
    )
    assert [task.title for task in tasks_of(people.management)] == ["sign", "review", "later"]
    context = sign_in("management").get(url("home")).context
    assert [task["label"] for task in context["signatures"]] == ["sign"]
    assert context["task_count"] == 3


def test_history_reads_as_sentences(sign_in, people, project):
    project_move(project, move=Move.SUSPEND, by=people.planner, reason="the source is unclear")
    page = sign_in("supervisor").get(url("history", project)).content.decode()
    assert "the source is unclear" in page
    assert "Planner Person" in page
    assert "%(" not in page
    assert "project.suspend" not in page


@pytest.mark.parametrize("who", ["planner", "auditor"])
@pytest.mark.parametrize("name", ["home", "projects", "project", "members", "history", "notifications"])
def test_pages_need_few_queries_of_their_own(sign_in, people, project, who, name):
    for index in range(12):
        project_create(title=f"More {index}", by=people.planner)
    client = sign_in(who)
    address = url(name, project if name in PROJECT_PAGES else None)
    client.get(address)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    # Session, person and the second step are the frame's, paid once on every page.
    frame = ("django_session", "otp_totp", 'accounts_user"."id" =', "SAVEPOINT")
    own = [query["sql"] for query in queries if not any(part in query["sql"] for part in frame)]
    assert len(own) < (26 if name == "project" else 10), own


def test_every_clause_of_the_stage_pages_has_its_paraphrase():
    for row in STAGES.values():
        assert set(row.clauses) <= set(CLAUSE_TEXTS)
    for clause in CLAUSE_TEXTS.values():
        assert clause.clause
        assert len(str(clause.text)) > 12


def test_every_evidence_has_somebody_who_brings_it():
    for evidence in Evidence:
        assert evidence.role in Role


def test_every_owned_state_says_what_to_do():
    for row in STATES.values():
        assert bool(row.task) == (row.owner is not None and row.state != State.MONITORING), row.state


def test_judged_moves_are_those_of_reviews_and_signatures():
    for rule in MOVES.values():
        verb = rule.move.value.split("_")[0]
        assert rule.judged == (verb in {"pass", "return", "approve", "reject"}), rule.move


def test_the_process_document_is_in_step():
    assert (ROOT / "docs" / "reference" / "workflow.md").read_text(encoding="utf-8") == markdown()


def test_the_picture_holds_every_state_once_and_no_style():
    cells = places()
    assert set(cells) == set(State)
    assert len(set(cells.values())) == len(cells)
    picture = process_svg()
    assert "style=" not in picture
    assert picture.count("<rect") >= len(State)


def test_nobody_reaches_anything_without_signing_in(client, project):
    for name in ("home", "projects", "notifications", "help_process"):
        assert client.get(url(name)).url.startswith(reverse("accounts:sign_in"))
    assert client.get(url("project", project)).status_code == 302


def test_a_judged_move_leaves_a_state_with_a_page_to_judge_it_on():
    for rule in MOVES.values():
        if rule.judged:
            assert all(STATES[source].judgement_page for source in rule.sources), rule.move
    for row in STATES.values():
        judged = {rule.move for rule in moves_from(row.state) if rule.judged}
        assert bool(row.judgement_page) == bool(judged), row.state
        assert set(row.outcomes.values()) == judged, row.state


def test_every_page_that_a_row_names_is_there():
    for name in {row.page for row in STAGES.values()} | {row.judgement_page for row in STATES.values()} - {
        ""
    }:
        assert reverse(name, kwargs={"project_id": uuid.uuid4()})
