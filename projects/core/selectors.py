"""Reading projects; every list is already filtered by what the reader may see."""

from __future__ import annotations

import uuid
from datetime import datetime
from functools import cache
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.db.models import Count, Exists, Q, QuerySet
from django.db.models.expressions import Combinable
from guardian.models import UserObjectPermission
from guardian.shortcuts import get_objects_for_user

from approvals.audit.models import AuditEvent
from approvals.documents.letterhead import letterhead_now
from approvals.governance.person import Person, by_reading
from approvals.request_cache import cached_read, is_caching, prime
from projects.workflow import Role
from projects.workflow.posts import POST_OF_ROLE, Post

from .assessments.selectors import orders_in_force
from .deadlines import days_planned, deadline_prime
from .enums import ProjectMark
from .models import Membership, Notification, Project, TourSeen
from .succession.stead import acting_as, deputises, deputy_now, projects_stood_in


def visible_projects(user: Person) -> QuerySet[Project]:
    """Projects that ``user`` may look into: members of the inside roles, their deputies, auditors, assessors with an order in force.

    Superusers get nothing extra, and neither groups nor permissions for every project exist: a role is
    held by a person in one project.
    """
    if not user.is_authenticated or not user.is_active:
        return Project.objects.none()
    visible = Project.objects.all() if user.reads_all_projects else _held_by(user)
    return visible.select_related("created_by")


def in_visible(user: Person, project: str = "project") -> Q:
    """Of rows that name a project by ``project``: that ``user`` may see it; who sees all is not asked about each."""
    seen = seen_by(user)
    return Q() if seen is None else Q(**{f"{project}__in": seen})


def seen_by(user: Person) -> QuerySet[Project, Any] | None:
    """The keys of the projects that ``user`` may see; None: of all of them."""
    if user.is_authenticated and user.is_active and user.reads_all_projects:
        return None
    return visible_projects(user).order_by().values("pk")


def _held_by(user: Person) -> QuerySet[Project]:
    """Projects that ``user`` has been given the right to view, one by one, and those in which they stand in for somebody; of an
    assessor those that they have an order for."""
    if user.assesses:
        return Project.objects.filter(pk__in=orders_in_force(user.pk).order_by().values("project"))
    held: QuerySet[Project] = get_objects_for_user(
        user,
        "core.view_project",
        klass=Project,
        with_superuser=False,
        use_groups=False,
        accept_global_perms=False,
    )
    return held | Project.objects.filter(pk__in=projects_stood_in(user.pk)) if _may_stand_in(user) else held


def _may_stand_in(user: Person) -> bool:
    """Whether ``user`` holds a post that has deputies; who does not stands in for nobody."""
    return any(user.holds(post) for post in POST_OF_ROLE.values())


def project_get(user: Person, project_id: uuid.UUID, *, with_deadline: bool = True) -> Project:
    """The project if ``user`` may see it; else ``Project.DoesNotExist``, as if it were not there.

    While a request only reads, its members come with the same statement, and its deadline, which every page shows; whoever
    opened it is one of them for all time. An act asks for them again when it has locked its rows.
    """
    if not user.is_authenticated or not user.is_active:
        raise Project.DoesNotExist
    if not is_caching():
        every = user.reads_all_projects
        return Project.objects.get(*([] if every else [_may_look(user, project_id)]), pk=project_id)
    found = _members_with_project(with_deadline).filter(project=project_id)
    if not user.reads_all_projects:
        found = found.filter(_may_look(user, project_id))
    members: list[Any] = _in_order(found)
    if not members:
        raise Project.DoesNotExist
    project: Project = members[0].project
    project.created_by = next(one.user for one in members if one.user_id == project.created_by_id)
    prime(memberships_of, project, result=members)
    if with_deadline:
        deadline_prime(project, members[0].drafted, members[0].submitted)
    return project


@cache
def _members_with_project(with_deadline: bool) -> QuerySet[Membership]:
    """Put together once for all requests: every page of a project asks it, and that takes longer than the answer."""
    found = Membership.objects.select_related("user", "project").annotate(deputy_id=deputy_now()).order_by()
    return found.annotate(**days_planned("project")) if with_deadline else found


def _may_look(user: Person, project_id: uuid.UUID) -> Q:
    """The right to view, a member to stand in for, or an order to assess."""
    if user.assesses:
        return Q(Exists(orders_in_force(user.pk).filter(project=project_id)))
    right = Q(_may_view(user, project_id))
    if not _may_stand_in(user):
        return right
    return right | Q(Exists(Membership.objects.filter(deputises(user.pk), project=project_id)))


def _may_view(user: Person, project_id: uuid.UUID) -> Exists:
    """The right of :func:`_held_by`, asked of one project: every page asks, and this is a third of the work."""
    return Exists(
        UserObjectPermission.objects.filter(
            user=user,
            content_type=ContentType.objects.get_for_model(Project),
            permission__codename="view_project",
            object_pk=str(project_id),
        )
    )


def _in_order(found: QuerySet[Membership]) -> list[Membership]:
    """In the order of the model: a handful of rows is sorted sooner than a statement that sorts is put together."""
    return sorted(found, key=lambda one: (one.role, one.since))


@cached_read
def memberships_of(project: Project) -> list[Membership]:
    """Everybody who has or had a role, with their accounts, and as ``deputy_id`` who stands in for them now."""
    return _in_order(project.memberships.select_related("user").annotate(deputy_id=deputy_now()).order_by())


def mark_text(project: Project) -> str:
    """What the documents of the project bear on top, in the active language; empty where there is nothing."""
    mark = ProjectMark(project.mark)
    if mark == ProjectMark.HOUSE:
        return letterhead_now().mark
    return "" if mark == ProjectMark.NONE else str(mark.label)


def members_in_order(project: Project) -> list[Membership]:
    """Everybody who has or had a role: who still has one first, by the order of the roles, and by name in each."""
    order = [role.value for role in Role]
    return sorted(
        memberships_of(project),
        key=lambda m: (m.ended_at is not None, order.index(m.role), by_reading(m.user)),
    )


def members_by_role(project: Project) -> dict[Role, list[Person]]:
    """The people whose role has not ended."""
    result: dict[Role, list[Person]] = {}
    for membership in memberships_of(project):
        if membership.ended_at is None:
            result.setdefault(Role(membership.role), []).append(membership.user)
    return result


def members_with_deputies(members: list[Membership]) -> list[Membership]:
    """``members`` as they were read with ``deputy_id``, each with who stands in for them now as ``deputy``; one statement where
    anybody does, and none else."""
    keys = {one.deputy_id for one in members if one.ended_at is None} - {None}  # type: ignore[attr-defined]
    found = get_user_model().objects.in_bulk(keys) if keys else {}
    for one in members:
        one.deputy = found.get(one.deputy_id) if one.ended_at is None else None  # type: ignore[attr-defined]
    return members


def role_of(user: Person, project: Project) -> Role | None:
    """The current role of ``user`` in ``project``, their own or that of whom they stand in for; for a list of projects ask
    :func:`roles_held`."""
    held = acting_membership(user, project)
    return Role(held.role) if held is not None else None


def acting_membership(user: Person, project: Project) -> Membership | None:
    """The membership by which ``user`` acts in ``project``: their own, or that of whom they stand in for.

    Who has, or had, a role of their own stands in for nobody there, and who would stand in two roles in none. Within an act one
    statement reads it: the members with their accounts would be read for this one row.
    """
    if is_caching():
        rows = memberships_of(project)
        found = [one for one in rows if one.user_id == user.pk] or [
            one
            for one in rows
            if one.ended_at is None and one.deputy_id == user.pk  # type: ignore[attr-defined]
        ]
        found = [one for one in found if one.ended_at is None]
    else:
        acts = Q(user=user.pk, ended_at=None) | deputises(user.pk)
        found = _in_order(project.memberships.filter(acts).select_related("user").order_by())
    return found[0] if len({one.role for one in found}) == 1 else None


def roles_of_person(user: Person, project: Project) -> list[Membership]:
    """Roles that other accounts of the same natural person have or had in ``project``."""
    if user.person_id is None:
        return []
    return [m for m in memberships_of(project) if m.user_id != user.pk and user.is_same_person(m.user)]


def conflicts_of_person(person_id: Any) -> list[str]:
    """Numbers of the projects in which accounts of one person have, or had, different roles."""
    held = Membership.objects.filter(user__person=person_id).order_by()
    found = held.values("project__number").annotate(roles=Count("role", distinct=True)).filter(roles__gt=1)
    return sorted(row["project__number"] for row in found)


_read_along: dict[str, Combinable] = {}


def reads_along(name: str, expression: Combinable) -> None:
    """Have ``expression`` over a membership read along with those of a person, as its attribute ``name``: what a package asks
    about all projects of a person costs no statement of its own."""
    _read_along[name] = expression


@cached_read
def memberships_acting(user_id: Any) -> list[Membership]:
    """The roles in which a person acts now, their own and those of whom they stand in for, with member, project and what packages
    have read along (:func:`reads_along`)."""
    acts = Q(user=user_id, ended_at=None) | deputises(user_id)
    found = Membership.objects.filter(acts, user__in=acting_as(user_id)).select_related("project", "user")
    return list(found.annotate(**_read_along))


def memberships_held(user_id: Any) -> list[Membership]:
    """The roles that a person has now themself (:func:`memberships_acting`)."""
    return [one for one in memberships_acting(user_id) if one.user_id == user_id]


def waiting_since(user_id: Any, role: Role, name: str) -> list[tuple[Membership, datetime]]:
    """The memberships in ``role`` in whose project something waits, each with since when: the moment that was read along as ``name``."""
    found = [(one, getattr(one, name)) for one in memberships_held(user_id) if one.role == role]
    return [(one, since) for one, since in found if since is not None]


def roles_held(user_id: Any) -> dict[uuid.UUID, Role]:
    """The current role of a person in each of their projects."""
    return {membership.project_id: Role(membership.role) for membership in memberships_held(user_id)}


def has_seen_tour(user: Person, audience: str) -> bool:
    return TourSeen.objects.filter(user=user, audience=audience).exists()


def unread_notifications(user: Person) -> QuerySet[Notification]:
    return Notification.objects.filter(user=user, read_at=None).select_related("project")


def notifications_of(user: Person) -> QuerySet[Notification]:
    return Notification.objects.filter(user=user).select_related("project")


def my_roles(user: Person) -> dict[uuid.UUID, str]:
    """The labels of the roles that ``user`` has now, by project."""
    return {project_id: str(role.label) for project_id, role in roles_held(user.pk).items()}


def candidates(project: Project) -> QuerySet[Any]:
    """People who could still be given a role: active, never in this project, and of a post that takes roles."""
    return people_for_roles().exclude(memberships__project=project)


def people_for_roles() -> QuerySet[Any]:
    """Active people of a post that takes roles, with their appointments."""
    people = get_user_model().objects.filter(is_active=True)
    takes = people.exclude(post__in=(Post.AUDITOR, Post.ASSESSOR, Post.ADMINISTRATOR, Post.TESTER))
    return takes.order_by("full_name", "username").prefetch_related("appointments")


def history_of(project: Project) -> QuerySet[AuditEvent]:
    """The audit events of the project, newest first; the caller has found the project among the visible ones."""
    return AuditEvent.objects.filter(project_id=project.pk).order_by("-seq")
