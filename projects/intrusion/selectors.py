"""Reading intruder tests, and what they found."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from django.db.models import QuerySet

from projects.core.models import Project
from projects.objective.selectors import objective_of
from projects.processing.models import Run
from techniques.disclosure_risk.attacks.rates import Rate

from .enums import ClaimVerdict
from .models import IntruderClaim, IntruderTest


def tests_of(project: Project) -> QuerySet[IntruderTest]:
    """All of them with their claims, the newest first."""
    found = IntruderTest.objects.filter(project=project)
    return found.select_related("project", "run", "opened_by", "closed_by").prefetch_related("claims")


def intruder_test_get(project: Project, test_id: uuid.UUID) -> IntruderTest:
    return tests_of(project).get(pk=test_id)


def claims_of(test: IntruderTest) -> list[IntruderClaim]:
    """In their order, with who made and who checked them."""
    found = IntruderClaim.objects.filter(test=test).select_related("made_by", "checked_by", "test__project")
    return list(found)


def is_waiting(claims: Iterable[IntruderClaim]) -> bool:
    """Whether one of them is to be checked."""
    return any(one.verdict == ClaimVerdict.WAITING for one in claims)


def rate_of(test: IntruderTest, claims: Iterable[IntruderClaim]) -> Rate | None:
    """The records that were rightly claimed among all persons whom the testers tried to recognise; None before the end."""
    if test.attempts is None:
        return None
    return Rate.of(len(places_of(one for one in claims if one.verdict == ClaimVerdict.RIGHT)), test.attempts)


def places_of(claims: Iterable[IntruderClaim]) -> set[tuple[str, int]]:
    """The records that are claimed, each once: several testers may come to the same one."""
    return {(one.of_table, one.record) for one in claims}


def bound_of(project: Project) -> float | None:
    """What share of the persons testers may recognise at most by the target; None where no such test is asked for."""
    objective = objective_of(project)
    found: float | None = (objective.risk or {}).get("intruders") if objective else None
    return found


def concluded_about(run: Run) -> IntruderTest | None:
    """The newest concluded test of exactly this result; it is the one that counts."""
    return tests_of(run.project).filter(run=run, closed_at__isnull=False).first()
