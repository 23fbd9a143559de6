"""A project whose plan is approved, with a table whose remark column hides ID numbers far below its head."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass, field
from functools import partial
from types import SimpleNamespace

import pytest

from projects.core import evidence
from projects.core import services as core
from projects.core.models import Project
from projects.core.services import project_move
from projects.datasets.models import Dataset
from projects.datasets.selectors import datasets_of
from projects.datasets.services import dataset_confirm, dataset_upload
from projects.datasets.tables.selectors import first_table
from projects.identification import selectors
from projects.identification.models import IdentificationRound
from projects.identification.services import Given, scan_start, verdicts_give
from projects.jobs.selectors import latest_job
from projects.jobs.services import job_run
from projects.workflow import Evidence, Move
from techniques.identification.checks import id_check_character
from tests.fixtures import make_project

ROWS = 400
HIDDEN_ROWS = (151, 287, 399)  # counted from 1 below the heading; the first 100 remarks are empty


@dataclass
class Table:
    """A made-up table with the values that must never leave the encrypted store."""

    content: bytes
    columns: list[str]
    id_numbers: list[str]
    hidden: list[str]
    names: list[str] = field(default_factory=list)

    @property
    def secrets(self) -> list[str]:
        return [*self.id_numbers, *self.hidden]


def id_number(chance: random.Random) -> str:
    """A number that is right by GB 11643 and belongs to nobody known."""
    day = f"{chance.randint(1940, 2010)}{chance.randint(1, 12):02}{chance.randint(1, 28):02}"
    first = f"{chance.choice(['110101', '310104', '440305'])}{day}{chance.randint(1, 999):03}"
    return first + id_check_character(first)


def make_table(seed: int = 1, hide: bool = True) -> Table:
    chance = random.Random(seed)
    numbers = [id_number(chance) for _ in range(ROWS)]
    hidden = [id_number(chance) for _ in HIDDEN_ROWS] if hide else []
    remarks = dict(zip(HIDDEN_ROWS, hidden, strict=False))
    columns = ["序号", "患者姓名", "身份证号", "性别", "科室", "诊断", "备注"]
    lines = [",".join(columns)]
    names = []
    for row in range(1, ROWS + 1):
        name = chance.choice("赵钱孙李周吴郑王陈杨") + chance.choice("伟芳娜敏静强磊洋艳勇杰娟涛明超")
        name += chance.choice(["", *"平华文斌霞"])
        names.append(name)
        remark = (
            f"家属身份证{remarks[row]}已登记"
            if row in remarks
            else "复诊"
            if row > 100 and row % 7 == 0
            else ""
        )
        lines.append(
            f"{row},{name},{numbers[row - 1]},{chance.choice('男女')},{chance.choice(['内科', '外科', '儿科'])},"
            f"{chance.choice(['高血压', '糖尿病', '骨折', '肺炎'])},{remark}"
        )
    return Table(("\n".join(lines) + "\n").encode(), columns, numbers, hidden, names)


GIVEN = (Evidence.OBJECTIVE_COMPLETE, Evidence.OBJECTIVE_REVIEWED, Evidence.PLAN_APPROVED)
"""The evidence of the target's stage is taken as given."""


def plan_approved(project: Project, people: SimpleNamespace) -> Project:
    """In the state IDENTIFICATION by real moves."""
    with pytest.MonkeyPatch.context() as patch:
        for item in GIVEN:
            patch.setitem(evidence._providers, item, lambda project: [])
        patch.setattr(core, "_subscribers", [])
        for move, by in (
            (Move.SUBMIT_OBJECTIVE, people.planner),
            (Move.PASS_OBJECTIVE, people.supervisor),
            (Move.APPROVE_PLAN, people.management),
        ):
            project_move(project, move=move, by=by, reason="as agreed")
    project.refresh_from_db()
    return project


def table_uploaded(
    project: Project, people: SimpleNamespace, table: Table, name: str = "visits.csv"
) -> Dataset:
    """Uploaded, detected, confirmed and checked."""
    dataset = dataset_upload(
        first_table(project), content=io.BytesIO(table.content), name=name, by=people.executor
    )
    job_run(latest_job(project, "datasets.detect", dataset.pk).pk)
    dataset_confirm(datasets_of(project).get(pk=dataset.pk), by=people.executor)
    job_run(latest_job(project, "datasets.check", dataset.pk).pk)
    dataset = datasets_of(project).get(pk=dataset.pk)
    assert dataset.is_ready, dataset.refused_text
    return dataset


def table_scanned(project: Project, people: SimpleNamespace) -> IdentificationRound:
    """The current data set, scanned to the end."""
    round_ = scan_start(first_table(project), by=people.executor)
    job = job_run(latest_job(project, "identification.scan", round_.pk).pk)
    assert job.status == "succeeded", job.error_text
    return selectors.current_round(project)


def at_verdicts(people: SimpleNamespace) -> SimpleNamespace:
    """The table is scanned and no column has a verdict. For the tests of a file that name ``scanned``; the others have a project of
    their own without data."""
    project = plan_approved(make_project(people), people)
    table_uploaded(project, people, make_table())
    table_scanned(project, people)
    return SimpleNamespace(project=project)


@pytest.fixture
def of_the_file(request, own_start):
    """The scanned project that the file begins with, if this test is about it."""
    shared = own_start is not None and own_start.story and "scanned" in request.fixturenames
    return own_start.story.project if shared else None


@pytest.fixture
def ready_project(request, of_the_file, people, monkeypatch):
    """In the state IDENTIFICATION."""
    for item in GIVEN:
        monkeypatch.setitem(evidence._providers, item, lambda project: [])
    return of_the_file or plan_approved(request.getfixturevalue("project"), people)


@pytest.fixture
def table():
    return make_table()


@pytest.fixture
def upload(ready_project, people):
    """Upload, detect, confirm and check a table."""
    return partial(table_uploaded, ready_project, people)


@pytest.fixture
def scan(ready_project, people):
    """Scan the current data set to the end."""
    return partial(table_scanned, ready_project, people)


@pytest.fixture
def scanned(of_the_file, ready_project, upload, scan, table):
    if of_the_file:
        return selectors.current_round(ready_project)
    upload(table)
    return scan()


ROLES = {
    "序号": "direct",
    "患者姓名": "direct",
    "身份证号": "direct",
    "性别": "quasi",
    "科室": "quasi",
    "诊断": "sensitive",
    "备注": "direct",
}


@pytest.fixture
def judged(scanned, people):
    """Every column has its verdict."""
    verdicts_give(
        scanned,
        [
            Given(column, role, reason="as found and as agreed with the clinic")
            for column, role in ROLES.items()
        ],
        by=people.executor,
    )
    return scanned
