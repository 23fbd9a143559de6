"""Who stops a job: who asked for it, or who has the role in which it was asked for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import timezone

from deid_portal.accounts.models import User
from projects.core.models import Membership, Project
from projects.jobs import rules
from projects.jobs.enums import JobStatus
from projects.jobs.models import Job
from projects.workflow import Role
from tests.projects.rows import account, change, member, put, team, unkept

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def job(project: Project | None, by: User, status: str = "queued") -> Job:
    return Job(project=project, requested_by=by, status=status)


@pytest.mark.parametrize("role", Role)
def test_who_asked_and_who_shares_their_role_inside(role):
    project = put(Project)
    people = team(project)
    made = job(project, people[role])
    colleague = member(project, role)
    assert rules.may_cancel(people[role], made)
    inside = role != Role.RECIPIENT
    assert rules.may_cancel(colleague, made).code == ("" if inside else "job_asked_by_another")
    for name, user in people.items():
        if name != role:
            code = (
                "not_a_member"
                if name == "outsider"
                else "not_your_role"
                if inside
                else "job_asked_by_another"
            )
            assert rules.may_cancel(user, made).code == code, name


def test_a_role_that_ended_counts_for_who_asked_and_not_for_who_cancels():
    project = put(Project)
    people = team(project)
    colleague = member(project, "executor")
    made = job(project, people["executor"])
    change(Membership.objects.get(user=people["executor"]), ended_at=timezone.now())
    assert rules.may_cancel(colleague, made)
    assert rules.may_cancel(people["executor"], made), "it is still theirs"
    change(Membership.objects.get(user=colleague), ended_at=timezone.now())
    assert rules.may_cancel(colleague, made).code == "not_a_member"


def test_outside_projects_a_job_is_who_asked_for_its():
    by = account()
    assert rules.may_cancel(by, job(None, by))
    assert rules.may_cancel(account(), job(None, by)).code == "not_a_member"
    by.is_active = False
    assert rules.may_cancel(by, job(None, by)).code == "inactive"


@pytest.mark.parametrize("status", JobStatus.values)
def test_what_ended_is_not_cancelled(status):
    by = account()
    code = "" if status in ("queued", "running") else "job_not_active"
    assert rules.may_cancel(by, job(None, by, status)).code == code
