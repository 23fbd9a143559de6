"""What a reading request remembers, and when it must not."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext

from approvals.governance.serialization import governed_act
from approvals.request_cache import (
    _only_reads,
    cached_read,
    caching_reads,
    close_cache,
    is_caching,
    known,
    prime,
)
from deid_portal.middleware import ReadCacheMiddleware
from projects.core.models import Notification, Project
from projects.core.rules import may_act_in
from projects.core.selectors import memberships_of, project_get, role_of
from projects.core.services import member_end, project_edit
from projects.workflow import Role, State

pytestmark = pytest.mark.django_db


@cached_read
def titles(project: Project, *, upper: bool = False) -> list[str]:
    found = Project.objects.filter(pk=project.pk).values_list("title", flat=True)
    return [title.upper() if upper else title for title in found]


def statements(count: int) -> CaptureQueriesContext:
    """Fails unless exactly ``count`` statements were sent."""

    class Exactly(CaptureQueriesContext):
        def __exit__(self, *raised: Any) -> None:
            super().__exit__(*raised)
            if raised[0] is None:
                assert len(self) == count, [query["sql"] for query in self]

    return Exactly(connection)


def test_a_question_is_cached_read(project):
    with caching_reads(), statements(1):
        assert titles(project) == titles(Project(pk=project.pk)) == [project.title]


def test_what_was_asked_is_known_without_a_statement_and_what_was_not_is_not_asked(project):
    titles(project)
    with caching_reads(), statements(1):
        assert known(titles, project) is None
        assert known(titles, project) is not titles(project)
        assert known(titles, project) == [project.title]
        close_cache()
        assert known(titles, project) is None
    assert known(titles, project) is None


def test_other_arguments_are_another_question(project, people):
    with caching_reads(), statements(2):
        assert titles(project) != titles(project, upper=True)
        assert titles(project, upper=True) == [project.title.upper()]


def test_without_a_memory_every_call_asks(project):
    assert not is_caching()
    with statements(2):
        titles(project)
        titles(project)


def test_the_memory_ends_with_its_block_even_after_an_error(project):
    def fails() -> None:
        with caching_reads():
            titles(project)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    assert not is_caching()
    with caching_reads(), statements(1):
        titles(project)


def test_nested_blocks_share_the_outer_memory(project):
    with caching_reads(), statements(1):
        with caching_reads():
            titles(project)
        titles(project)


def test_what_is_told_need_not_be_asked(project):
    with caching_reads(), statements(0):
        prime(titles, project, result=["primed"])
        assert titles(project) == ["primed"]
    prime(titles, project, result=["primed"])
    assert titles(project) == [project.title]


@pytest.mark.parametrize(
    "write",
    [
        lambda project: Project.objects.filter(pk=project.pk).select_for_update().first(),
        lambda project: Notification.objects.filter(project=project).update(action="x"),
        lambda project: Notification.objects.filter(project=project).delete(),
        lambda project: connection.cursor().execute("UPDATE core_project SET summary = summary"),
        lambda project: connection.cursor().execute("  update core_project set summary = summary"),
        lambda project: close_cache(),
    ],
)
def test_a_write_of_any_kind_closes_the_memory(project, people, write):
    Notification.objects.create(user=people.planner, project=project, action="a")
    with caching_reads():
        titles(project)
        with transaction.atomic():
            write(project)
        with statements(2):
            titles(project)
            titles(project)
        assert not is_caching()
        with caching_reads():
            assert not is_caching(), "nothing opens it again in this request"


def test_a_service_within_a_reading_request_is_never_answered_from_before(project, people):
    with caching_reads():
        before = project_get(people.planner, project.pk)
        assert titles(before) == [before.title]
        assert role_of(people.executor, before) == Role.EXECUTOR
        project_edit(before, title="Another title", summary="", by=people.planner)
        assert titles(before) == ["Another title"]
        membership = next(m for m in memberships_of(before) if m.user_id == people.executor.pk)
        member_end(membership, by=people.planner)
        assert role_of(people.executor, before) is None
        assert not may_act_in(people.executor, before, State.OBJECTIVE_DRAFT)


def test_an_act_forgets_before_it_locks(project):
    with caching_reads():
        titles(project)
        with governed_act():
            assert not is_caching()


def test_an_answer_that_wrote_is_not_remembered(project):
    @cached_read
    def writes() -> int:
        return Notification.objects.filter(project=project).update(action="x")

    with caching_reads():
        writes()
        with statements(1):
            writes()


def test_another_thread_has_no_part_in_it(project):
    seen = []
    with caching_reads():
        thread = threading.Thread(target=lambda: seen.append(is_caching()))
        thread.start()
        thread.join()
    assert seen == [False]


@pytest.mark.parametrize(
    ("method", "remembers"),
    [("GET", True), ("HEAD", True), ("POST", False), ("PUT", False), ("PATCH", False), ("DELETE", False)],
)
def test_only_reading_requests_remember(method, remembers):
    seen = []

    def view(request: HttpRequest) -> HttpResponse:
        seen.append(is_caching())
        return HttpResponse()

    ReadCacheMiddleware(view)(RequestFactory().generic(method, "/"))
    assert seen == [remembers]
    assert not is_caching()


def test_two_requests_do_not_share_an_answer(project, people):
    titles_seen = []

    def view(request: HttpRequest) -> HttpResponse:
        titles_seen.append(titles(project)[0])
        return HttpResponse()

    handle = ReadCacheMiddleware(view)
    handle(RequestFactory().get("/"))
    project_edit(project, title="Between two requests", summary="", by=people.planner)
    handle(RequestFactory().get("/"))
    assert titles_seen == ["Visits 2026", "Between two requests"]


def test_pages_ask_within_a_memory_and_leave_none(client, project, people):
    client.force_login(people.planner, backend="deid_portal.accounts.backends.AccountBackend")
    url = f"/projects/{project.pk}/"
    assert project.title in client.get(url).content.decode()
    assert not is_caching()
    project_edit(project, title="Known at once", summary="", by=people.planner)
    assert "Known at once" in client.get(url).content.decode()


def test_a_union_only_reads() -> None:
    """PostgreSQL is sent its parts in brackets, and a page that asks one keeps what it has read."""
    assert _only_reads('(SELECT "id" FROM "a") UNION ALL (SELECT "id" FROM "b")')
    assert not _only_reads('(SELECT "id" FROM "a" FOR UPDATE)')
    assert not _only_reads('DELETE FROM "a"')
