"""What of the vault stands on a person's home page: keys whose destruction waits for a second person."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.selectors import roles_held
from projects.core.tasks_registry import Task, task_provider
from projects.workflow import Role

from .models import Secret
from .purposes import purpose_text


@task_provider
def proposals(user: Person) -> list[Task]:
    """The supervisor destroys what was proposed, or keeps it."""
    supervised = [project for project, role in roles_held(user.pk).items() if role == Role.SUPERVISOR]
    if not supervised:
        return []
    waiting = Secret.objects.filter(project__in=supervised, proposed_at__isnull=False, destroyed_at=None)
    return [
        Task(
            _("Destroy a key, or keep it"),
            reverse("vault:page", args=[row.project_id]),
            due=row.proposed_at,
            tone="warn",
            word=_("Your decision"),
            project=str(row.project),
            hint=_("%(person)s proposed to destroy “%(key)s”")
            % {"person": row.proposed_by, "key": purpose_text(row.purpose)},
            icon="key",
            about=f"{row.pk} {row.proposed_at}",
            rank=16,
        )
        for row in waiting.defer("wrapped_key").select_related("project", "proposed_by")
    ]
