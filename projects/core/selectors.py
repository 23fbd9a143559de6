"""Reading projects; every list is already filtered by what the reader may see."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from guardian.shortcuts import get_objects_for_user

from approvals.audit.models import AuditEvent
from approvals.memory import asked_once, tell
from deid_portal.accounts.enums import Post
from projects.workflow import Role

from .models import Membership, Notification, Project


def visible_projects(user: Any) -> QuerySet[Project]:
    """Projects that ``user`` may look into: members of the inside roles, auditors, current assessors.

    Superusers get nothing extra, and neither groups nor permissions for every project exist: a role is
    held by a person in one project.
    """
    if not user.is_authenticated or not user.is_active:
        return Project.objects.none()
    visible = (
        Project.objects.all()
        if user.reads_all_projects
        else get_objects_for_user(
            user,
            "core.view_project",
            klass=Project,
            with_superuser=False,
            use_groups=False,
            accept_global_perms=False,
        )
    )
    return visible.select_related("created_by")


def project_get(user: Any, project_id: uuid.UUID) -> Project:
    """The project if ``user`` may see it; else ``Project.DoesNotExist``, as if it were not there.

    Its members come with the same statement; whoever opened it is one of them for all time.
    """
    visible = visible_projects(user).order_by().values("pk")
    team = Membership.objects.filter(project=project_id, project__in=visible)
    members = list(team.select_related("user", "project__created_by"))
    if not members:
        raise Project.DoesNotExist
    project: Project = members[0].project
    tell(memberships_of, project, answer=members)
    return project


@asked_once
def memberships_of(project: Project) -> list[Membership]:
    """Everybody who has or had a role, with their accounts."""
    return list(project.memberships.select_related("user"))


def members_in_order(project: Project) -> list[Membership]:
    """Everybody who has or had a role, in the order of the roles; who still has one first."""
    order = [role.value for role in Role]
    return sorted(
        memberships_of(project), key=lambda m: (m.ended_at is not None, order.index(m.role), m.since)
    )


def members_by_role(project: Project) -> dict[Role, list[Any]]:
    """The people whose role has not ended."""
    result: dict[Role, list[Any]] = {}
    for membership in memberships_of(project):
        if membership.ended_at is None:
            result.setdefault(Role(membership.role), []).append(membership.user)
    return result


def role_of(user: Any, project: Project) -> Role | None:
    """The current role of ``user`` in ``project``; for a list of projects ask :func:`roles_held`."""
    for membership in memberships_of(project):
        if membership.user_id == user.pk and membership.ended_at is None:
            return Role(membership.role)
    return None


@asked_once
def memberships_held(user_id: Any) -> list[Membership]:
    """The roles that a person has now, with their projects."""
    return list(Membership.objects.filter(user=user_id, ended_at=None).select_related("project"))


def roles_held(user_id: Any) -> dict[uuid.UUID, Role]:
    """The current role of a person in each of their projects."""
    return {membership.project_id: Role(membership.role) for membership in memberships_held(user_id)}


def unread_notifications(user: Any) -> QuerySet[Notification]:
    return Notification.objects.filter(user=user, read_at=None).select_related("project")


def notifications_of(user: Any) -> QuerySet[Notification]:
    return Notification.objects.filter(user=user).select_related("project")


def my_roles(user: Any) -> dict[uuid.UUID, str]:
    """The labels of the roles that ``user`` has now, by project."""
    return {project_id: str(role.label) for project_id, role in roles_held(user.pk).items()}


def candidates(project: Project) -> QuerySet[Any]:
    """People who could still be given a role: active, never in this project, and of a post that takes roles."""
    people = get_user_model().objects.filter(is_active=True)
    return (
        people.exclude(post__in=(Post.AUDITOR, Post.ASSESSOR, Post.ADMINISTRATOR))
        .exclude(memberships__project=project)
        .order_by("full_name", "username")
    )


def history_of(project: Project) -> QuerySet[AuditEvent]:
    """The audit events of the project, newest first; the caller has found the project among the visible ones."""
    return AuditEvent.objects.filter(project_id=project.pk).order_by("-seq")
