"""What of intruder tests stands on a person's home page: claims that wait to be checked."""

from __future__ import annotations

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.selectors import memberships_held, reads_along
from projects.core.tasks_registry import Task, task_provider
from projects.workflow import Role

from .enums import ClaimVerdict
from .models import IntruderClaim, IntruderTest

_WAITING = IntruderClaim.objects.filter(test__project=OuterRef("project"), verdict=ClaimVerdict.WAITING)
reads_along("claims_waiting", Exists(_WAITING))


@task_provider
def claims_waiting(user: Person) -> list[Task]:
    """Tests of which the executor holds claims against the source."""
    held = [
        one.project_id
        for one in memberships_held(user.pk)
        if one.role == Role.EXECUTOR and one.claims_waiting  # type: ignore[attr-defined]
    ]
    if not held:
        return []
    found = IntruderTest.objects.filter(project__in=held, closed_at=None).select_related("project")
    return [
        Task(
            _("Check what the testers of intruder test N%(number)s claim") % {"number": one.number},
            reverse("intrusion:test", args=[one.project_id, one.pk]),
            due=one.opened_at,
            tone="warn",
            word=_("Claims wait to be checked"),
            project=str(one.project),
            icon="search",
            rank=24,
        )
        for one in found
    ]
