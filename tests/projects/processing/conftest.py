"""A project whose small table is judged column by column, reached through the services; the file is real CSV."""

from __future__ import annotations

import random

import pytest
from django.urls import reverse

from deid_portal.demo import story as demo
from projects.datasets.tables.selectors import first_table
from projects.identification.enums import ColumnRole
from projects.identification.selectors import current_round
from projects.identification.services import Given, scan_start, verdicts_give
from projects.processing.recipes.services import recipe_save
from projects.processing.recipes.suggestion import recipe_suggest
from projects.processing.runs.services import run_start
from projects.workflow import State

ROWS = 300
UNPREPARED = "Every column has one form by the data dictionary."
ROLES = {
    "姓名": (ColumnRole.DIRECT, "person_name"),
    "病历号": (ColumnRole.DIRECT, "medical_record"),
    "性别": (ColumnRole.QUASI, "gender"),
    "出生日期": (ColumnRole.QUASI, "birth_date"),
    "诊断": (ColumnRole.SENSITIVE, "diagnosis"),
    "费用": (ColumnRole.OTHER, "fee"),
}
NOTE = "as agreed with the clinic"


def make_csv(seed: int = 1) -> bytes:
    chance = random.Random(seed)
    lines = [",".join(ROLES)]
    for row in range(ROWS):
        name = (
            chance.choice("赵钱孙李周吴郑王陈杨")
            + chance.choice("伟芳娜敏静强磊洋艳勇")
            + chance.choice("平华文斌霞")
        )
        day = f"{chance.randint(1940, 1999)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
        lines.append(
            f"{name},BL{seed:02}{row:06},{chance.choice('男女')},{day},{chance.choice(['高血压', '糖尿病', '肺炎'])},"
            f"{chance.randint(20, 900)}.50"
        )
    return ("\n".join(lines) + "\n").encode()


class SmallStory(demo.Story):
    """The demo's story over the small table."""

    def judge(self) -> None:
        round_ = current_round(self.project)
        given = [
            Given(c, role, kind, "assessed for this test, see the plan") for c, (role, kind) in ROLES.items()
        ]
        verdicts_give(round_, given, by=self.people["executor"])

    def rescan(self) -> None:
        scan_start(first_table(self.project), by=self.people["executor"])
        self.run_jobs()


@pytest.fixture
def source() -> bytes:
    return make_csv()


@pytest.fixture
def secrets(source) -> list[str]:
    """Values of the file that no page, log or table may show: names and record numbers."""
    return [cell for line in source.decode().splitlines()[1:] for cell in line.split(",")[:2]]


def small_story(people) -> SmallStory:
    return SmallStory(vars(people), "Visits for a study", make_csv(), file_name="visits.csv", documents=False)


def at_processing(people) -> SmallStory:
    """In the state PROCESSING, without a recipe."""
    story = small_story(people)
    story.reach(State.PROCESSING)
    return story


@pytest.fixture
def story(story_at):
    return story_at(State.PROCESSING, small_story)


@pytest.fixture
def processing(story, own_start):
    """In the state PROCESSING, without a recipe."""
    return story.project if own_start and own_start.story else story.reach(State.PROCESSING)


@pytest.fixture
def content(processing):
    """A recipe that fits the verdicts, of which somebody has said why it prepares nothing."""
    return recipe_suggest(first_table(processing)) | {"unprepared": UNPREPARED}


@pytest.fixture
def saved(processing, content, people):
    return recipe_save(first_table(processing), content=content, by=people.executor)


@pytest.fixture
def started(saved, processing, people):
    """A run whose job waits for a worker."""
    run, _job = run_start(processing, by=people.executor)
    return run


@pytest.fixture
def finished(started, story):
    story.run_jobs()
    started.refresh_from_db()
    assert started.status == "succeeded"
    return started


@pytest.fixture
def address(processing):
    return reverse("processing:recipe", args=[processing.pk])


@pytest.fixture
def executor(client, people):
    client.force_login(people.executor)
    client.post(reverse("set_language"), {"language": "en", "next": "/"})
    return client
