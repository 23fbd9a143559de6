"""The whole team at once, and where the work goes on."""

from __future__ import annotations

import pytest
from django.urls import reverse

from approvals.governance.verdict import Refused
from projects.core.models import Membership, Project
from projects.core.pages import next_url
from projects.core.services import member_add, project_move
from projects.workflow import Move, Role
from tests.projects.rows import change

pytestmark = pytest.mark.django_db
NEW = {"title": "Visits", "summary": "For research"}


@pytest.fixture
def planner(client, people):
    client.force_login(people.planner, backend="deid_portal.accounts.backends.AccountBackend")
    return client


def test_a_project_is_opened_with_its_team_and_goes_on_at_the_first_step(planner, people):
    chosen = {
        role: str(getattr(people, role).pk) for role in ("executor", "supervisor", "management", "recipient")
    }
    answer = planner.post(reverse("core:project_create"), NEW | chosen)
    project = Project.objects.get()
    assert answer.url == next_url(project, people.planner) == reverse("objective:sharing", args=[project.pk])
    held = {m.role: m.user for m in Membership.objects.filter(project=project)}
    assert held == {Role.PLANNER: people.planner} | {role: getattr(people, role) for role in chosen}


def test_nobody_gets_two_roles_and_nothing_is_opened_then(planner, people):
    twice = {"executor": str(people.executor.pk), "supervisor": str(people.executor.pk)}
    answer = planner.post(reverse("core:project_create"), NEW | twice)
    assert answer.status_code == 200
    assert "supervisor" in answer.context["team_form"].errors
    assert not Project.objects.exists()


def test_people_from_outside_are_offered_as_recipients_only(planner, people):
    form = planner.get(reverse("core:project_create")).context["team_form"]
    offered = {name: {key for key, _label in field.choices} for name, field in form.fields.items()}
    assert str(people.recipient.pk) in offered["recipient"]
    for role in ("executor", "supervisor", "management"):
        assert str(people.recipient.pk) not in offered[role]
        assert str(people.auditor.pk) not in offered[role]
    forged = NEW | {"executor": str(people.recipient.pk)}
    assert "executor" in planner.post(reverse("core:project_create"), forged).context["team_form"].errors


def test_another_account_of_the_same_person_is_refused_whole(planner, people):
    """Two accounts of one natural person: the rule of the roles says so, and no project is left behind."""
    from deid_portal.accounts.persons import person_link

    person_link(people.outsider, people.planner, reason="one person", by=people.administrator)
    answer = planner.post(reverse("core:project_create"), NEW | {"supervisor": str(people.outsider.pk)})
    assert answer.status_code == 200
    assert answer.context["team_form"].non_field_errors()
    assert not Project.objects.exists()


def test_open_roles_are_given_together_on_the_page_of_the_team(planner, people):
    planner.post(reverse("core:project_create"), NEW)
    project = Project.objects.get()
    page = reverse("core:members", args=[project.pk])
    shown = planner.get(page)
    assert set(shown.context["team_form"].fields) == {"executor", "supervisor", "management", "recipient"}
    assert not shown.context["next_url"]
    chosen = {role: str(getattr(people, role).pk) for role in shown.context["team_form"].fields}
    assert planner.post(page, chosen).url == page
    complete = planner.get(page)
    assert complete.context["team_form"] is None
    assert complete.context["next_url"] in complete.content.decode()


def test_a_project_that_has_ended_gets_a_supervisor_where_it_has_none_and_nobody_else(
    planner, people, project
):
    """Data are destroyed, and copies that are out assessed, by a supervisor: after the end of a project too."""
    page = reverse("core:members", args=[project.pk])
    project_move(project, move=Move.WITHDRAW, by=people.planner, reason="not needed")
    sent = {"supervisor": str(people.outsider.pk)}
    assert planner.post(page, sent).status_code == 403
    with pytest.raises(Refused) as refused:
        member_add(project, user=people.outsider, role=Role.SUPERVISOR, by=people.planner)
    assert refused.value.verdict.code == "wrong_state"
    change(people.supervisor, is_active=False)
    with pytest.raises(Refused):
        member_add(project, user=people.outsider, role=Role.EXECUTOR, by=people.planner)
    with pytest.raises(Refused):
        member_add(project, user=people.outsider, role=Role.SUPERVISOR, by=people.executor)
    assert list(planner.get(page).context["team_form"].fields) == ["supervisor"]
    assert planner.post(page, sent).status_code == 302
    assert project.memberships.get(user=people.outsider).role == Role.SUPERVISOR
    assert planner.get(page).context["team_form"] is None
