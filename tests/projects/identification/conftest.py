"""A project whose plan is approved, with a table whose remark column hides ID numbers far below its head."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass, field

import pytest

from projects.core import evidence
from projects.core import services as core
from projects.core.services import project_move
from projects.datasets.selectors import datasets_of
from projects.datasets.services import dataset_confirm, dataset_upload
from projects.datasets.tables.selectors import first_table
from projects.identification import selectors
from projects.identification.services import Given, scan_start, verdicts_give
from projects.jobs.selectors import latest_job
from projects.jobs.services import job_run
from projects.workflow import Evidence, Move
from techniques.identification.checks import id_check_character

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


@pytest.fixture
def ready_project(project, people, monkeypatch):
    """In the state IDENTIFICATION by real moves; the evidence of the target's stage is taken as given."""
    for item in (Evidence.OBJECTIVE_COMPLETE, Evidence.OBJECTIVE_REVIEWED, Evidence.PLAN_APPROVED):
        monkeypatch.setitem(evidence._providers, item, lambda project: [])
    with monkeypatch.context() as patch:
        patch.setattr(core, "_subscribers", [])
        for move, by in (
            (Move.SUBMIT_OBJECTIVE, people.planner),
            (Move.PASS_OBJECTIVE, people.supervisor),
            (Move.APPROVE_PLAN, people.management),
        ):
            project_move(project, move=move, by=by, reason="as agreed")
    project.refresh_from_db()
    return project


@pytest.fixture
def table():
    return make_table()


@pytest.fixture
def upload(ready_project, people):
    """Upload, detect, confirm and check a table."""

    def run(table: Table, name: str = "visits.csv"):
        dataset = dataset_upload(
            first_table(ready_project), content=io.BytesIO(table.content), name=name, by=people.executor
        )
        job_run(latest_job(ready_project, "datasets.detect", dataset.pk).pk)
        dataset_confirm(datasets_of(ready_project).get(pk=dataset.pk), by=people.executor)
        job_run(latest_job(ready_project, "datasets.check", dataset.pk).pk)
        dataset = datasets_of(ready_project).get(pk=dataset.pk)
        assert dataset.is_ready, dataset.refused_text
        return dataset

    return run


@pytest.fixture
def scan(ready_project, people):
    """Scan the current data set to the end."""

    def run():
        round_ = scan_start(first_table(ready_project), by=people.executor)
        job = job_run(latest_job(ready_project, "identification.scan", round_.pk).pk)
        assert job.status == "succeeded", job.error_text
        return selectors.current_round(ready_project)

    return run


@pytest.fixture
def scanned(upload, scan, table):
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
