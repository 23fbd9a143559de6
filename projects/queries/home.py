"""What of budgets stands on a person's home page: proposals to decide."""

from __future__ import annotations

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.selectors import memberships_held, reads_along
from projects.core.tasks_registry import Task, task_provider
from techniques.models.differential_privacy.outcome import plain

from .enums import GrantStatus
from .models import Grant
from .rules import DECIDING

reads_along(
    "budget_waits",
    Exists(Grant.objects.filter(project=OuterRef("project"), status=GrantStatus.WAITING)),
)


@task_provider
def budgets(user: Person) -> list[Task]:
    """The judges of a project decide about budgets that others proposed."""
    judged = [
        one.project_id
        for one in memberships_held(user.pk)
        if one.role in DECIDING and one.budget_waits  # type: ignore[attr-defined]
    ]
    if not judged:
        return []
    rows = Grant.objects.filter(status=GrantStatus.WAITING, project__in=judged).select_related(
        "project", "dataset__table", "recipient", "proposed_by"
    )
    return [_task(row) for row in rows if not user.is_same_person(row.proposed_by)]


def _task(row: Grant) -> Task:
    whose = row.recipient if row.recipient is not None else row.dataset
    return Task(
        _("Should this budget of answers be granted?"),
        reverse("queries:page", args=[row.project_id]) + "#proposals",
        due=row.proposed_at,
        tone="warn",
        word=_("Your decision"),
        project=str(row.project),
        hint=_("%(person)s proposed ε = %(epsilon)s for %(whose)s")
        % {"person": row.proposed_by, "epsilon": plain(row.epsilon), "whose": whose},
        icon="database",
        about=str(row.pk),
        rank=15,
    )
