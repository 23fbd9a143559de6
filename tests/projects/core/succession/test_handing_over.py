"""The planning of a project goes from one person to another, and no project is left without."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from approvals.governance.verdict import Refused
from deid_portal.accounts.appointments.services import appointment_end
from projects.core.models import Membership
from projects.core.rules import has_role
from projects.core.selectors import history_of, visible_projects
from projects.core.succession.services import planning_hand_over
from projects.workflow import Role
from tests.projects.rows import change, refused

pytestmark = pytest.mark.django_db


def code(project, to, by, reason="left the house"):
    with pytest.raises(Refused) as refusal:
        planning_hand_over(project, to=to, reason=reason, by=by)
    return refusal.value.verdict.code


@pytest.mark.parametrize("by", ["management", "administrator"])
def test_management_or_an_administrator_hands_the_planning_over(people, project, by):
    planning_hand_over(project, to=people.outsider, reason="left the house", by=getattr(people, by))
    assert has_role(people.outsider, project, Role.PLANNER)
    assert has_role(people.planner, project, Role.PLANNER).code == "not_a_member"
    assert project not in visible_projects(people.planner)
    said = history_of(project).get(action="project.planning_handed_over")
    assert said.facts == {"member": str(people.outsider), "before": str(people.planner)}
    assert said.reason == "left the house"


def test_nobody_else_hands_it_over_and_nobody_takes_it_themselves(people, project):
    for name in ("planner", "executor", "supervisor", "recipient", "outsider", "auditor"):
        assert code(project, people.outsider, getattr(people, name)) in ("not_your_role", "not_a_member"), (
            name
        )
    assert code(project, people.executor, people.management) == "role_is_final"
    assert code(project, people.management, people.management) == "not_to_yourself"
    assert code(project, people.outsider, people.management, reason=" ") == "reason_needed"
    assert Membership.objects.get(project=project, role="planner").user == people.planner


def test_the_database_leaves_no_project_without(project):
    (planner,) = Membership.objects.filter(project=project, role="planner")
    with refused("never left without"):
        change(planner, ended_at=timezone.now())


def test_a_project_that_nobody_plans_any_more_is_a_task_of_management(people, project):
    client = Client(headers={"accept-language": "en"})
    client.force_login(people.management, backend="deid_portal.accounts.backends.AccountBackend")
    page, title = reverse("core:hand_over", args=[project.pk]), "Hand over the planning: this project"
    assert title not in client.get(reverse("core:home")).content.decode()
    appointment_end(people.planner.appointments.get(), reason="retired", by=people.administrator)
    assert title in client.get(reverse("core:home")).content.decode()
    assert str(people.outsider) in client.get(page).content.decode()
    sent = client.post(page, {"to": people.outsider.pk, "reason": "retired"})
    assert sent.url == reverse("core:members", args=[project.pk])
    assert title not in client.get(reverse("core:home")).content.decode()
