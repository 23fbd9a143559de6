"""What the database itself refuses about samples of a result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from projects.core.models import Project
from projects.findings.models import Finding, ResultDeviation, ResultSample
from projects.processing.models import Run, RunTable
from tests.projects.rows import account, change, delete, member, put, refused, unkept

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def sample(**given: Any) -> ResultSample:
    project = put(Project)
    supervisor = account()
    member(project, "supervisor", supervisor)
    run = put(Run, project=project)
    put(RunTable, run=run, name="", result_id=uuid4(), result_sha256="aa", result_rows=9)
    said = {"project": project, "run": run, "sha256": "aa", "seed": "ff", "drawn_by": supervisor, "number": 1}
    return put(ResultSample, **said | given)


def read(**given: Any) -> ResultSample:
    made = sample(**given)
    change(made, outcome="open", unit="record", population=9, size=5, looked_at=timezone.now())
    return made


def reported(by: Any = None, **given: Any) -> dict[str, Any]:
    said = {
        "outcome": "nothing",
        "found": 0,
        "looked": 4,
        "remark": "all",
        "reported_at": timezone.now(),
        "reported_by": by,
    }
    return said | given


def test_a_supervisor_draws_from_a_result_of_the_project() -> None:
    sample()
    for wrong in ({"drawn_by": account()}, {"sha256": "bb"}, {"of_table": "x"}, {"run": put(Run)}):
        with refused("a supervisor of the project has records of a result"):
            sample(**wrong)
    with refused("a supervisor of the project has records of a result"):
        sample(outcome="open", unit="record", population=9, size=5)


def test_a_supervisor_reports_once() -> None:
    made = read()
    with refused("a supervisor of the project reports"):
        change(made, **reported(account()))
    change(made, **reported(made.drawn_by))
    with refused("stays as it was drawn and reported on"):
        change(made, outcome="found", found=1)
    for new in ({"looked": 5}, {"is_cut": True}, {"pages_seen": [1, 2]}):
        with refused("stays as it was drawn and reported on"):
            change(made, **new)
    with refused("that was drawn stays drawn"):
        delete(made)


def test_what_was_drawn_is_not_drawn_anew() -> None:
    made = read()
    for outcome in ("reading", "failed"):
        with refused("stays as it was drawn and reported on"):
            change(made, outcome=outcome, unit="", population=None, size=None)


@pytest.mark.parametrize(
    "wrong",
    [{"found": 5, "outcome": "found"}, {"found": 1}, {"remark": ""}, {"outcome": "found"}, {"looked": 0}],
)
def test_a_report_is_whole(wrong: dict[str, Any]) -> None:
    made = read()
    with refused("result_sample_reported_whole"):
        change(made, **reported(made.drawn_by) | wrong)


def test_what_was_found_is_a_finding_and_is_written_once() -> None:
    made = read()
    said = {
        "source": "result",
        "stage": "verification",
        "severity": "minor",
        "title": "a",
        "description": "b",
    }
    said |= {"project": made.project, "due_on": timezone.localdate()}
    with refused("becomes a finding of the project"):
        put(
            ResultDeviation,
            sample=made,
            kind="named",
            text="x",
            ticket=put(Finding, **said, origin_id=uuid4()),
        )
    row = put(
        ResultDeviation,
        sample=made,
        kind="named",
        text="x",
        ticket=put(Finding, **said, origin_id=made.pk, number=2),
    )
    with refused("is written once"):
        change(row, text="y")
