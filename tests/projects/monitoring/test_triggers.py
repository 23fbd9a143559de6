"""What the database itself refuses about looks back at a release."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone

from projects.core.models import Project
from projects.monitoring.models import Reassessment, RiskAcceptance
from tests.projects.rows import account, allowed, change, delete, member, put, refused, unkept

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def measured(project: Project, met: bool | None) -> Reassessment:
    return put(Reassessment, project=project, due_on=timezone.localdate(), measured_at=NOW, met=met)


def accepted(row: Reassessment, by: Any, **given: Any) -> RiskAcceptance:
    said = {"measured_at": NOW, "until": timezone.localdate(), "reason": "small"} | given
    return put(RiskAcceptance, project=row.project, reassessment=row, accepted_by=by, **said)


CONCLUDED = {"finding": "so", "concluded_at": NOW}


def test_what_fails_is_kept_only_where_it_was_accepted() -> None:
    project = put(Project, state="monitoring")
    row, by = measured(project, False), member(project, "management")
    keep = CONCLUDED | {"outcome": "keep", "concluded_by": account()}
    with refused("only where senior management accepts"):
        change(row, **keep)
    for outcome in ("suspend", "verify", "process"):
        with allowed():
            change(row, **keep | {"outcome": outcome})
    accepted(row, by)
    change(row, **keep)
    with refused("conclusion of a re-assessment stays"):
        change(row, finding="otherwise")
    for met in (True, None):
        with allowed():
            change(measured(project, met), **keep)


def test_a_risk_is_accepted_by_senior_management_and_stays() -> None:
    project = put(Project, state="monitoring")
    row = measured(project, False)
    for role in ("supervisor", "planner"):
        with refused("by senior management"):
            accepted(row, member(project, role))
    given = accepted(row, member(project, "management"))
    with refused("as it was given"):
        change(given, reason="another")
    change(given, ended_at=NOW)
    with refused("ended as it ended"):
        change(given, ended_at=None)
    with refused("is kept"):
        delete(given)
