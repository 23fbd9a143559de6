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
from projects.core.assessments.services import assessment_order
from projects.core.services import member_add, project_create
from projects.workflow import Role, State
from projects.workflow.posts import LIMITED, AppointedPost, Post

PASSWORD = "correct-horse-battery"
POSTS = {
    "planner": Post.PLANNER,
    "executor": Post.STAFF,
    "supervisor": Post.STAFF,
    "management": Post.STAFF,
    "recipient": Post.RECIPIENT,
    "auditor": Post.AUDITOR,
    "assessor": Post.ASSESSOR,
    "tester": Post.TESTER,
    "outsider": Post.PLANNER,
    "administrator": Post.ADMINISTRATOR,
}

APPOINTED = {
    "supervisor": (AppointedPost.SUPERVISOR,),
    "management": (AppointedPost.MANAGEMENT,),
    "outsider": (AppointedPost.SUPERVISOR, AppointedPost.MANAGEMENT),
}
"""Who was appointed to a post beside the one that their account was made for."""


def make_people() -> SimpleNamespace:
    """One person for each role, an outsider who has no role here, and a superuser."""
    people = {}
    for name, post in POSTS.items():
        people[name] = user_create(
            username=name,
            password=PASSWORD,
            full_name=f"{name.title()} Person",
            post=post,
            access_until=timezone.localdate() + timedelta(days=30) if post in LIMITED else None,
            appointed=APPOINTED.get(name, ()),
            by=None,
        )
    # Django's own way to one leaves no event, and the log has to explain each account.
    with recording(USER_CREATED, by=None):
        people["superuser"] = User.objects.create_superuser(
            "superuser", password=PASSWORD, full_name="Super User"
        )
    return SimpleNamespace(**people)


def make_project(people: SimpleNamespace, title: str = "Visits 2026"):
    """A project with its whole team, its target still to be determined."""
    project = project_create(title=title, by=people.planner)
    for role in (Role.EXECUTOR, Role.SUPERVISOR, Role.MANAGEMENT, Role.RECIPIENT):
        member_add(project, user=getattr(people, role.value), role=role, by=people.planner)
    # Some tests have moved the clock beyond the assessor's time.
    if people.assessor.assesses:
        assessment_order(
            project,
            assessor=people.assessor,
            covers="everything",
            until=people.assessor.access_until,
            by=people.supervisor,
        )
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


def no_story(people: SimpleNamespace) -> None:
    """The start of a file that names none: the people have done nothing yet."""


def all_want_a_project(request: Any) -> bool:
    """Whether a project whose target is still to be determined is part of what all tests of a file begin with."""
    wanted = [item.fixturenames for item in request.session.items if item.module is request.module]
    return all("project" in names for names in wanted if "people" in names)


@pytest.fixture(scope="module")
def shared_start(request, django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[Start | None]:
    """The start of a file, made once in a transaction around all its tests.

    A file may name a ``START`` (people in, story out); with None, each of its tests has people of its own.
    """
    tell = getattr(request.module, "START", no_story)
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
                project = make_project(people) if tell is no_story and all_want_a_project(request) else None
                yield Start(people, story, project, store)
                raise Rolled
        except Rolled:
            pass


@pytest.fixture
def own_start(shared_start, tmp_path) -> Start | None:
    """A copy of the file's start, for one test to change; its files lie in the test's own store."""
    if shared_start is None:
        return None
    people, story, project = copy.deepcopy((shared_start.people, shared_start.story, shared_start.project))
    if story:
        shutil.copytree(shared_start.store, tmp_path / "store")
    return Start(people, story, project, tmp_path / "store")


@pytest.fixture
def story_at(people, own_start) -> Any:
    """``story_at(state, tell)``: the file's own story where it is at ``state``, else the one that ``tell`` tells."""

    def story(state: State, tell: Callable[[SimpleNamespace], Any]) -> Any:
        own = own_start.story if own_start else None
        return own if own and own.project.state == state else tell(people)

    return story


@pytest.fixture
def people(db, own_start):
    return own_start.people if own_start else make_people()


@pytest.fixture
def project(people, own_start):
    return own_start.project if own_start and own_start.project else make_project(people)
