"""What of the record of talks stands on a home page: what is to be done after one."""

from __future__ import annotations

from django.db.models import Exists, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.deadlines import deadline_on
from projects.core.selectors import memberships_held, reads_along
from projects.core.tasks_registry import Task, task_provider
from projects.workflow.posts import Post

from ..policies.enums import CONCERNED
from .models import FollowUp
from .rules import may_record

reads_along("follow_ups_open", Exists(FollowUp.objects.filter(closed_at=None)))


@task_provider
def follow_ups_due(user: Person) -> list[Task]:
    """To the owner each follow-up that is open; to planning managers those of others whose day is over."""
    # Auditors are given nothing to do.
    if user.post not in CONCERNED or user.post == Post.AUDITOR:
        return []
    held = memberships_held(user.pk)
    if held and not held[0].follow_ups_open:  # type: ignore[attr-defined]
        return []
    mine = Q(owner=user.pk)
    if may_record(user):
        mine |= Q(due_on__lt=timezone.localdate())
    rows = FollowUp.objects.filter(mine, closed_at=None).select_related("talk", "owner")
    return [_task(row, user) for row in rows]


def _task(row: FollowUp, user: Person) -> Task:
    """Its title goes out by mail, so it says which talk and not what is to be done."""
    deadline, is_own = deadline_on(row.due_on), row.owner_id == user.pk
    names = {"topic": row.talk.topic, "person": row.owner}
    if is_own:
        title = _("Do what follows from the talk “%(topic)s”") % names
        tone = "fail" if deadline.is_overdue else "warn" if deadline.is_near else "info"
    else:
        title = _("What %(person)s has to do after the talk “%(topic)s” is overdue") % names
        tone = "warn"
    return Task(
        title,
        reverse("organisation:talk", args=[row.talk_id]) + "#follow-ups",
        due=row.due_on,
        tone=tone,
        hint=row.what,
        icon="clock",
        rank=13 if is_own and deadline.is_overdue else 26,
        deadline=deadline,
        about=f"{'own' if is_own else 'left'} {row.pk}",
    )
