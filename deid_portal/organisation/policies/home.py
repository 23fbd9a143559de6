"""What of the policy library stands on a home page: to approve, to acknowledge, to look through again."""

from __future__ import annotations

from datetime import timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.deadlines import deadline_on
from projects.core.tasks_registry import Task, task_provider

from ..proposals.home import ProposalKind, proposal_kind
from .enums import CONCERNED
from .models import PolicyVersion
from .selectors import to_acknowledge, to_review

DAYS_TO_ACKNOWLEDGE = 14
DAYS_BEFORE_REVIEW = 30

proposal_kind(
    ProposalKind(
        PolicyVersion,
        title=lambda version: _("Decide on “%(name)s”") % {"name": version},
        address=lambda version: reverse("organisation:policy", args=[version.policy_id]),
        reads=("policy",),
    )
)


@task_provider
def policies(user: Person) -> list[Task]:
    """Versions in force that ``user`` has not acknowledged, and entries of theirs whose review is near or overdue."""
    if user.post not in CONCERNED:
        return []
    today = timezone.localdate()
    tasks = []
    for version in to_acknowledge(user):
        assert version.decided_at is not None  # it is in force
        deadline = deadline_on(timezone.localdate(version.decided_at) + timedelta(days=DAYS_TO_ACKNOWLEDGE))
        tasks.append(
            Task(
                _("Read and acknowledge"),
                reverse("organisation:policy", args=[version.policy_id]),
                due=deadline.due,
                tone="fail" if deadline.is_overdue else "info",
                word=version.policy.get_kind_display(),
                hint=str(version),
                deadline=deadline,
                about=str(version.pk),
                icon="file",
                rank=40,
            )
        )
    for policy in to_review(user, until=today + timedelta(days=DAYS_BEFORE_REVIEW)):
        assert policy.review_on is not None  # by the selector
        tasks.append(
            Task(
                _("Review an entry of the policy library"),
                reverse("organisation:policy", args=[policy.pk]),
                due=policy.review_on,
                tone="fail" if policy.is_overdue else "warn",
                word=policy.get_kind_display(),
                hint=policy.title,
                deadline=deadline_on(policy.review_on),
                icon="clock",
                rank=16 if policy.is_overdue else 30,
            )
        )
    return tasks
