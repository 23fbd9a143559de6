"""A project whose plan is approved, and files to upload."""

from __future__ import annotations

import io
from types import SimpleNamespace

import pytest

from projects.core import evidence
from projects.core.services import project_move
from projects.datasets.selectors import datasets_of
from projects.datasets.services import dataset_upload
from projects.datasets.tables.selectors import first_table
from projects.jobs.selectors import latest_job
from projects.jobs.services import job_run
from projects.workflow import Evidence, Move
from tests.fixtures import make_project

CSV = "姓名,年龄,备注\n张三,34,\n李四,,住院\n王小五,7,ok\n".encode()


def to_identification(project, people):
    """The real moves; the evidence of the target's stage is not this package's business and is taken as given."""
    for move, by in (
        (Move.SUBMIT_OBJECTIVE, people.planner),
        (Move.PASS_OBJECTIVE, people.supervisor),
        (Move.APPROVE_PLAN, people.management),
    ):
        project_move(project, move=move, by=by, reason="as agreed")
    project.refresh_from_db()
    return project


def take_plan_as_given(patch: pytest.MonkeyPatch) -> None:
    for item in (Evidence.OBJECTIVE_COMPLETE, Evidence.OBJECTIVE_REVIEWED, Evidence.PLAN_APPROVED):
        patch.setitem(evidence._providers, item, lambda project: [])


def at_identification(people: SimpleNamespace) -> SimpleNamespace:
    """For a file whose tests are all about a project without data."""
    with pytest.MonkeyPatch.context() as patch:
        take_plan_as_given(patch)
        return SimpleNamespace(project=to_identification(make_project(people), people))


@pytest.fixture
def given_plan(monkeypatch):
    take_plan_as_given(monkeypatch)


@pytest.fixture
def ready_project(request, own_start, people, given_plan):
    if own_start and own_start.story:
        return own_start.story.project
    return to_identification(request.getfixturevalue("project"), people)


@pytest.fixture
def upload(ready_project, people):
    def run(content=CSV, name="visits.csv", detect=True):
        dataset = dataset_upload(
            first_table(ready_project), content=io.BytesIO(content), name=name, by=people.executor
        )
        if detect:
            job_run(latest_job(ready_project, "datasets.detect", dataset.pk).pk)
        return datasets_of(ready_project).get(pk=dataset.pk)

    return run
