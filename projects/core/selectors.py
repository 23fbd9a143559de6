"""Reading projects; every list is already filtered by what the reader may see."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from guardian.shortcuts import get_objects_for_user

from approvals.audit.models import AuditEvent
from deid_portal.accounts.enums import Post
from projects.workflow import Role

from .models import Membership, Notification, Project


def visible_projects(user: Any) -> QuerySet[Project]:
    """Projects that ``user`` may look into: members of the inside roles, auditors, current assessors.

    Superusers get nothing extra.
    """
    if not user.is_authenticated or not user.is_active:
        return Project.objects.none()
    visible = (
        Project.objects.all()
        if user.reads_all_projects
        else get_objects_for_user(user, "core.view_project", klass=Project, with_superuser=False)
    )
    return visible.select_related("created_by")


def project_get(user: Any, project_id: uuid.UUID) -> Project:
    """The project if ``user`` may see it; else ``Project.DoesNotExist``, as if it were not there."""
    return visible_projects(user).get(pk=project_id)


def memberships_of(project: Project) -> QuerySet[Membership]:
    return project.memberships.select_related("user")


def members_in_order(project: Project) -> list[Membership]:
    """Everybody who has or had a role, in the order of the roles; who still has one first."""
    order = [role.value for role in Role]
    return sorted(
        memberships_of(project), key=lambda m: (m.ended_at is not None, order.index(m.role), m.since)
    )


def members_by_role(project: Project) -> dict[Role, list[Any]]:
    """The people whose role has not ended."""
    result: dict[Role, list[Any]] = {}
    for membership in memberships_of(project).filter(ended_at=None):
        result.setdefault(Role(membership.role), []).append(membership.user)
    return result


def role_of(user: Any, project: Project) -> Role | None:
    """The current role of ``user`` in ``project``; cached on the project instance."""
    cache: dict[Any, Role | None] = project.__dict__.setdefault("_roles", {})
    if user.pk not in cache:
        membership = project.memberships.filter(user=user, ended_at=None).first()
        cache[user.pk] = Role(membership.role) if membership else None
    return cache[user.pk]


def unread_notifications(user: Any) -> QuerySet[Notification]:
    return Notification.objects.filter(user=user, read_at=None).select_related("project")


def notifications_of(user: Any) -> QuerySet[Notification]:
    return Notification.objects.filter(user=user).select_related("project")


def my_roles(user: Any) -> dict[uuid.UUID, str]:
    """The labels of the roles that ``user`` has now, by project."""
    memberships = Membership.objects.filter(user=user, ended_at=None).only("project_id", "role")
    return {membership.project_id: membership.get_role_display() for membership in memberships}


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
