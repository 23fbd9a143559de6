"""What the database itself refuses about needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone

from deid_portal.accounts.models import User
from projects.core.models import Project
from projects.objective.models import ProjectNeed
from tests.projects.rows import account, allowed, change, member, put, refused, unkept

pytestmark = pytest.mark.django_db
NOT_PLANNING = "only the planning manager of the project answers a need"


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def answered(by: User) -> dict[str, Any]:
    return {"answered_by": by, "answered_at": timezone.now(), "is_accepted": True, "answer": "so it is"}


def test_the_planning_manager_of_the_project_answers() -> None:
    project, elsewhere = put(Project), put(Project)
    row, planner = put(ProjectNeed, project=project), member(project, "planner")
    for nobody in (account(), member(project, "executor"), member(elsewhere, "planner")):
        with refused(NOT_PLANNING):
            change(row, **answered(nobody))
        with refused(NOT_PLANNING):
            put(ProjectNeed, project=project, **answered(nobody))
    with allowed():
        change(row, **answered(planner))
    with allowed():
        put(ProjectNeed, project=project, **answered(planner))
    # Where nobody has answered, nobody has to plan.
    with allowed():
        change(row, answer="")


def test_nobody_answers_what_they_raised_under_another_account() -> None:
    project, mine = put(Project), account()
    second, other = member(project, "planner", account(mine)), member(project, "planner")
    account(other)
    row = put(ProjectNeed, project=project, raised_by=mine)
    with refused("under another account"):
        change(row, **answered(second))
    with refused("under another account"):
        put(ProjectNeed, project=project, raised_by=mine, **answered(second))
    with allowed():
        put(ProjectNeed, project=project, raised_by=mine, **answered(other))
    change(row, **answered(other))
    # Persons who are linked later stop nothing that was answered before.
    change(mine, person_id=other.person_id)
    with allowed():
        change(row, number=row.number)
