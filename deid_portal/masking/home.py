"""What of masking stands on a person's home page: policies that wait for a second person."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from deid_portal.organisation.proposals.home import proposals_waiting
from projects.core.tasks_registry import Task, task_provider

from .models import MaskingPolicy


@task_provider
def policies_waiting(user: Person) -> list[Task]:
    """Those that ``user`` may put in force or turn down."""
    return proposals_waiting(
        user,
        MaskingPolicy.objects.all(),
        title=lambda policy: _("Decide about the masking policy “%(title)s”") % {"title": policy.title},
        address=lambda policy: reverse("masking:policy", args=[policy.name]),
    )
