"""What of requests to fetch stands on a person's home page: those that wait for the supervisor, and what was decided."""

from __future__ import annotations

from django.db.models import OuterRef, Subquery
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from approvals.governance.person import Person
from projects.core.selectors import memberships_held, reads_along, waiting_since
from projects.core.tasks_registry import Task, task_provider
from projects.workflow import Role, State

from ...rules import may_receive, needs_approval
from .enums import FetchState
from .models import APPROVAL_HOLDS, FetchRequest
from .rules import is_room
from .selectors import requested

_OPEN = FetchRequest.objects.filter(
    project=OuterRef("project"),
    decision=None,
    release__ended_at=None,
    release__seal_broken_at=None,
    project__state=State.MONITORING,
).order_by("requested_at")
reads_along("fetch_requested_at", Subquery(_OPEN.values("requested_at")[:1]))


@task_provider
def fetches_waiting(user: Person) -> list[Task]:
    """The supervisor decides; one task for all requests of a project, since the oldest: nothing more is read for it."""
    return [
        Task(
            _("Decide on requests to fetch"),
            reverse("releases:fetches", args=[held.project_id]),
            due=since,
            tone="warn",
            word=_("Your decision"),
            project=str(held.project),
            icon="download",
            rank=22,
        )
        for held, since in waiting_since(user.pk, Role.SUPERVISOR, "fetch_requested_at")
    ]


@task_provider
def fetches_decided(user: Person) -> list[Task]:
    """The recipient fetches what was approved, or reads why it was refused, until another request is made; what ended they request anew,
    where they may."""
    mine = [
        held.project_id
        for held in memberships_held(user.pk)
        if held.role == Role.RECIPIENT
        and held.project.state == State.MONITORING
        and needs_approval(user, held.project)
    ]
    if not mine:
        return []
    since = timezone.now() - APPROVAL_HOLDS
    found = [one for one in requested(user.pk) if one.project_id in mine and one.release.in_force]
    newest: dict[tuple[object, int], FetchRequest] = {}
    tasks = []
    for one in found:
        is_newest = newest.setdefault((one.release_id, one.file), one) is one
        if one.state == FetchState.APPROVED:
            tasks.append(_approved(one))
        elif one.state == FetchState.REFUSED and is_newest and one.decision.decided_at > since:
            tasks.append(_refused(one))
        elif (
            one.state == FetchState.LAPSED
            and is_newest
            and one.decision.holds
            and _may_again(user, one, found)
        ):
            tasks.append(_lapsed(one))
    return tasks


def _may_again(user: Person, one: FetchRequest, found: list[FetchRequest]) -> bool:
    """As the request itself asks, of what is read already: that the target lets the file be fetched was asked of the first one, and no
    target is altered while its release is received."""
    waiting = sum(other.release_id == one.release_id and other.decided is None for other in found)
    return bool(may_receive(user, one.release)) and is_room(waiting)


def _approved(one: FetchRequest) -> Task:
    until = one.decision.holds_until
    return Task(
        _("Fetch “%(file)s”, as was approved") % {"file": one.file_name},
        reverse("recipient:detail", args=[one.release_id]),
        due=until,
        tone="ok",
        word=_("Approved"),
        project=str(one.project),
        hint=_("one fetch until %(date)s") % {"date": timezone.localtime(until).strftime("%Y-%m-%d %H:%M")},
        icon="download",
        rank=24,
    )


def _refused(one: FetchRequest) -> Task:
    return Task(
        _("Read why the fetch of “%(file)s” was refused") % {"file": one.file_name},
        reverse("recipient_fetches:page", args=[one.release_id]),
        due=one.decision.decided_at,
        tone="fail",
        word=_("Refused"),
        project=str(one.project),
        hint=one.decision.reason,
        icon="info",
        rank=32,
    )


def _lapsed(one: FetchRequest) -> Task:
    return Task(
        _("Request the fetch of “%(file)s” anew") % {"file": one.file_name},
        reverse("recipient_fetches:page", args=[one.release_id]),
        due=one.decision.decided_at,
        tone="warn",
        word=pgettext("a fetch", "Approval ended"),
        project=str(one.project),
        hint=_("the approval ended with the agreement under which it was given"),
        icon="info",
        rank=32,
    )
