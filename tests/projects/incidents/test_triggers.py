"""What the database itself refuses about incidents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone

from projects.core.models import Project
from projects.incidents.models import Incident, IncidentStep
from tests.projects.rows import account, allowed, change, delete, member, put, refused, unkept

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def incident(**given: Any) -> Incident:
    said = {"kind": "leak", "severity": "minor", "description": "x", "verdict": "confirmed"}
    return put(Incident, project=put(Project, state="monitoring"), **said | given)


def test_what_was_reported_and_judged_stays() -> None:
    row = incident()
    for field, value in (("description", "y"), ("severity", "grave"), ("verdict", "unfounded")):
        with refused("stays as it was reported"):
            change(row, **{field: value})
    with refused("never deleted"):
        delete(row)
    step = put(IncidentStep, incident=row, act="measure")
    with refused("written once"):
        change(step, text="y")
    with refused("written once"):
        delete(step)


def test_senior_management_closes_it_once_the_law_is_served() -> None:
    row = incident()
    closed = {"closed_by": member(row.project, "management"), "closed_at": timezone.now()}
    for act in ("measure", "authority", "spare"):
        with refused("once measures were taken"):
            change(row, **closed)
        put(IncidentStep, incident=row, act=act)
    with refused("by senior management"):
        change(row, **closed | {"closed_by": account()})
    change(row, **closed)
    with refused("judged and closed"):
        change(row, closed_by=None, closed_at=None)
    with allowed():
        unfounded = incident(verdict="unfounded")
        change(unfounded, closed_by=member(unfounded.project, "management"), closed_at=timezone.now())
