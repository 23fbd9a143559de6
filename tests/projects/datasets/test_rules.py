"""Who brings data in, confirms a file, checks links and looks at rows unmasked, and when."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from projects.core.models import Project
from projects.datasets import rules
from projects.datasets.enums import DETECT, JOIN_CHECK
from projects.datasets.models import Dataset, StoredFile, Table, TableLink
from projects.jobs.models import Job
from projects.workflow import State
from tests.projects.rows import change, put, team, unkept

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def at(state: State = State.IDENTIFICATION) -> SimpleNamespace:
    project = put(Project, state=state, suspended_from="monitoring" if state == State.SUSPENDED else "")
    people = team(project)
    table = put(Table, project=project, position=0, name="")
    return SimpleNamespace(project=project, people=people, executor=people["executor"], table=table)


def dataset(it: SimpleNamespace, status: str = "ready", table: Table | None = None, **given: Any) -> Dataset:
    confirmed = (
        {"confirmed_by": it.executor, "confirmed_at": timezone.now()}
        if status in ("checking", "ready")
        else {}
    )
    refused = {"refused_code": "empty"} if status == "refused" else {}
    return put(
        Dataset, project=it.project, table=table or it.table, status=status, rows=1, uploaded_by=it.executor,
        stored=put(StoredFile), **confirmed, **refused, **given,
    )  # fmt: skip


def dataset_of(row: Dataset, pk: uuid.UUID) -> Dataset:
    """The same under another id."""
    fields = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    return Dataset(**(fields | {"id": pk}))


def job(it: SimpleNamespace, kind: str, status: str, about: Any = "x") -> Job:
    over = {} if status == "queued" else {"finished_at": timezone.now()}
    return put(
        Job,
        project=it.project,
        kind=kind,
        status=status,
        subject_id=str(about),
        requested_by=it.executor,
        **over,
    )


@pytest.mark.parametrize("state", State)
def test_the_executor_brings_data_in_while_they_are_identified(state):
    it = at(state)
    row = dataset(it, "uploaded")
    asked = {
        "upload": lambda user: rules.may_upload(user, it.table),
        "declare": lambda user: rules.may_declare_tables(user, it.project),
        "confirm": lambda user: rules.may_confirm(user, row),
    }
    for name, ask in asked.items():
        for role, user in it.people.items():
            verdict = ask(user)
            assert bool(verdict) == (role == "executor" and state == State.IDENTIFICATION), (name, role)
        assert ask(it.executor).code == ("" if state == State.IDENTIFICATION else "wrong_state")


@pytest.mark.parametrize("population", [False, True])
@pytest.mark.parametrize("status", ["uploaded", "checking", "ready", "refused"])
def test_what_is_being_checked_is_not_replaced(population, status):
    it = at()
    dataset(it, status, population=population)
    code = "dataset_being_checked" if status == "checking" else ""
    assert rules.may_upload(it.executor, it.table, population=population).code == code
    assert rules.may_upload(it.executor, it.table, population=not population)


def test_a_table_that_was_removed_takes_nothing():
    it = at()
    other = put(Table, project=it.project, position=1, name="b")
    assert rules.may_upload(it.executor, other)
    change(other, removed_at=timezone.now())
    assert rules.may_upload(it.executor, other).code == "dataset_table_removed"


def test_links_are_checked_once_every_table_is_ready():
    it = at()
    other = put(Table, project=it.project, position=1, name="b")
    assert rules.may_check_links(it.executor, it.project).code == "dataset_nothing_to_join"
    dataset(it)
    second = dataset(it, table=other)
    assert rules.may_check_links(it.executor, it.project).code == "dataset_nothing_to_join", (
        "there is no link"
    )
    put(TableLink, project=it.project, source=it.table, target=other)
    for role, user in it.people.items():
        assert bool(rules.may_check_links(user, it.project)) == (role == "executor"), role
    checking = job(it, JOIN_CHECK, "queued")
    assert rules.may_check_links(it.executor, it.project).code == "dataset_tables_being_checked"
    change(checking, status="succeeded", finished_at=timezone.now())
    assert rules.may_check_links(it.executor, it.project)
    change(second, status="uploaded")
    assert rules.may_check_links(it.executor, it.project).code == "dataset_nothing_to_join"


def test_a_format_is_confirmed_once_and_of_the_youngest_file():
    it = at()
    for status, code in (
        ("checking", "dataset_being_checked"),
        ("ready", "dataset_not_to_confirm"),
        ("refused", "dataset_not_to_confirm"),
    ):
        assert rules.may_confirm(it.executor, dataset(it, status)).code == code
    older, population = dataset(it, "uploaded"), dataset(it, "uploaded", population=True)
    younger = dataset(it, "uploaded")
    for number in (0, 2**128 - 1):  # ids tell nothing of which came first
        assert (
            rules.may_confirm(it.executor, dataset_of(older, uuid.UUID(int=number))).code
            == "dataset_replaced"
        )
    assert rules.may_confirm(it.executor, younger)
    assert rules.may_confirm(it.executor, population)
    detecting = job(it, DETECT, "queued", younger.pk)
    assert rules.may_confirm(it.executor, younger).code == "dataset_being_detected"
    assert rules.may_confirm(it.executor, population), "another file's detection"
    change(detecting, status="succeeded", finished_at=timezone.now())
    assert rules.may_confirm(it.executor, younger)


@pytest.mark.parametrize("state", State)
def test_the_executor_alone_looks_at_rows_while_working_on_them(state):
    it = at(state)
    row = dataset(it, sample=put(StoredFile))
    working = state in (State.IDENTIFICATION, State.PROCESSING)
    for role, user in it.people.items():
        assert bool(rules.may_look_raw(user, row)) == (role == "executor" and working), role
    assert rules.may_look_raw(it.executor, row).code == ("" if working else "wrong_state")


def test_there_is_nothing_to_look_at_in_what_was_refused():
    it = at()
    for row in (dataset(it), dataset(it, "refused", sample=put(StoredFile))):
        assert rules.may_look_raw(it.executor, row).code == "dataset_no_content"
    assert rules.may_look_raw(it.people["planner"], dataset(it)).code == "not_your_role"
