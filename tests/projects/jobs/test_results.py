"""What each row that a job fills has in common."""

from __future__ import annotations

import pytest

from projects.jobs.models import JobResult

RESULTS = JobResult.__subclasses__()


def test_there_are_some():
    assert len(RESULTS) >= 3


@pytest.mark.parametrize("model", RESULTS)
def test_a_result_is_numbered_once_per_project_and_whole_or_absent(model):
    name = model._meta.model_name
    kept = {constraint.name for constraint in model._meta.constraints}
    assert {f"{name}_number_once_per_project", f"{name}_whole_or_absent"} <= kept
    assert model._meta.ordering == ("-number",)
    assert model.letter


def test_no_two_results_share_a_letter():
    assert len({model.letter for model in RESULTS}) == len(RESULTS)
