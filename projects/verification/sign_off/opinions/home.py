"""What external assessors were asked, on their home page."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.tasks_registry import Task, task_provider
from projects.workflow.posts import Post

from .models import UtilityOpinion
from .rules import UNSIGNED, may_answer


@task_provider
def opinions_to_give(user: Person) -> list[Task]:
    """Those that wait for an answer while the result has not been signed."""
    if user.post != Post.ASSESSOR:
        return []
    waiting = UtilityOpinion.objects.filter(assessor=user, verdict="", project__state__in=UNSIGNED)
    return [
        Task(
            _("Say whether the result is of use for its purpose"),
            reverse("verification:opinions", args=[one.project_id]),
            due=one.asked_at,
            tone="warn",
            word=_("Your verdict"),
            project=str(one.project),
            hint=_("asked by %(by)s") % {"by": one.asked_by},
            icon="eye",
            rank=22,
            about=str(one.pk),
        )
        for one in waiting.select_related("project", "asked_by")
        if may_answer(user, one)
    ]
