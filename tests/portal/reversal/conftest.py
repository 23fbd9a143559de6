"""A run that encrypts and replaces in every reversible way, in an approved project over the small table."""

from __future__ import annotations

import csv
import io
from types import SimpleNamespace

import pytest
from django.db import transaction
from django.test import override_settings

from deid_portal.accounts.models import User
from projects.core.models import Project
from projects.datasets.tables.selectors import first_table
from projects.processing.models import Run
from projects.processing.recipes.services import recipe_save
from projects.processing.runs.selectors import result_open
from projects.processing.runs.services import run_start
from projects.workflow import State
from tests.portal.conftest import make_people
from tests.portal.processing.conftest import SmallStory, make_csv

WAYS = {
    "姓名": "mapping_table",
    "病历号": "decryption",
    "性别": "decryption",
    "诊断": "recomputation",
    "费用": "decryption",
}
CONTENT = {
    "recipe": 1,
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


class Rolled(Exception):
    """Ends the transaction."""


@pytest.fixture(scope="module")
def shared_scenario(django_db_setup, django_db_blocker, tmp_path_factory):
    """Told once for the module; what a test adds is undone after it."""
    with django_db_blocker.unblock(), override_settings(DEID_STORE_DIR=tmp_path_factory.mktemp("store")):
        try:
            with transaction.atomic():
                yield _tell(make_people())
                raise Rolled
        except Rolled:
            pass


@pytest.fixture
def scenario(shared_scenario, db):
    """The story, its run, and for each row what it was and what it became; the project is approved."""
    project = Project.objects.get(pk=shared_scenario.project.pk)
    people = SimpleNamespace(
        **{name: User.objects.get(pk=user.pk) for name, user in vars(shared_scenario.people).items()}
    )
    run = shared_scenario.run
    run.project = project
    return SimpleNamespace(**(vars(shared_scenario) | {"project": project, "people": people, "run": run}))


@pytest.fixture
def people(scenario):
    return scenario.people


class TwoRuns(SmallStory):
    """Before the run that is approved, one that can be turned back in every way."""

    run: Run

    def process(self) -> None:
        executor = self.people["executor"]
        recipe_save(first_table(self.project), content=CONTENT, by=executor)
        self.run, _job = run_start(self.project, by=executor)
        self.run_jobs()
        self.run.refresh_from_db()
        super().process()


def _tell(people):
    data = make_csv()
    story = TwoRuns(vars(people), "Visits for a study", data, file_name="visits.csv", documents=False)
    project = story.reach(State.APPROVED)
    with result_open(story.run.tables.get()) as stream:
        after = list(csv.DictReader(io.StringIO(stream.read().decode("utf-8-sig"))))
    before = list(csv.DictReader(io.StringIO(data.decode())))
    return SimpleNamespace(
        story=story, project=project, run=story.run, before=before, after=after, people=people
    )
