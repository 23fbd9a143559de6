"""What of disposals stands on a person's home page: data of ended projects, proposals, and interrupted removals."""

from __future__ import annotations

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.deadlines import deadline_on
from projects.core.models import Membership
from projects.core.selectors import memberships_held, reads_along
from projects.core.tasks_registry import Task, task_provider
from projects.datasets.models import Dataset
from projects.datasets.store.holdings import HeldKind
from projects.processing.models import RunTable
from projects.vault.models import Secret
from projects.workflow import TERMINAL, Role, State

from .enums import OPEN
from .models import Disposal
from .presentation import kinds_text
from .rules import is_interrupted
from .terms import Terms, terms_now

_LEFT: dict[HeldKind, Exists] = {
    HeldKind.SOURCE: Exists(Dataset.objects.filter(project=OuterRef("project"), stored__destroyed_at=None)),
    HeldKind.WORKSPACE: Exists(
        Dataset.objects.filter(project=OuterRef("project"), sample__isnull=False, sample__destroyed_at=None)
    ),
    HeldKind.RESULT: Exists(
        RunTable.objects.filter(
            run__project=OuterRef("project"), result__isnull=False, result__destroyed_at=None
        )
    ),
    HeldKind.AUXILIARY: Exists(Secret.objects.filter(project=OuterRef("project"), destroyed_at=None)),
}
"""Whether there is anything of a kind, by what there is most of; the page of the project lists all of it."""
for kind, found in _LEFT.items():
    reads_along(f"{kind.value}_left", found)
reads_along("disposal_open", Exists(Disposal.objects.filter(project=OuterRef("project"), outcome__in=OPEN)))


@task_provider
def data_left(user: Person) -> list[Task]:
    """The planning manager proposes what becomes of the data of a project that has ended: by the day on which the first term of what is
    there is over, where the organisation has terms."""
    ended = [
        (held, kinds)
        for held in memberships_held(user.pk)
        if held.role == Role.PLANNER
        and State(held.project.state) in TERMINAL
        and not held.disposal_open  # type: ignore[attr-defined]
        and (kinds := [kind for kind in _LEFT if getattr(held, f"{kind.value}_left")])
    ]
    return [_task(held, kinds, terms_now()) for held, kinds in ended]


def _task(held: Membership, kinds: list[HeldKind], terms: Terms) -> Task:
    project = held.project
    days = [day for kind in kinds if (day := terms.over_on(project, kind)) is not None]
    deadline = deadline_on(min(days)) if days else None
    return Task(
        _("Propose to destroy the data of the project"),
        reverse("disposal:page", args=[project.pk]),
        due=deadline.due if deadline else project.state_since,
        tone="warn" if deadline and deadline.is_overdue else "info",
        word=_("Term over") if deadline and deadline.is_overdue else _("Project ended"),
        project=str(project),
        hint=_("%(state)s; still here: %(kinds)s")
        % {"state": project.get_state_display(), "kinds": _(", ").join(map(kinds_text, kinds))},
        icon="trash",
        rank=32,
        deadline=deadline,
        project_id=project.pk if deadline else None,
        about=str(project.state_since),
    )


@task_provider
def disposals_open(user: Person) -> list[Task]:
    """The supervisor destroys what was proposed, or keeps it, and has an interrupted removal go on."""
    mine = [
        held.project_id
        for held in memberships_held(user.pk)
        if held.role == Role.SUPERVISOR and held.disposal_open  # type: ignore[attr-defined]
    ]
    if not mine:
        return []
    rows = Disposal.objects.filter(project__in=mine, outcome__in=OPEN).select_related(
        "project", "proposed_by"
    )
    return [
        Task(
            _("Destroy the data of the project, or keep them")
            if row.is_waiting
            else _("Have the removal of encrypted files go on"),
            reverse("disposal:page", args=[row.project_id]),
            due=row.proposed_at,
            tone="warn",
            word=_("Your decision") if row.is_waiting else _("Interrupted"),
            project=str(row.project),
            hint=_("%(person)s proposed it: %(reason)s") % {"person": row.proposed_by, "reason": row.reason},
            icon="trash",
            about=f"{row.pk} {row.outcome}",
            rank=16,
        )
        for row in rows
        if row.is_waiting or is_interrupted(row)
    ]
