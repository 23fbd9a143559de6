"""What of masking stands on a person's home page: policies that wait for a second person."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from deid_portal.organisation.rules import may_edit_metadata
from projects.core.tasks_registry import Task, due_text, task_provider

from .enums import PolicyStatus
from .models import MaskingPolicy
from .rules import may_decide


@task_provider
def policies_waiting(user: Person) -> list[Task]:
    """Those that ``user`` may put in force or turn down."""
    if not may_edit_metadata(user):
        return []
    waiting = MaskingPolicy.objects.filter(status=PolicyStatus.PROPOSED).select_related("made_by")
    return [
        Task(
            _("Decide about the masking policy “%(title)s”") % {"title": policy.title},
            reverse("masking:policy", args=[policy.name]),
            due=policy.made_at,
            tone="warn",
            word=_("Your decision"),
            hint=_("proposed by %(by)s, since %(since)s")
            % {"by": policy.made_by, "since": due_text(policy.made_at)},
            icon="shield",
            rank=24,
        )
        for policy in waiting
        if may_decide(user, policy)
    ]
