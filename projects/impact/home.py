"""What of impact assessments stands on a person's home page: those that wait for their decision."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.selectors import roles_held
from projects.core.tasks_registry import Task, task_provider
from projects.workflow import Role

from .enums import Outcome
from .models import ImpactAssessment
from .rules import may_decide


@task_provider
def assessments_waiting(user: Person) -> list[Task]:
    """Those that ``user`` may decide."""
    judged = [
        project for project, role in roles_held(user.pk).items() if role in (Role.SUPERVISOR, Role.MANAGEMENT)
    ]
    if not judged:
        return []
    waiting = ImpactAssessment.objects.filter(project__in=judged, outcome=Outcome.WAITING)
    return [
        Task(
            _("Decide on the impact assessment"),
            reverse("impact:page", kwargs={"project_id": one.project_id}),
            due=one.made_at,
            tone="warn",
            word=_("Your decision"),
            project=str(one.project),
            hint=_("submitted by %(by)s") % {"by": one.made_by},
            icon="shield",
            rank=23,
        )
        for one in waiting.select_related("project", "made_by")
        if may_decide(user, one)
    ]
