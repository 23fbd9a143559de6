"""People and projects, made only through the services that a person's clicks call."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from deid_portal.accounts.enums import Post
from deid_portal.accounts.models import User
from deid_portal.accounts.services import user_create
from projects.core.services import member_add, project_create
from projects.workflow import Role

POSTS = {
    "planner": Post.PLANNER,
    "executor": Post.STAFF,
    "supervisor": Post.STAFF,
    "management": Post.STAFF,
    "recipient": Post.RECIPIENT,
    "auditor": Post.AUDITOR,
    "assessor": Post.ASSESSOR,
    "outsider": Post.PLANNER,
    "administrator": Post.ADMINISTRATOR,
}


def make_people() -> SimpleNamespace:
    """One person for each role, an outsider who has no role here, and a superuser."""
    people = {}
    for name, post in POSTS.items():
        people[name] = user_create(
            username=name,
            password="correct-horse-battery",
            full_name=f"{name.title()} Person",
            post=post,
            access_until=timezone.localdate() + timedelta(days=30) if post == Post.ASSESSOR else None,
            by=None,
        )
    people["superuser"] = User.objects.create_superuser(
        "superuser", password="correct-horse-battery", full_name="Super User"
    )
    return SimpleNamespace(**people)


def make_project(people: SimpleNamespace, title: str = "Visits 2026"):
    """A project with its whole team, its target still to be determined."""
    project = project_create(title=title, by=people.planner)
    for role in (Role.EXECUTOR, Role.SUPERVISOR, Role.MANAGEMENT, Role.RECIPIENT):
        member_add(project, user=getattr(people, role.value), role=role, by=people.planner)
    project.refresh_from_db()
    return project


@pytest.fixture
def people(db):
    return make_people()


@pytest.fixture
def project(people):
    return make_project(people)
