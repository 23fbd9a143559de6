"""What the database itself refuses about runs: half a result, and another file than the one that was made."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import timezone

from projects.processing.models import MappingTable, Run, RunTable, ShareFile
from tests.projects.rows import allowed, another, change, delete, put, refused, unkept

pytestmark = pytest.mark.django_db
WHOLE = "a run succeeds with the results of all its tables"
NONE = "a run that did not succeed has no result"
EXACTLY = "a table of a run has a result exactly when the run succeeded"


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


RESULT = {"result_sha256": "f" * 64, "result_rows": 3}


def result(table: RunTable) -> dict[str, object]:
    return RESULT | another(table, "result_id")


def run(tables: int) -> tuple[Run, list[RunTable]]:
    """One that is under way, beside two others: of one the only result is there, of the other none."""
    for has_result in (True, False):
        other = put(RunTable, run=put(Run))
        if has_result:
            change(other, **result(other))
    made = put(Run)
    return made, [put(RunTable, run=made) for _ in range(tables)]


def test_a_run_succeeds_with_the_results_of_all_its_tables():
    one, (first, second) = run(2)
    with refused(WHOLE):
        change(one, status="succeeded")
    change(first, **result(first))
    with refused(WHOLE):
        change(one, status="succeeded")
    change(second, **result(second))
    change(one, status="succeeded")
    with allowed():
        change(one, finished_at=timezone.now())


def test_a_run_without_a_table_does_not_succeed():
    one, _none = run(0)
    with refused(WHOLE):
        change(one, status="succeeded")
    with refused(WHOLE):
        put(Run, status="succeeded")
    for status in ("running", "failed", "cancelled"):
        with allowed():
            put(Run, status=status)


@pytest.mark.parametrize("status", ["failed", "cancelled"])
def test_a_run_that_did_not_succeed_has_no_result(status):
    one, (first, _second) = run(2)
    with allowed():
        change(one, status=status)
    change(first, **result(first))
    with refused(NONE):
        change(one, status=status)
    with allowed():
        change(one, finished_at=timezone.now())


@pytest.mark.parametrize("status", ["failed", "cancelled"])
def test_no_result_comes_to_a_run_that_did_not_succeed(status):
    one, (first, _second) = run(2)
    change(one, status=status)
    with refused(EXACTLY):
        change(first, **result(first))
    with refused(EXACTLY):
        put(RunTable, run=one, **result(first))
    with allowed():
        change(first, report={"rows": 3})
    with allowed():
        put(RunTable, run=one)


def test_no_result_goes_from_a_run_that_succeeded():
    one, (first,) = run(1)
    change(first, **result(first))
    change(one, status="succeeded")
    with refused(EXACTLY):
        change(first, result_id=None, result_sha256="", result_rows=None)
    with refused(EXACTLY):
        put(RunTable, run=one)
    with allowed():
        change(first, report={"rows": 3})


FIXED = {
    ShareFile: ("id", "project_id", "run_id", "table", "number", "stored_id", "sha256"),
    MappingTable: ("id", "project_id", "run_id", "table", "step", "column", "stored_id", "key_id"),
}


@pytest.mark.parametrize(
    ("model", "name"), [(model, name) for model, names in FIXED.items() for name in names]
)
def test_a_file_beside_a_result_is_never_exchanged(model, name):
    row = put(model)
    with refused("is never exchanged"):
        change(row, **another(row, name))
    with allowed():
        change(row, **{name: getattr(row, name)})


@pytest.mark.parametrize("model", FIXED)
def test_a_file_beside_a_result_is_never_deleted(model):
    row = put(model)
    with refused("is never deleted"):
        delete(row)
