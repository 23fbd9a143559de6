"""What of samples stands on a person's home page: the check that was agreed and is due soon, what a recipient is to do about what
they found, a planning manager in the stead of one who is gone, and a supervisor to confirm."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.deadlines import deadline_on
from projects.core.models import Membership
from projects.core.selectors import memberships_held, reads_along
from projects.core.tasks_registry import Task, task_provider
from projects.releases.agreements.checks import checks_of
from projects.releases.models import Agreement
from projects.workflow import Role

from .enums import RemedyState
from .models import RecipientRemedy, SampleDeviation

_CURRENT = RecipientRemedy.objects.filter(deviation=OuterRef("pk")).exclude(state=RemedyState.AGAIN)
_CONFIRMED = RecipientRemedy.objects.filter(deviation=OuterRef("pk"), state=RemedyState.CONFIRMED)
_WAITING = RecipientRemedy.objects.filter(deviation=OuterRef("pk"), state=RemedyState.WAITING)
_STILL_RECIPIENT = Membership.objects.filter(
    project=OuterRef("ticket__project"),
    user=OuterRef("sample__recipient"),
    role=Role.RECIPIENT,
    ended_at=None,
)
_OPEN = SampleDeviation.objects.filter(~Exists(_CONFIRMED), ticket__project=OuterRef("project"))
reads_along("remedies_wait", Exists(_OPEN))
_AGREED = Agreement.objects.filter(project=OuterRef("project"), recipient=OuterRef("user"), ended_at=None)
reads_along("checks_agreed", Exists(_AGREED))
SOON = timedelta(days=14)


@task_provider
def checks_due(user: Person) -> list[Task]:
    """A recipient checks a sample of what they received: on receipt, and as often as it was agreed; nothing is refused to who is late."""
    mine = [
        one.project_id
        for one in memberships_held(user.pk)
        if one.role == Role.RECIPIENT and one.checks_agreed  # type: ignore[attr-defined]
    ]
    if not mine:
        return []
    soon = timezone.localdate() + SOON
    return [
        Task(
            _("Check a sample of what you received")
            if one.in_enclave
            else _("Check a sample of what you hold"),
            reverse("recipient_samples:page", args=[one.release_id]),
            due=one.deadline.due,
            tone="fail" if one.deadline.is_overdue else "warn",
            word=_("Overdue") if one.deadline.is_overdue else _("Check due"),
            project=str(one.agreement.project),
            hint=_("agreed: %(how)s") % {"how": one.agreed_text},
            deadline=one.deadline,
            project_id=one.agreement.project_id,
            icon="search",
            rank=13 if one.deadline.is_overdue else 23,
        )
        for one in checks_of(mine, user)
        if one.deadline is not None and one.deadline.due <= soon
    ]


@task_provider
def recipient_remedies(user: Person) -> list[Task]:
    """A recipient says what they did about what they found; a supervisor confirms what was said."""
    held = {
        one.project_id: Role(one.role)
        for one in memberships_held(user.pk)
        if one.remedies_wait and one.role in (Role.RECIPIENT, Role.SUPERVISOR, Role.PLANNER)  # type: ignore[attr-defined]
    }
    if not held:
        return []
    judged = [project for project, role in held.items() if role == Role.SUPERVISOR]
    mine = Q(~Exists(_CURRENT), sample__recipient=user.pk)
    theirs = Q(Exists(_WAITING), ticket__project__in=judged)
    planned = [project for project, role in held.items() if role == Role.PLANNER]
    gone = Q(sample__recipient__is_active=False) | ~Exists(_STILL_RECIPIENT)
    in_stead = Q(~Exists(_CURRENT), gone, ticket__project__in=planned)
    rows = SampleDeviation.objects.filter(mine | theirs | in_stead, ticket__project__in=list(held))
    return [
        _task(row, user, in_stead=row.ticket.project_id in planned)
        for row in rows.select_related("sample", "ticket__project")
    ]


def _task(row: SampleDeviation, user: Person, *, in_stead: bool) -> Task:
    due = row.ticket.due_on
    if row.sample.recipient_id == user.pk:
        return Task(
            _("State what you did about what you found"),
            reverse("recipient_samples:sample", args=[row.sample.release_id, row.sample_id]),
            due=due,
            tone="warn",
            word=_("Your remedy"),
            project=str(row.ticket.project),
            hint=row.get_kind_display(),
            deadline=deadline_on(due),
            icon="flag",
            rank=21,
            about=str(row.pk),
        )
    return Task(
        _("State what was done in the recipient's stead") if in_stead else _("Confirm what a recipient did"),
        reverse("findings:detail", args=[row.ticket.project_id, row.ticket_id]),
        due=due,
        tone="warn",
        word=_("Your remedy") if in_stead else _("Your decision"),
        project=str(row.ticket.project),
        hint=row.get_kind_display(),
        icon="check",
        rank=22,
        project_id=row.ticket.project_id,
        about=str(row.pk),
    )
