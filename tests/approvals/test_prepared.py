"""A statement that is put together once finds what it found when it was put together anew each time."""

from __future__ import annotations

import uuid

import pytest
from django.db import connection
from django.db.models import Exists, OuterRef
from django.test.utils import CaptureQueriesContext

from approvals.prepared import NO_KEY, Prepared
from approvals.request_cache import caching_reads
from deid_portal.accounts.backends import AccountBackend
from deid_portal.accounts.models import User
from projects.core.models import Membership, Project
from projects.core.selectors import project_get, visible_projects
from tests.fixtures import make_project

pytestmark = pytest.mark.django_db


def seen(person, project_id) -> Project | None:
    try:
        return project_get(person, project_id)
    except Project.DoesNotExist:
        return None


def stored(row) -> dict:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_a_row_is_as_django_reads_it(people):
    prepared = Prepared(User.objects.filter(pk=NO_KEY), {"user": NO_KEY})
    for person in vars(people).values():
        with CaptureQueriesContext(connection) as statements:
            (found,) = prepared.rows(user=person.pk)
            assert stored(found) == stored(User.objects.get(pk=person.pk))
        assert len(statements) == 2, "each is read whole by one statement"
        assert found._state.db == "default"
        assert not found._state.adding
    assert list(prepared.rows(user=NO_KEY)) == []


def test_one_value_does_not_stay_for_the_next(people, project):
    has_role = Exists(Membership.objects.filter(user=OuterRef("pk"), role="nobody's"))
    prepared = Prepared(User.objects.filter(has_role), {"role": "nobody's"})
    found = {
        role: [user.username for user in prepared.rows(role=role)] for role in ("planner", "executor", "none")
    }
    assert found == {"planner": ["planner"], "executor": ["executor"], "none": []}


@pytest.mark.parametrize("username", ["nobody", "somebody"])
def test_what_does_not_stand_there_once_is_no_place(username):
    twice = User.objects.filter(username="nobody", full_name="nobody")
    with pytest.raises(ValueError, match="once"):
        Prepared(twice, {"name": username})


def test_each_sees_the_same_projects_by_every_way_of_asking(people, project):
    """Before an act, while a page is read, and in the list."""
    other = make_project(people, "Another")
    closed_off = Project.objects.exclude(pk__in=[project.pk, other.pk])
    assert not closed_off.exists()
    everybody = vars(people)
    sees = {name: {one.pk for one in visible_projects(person)} for name, person in everybody.items()}
    assert sees["planner"] == sees["auditor"] == {project.pk, other.pk}
    assert sees["outsider"] == sees["recipient"] == set()
    for name, person in everybody.items():
        for one in (project, other):
            alone = seen(person, one.pk)
            with caching_reads():
                reading = seen(person, one.pk)
            assert (alone is not None) == (reading is not None) == (one.pk in sees[name]), name
            if alone is not None:
                assert stored(alone) == stored(reading) == stored(Project.objects.get(pk=one.pk))
        assert seen(person, uuid.uuid4()) is None


def test_who_asks_comes_with_truth_and_numbers(people):
    backend = AccountBackend()
    for person in vars(people).values():
        found = backend.get_user(person.pk)
        assert stored(found) == stored(User.objects.get(pk=person.pk))
        assert (found.second_step_on, found.unread_count, found.national_only) == (False, 0, False)
        assert type(found.second_step_on) is type(found.national_only) is bool
    assert backend.get_user(NO_KEY) is None
