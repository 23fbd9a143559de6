"""What of releases stands on a person's home page: agreements that end soon, changes of recipients to be decided,
releases to be received, and those that nobody has measured with others."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Subquery
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.enums import SharingType
from projects.core.selectors import memberships_held, reads_along
from projects.core.tasks_registry import Task, task_provider
from projects.objective.selectors import factors_along
from projects.processing.enums import RunStatus
from projects.processing.models import Run
from projects.workflow import Role, State

from .agreements.changes.rules import has_signed, may_decide_change
from .agreements.changes.selectors import with_signatures
from .deliveries.copies.selectors import copies_with
from .deliveries.publications.rules import may_decide
from .deliveries.requests.enums import FetchState
from .deliveries.requests.selectors import requested
from .enums import ChangeOutcome, PublicationStatus
from .models import Agreement, Publication, RecipientChange, RelativesMeasurement, Release
from .relatives.selectors import is_about, relatives_by_run
from .rules import ReleaseReason, delivery_allowed, may_receive, needs_approval
from .selectors import released_to

ENDS_SOON = timedelta(days=30)


@task_provider
def agreements_ending(user: Person) -> list[Task]:
    """The planning manager renews or ends an agreement before, and after, its term is over."""
    mine = [
        held.project_id
        for held in memberships_held(user.pk)
        if held.role == Role.PLANNER and held.project.state == State.MONITORING
    ]
    today = timezone.localdate()
    rows = Agreement.objects.filter(
        project__in=mine,
        project__releases__ended_at=None,
        ended_at=None,
        valid_until__lte=today + ENDS_SOON,
    ).select_related("project", "recipient")
    return [
        Task(
            _("Renew or end the agreement with %(recipient)s") % {"recipient": row.recipient},
            reverse("releases:page", args=[row.project_id]) + "#agreements",
            due=row.valid_until,
            tone="fail" if row.valid_until < today else "warn",
            word=_("Expired") if row.valid_until < today else _("Ends soon"),
            project=str(row.project),
            hint=_("valid until %(date)s") % {"date": row.valid_until.isoformat()},
            icon="calendar",
            rank=15 if row.valid_until < today else 25,
            about=f"{row.pk} {row.valid_until}",
        )
        for row in rows.distinct()
    ]


@task_provider
def relatives_unmeasured(user: Person) -> list[Task]:
    """The supervisor sees to it that what was signed or released is measured with its relatives."""
    mine = {
        held.project_id: held.project
        for held in memberships_held(user.pk)
        if held.role == Role.SUPERVISOR and held.project.state in (State.APPROVED, State.MONITORING)
    }
    if not mine:
        return []
    released = Subquery(
        Release.objects.filter(project=OuterRef("project"), ended_at=None).values("run_id")[:1]
    )
    succeeded = Run.objects.filter(project__in=mine, status=RunStatus.SUCCEEDED).annotate(released=released)
    runs: dict[Any, Run] = {}
    # The newest first: what was signed is the newest that succeeded, unless another one is released.
    for run in succeeded.order_by("-number"):
        if run.released in (None, run.pk):
            runs.setdefault(run.project_id, run)
    found = relatives_by_run(list(runs.values()))
    done = RelativesMeasurement.objects.filter(run__in=[run.pk for run in runs.values()]).exclude(
        measured_at=None
    )
    measured = list(done.defer("findings", "sets"))
    return [
        Task(
            _("Have the result measured together with related releases"),
            reverse("releases:relatives", args=[project]),
            due=mine[project].state_since,
            tone="warn",
            word=_("Not measured"),
            project=str(mine[project]),
            hint=_("other releases that may concern the same persons: %(n)s") % {"n": len(found[run.pk])},
            icon="chart",
            rank=25,
        )
        for project, run in runs.items()
        if found[run.pk] and not any(is_about(one, run, found[run.pk]) for one in measured)
    ]


@task_provider
def to_receive(user: Person) -> list[Task]:
    """What was released to this person and not fetched yet."""
    tasks = []
    for release in released_to(user):
        factors_along(release.project)
        verdict = may_receive(user, release)
        accepts = verdict.reason == ReleaseReason.NOT_ACCEPTED
        if release.fetched or not (accepts or (verdict and delivery_allowed(release))):  # type: ignore[attr-defined]
            continue
        if needs_approval(user, release.project) and any(
            one.release_id == release.pk and one.state in (FetchState.WAITING, FetchState.APPROVED)
            for one in requested(user.pk)
        ):
            continue
        tasks.append(
            Task(
                _("Receive what was released to you"),
                reverse("recipient:detail", args=[release.pk]),
                due=release.released_at,
                project=str(release.project),
                icon="download",
                rank=30,
            )
        )
    return tasks


@task_provider
def publications_to_do(user: Person) -> list[Task]:
    """Of what is shared completely publicly: the supervisor decides on what is to be published, the planning manager proposes it."""
    mine = {
        held.project_id: held
        for held in memberships_held(user.pk)
        if held.role in (Role.PLANNER, Role.SUPERVISOR)
        and held.project.state == State.MONITORING
        and held.project.sharing_type == SharingType.PUBLIC
    }
    if not mine:
        return []
    waiting = Publication.objects.filter(project__in=mine, status=PublicationStatus.WAITING)
    tasks = [
        Task(
            _("Decide on the publication of “%(title)s”") % {"title": one.title},
            reverse("releases:publication", args=[one.project_id, one.pk]),
            due=one.proposed_at,
            tone="warn",
            word=_("Your decision"),
            project=str(one.project),
            icon="check",
            rank=22,
        )
        for one in waiting.select_related("project", "release", "proposed_by")
        if may_decide(user, one)
    ]
    under_way = Publication.objects.filter(release=OuterRef("pk")).exclude(
        status__in=(PublicationStatus.REFUSED, PublicationStatus.STOPPED, PublicationStatus.REPLACED)
    )
    unpublished = Release.objects.filter(
        ~Exists(under_way), project__in=mine, ended_at=None, seal_broken_at=None, shares_hash=""
    )
    return tasks + [
        Task(
            _("Propose the publication of the release"),
            reverse("releases:publications", args=[one.project_id]),
            due=one.released_at,
            project=str(one.project),
            icon="edit",
            rank=28,
        )
        for one in unpublished.select_related("project")
        if mine[one.project_id].role == Role.PLANNER
    ]


_WAITING = RecipientChange.objects.filter(project=OuterRef("project"), outcome=ChangeOutcome.WAITING)
reads_along("recipient_changes_wait", Exists(_WAITING))


@task_provider
def changes_waiting(user: Person) -> list[Task]:
    """Those that senior management decides."""
    mine = [
        held.project_id
        for held in memberships_held(user.pk)
        if held.role == Role.MANAGEMENT and held.recipient_changes_wait  # type: ignore[attr-defined]
    ]
    if not mine:
        return []
    waiting = RecipientChange.objects.filter(project__in=mine, outcome=ChangeOutcome.WAITING)
    return [
        Task(
            _("Decide on the change of recipients of “%(project)s”") % {"project": one.project.title},
            reverse("releases:recipient_change", args=[one.project_id, one.pk]),
            due=one.proposed_at,
            tone="warn",
            word=_("Your decision"),
            hint=_("%(recipient)s, proposed by %(by)s") % {"recipient": one.recipient, "by": one.proposed_by},
            icon="users",
            rank=22,
        )
        for one in with_signatures(waiting).select_related("project", "proposed_by", "recipient")
        if may_decide_change(user, one) and not has_signed(user, one)
    ]


@task_provider
def copies_to_destroy(user: Person) -> list[Task]:
    """A recipient whose time is over states that their copy is destroyed."""
    if Role.RECIPIENT not in {Role(held.role) for held in memberships_held(user.pk)}:
        return []
    return [
        Task(
            _("State that your copy is destroyed"),
            reverse("recipient_copies:page", args=[one.release.pk]),
            due=one.deadline.due,
            tone="fail" if one.deadline.is_overdue else "warn",
            word=_("Time is over"),
            project=str(one.release.project),
            hint=_("fetched on %(date)s") % {"date": timezone.localdate(one.fetched_at).isoformat()},
            icon="trash",
            rank=21,
            deadline=one.deadline,
            project_id=one.release.project_id,
        )
        for one in copies_with(user)
        if one.is_missing and one.deadline is not None
    ]
