"""What of monitoring stands on a person's home page: the re-assessments that wait for a supervisor, and what senior management may
accept."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.deadlines import deadline_on
from projects.core.selectors import memberships_held, reads_along
from projects.core.tasks_registry import Task, task_provider
from projects.workflow import Role, State

from .acceptance.rules import may_accept_risk
from .amendments import rules as amendment_rules
from .enums import OPEN_AMENDMENTS
from .models import Amendment, Reassessment
from .presentation import reassessment_status


@task_provider
def reassessments(user: Person) -> list[Task]:
    """Overdue ones first, then those that are open; planned ones wait for their time."""
    mine = [
        held.project_id
        for held in memberships_held(user.pk)
        if held.role == Role.SUPERVISOR and held.project.state == State.MONITORING
    ]
    if not mine:
        return []
    rows = (
        Reassessment.objects.filter(project__in=mine, concluded_at=None, release__ended_at=None)
        .filter(Q(opened_at__isnull=False) | Q(due_on__lt=timezone.localdate()))
        .select_related("project", "release", "change")
    )
    tasks = []
    for row in rows:
        tone, word = reassessment_status(row)
        tasks.append(
            Task(
                _("Conclude the re-assessment of the release"),
                reverse("monitoring:reassessment", args=[row.project_id, row.pk]),
                due=row.due_on,
                tone="fail" if tone == "fail" else "info",
                word=word,
                project=str(row.project),
                hint=(_("%(why)s; due on %(date)s") if row.change is not None else _("due on %(date)s"))
                % {"why": row.change, "date": row.due_on.isoformat()},
                deadline=deadline_on(row.due_on),
                project_id=row.project_id,
                icon="clock",
                rank=12 if tone == "fail" else 22,
            )
        )
    return tasks


_FAILED = Reassessment.objects.filter(
    project=OuterRef("project"), concluded_at=None, release__ended_at=None, met=False
)
reads_along("targets_not_met", Exists(_FAILED))


@task_provider
def risks_to_accept(user: Person) -> list[Task]:
    """Senior management decides about a release that does not meet its targets any more."""
    mine = [
        held.project_id
        for held in memberships_held(user.pk)
        if held.role == Role.MANAGEMENT and held.targets_not_met  # type: ignore[attr-defined]
    ]
    if not mine:
        return []
    failed = Reassessment.objects.filter(
        project__in=mine, concluded_at=None, release__ended_at=None, met=False
    )
    return [
        Task(
            _(
                "Accept until a set day that not every target is met, or leave it to the supervisor to end the release"
            ),
            reverse("monitoring:reassessment", args=[row.project_id, row.pk]) + "#accept",
            due=row.measured_at,
            tone="fail",
            word=_("Not every target is met"),
            project=str(row.project),
            icon="flag",
            rank=14,
        )
        for row in failed.select_related("project", "release")
        if may_accept_risk(user, row)
    ]


_OPEN = Amendment.objects.filter(project=OuterRef("project"), outcome__in=OPEN_AMENDMENTS)
reads_along("amendments_wait", Exists(_OPEN))


@task_provider
def amendments_to_judge(user: Person) -> list[Task]:
    """Those that the supervisor reviews, and those that senior management decides."""
    mine = {
        held.project_id: held.role
        for held in memberships_held(user.pk)
        if held.role in (Role.SUPERVISOR, Role.MANAGEMENT) and held.amendments_wait  # type: ignore[attr-defined]
    }
    if not mine:
        return []
    waiting = Amendment.objects.filter(project__in=mine, outcome__in=OPEN_AMENDMENTS)
    tasks = []
    for one in waiting.select_related("project", "reassessment__release", "proposed_by", "reviewed_by"):
        reviews = mine[one.project_id] == Role.SUPERVISOR
        rule = amendment_rules.may_review if reviews else amendment_rules.may_decide
        if not rule(user, one):
            continue
        tasks.append(
            Task(
                _("Review the amendment of what the release is measured by")
                if reviews
                else _("Decide on the amendment of what the release is measured by"),
                reverse("monitoring:amendment", args=[one.project_id, one.pk]),
                due=one.proposed_at,
                tone="warn",
                word=_("Your review") if reviews else _("Your decision"),
                project=str(one.project),
                hint=_("%(kind)s, proposed by %(by)s")
                % {"kind": one.get_kind_display(), "by": one.proposed_by},
                icon="scale",
                rank=21,
            )
        )
    return tasks
