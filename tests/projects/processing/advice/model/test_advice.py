"""The conversation about the model: kept as evidence, and taken into the recipe in one click."""

from __future__ import annotations

import pytest
from django.db import IntegrityError
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from approvals.governance.verdict import Refused
from projects.datasets.tables.selectors import first_table
from projects.processing import events
from projects.processing.advice.model.services import may_take, model_advice_record
from projects.processing.advice.selectors import current_model_advice
from projects.processing.models import ModelAdviceRecord, RecipeVersion
from projects.processing.recipes.selectors import current_recipe
from projects.processing.runs.services import run_start
from tests.projects.processing.conftest import at_processing

pytestmark = pytest.mark.django_db
START = at_processing
POSTED = {"d-knows": "no", "d-sample": "yes", "d-harm": "medium", "c0-reveals": "yes", "c0-skewed": "no"}


@pytest.fixture
def open_project(story):
    return story.project


def url(project, name="model_advice"):
    return reverse(f"processing:{name}", kwargs={"project_id": project.pk})


def test_answers_become_advice_and_one_click_a_version_that_runs(
    client, story, open_project, people, secrets
):
    client.force_login(people.executor)
    page = client.get(url(open_project)).content.decode()
    assert "诊断" in page
    assert client.post(url(open_project), POSTED).status_code == 302
    record = current_model_advice(first_table(open_project))
    assert record.advice["attacker"] == "journalist"
    assert record.answers["columns"]["诊断"]["reveals"] is True
    assert record.facts["distinct"] == {"诊断": 3}
    page = client.get(url(open_project)).content.decode()
    assert record.content_hash[:8] in page
    for value in secrets:
        assert value not in page

    answer = client.post(url(open_project, "model_advice_take"))
    version = current_recipe(open_project)
    assert answer.url.endswith(f"/versions/{version.number}/")
    record.refresh_from_db()
    assert (record.taken_in, record.taken_by) == (version, people.executor)
    step = next(step for step in version.tables[""]["steps"] if step["technique"] == "model.l_diversity")
    assert step["parameters"]["sensitive"]["诊断"]["distinct"] == 3
    assert step["parameters"]["k"] == record.advice["settings"]["k"]
    assert {"model_advice.recorded", "model_advice.taken", "recipe.saved"} <= set(
        AuditEvent.objects.values_list("action", flat=True)
    )
    assert (
        may_take(
            people.executor, first_table(open_project), current_model_advice(first_table(open_project))
        ).code
        == "advice_taken"
    )
    run, _job = run_start(open_project, by=people.executor)
    story.run_jobs()
    run.refresh_from_db()
    assert run.status == "succeeded"


def test_the_same_answers_add_nothing_others_do(open_project, people):
    first = model_advice_record(first_table(open_project), answers={"knows": True}, by=people.executor)
    assert (
        model_advice_record(first_table(open_project), answers={"knows": True}, by=people.executor) == first
    )
    second = model_advice_record(first_table(open_project), answers={"knows": False}, by=people.executor)
    assert (first.number, second.number) == (1, 2)
    assert ModelAdviceRecord.objects.filter(project=open_project).count() == 2


def test_only_the_executor_while_it_is_processed_and_only_while_the_facts_hold(client, open_project, people):
    for role in ("planner", "supervisor", "management", "auditor"):
        with pytest.raises(Refused):
            model_advice_record(first_table(open_project), answers={}, by=getattr(people, role))
        client.force_login(getattr(people, role))
        assert client.get(url(open_project)).status_code == 200
        assert client.post(url(open_project, "model_advice_take")).status_code == 403
    client.force_login(people.outsider)
    assert client.get(url(open_project)).status_code == 404
    record = model_advice_record(first_table(open_project), answers={}, by=people.executor)
    record.facts["k"] += 1
    assert may_take(people.executor, first_table(open_project), record).code == "advice_outdated"
    with (
        pytest.raises(IntegrityError),
        recording(events.MODEL_ADVICE_TAKEN, by=people.executor, subject=record.subject, version=1),
    ):
        ModelAdviceRecord.objects.filter(pk=record.pk).update(taken_by=people.executor)


def test_the_api_does_the_same(client, open_project, people):
    client.force_login(people.executor)
    where = {"project_id": open_project.pk}
    answer = client.post(
        reverse("api:processing-model-advice", kwargs=where),
        {"knows": True, "columns": {"诊断": {"skewed": True}}},
        content_type="application/json",
    )
    assert answer.status_code == 201
    assert answer.json()["advice"]["technique"] == "model.t_closeness"
    taken = client.post(reverse("api:processing-model-advice-take", kwargs=where))
    assert taken.status_code == 201
    assert RecipeVersion.objects.filter(project=open_project).count() == 1
    wrong = client.post(
        reverse("api:processing-model-advice", kwargs=where),
        {"columns": {"诊断": {"reveals": "perhaps"}}},
        content_type="application/json",
    )
    assert wrong.status_code == 422
