"""Reading findings and spot checks, filtered by what the reader may see."""

from __future__ import annotations

import uuid

from django.db.models import Count, Q, QuerySet

from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.selectors import in_visible, memberships_of
from projects.releases.models import Release
from projects.workflow import STAGES, Role

from .enums import CheckResult, FindingStatus
from .models import CheckedStep, Finding, FindingStep, SpotCheck
from .rules import OWNING


def findings_of(project: Project) -> QuerySet[Finding]:
    return Finding.objects.filter(project=project).select_related(
        "project", "owner", "raised_by", "closed_by"
    )


def finding_get(project: Project, finding_id: uuid.UUID) -> Finding:
    return findings_of(project).get(pk=finding_id)


def steps_of(finding: Finding) -> QuerySet[FindingStep]:
    return FindingStep.objects.filter(finding=finding).select_related("by", "owner")


def findings_open(user: Person) -> QuerySet[Finding]:
    """Every finding that is not closed in the projects that ``user`` may see, what is due first."""
    return (
        Finding.objects.filter(in_visible(user))
        .exclude(status=FindingStatus.CLOSED)
        .select_related("project", "owner", "raised_by")
        .order_by("due_on")
    )


def owners_possible(project: Project) -> list[Person]:
    """Who could put something right: active members of a role that works on the project."""
    return [
        one.user
        for one in memberships_of(project)
        if one.ended_at is None and one.user.is_active and Role(one.role) in OWNING
    ]


def spot_checks() -> QuerySet[SpotCheck]:
    """Every draw with how many of its steps are still to be checked; for who reads all projects."""
    return SpotCheck.objects.select_related("drawn_by").annotate(
        waiting=Count("steps", filter=Q(steps__result=CheckResult.OPEN))
    )


def spot_check_get(spot_check_id: uuid.UUID) -> SpotCheck:
    return SpotCheck.objects.select_related("drawn_by").get(pk=spot_check_id)


def checked_steps(spot_check: SpotCheck) -> QuerySet[CheckedStep]:
    return CheckedStep.objects.filter(spot_check=spot_check).select_related(
        "project", "checked_by", "spot_check"
    )


def checked_in(project: Project) -> QuerySet[CheckedStep]:
    """The steps of ``project`` that spot checks have drawn."""
    found = CheckedStep.objects.filter(project=project).select_related("spot_check", "checked_by", "project")
    return found.order_by("-spot_check__number", "place")


def population_now() -> dict[str, tuple[Project, str]]:
    """What a spot check can draw: each step of each project that was released once, as ``number/step``."""
    released = Project.objects.filter(pk__in=Release.objects.values("project")).order_by("number")
    return {
        f"{project.number}/{stage.value}": (project, stage.value) for project in released for stage in STAGES
    }
