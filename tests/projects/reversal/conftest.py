"""A run that encrypts and replaces in every reversible way, in an approved project over the small table."""

from __future__ import annotations

import csv
import io
from types import SimpleNamespace

import pytest

from projects.core.models import Project
from projects.datasets.tables.selectors import first_table
from projects.processing.models import Run
from projects.processing.recipes.services import recipe_save
from projects.processing.runs.selectors import result_open
from projects.processing.runs.services import run_start
from projects.workflow import State
from tests.projects.processing.conftest import SmallStory, make_csv

WAYS = {
    "姓名": "mapping_table",
    "病历号": "decryption",
    "性别": "decryption",
    "诊断": "recomputation",
    "费用": "decryption",
}
CONTENT = {
    "recipe": 1,
    "order": "kept",
    "title": "everything can be got back",
    "unlisted": "refuse",
    "steps": [
        {"technique": "suppression.remove_column", "columns": ["出生日期"]},
        {"technique": "pseudonymization.random", "columns": ["姓名"]},
        {
            "technique": "encryption.format_preserving",
            "columns": ["病历号"],
            "parameters": {"alphabet": "upper36"},
        },
        {"technique": "encryption.deterministic", "columns": ["性别"]},
        {"technique": "pseudonymization.keyed_hash", "columns": ["诊断"]},
        {
            "technique": "encryption.order_preserving",
            "columns": ["费用"],
            "parameters": {"minimum": 0.0, "maximum": 1000.0, "decimals": 1},
        },
    ],
}


class TwoRuns(SmallStory):
    """Before the run that is approved, one that can be turned back in every way."""

    run: Run
    before: list[dict[str, str]]
    after: list[dict[str, str]]

    def process(self) -> None:
        executor = self.people["executor"]
        recipe_save(first_table(self.project), content=CONTENT, by=executor)
        self.run, _job = run_start(self.project, by=executor)
        self.run_jobs()
        self.run.refresh_from_db()
        super().process()


def reversible(people):
    """Approved; ``run`` is the first one, ``before`` and ``after`` are each row as it was and as that run made it."""
    data = make_csv()
    story = TwoRuns(vars(people), "Visits for a study", data, file_name="visits.csv", documents=False)
    story.reach(State.APPROVED)
    with result_open(story.run.tables.get()) as stream:
        story.after = list(csv.DictReader(io.StringIO(stream.read().decode("utf-8-sig"))))
    story.before = list(csv.DictReader(io.StringIO(data.decode())))
    return story


@pytest.fixture
def scenario(own_start):
    """What ``reversible`` gives a file that starts with it."""
    story, people = own_start.story, own_start.people
    project = Project.objects.get(pk=story.project.pk)
    story.run.project = project
    return SimpleNamespace(
        story=story, project=project, run=story.run, before=story.before, after=story.after, people=people
    )
