"""What the database itself refuses about looks back at a release."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from projects.core.models import Project
from projects.monitoring.models import Amendment, Reassessment, RiskAcceptance
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


def amended(row: Reassessment, by: Any, **given: Any) -> Amendment:
    said = {"kind": "targets", "content": {}, "former": {}, "proposed_by": by} | given
    return put(Amendment, project=row.project, reassessment=row, **said)


def test_an_amendment_is_proposed_reviewed_and_approved_by_three() -> None:
    project = put(Project, state="monitoring")
    row = measured(project, True)
    planner, supervisor, management = (
        member(project, one) for one in ("planner", "supervisor", "management")
    )
    for wrong in ({"by": supervisor}, {"by": planner, "outcome": "approved"}):
        with refused("proposed by the planning manager"):
            amended(row, **wrong)
    one = amended(row, planner)
    with refused("amendment_one_open_of_each_kind|UNIQUE"):
        amended(row, planner)
    reviewed = {"outcome": "reviewed", "review": "so", "reviewed_at": NOW}
    approved = {"outcome": "approved", "decision": "so", "decided_at": NOW}
    with refused("after the supervisor has reviewed"):
        change(one, **reviewed | approved, reviewed_by=supervisor, decided_by=management)
    with refused("after the supervisor has reviewed"):
        change(one, **reviewed, reviewed_by=management)
    twin = member(project, "supervisor")
    for account_of_planner in (planner, twin):
        change(account_of_planner, person_id=planner.pk)
    with refused("under another account"):
        change(one, **reviewed, reviewed_by=twin)
    change(one, **reviewed, reviewed_by=supervisor)
    with refused("after the supervisor has reviewed"):
        change(one, **approved, decided_by=account())
    twin = member(project, "management")
    for account_of_supervisor in (supervisor, twin):
        change(account_of_supervisor, person_id=supervisor.pk)
    with refused("under another account"):
        change(one, **approved, decided_by=twin)
    change(one, **approved, decided_by=management)
    for altered in ({"content": {"k": 2}}, {"why": "otherwise"}, {"outcome": "refused"}, {"decision": "no"}):
        with refused("stays as it was proposed"):
            change(one, **altered)
    with refused("is kept"):
        delete(one)


def test_a_release_is_kept_only_by_what_it_was_measured_by() -> None:
    project = put(Project, state="monitoring")
    row, other = measured(project, True), measured(project, True)
    planner, supervisor, management = (
        member(project, one) for one in ("planner", "supervisor", "management")
    )
    keep = CONCLUDED | {"outcome": "keep", "concluded_by": supervisor}
    one = amended(row, planner)
    with refused("with every amendment decided before"):
        change(row, **keep)
    with allowed():
        change(other, **keep)
    change(one, outcome="reviewed", review="so", reviewed_at=NOW, reviewed_by=supervisor)
    later = NOW + timedelta(minutes=1)
    change(one, outcome="approved", decision="so", decided_at=later, decided_by=management)
    for measured_before in (row, other):
        with refused("with every amendment decided before"):
            change(measured_before, **keep)
    change(row, measured_at=NOW + timedelta(minutes=2))
    change(row, **keep)
