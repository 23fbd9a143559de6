"""Time, processor, memory and space of a recipe are measured on samples before it is run (T/ISC 0078 7.4 b), and nothing of the
data is kept."""

from __future__ import annotations

import pytest
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.datasets.models import StoredFile
from projects.datasets.tables.selectors import dataset_now, first_table
from projects.jobs.models import Job
from projects.jobs.services import job_cancel, job_run
from projects.objective.plan.need.services import need_answer, need_raise
from projects.processing.models import LoadMeasurement, Run
from projects.processing.recipes.load import pages
from projects.processing.recipes.load.services import load_start, may_measure_load
from projects.processing.recipes.selectors import current_recipe
from projects.processing.recipes.services import recipe_save
from projects.processing.runs.services import run_start
from tests.projects.objective.plan.need.test_needs import said as said_of_need
from tests.projects.processing.conftest import at_processing

pytestmark = pytest.mark.django_db
START = at_processing


def url(project, name="load"):
    return reverse(f"processing:{name}", args=[project.pk])


@pytest.fixture
def written(story):
    story.write_recipe()
    return first_table(story.project)


def measured(written, story, people, rows):
    found, _job = load_start(written, rows=rows, by=people.executor)
    story.run_jobs()
    found.refresh_from_db()
    return found


def set_apart(story, people, **parameters):
    """The recipe with other parameters of its model, so that samples have a solution, or none."""
    recipe = current_recipe(story.project).part_of(first_table(story.project))
    model = next(one for one in recipe["steps"] if one["technique"].startswith("model."))
    model["parameters"] |= parameters
    recipe_save(first_table(story.project), content=recipe, note="for samples", by=people.executor)


def test_samples_are_measured_and_carried_over_to_the_whole_table(written, story, people):
    all_rows = dataset_now(written).rows
    wanted = all_rows // 2
    set_apart(story, people, suppression_limit=1.0)
    found = measured(written, story, people, wanted)
    samples, whole = found.result["samples"], found.result["whole"]
    assert [one["rows"] for one in samples] == [wanted // 4, wanted]
    assert whole["rows"] == all_rows
    for one in (*samples, whole):
        # So short a time may not grow with the rows; then nothing is said of it.
        assert (one is whole and one["seconds"] is None) or one["seconds"] > 0
        assert one["space"] >= one["result"] > 0
    assert whole["space"] > samples[-1]["space"]
    rows = pages.shown(found)["rows"]
    assert len(rows) == 3
    assert found.result["machine"]["free"] > 0


def test_a_table_with_fewer_rows_is_taken_whole(written, story, people):
    set_apart(story, people, suppression_limit=1.0)
    found = measured(written, story, people, 5_000_000)
    samples, whole = found.result["samples"], found.result["whole"]
    assert samples[-1] == whole
    assert whole["rows"] == dataset_now(written).rows
    assert len(pages.shown(found)["rows"]) == 2
    # What was measured on the whole is what the run then writes, but for the header's quotation of a name or two.
    run, _job = run_start(story.project, by=people.executor)
    story.run_jobs()
    result = run.tables.get().result
    assert whole["result"] == pytest.approx(result.size, rel=0.02)
    rows = pages.shown(found)["rows"]
    assert len(rows) == 3
    assert str(run.number) in rows[-1]["name"]


def test_nothing_is_left_but_figures(written, story, people):
    files, runs = set(StoredFile.objects.values_list("pk", flat=True)), Run.objects.count()
    found = measured(written, story, people, 400)
    assert set(StoredFile.objects.values_list("pk", flat=True)) == files
    assert Run.objects.count() == runs
    said = AuditEvent.objects.filter(action__startswith="load.").order_by("seq")
    assert [one.action for one in said] == ["load.started", "load.measured"]
    assert said[1].subject_hash == found.content_hash != ""


def test_where_a_smaller_sample_has_no_solution_one_is_measured(written, story, people):
    rows = dataset_now(written).rows
    set_apart(story, people, k=40, suppression_limit=0.0)
    found = measured(written, story, people, 5_000_000)
    assert [one["rows"] for one in found.result["samples"]] == [rows]
    # As it is said of a larger table, of which this one would be the sample.
    found.result["whole"] |= {"rows": 4 * rows}
    assert "无解" in pages.statements(found)[0]


def test_what_breaks_off_leaves_nothing(written, story, people):
    found, job = load_start(written, rows=400, by=people.executor)
    with pytest.raises(Refused) as refused:
        load_start(written, rows=400, by=people.executor)
    assert refused.value.verdict.code == "load_under_way"
    job_cancel(job, by=people.executor)
    found.refresh_from_db()
    assert found.ended_at is not None
    assert (found.measured_at, found.result) == (None, {})
    assert may_measure_load(people.executor, written)


def test_a_recipe_that_has_no_solution_in_a_sample_says_so(written, story, people):
    set_apart(story, people, k=40, suppression_limit=0.0)
    found, job = load_start(written, rows=100, by=people.executor)
    job_run(job.pk)
    found.refresh_from_db()
    job = Job.objects.get(pk=job.pk)
    assert (job.status, job.error_code) == ("failed", "load.sample_too_small")
    assert (found.measured_at, found.result) == (None, {})
    assert not StoredFile.objects.filter(scope__startswith="load:").exists()


@pytest.mark.parametrize("who", ["planner", "supervisor", "management", "auditor", "recipient", "outsider"])
def test_the_executor_alone_has_it_measured(written, people, who):
    with pytest.raises(Refused):
        load_start(written, rows=400, by=getattr(people, who))


def test_more_than_the_machine_has_is_said(written, story, people):
    found = measured(written, story, people, 400)
    assert pages.warnings(found) == []
    found.result["whole"] |= {"memory": found.result["machine"]["memory"] + 1, "space": 10**18}
    assert len(pages.warnings(found)) == 2


def test_page_and_api_show_the_same(written, story, people, client):
    client.force_login(people.executor)
    refused = client.post(url(story.project, "load_start"), {"rows": "12"})
    assert refused.status_code == 422
    assert client.post(url(story.project, "load_start"), {"rows": "400"}).status_code == 302
    story.run_jobs()
    found = LoadMeasurement.objects.get()
    page = client.get(url(story.project)).content.decode()
    for row in pages.shown(found)["rows"]:
        assert row["name"] in page
        assert row["space"] in page
    (answer,) = client.get(reverse("api:processing-loads", args=[story.project.pk])).json()
    assert answer["result"] == found.result
    assert answer["statements"] == pages.statements(found)


def test_the_page_has_what_the_need_says_of_load_and_cost(project, people):
    assert pages.stated(project) == []
    need_raise(project, need=said_of_need(resources="One machine for a night"), by=people.executor)
    need_answer(project, number=1, accept=True, reason="Agreed", by=people.planner)
    said = pages.stated(project)
    assert said[0]["hint"] == "T/ISC 0078 7.4 b"
    assert "One machine for a night" in [one["value"] for one in said]
