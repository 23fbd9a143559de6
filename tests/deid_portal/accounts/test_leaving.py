"""Who leaves: access ends at once, what they had in hand is listed and handed over, and it is on record."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.accounts.appointments.services import appointment_give
from deid_portal.accounts.leaving.selectors import in_hand, level_of
from deid_portal.accounts.leaving.services import leaving_record
from deid_portal.accounts.models import Leaving, User
from deid_portal.accounts.services import user_set_active
from deid_portal.accounts.tokens import token_create, token_valid
from projects.core.rules import has_role
from projects.core.succession.services import planning_hand_over
from projects.objective.enums import Classification
from projects.objective.models import Objective
from projects.workflow import Role
from projects.workflow.posts import AppointedPost
from tests.deid_portal.accounts.test_accounts import BACKEND
from tests.projects.rows import change, put, refused

pytestmark = pytest.mark.django_db
WHY = {"reason": "another house", "agreed": "silent for two years, paper in folder 7"}


def signed_in(person):
    client = Client(headers={"accept-language": "en"})
    client.force_login(person, backend=BACKEND)
    return client


def test_access_ends_at_once_and_what_was_in_hand_stays_on_record(people, project):
    client, (_token, key) = signed_in(people.planner), token_create(people.planner, name="a program")
    appointment_give(
        people.planner,
        post=AppointedPost.MANAGEMENT,
        starts_on=people.planner.date_joined.date(),
        reason="to help",
        by=people.administrator,
    )
    assert client.get(reverse("core:home")).status_code == 200
    left = leaving_record(people.planner, **WHY, at_once=True, by=people.administrator)
    assert left.hand_over == [{"project": project.number, "role": "planner"}]
    assert client.get(reverse("core:home")).status_code == 302
    assert token_valid(key) is None
    assert set(people.planner.appointments.values_list("status", flat=True)) == {"ended", "turned_down"}
    said = AuditEvent.objects.get(action="user.left")
    assert (said.facts["projects"], said.facts["posts"], said.facts["tokens_ended"]) == (1, 2, 1)


def test_only_an_administrator_records_it_of_somebody_else_once_and_for_good(people):
    def code(account, by, **more):
        with pytest.raises(Refused) as refusal:
            leaving_record(account, **WHY | more, by=by)
        return refusal.value.verdict.code

    assert code(people.executor, people.planner) == "not_an_administrator"
    assert code(people.administrator, people.administrator) == "not_yourself"
    assert code(people.executor, people.administrator, agreed=" ") == "leaving_text_needed"
    left = leaving_record(people.executor, **WHY, by=people.administrator)
    assert code(people.executor, people.administrator) == "has_left"
    executor = User.objects.get(pk=people.executor.pk)
    with pytest.raises(Refused) as refusal:
        user_set_active(executor, active=True, by=people.administrator)
    assert refusal.value.verdict.code == "left_for_good"
    with refused("not let in again"):
        change(executor, is_active=True)
    with refused("written once"):
        change(left, reason="none")


def test_what_is_in_hand_names_turn_findings_and_who_shares_the_role(people, project):
    (one,) = in_hand(people.planner)
    assert (one.project_number, one.is_planning, bool(one.waits), one.findings, one.shared) == (
        project.number,
        True,
        True,
        0,
        False,
    )
    (other,) = in_hand(people.executor)
    assert (other.waits, other.is_planning) == ("", False)
    assert in_hand(people.outsider) == []


def test_the_highest_grade_of_what_somebody_had_in_hand_is_named(people, project):
    assert level_of(people.planner) is None
    put(Objective, project=project, changed_by=people.planner, scope={"classification": "important"})
    assert level_of(people.planner) == Classification.IMPORTANT
    assert level_of(people.outsider) is None
    shown = signed_in(people.administrator).get(reverse("accounts:leaving", args=[people.planner.pk]))
    assert "Important data" in shown.content.decode()


def test_an_administrator_hands_the_planning_over_on_the_page_and_sees_numbers_only(people, project):
    client = signed_in(people.administrator)
    page = reverse("accounts:leaving", args=[people.planner.pk])
    shown = client.get(page).content.decode()
    assert project.number in shown
    assert project.title not in shown
    assert client.post(page, {"reason": "gone"}).status_code == 422
    assert client.post(page, WHY | {"at_once": "on"}).url == page
    hands = reverse("accounts:leaving_planning", args=[people.planner.pk, project.number])
    offered = client.get(hands).content.decode()
    assert str(people.outsider) in offered
    assert project.title not in offered
    assert client.post(hands, {"to": people.outsider.pk, "reason": "left"}).url == page
    assert has_role(people.outsider, project, Role.PLANNER)
    assert "No role in a project that has not ended." in client.get(page).content.decode()
    assert Leaving.objects.get().hand_over == [{"project": project.number, "role": "planner"}]


def test_nobody_leaves_a_project_without_a_planner_but_by_saying_that_it_has_to_be(people, project):
    with pytest.raises(Refused) as refusal:
        leaving_record(people.planner, **WHY, by=people.administrator)
    verdict = refusal.value.verdict
    assert (verdict.code, verdict.params["projects"]) == ("leaving_plans_alone", project.number)
    client, page = signed_in(people.administrator), reverse("accounts:leaving", args=[people.planner.pk])
    assert "Access has to end at once, before the planning" in client.get(page).content.decode()
    refused_page = client.post(page, WHY)
    assert refused_page.status_code == 422
    assert "is the only planning manager of" in refused_page.content.decode()
    api = reverse("api:account-leaving", args=[people.planner.pk])
    answer = client.post(api, WHY, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (403, "leaving_plans_alone")
    assert people.planner.is_active
    assert not Leaving.objects.exists()
    # Once it is handed over, nothing stands against it.
    planning_hand_over(project, to=people.outsider, reason="leaves", by=people.management)
    assert "Access has to end at once, before the planning" not in client.get(page).content.decode()
    assert client.post(page, WHY).url == page
