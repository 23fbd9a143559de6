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

from approvals.audit.recording import recording
from deid_portal.accounts.events import USER_CREATED
from deid_portal.accounts.models import User
from deid_portal.accounts.services import user_create
from projects.core.services import member_add, project_create
from projects.workflow import Role, State
from projects.workflow.posts import Post

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
    # Django's own way to one leaves no event, and the log has to explain each account.
    with recording(USER_CREATED, by=None):
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
    """What every test of a file begins with, and the store as it then is."""

    people: SimpleNamespace
    story: Any
    project: Any
    store: Path


class Rolled(Exception):
    """Ends the transaction of a file."""


def bare(people: SimpleNamespace) -> None:
    """The start of a file that names none: the people have done nothing yet."""


def all_want_a_project(request: Any) -> bool:
    """Whether a project whose target is still to be determined is part of what all tests of a file begin with."""
    wanted = [item.fixturenames for item in request.session.items if item.module is request.module]
    return all("project" in names for names in wanted if "people" in names)


@pytest.fixture(scope="module")
def opening(request, django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[Start | None]:
    """Told once, in a transaction around all tests of a file.

    A file may name a ``START`` (people in, story out); with None, each of its tests has people of its own.
    """
    tell = getattr(request.module, "START", bare)
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
                project = make_project(people) if tell is bare and all_want_a_project(request) else None
                yield Start(people, story, project, store)
                raise Rolled
        except Rolled:
            pass


@pytest.fixture
def begun(opening, tmp_path) -> Start | None:
    """A copy of the file's opening that the test may do with as it likes; its files lie in the test's own store."""
    if opening is None:
        return None
    people, story, project = copy.deepcopy((opening.people, opening.story, opening.project))
    if story:
        shutil.copytree(opening.store, tmp_path / "store")
    return Start(people, story, project, tmp_path / "store")


@pytest.fixture
def told(people, begun) -> Any:
    """``told(state, tell)``: the file's own story where it stands at ``state``, else the one that ``tell`` tells."""

    def story(state: State, tell: Callable[[SimpleNamespace], Any]) -> Any:
        return begun.story if begun and begun.story and begun.story.project.state == state else tell(people)

    return story


@pytest.fixture
def people(db, begun):
    return begun.people if begun else make_people()


@pytest.fixture
def project(people, begun):
    return begun.project if begun and begun.project else make_project(people)
