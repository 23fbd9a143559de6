"""What of findings stands on a person's home page: to put right, to check, and steps that a spot check has drawn."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.deadlines import deadline_on
from projects.core.selectors import memberships_held, reads_along
from projects.core.tasks_registry import Task, task_provider
from projects.workflow import Role
from projects.workflow.posts import Post

from .enums import CheckResult, FindingStatus, StepKind
from .models import CheckedStep, Finding, FindingStep
from .rules import CHECKING, OUTSIDE_POSTS

_WAITING = Finding.objects.filter(
    project=OuterRef("project"), status__in=(FindingStatus.OPEN, FindingStatus.ACTED)
)
reads_along("findings_wait", Exists(_WAITING))


@task_provider
def findings(user: Person) -> list[Task]:
    """Its owner puts a finding right; a judge, or who raised it from outside, checks the effect."""
    held = {one.project_id: Role(one.role) for one in memberships_held(user.pk) if one.findings_wait}  # type: ignore[attr-defined]
    from_outside = user.post in OUTSIDE_POSTS
    if not held and not from_outside:
        return []
    judged = [project for project, role in held.items() if role in CHECKING]
    mine = Q(status=FindingStatus.OPEN, owner=user.pk, project__in=list(held))
    theirs = Q(project__in=judged)
    if from_outside:
        theirs |= Q(raised_by=user.pk)
    to_check = Q(status=FindingStatus.ACTED) & theirs & ~Q(pk__in=_acted_on(user))
    rows = Finding.objects.filter(mine | to_check).select_related("project").annotate(done=Count("steps"))
    return [_task(row) for row in rows]


def _acted_on(user: Person) -> QuerySet[FindingStep, Any]:
    """The findings that ``user``, under whatever account, ever put right."""
    by = Q(by=user.pk)
    if user.person_id is not None:
        by |= Q(by__person=user.person_id)
    return FindingStep.objects.filter(by, kind=StepKind.ACTION).values("finding")


def _task(row: Finding) -> Task:
    late = row.is_overdue
    is_open = row.status == FindingStatus.OPEN
    return Task(
        _("Correct a finding") if is_open else _("Check the effect of a corrective action"),
        reverse("findings:detail", args=[row.project_id, row.pk]),
        due=row.due_on,
        tone="fail" if late else "warn" if is_open else "info",
        word=row.get_status_display(),
        project=str(row.project),
        hint=row.headline,
        deadline=deadline_on(row.due_on) if is_open else None,
        project_id=row.project_id,
        # What did not help comes back to its owner as something new.
        about=f"{row.due_on} {row.done}",  # type: ignore[attr-defined]
        icon="flag",
        rank=11 if late else 21,
    )


@task_provider
def spot_checks(user: Person) -> list[Task]:
    """An auditor who has drawn steps looks through their records; what somebody drew who is an auditor no more waits for all."""
    if user.post != Post.AUDITOR:
        return []
    gone = (
        ~Q(spot_check__drawn_by__post=Post.AUDITOR)
        | Q(spot_check__drawn_by__is_active=False)
        | Q(spot_check__drawn_by__access_until__lt=timezone.localdate())
    )
    mine = Q(spot_check__drawn_by=user.pk) | gone
    waiting = CheckedStep.objects.filter(mine, result=CheckResult.OPEN)
    return [
        Task(
            _("Check a step that was drawn"),
            reverse("finding_board:spot_check", args=[row.spot_check_id]),
            due=row.spot_check.drawn_at,
            word=str(row.spot_check),
            project=str(row.project),
            hint=row.get_stage_display(),
            icon="search",
            rank=24,
            about=str(row.pk),
        )
        for row in waiting.select_related("project", "spot_check")
    ]
