"""What a person finds: in each group only what its own pages show them.

Each group is read to one more than it shows, so that "more" is known and nothing is counted. ``icontains`` takes the wildcards of LIKE
as they are written.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nlargest

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from approvals.audit.models import AuditEvent
from approvals.audit.rules import may_read_log
from approvals.audit.selectors import action_choices
from approvals.governance.person import Person
from deid_portal.accounts.models import User
from deid_portal.accounts.rules import may_administer
from projects.core.models import Membership, Project
from projects.core.selectors import visible_projects
from projects.datasets.tables.columns import NamedColumn, columns_named
from projects.releases.models import Release
from projects.releases.relatives.outside.models import OutsideRelease
from projects.releases.relatives.outside.selectors import outside_seen
from projects.releases.selectors import released_to

# So many of a group are shown.
MOST = 10
# No event has this number or a greater one, and no database would take it.
_NO_EVENT = 2**63


@dataclass(frozen=True)
class Found:
    """At most ``MOST`` + 1 of each group."""

    projects: list[Project]
    releases: list[Release]
    outside: list[OutsideRelease]
    columns: list[NamedColumn]
    people: list[User]
    events: list[AuditEvent]


def found_by(user: Person, query: str) -> Found:
    """What ``user`` finds; ``query`` holds one sign at least."""
    visible = visible_projects(user)
    return Found(
        projects=list(visible.filter(_named("", query))[: MOST + 1]),
        releases=list(
            released_to(user).filter(_named("project__", query)).order_by("-released_at")[: MOST + 1]
        ),
        outside=list(outside_seen(user, q=query, over=True)[: MOST + 1]),
        columns=columns_named(visible, query, most=MOST + 1),
        people=_people(user, visible, query),
        events=_events(user, visible, query),
    )


def _named(of: str, query: str) -> Q:
    return Q(**{f"{of}number__icontains": query}) | Q(**{f"{of}title__icontains": query})


def _people(user: Person, visible: QuerySet[Project], query: str) -> list[User]:
    """Every account for administrators; else who has a role in a project that ``user`` may see, marked with one of them."""
    called = Q(full_name__icontains=query) | Q(department__icontains=query) | Q(username__icontains=query)
    people = User.objects.filter(called).order_by("full_name", "username")
    if not may_administer(user):
        roles = Membership.objects.filter(
            user=OuterRef("pk"), ended_at=None, project__in=visible.values("pk")
        )
        people = people.filter(Exists(roles)).annotate(
            membership=Subquery(roles.order_by("-since").values("pk")[:1])
        )
    return list(people[: MOST + 1])


def memberships_of(people: list[User]) -> dict[int, Membership]:
    """By the key of the person, the role that :func:`_people` has marked."""
    marked = [one.membership for one in people if hasattr(one, "membership")]
    found = Membership.objects.filter(pk__in=marked).select_related("project")
    return {membership.user_id: membership for membership in found}


def _events(user: Person, visible: QuerySet[Project], query: str) -> list[AuditEvent]:
    """The youngest events of the whole log for its readers, else of the visible projects, by number, kind or project.

    The three are asked for one by one, each by an index of its own: the log may have millions of rows.
    """
    events = AuditEvent.objects.order_by("-seq")
    if not may_read_log(user):
        events = events.filter(project_id__in=visible.order_by().values("pk"))
    wanted = query.casefold()
    kinds = [action for action, words in action_choices() if wanted in words.casefold()]
    conditions = [Q(project_id__in=visible.filter(number=query).order_by().values("pk"))]
    if query.isascii() and query.isdigit() and int(query) < _NO_EVENT:
        conditions.append(Q(seq=int(query)))
    if kinds:
        conditions.append(Q(action__in=kinds))
    found = {event.seq: event for condition in conditions for event in events.filter(condition)[: MOST + 1]}
    return [found[seq] for seq in nlargest(MOST + 1, found)]


def projects_of(events: list[AuditEvent]) -> dict[object, Project]:
    """The projects of the events, by id."""
    return Project.objects.in_bulk({event.project_id for event in events if event.project_id})
