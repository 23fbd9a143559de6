"""A finding from the moment it is raised to the check of its effect by somebody else."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from approvals.governance.verdict import Refused
from deid_portal.accounts.persons import person_link
from projects.core.selectors import history_of
from projects.core.services import member_end
from projects.core.tasks_registry import tasks_of
from projects.findings.enums import FindingSeverity, FindingSource, FindingStatus, StepKind
from projects.findings.models import Finding
from projects.findings.selectors import findings_open, steps_of
from projects.findings.services import finding_act, finding_assign, finding_check, finding_raise
from projects.workflow import Stage

pytestmark = pytest.mark.django_db


def said(people: Any, **more: Any) -> dict[str, Any]:
    return {
        "source": FindingSource.REVIEW,
        "stage": Stage.OBJECTIVE,
        "severity": FindingSeverity.MAJOR,
        "title": "The basis is missing",
        "description": "Clause 5.2.2 wants the legal basis, the plan names none.",
        "owner": people.executor,
        "due_on": timezone.localdate() + timedelta(days=7),
    } | more


@pytest.fixture
def finding(people, project):
    return finding_raise(project, **said(people), by=people.supervisor)


@pytest.fixture
def acted(people, finding):
    return finding_act(finding, action="The basis was added.", by=people.executor)


class _Refusal:
    """The act inside is refused for this reason."""

    def __init__(self, code: str) -> None:
        self.code = code

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        assert isinstance(error, Refused), f"not refused: {error!r}"
        assert error.verdict.code == self.code
        return True


def test_it_stands_on_its_owners_home_page_and_in_the_history(people, project, finding):
    task = next(one for one in tasks_of(people.executor) if one.hint == finding.title)
    assert task.deadline.due == finding.due_on
    assert not [one for one in tasks_of(people.planner) if one.hint == finding.title]
    event = history_of(project).first()
    assert (event.action, event.facts["finding_severity"]) == ("finding.raised", "major")


@pytest.mark.parametrize("who", ["planner", "supervisor", "management", "auditor", "assessor"])
def test_who_plans_judges_or_from_outside_raises(people, project, who):
    assert finding_raise(project, **said(people), by=getattr(people, who)).number == 1


@pytest.mark.parametrize("who", ["executor", "recipient", "outsider", "administrator"])
def test_nobody_else_does(people, project, who):
    with pytest.raises(Refused):
        finding_raise(project, **said(people), by=getattr(people, who))
    assert not Finding.objects.exists()


@pytest.mark.parametrize("who", ["recipient", "outsider", "management", "auditor"])
def test_only_who_works_on_the_project_can_own_one(people, project, who):
    with _Refusal("owner_outside"):
        finding_raise(project, **said(people, owner=getattr(people, who)), by=people.supervisor)


def test_a_day_in_the_past_is_no_day(people, project):
    with _Refusal("due_in_past"):
        yesterday = timezone.localdate() - timedelta(days=1)
        finding_raise(project, **said(people, due_on=yesterday), by=people.supervisor)


def test_what_it_comes_from_is_of_the_project(people, project):
    with _Refusal("origin_unknown"):
        finding_raise(project, **said(people), origin_id=project.pk, by=people.supervisor)


def test_only_its_owner_puts_it_right(people, finding):
    with _Refusal("not_the_owner"):
        finding_act(finding, action="I did it.", by=people.planner)
    acted = finding_act(finding, action="Added.", by=people.executor)
    assert acted.status == FindingStatus.ACTED
    with _Refusal("finding_not_open"):
        finding_act(acted, action="Again.", by=people.executor)


def test_somebody_else_closes_it(people, project, acted):
    with pytest.raises(Refused):
        finding_check(acted, effective=True, remark="fine", by=people.executor)
    assert [one.hint for one in tasks_of(people.supervisor) if one.hint == acted.title]
    closed = finding_check(acted, effective=True, remark="The plan names it now.", by=people.supervisor)
    assert (closed.status, closed.closed_by) == (FindingStatus.CLOSED, people.supervisor)
    assert [step.kind for step in steps_of(closed)] == [StepKind.ACTION, StepKind.EFFECTIVE]
    assert not findings_open(people.planner).exists()
    assert history_of(project).first().action == "finding.closed"


def test_who_put_it_right_does_not_check_it_even_as_a_judge(people, project):
    mine = finding_raise(project, **said(people, owner=people.supervisor), by=people.management)
    mine = finding_act(mine, action="Done.", by=people.supervisor)
    with _Refusal("own_action"):
        finding_check(mine, effective=True, remark="fine", by=people.supervisor)
    assert (
        finding_check(mine, effective=True, remark="seen", by=people.management).closed_by
        == people.management
    )


def test_without_effect_it_is_open_again_and_nothing_is_lost(people, acted):
    again = finding_check(acted, effective=False, remark="Still missing.", by=people.supervisor)
    assert (again.status, again.closed_by) == (FindingStatus.OPEN, None)
    finding_act(again, action="Now it is there.", by=people.executor)
    assert [step.text for step in steps_of(again)] == [
        "The basis was added.",
        "Still missing.",
        "Now it is there.",
    ]


@pytest.mark.parametrize(("account", "refused"), [("same", "own_action"), ("other", "same_person")])
def test_who_acted_before_it_was_given_to_another_owner_does_not_check_it(people, project, account, refused):
    mine = finding_raise(project, **said(people, owner=people.supervisor), by=people.management)
    mine = finding_act(mine, action="Done.", by=people.supervisor)
    again = finding_check(mine, effective=False, remark="Still missing.", by=people.management)
    given = {"owner": people.executor, "due_on": timezone.localdate() + timedelta(days=3)}
    again = finding_assign(again, **given, reason="The executor knows it.", by=people.planner)
    again = finding_act(again, action="Now it is there.", by=people.executor)
    judge = people.supervisor
    if account == "other":
        person_link(people.management, people.supervisor, reason="One person.", by=people.administrator)
        judge = people.management
        judge.refresh_from_db()
    assert not [one for one in tasks_of(judge) if one.hint == again.title]
    with _Refusal(refused):
        finding_check(again, effective=True, remark="fine", by=judge)


def test_an_auditor_checks_what_they_raised_and_nothing_else(people, project, acted):
    with pytest.raises(Refused):
        finding_check(acted, effective=True, remark="fine", by=people.auditor)
    own = finding_raise(project, **said(people, title="Seen in the audit"), by=people.auditor)
    own = finding_act(own, action="Done.", by=people.executor)
    assert [one for one in tasks_of(people.auditor) if one.hint == "Seen in the audit"]
    assert finding_check(own, effective=True, remark="fine", by=people.auditor).status == FindingStatus.CLOSED


def test_another_owner_has_a_reason(people, project, finding):
    given = {"owner": people.planner, "due_on": timezone.localdate() + timedelta(days=3)}
    with _Refusal("text_needed"):
        finding_assign(finding, **given, reason=" ", by=people.supervisor)
    moved = finding_assign(finding, **given, reason="The executor has left.", by=people.supervisor)
    assert moved.owner == people.planner
    (step,) = steps_of(moved)
    assert (step.kind, step.owner) == (StepKind.ASSIGNED, people.planner)


def test_who_left_the_project_puts_nothing_right(people, project, finding):
    member_end(project.memberships.get(user=people.executor), by=people.planner)
    project.__dict__.pop("_roles", None)
    with pytest.raises(Refused):
        finding_act(finding, action="Done.", by=people.executor)
    assert not [one for one in tasks_of(people.executor) if one.hint == finding.title]


def test_the_page_walks_the_whole_way(client, people, project):
    def go_in(who: str) -> None:
        client.force_login(getattr(people, who), backend="deid_portal.accounts.backends.AccountBackend")

    go_in("auditor")
    sent = said(people, owner=people.executor.pk)
    assert client.post(reverse("findings:raise", args=[project.pk]), sent | {"title": ""}).status_code == 422
    assert client.post(reverse("findings:raise", args=[project.pk]), sent).status_code == 302
    found = Finding.objects.get()
    here = [project.pk, found.pk]
    go_in("executor")
    shown = client.get(
        reverse("findings:detail", args=here), headers={"accept-language": "en"}
    ).content.decode()
    assert "Correct it" in shown
    assert "Check of the effect" not in shown
    client.post(reverse("findings:act", args=here), {"action": "The basis was added."})
    assert (
        client.post(
            reverse("findings:check", args=here), {"decision": "effective", "remark": "x"}
        ).status_code
        == 403
    )
    go_in("supervisor")
    client.post(reverse("findings:check", args=here), {"decision": "effective", "remark": "It is there."})
    found.refresh_from_db()
    assert found.status == FindingStatus.CLOSED
    shown = client.get(reverse("findings:page", args=[project.pk]), headers={"accept-language": "en"})
    assert "Closed, the effect was checked" in shown.content.decode()


def test_the_endpoints_do_the_same(client, people, project):
    client.force_login(people.supervisor, backend="deid_portal.accounts.backends.AccountBackend")
    sent = said(people, owner="executor", due_on=str(timezone.localdate()))
    made = client.post(reverse("api:findings", args=[project.pk]), sent, content_type="application/json")
    assert made.status_code == 201, made.content
    (listed,) = client.get(reverse("api:findings-open")).json()["results"]
    assert (listed["owner"], listed["is_overdue"]) == ("executor", False)
    here = reverse("api:findings-check", args=[project.pk, listed["id"]])
    answer = client.post(here, {"effective": True, "remark": "x"}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (403, "finding_not_acted")
