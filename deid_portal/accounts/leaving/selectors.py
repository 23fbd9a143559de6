"""What a leaver has in hand, and how sensitive the data were that they worked on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q

from projects.core.models import Membership
from projects.core.succession.selectors import projects_of
from projects.findings.enums import FindingStatus
from projects.objective.enums import Classification
from projects.objective.models import Objective
from projects.workflow import STATES, TERMINAL, Role, State

from ..models import User


@dataclass(frozen=True)
class InHand:
    """A role in a project, with what hangs on it. Administrators read the number of the project, nothing of its content."""

    membership: Membership
    # What the project waits for from this role; empty where it waits for nothing of it.
    waits: str
    findings: int
    keys: int
    # Whether somebody else, who is active, has the same role there.
    shared: bool

    @property
    def project_number(self) -> str:
        return str(self.membership.project.number)

    @property
    def is_planning(self) -> bool:
        return self.membership.role == Role.PLANNER


def in_hand(account: User) -> list[InHand]:
    """The present roles of somebody in projects that are not over, in one statement."""
    others = Membership.objects.filter(
        project=OuterRef("project"), role=OuterRef("role"), ended_at=None, user__is_active=True
    ).exclude(user=account.pk)
    waiting = Q(project__findings__owner=account.pk, project__findings__status=FindingStatus.OPEN)
    kept = Q(project__secrets__destroyed_at=None)
    held = (
        projects_of(account.pk)
        .exclude(project__state__in=TERMINAL)
        .annotate(
            shared=Exists(others),
            open_findings=Count("project__findings", filter=waiting, distinct=True),
            kept_keys=Count("project__secrets", filter=kept, distinct=True),
        )
    )
    rows: list[Any] = list(held)
    return [
        InHand(
            one,
            waits=str(row.task) if (row := STATES[State(one.project.state)]).owner == one.role else "",
            findings=one.open_findings,
            keys=one.kept_keys,
            shared=one.shared,
        )
        for one in rows
    ]


def level_of(account: User) -> Classification | None:
    """The highest grade of the data of all projects that somebody has, or had, a role in; None where none is graded."""
    scopes = Objective.objects.filter(project__memberships__user=account.pk).values_list("scope", flat=True)
    grades = {(scope or {}).get("classification") for scope in scopes}
    found = [grade for grade in Classification if grade.value in grades]
    return found[-1] if found else None
