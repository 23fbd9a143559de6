"""Recipes and runs through the services: who may, when, and that no value of the data lies in any table."""

from __future__ import annotations

import json

import pytest
from django.apps import apps

from approvals.governance.verdict import Refused
from projects.core.services import project_move
from projects.datasets.tables.selectors import first_table
from projects.processing.models import Run
from projects.processing.recipes.services import recipe_save
from projects.processing.runs.services import run_start
from projects.vault.custody.routing import APP as CUSTODY
from projects.workflow import Move
from tests.projects.processing.conftest import NOTE, at_processing
from tests.projects.processing.recipes.test_recipes import refused

START = at_processing
OTHERS = ["planner", "supervisor", "management", "recipient", "auditor", "assessor", "outsider", "superuser"]


@pytest.mark.parametrize("who", OTHERS)
def test_only_the_executor_writes_and_runs(saved, processing, content, people, who):
    by = getattr(people, who)
    with pytest.raises(Refused):
        recipe_save(first_table(processing), content=content, by=by)
    with pytest.raises(Refused):
        run_start(processing, by=by)
    assert not Run.objects.exists()


def test_only_in_its_state(finished, processing, content, people):
    project_move(processing, move=Move.SUBMIT_PROCESSING, by=people.executor)
    with refused("wrong_state"):
        recipe_save(first_table(processing), content=content | {"title": "x"}, note=NOTE, by=people.executor)
    with refused("wrong_state"):
        run_start(processing, by=people.executor)


def test_no_value_of_the_data_lies_in_any_table(finished, processing, secrets, people):
    project_move(processing, move=Move.SUBMIT_PROCESSING, by=people.executor)
    parts = []
    for model in apps.get_models(include_auto_created=True):
        if model._meta.app_label == CUSTODY:
            continue  # of another database, where there is one
        for values in model._base_manager.values_list():
            parts.append(json.dumps([str(value) for value in values], ensure_ascii=False))
    text = "\n".join(parts)
    assert "出生日期" in text
    assert not [value for value in secrets if value in text]
