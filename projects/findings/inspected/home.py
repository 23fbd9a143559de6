"""What of samples of a result stands on a person's home page: those that wait for the report of who drew them."""

from __future__ import annotations

from django.db.models import OuterRef, Subquery
from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.selectors import reads_along, waiting_since
from projects.core.tasks_registry import Task, task_provider
from projects.verification.rules import VALUES_SEEN
from projects.workflow import Role

from .enums import InspectionOutcome
from .models import ResultSample

_OPEN = ResultSample.objects.filter(
    project=OuterRef("project"),
    drawn_by=OuterRef("user"),
    outcome=InspectionOutcome.OPEN,
    project__state__in=[str(one) for one in VALUES_SEEN],
).order_by("drawn_at")
reads_along("result_drawn_at", Subquery(_OPEN.values("drawn_at")[:1]))


@task_provider
def result_samples_waiting(user: Person) -> list[Task]:
    """The supervisor who drew samples reports on them, while the project is where samples are drawn; nothing more is read for it."""
    return [
        Task(
            _("Report on the sample of a result"),
            reverse("findings:result_samples", args=[held.project_id]),
            due=since,
            tone="warn",
            word=_("Not reported yet"),
            project=str(held.project),
            icon="search",
            rank=27,
        )
        for held, since in waiting_since(user.pk, Role.SUPERVISOR, "result_drawn_at")
    ]
