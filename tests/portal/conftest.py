"""People and projects, made only through the services that a person's clicks call."""

from __future__ import annotations

import copy
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import transaction
from django.test import override_settings
from django.utils import timezone

from deid_portal.accounts.enums import Post
from deid_portal.accounts.models import User
from deid_portal.accounts.services import user_create
from projects.core.services import member_add, project_create
from projects.workflow import Role, State

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


@dataclass
class Start:
    """What every test of a file begins with: the people, their story so far, and the store as it then is."""

    people: SimpleNamespace
    story: Any
    store: Path


class Rolled(Exception):
    """Ends the transaction of a file."""


@pytest.fixture(scope="module")
def start(request, django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[Start | None]:
    """A file that names a ``START`` (people in, story out) has it told once, in a transaction around all its tests."""
    tell = getattr(request.module, "START", None)
    if tell is None:
        yield None
        return
    store = tmp_path_factory.mktemp("start") / "store"
    store.mkdir()
    with django_db_blocker.unblock():
        try:
            with transaction.atomic():
                people = make_people()
                with override_settings(DEID_STORE_DIR=store):
                    story = tell(people)
                yield Start(people, story, store)
                raise Rolled
        except Rolled:
            pass


@pytest.fixture
def begun(start, tmp_path) -> Start | None:
    """A copy of the file's ``start`` that the test may do with as it likes; its files lie in the test's own store."""
    if start is None:
        return None
    people, story = copy.deepcopy((start.people, start.story))
    shutil.copytree(start.store, tmp_path / "store")
    return Start(people, story, tmp_path / "store")


@pytest.fixture
def told(people, begun) -> Any:
    """``told(state, tell)``: the file's own story where it stands at ``state``, else the one that ``tell`` tells."""

    def story(state: State, tell: Callable[[SimpleNamespace], Any]) -> Any:
        return begun.story if begun and begun.story.project.state == state else tell(people)

    return story


@pytest.fixture
def people(db, begun):
    return begun.people if begun else make_people()


@pytest.fixture
def project(people):
    return make_project(people)
