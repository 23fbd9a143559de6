"""Candidate runs are measured by the gate's own checks; the executor says which goes forward, and that is kept."""

from __future__ import annotations

import copy
import uuid

import pytest
from django.db import IntegrityError
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from approvals.governance.verdict import Refused
from projects.core.services import project_move
from projects.datasets.tables.selectors import first_table
from projects.jobs.models import Job
from projects.jobs.services import job_cancel
from projects.processing.models import RecipeVersion
from projects.processing.recipes.services import recipe_save
from projects.processing.runs.selectors import latest_run
from projects.processing.runs.services import run_start
from projects.verification import events
from projects.verification.comparison import pages as candidate_pages
from projects.verification.comparison.selectors import candidate_runs, may_compare
from projects.verification.comparison.services import candidate_choose, comparison_start
from projects.verification.documents import REPORT_KIND, report_document_context
from projects.verification.models import Comparison
from projects.workflow import Move, State
from tests.projects.verification.stories import SmallStory

pytestmark = pytest.mark.django_db
WHY = "most detail at a risk that is allowed"


def variant(story, **settings):
    """Another recipe of the same project, and its run."""
    content = copy.deepcopy(RecipeVersion.objects.filter(project=story.project).first().tables[""])
    model = next(step for step in content["steps"] if step["technique"] == "model.k_anonymity")
    model["parameters"] |= settings
    by = story.people["executor"]
    recipe_save(first_table(story.fresh()), content=content, note="another way", by=by)
    run, _job = run_start(story.fresh(), by=by)
    story.run_jobs()
    return run


@pytest.fixture
def two(people):
    """In the state PROCESSING, with a run that keeps the targets and one that keeps too much."""
    story = SmallStory(people)
    story.reach(State.PROCESSING)
    story.write_recipe()
    first, _job = run_start(story.fresh(), by=people.executor)
    story.run_jobs()
    second = variant(story, k=2, maximum_levels={"年龄": 0})
    return story, first, second


@pytest.fixture
def compared(two):
    story, first, second = two
    comparison, _job = comparison_start(
        story.fresh(), run_ids=[first.pk, second.pk], by=story.people["executor"]
    )
    story.run_jobs()
    comparison.refresh_from_db()
    return story, comparison, first, second


def url(story, name="candidates", **more):
    return reverse(f"verification:{name}", kwargs={"project_id": story.project.pk, **more})


def test_the_page_shows_chart_and_table_and_the_choice_is_made_on_it(compared, client, people):
    story, comparison, first, second = compared
    client.force_login(people.executor)
    page = client.get(url(story)).content.decode()
    assert page.count("<svg") > 1
    assert 'role="img"' in page
    for value in story.secret:
        assert value not in page
    answer = client.post(
        url(story, "choose", comparison_id=comparison.pk), {"run": str(first.pk), "reason": WHY}
    )
    assert (answer.status_code, answer.url) == (
        302,
        reverse("processing:page", kwargs={"project_id": story.project.pk}),
    )
    story.run_jobs()
    project = story.fresh()
    chosen = latest_run(project)
    assert chosen.recipe_version.number == 3
    assert chosen.recipe_version.content_hash == first.recipe_version.content_hash
    assert WHY in chosen.recipe_version.note
    first.refresh_from_db()
    assert chosen.tables.get().report["steps"] == first.tables.get().report["steps"], (
        "the same recipe and data give the same levels"
    )
    comparison.refresh_from_db()
    assert (comparison.chosen_run, comparison.chosen_by) == (first, people.executor)
    event = AuditEvent.objects.get(action="candidate.chosen")
    assert event.reason == WHY
    assert event.facts["run"] == first.number
    page = client.get(url(story)).content.decode()
    assert WHY in page
    assert candidate_pages.overview(story.fresh(), people.executor)["goes_on"] == chosen
    assert (
        reverse("processing:run_detail", kwargs={"project_id": story.project.pk, "run_id": chosen.pk}) in page
    )
    with pytest.raises(Refused) as refused:
        candidate_choose(comparison, run_id=second.pk, reason=WHY, by=people.executor)
    assert refused.value.verdict.code == "chosen_already"

    project_move(story.fresh(), move=Move.SUBMIT_PROCESSING, by=people.executor)
    story.fresh()
    story.review()
    context = report_document_context(story.measure(), kind=REPORT_KIND)["candidates"]
    assert [row.is_chosen for row in context["rows"]] == [True, False]
    assert context["comparison"] == comparison


def test_each_candidate_is_measured_by_the_gate_and_only_the_executor_chooses_with_a_reason(compared, people):
    story, comparison, first, second = compared
    sound, loose = comparison.results
    assert [sound["number"], loose["number"]] == [first.number, second.number]
    assert all(check["passed"] is True for check in sound["checks"])
    assert not all(check["passed"] is True for check in loose["checks"])
    assert sound["figures"]["overall"] < loose["figures"]["overall"]
    assert sound["figures"]["detail"]["年龄"] < loose["figures"]["detail"]["年龄"]
    assert sound["figures"]["detail"]["费用"] == 1.0, "a column that nothing touched keeps everything"
    assert comparison.content_hash
    for role in ("planner", "supervisor", "management", "auditor", "superuser"):
        by = getattr(people, role)
        with pytest.raises(Refused):
            comparison_start(story.fresh(), run_ids=[first.pk, second.pk], by=by)
        with pytest.raises(Refused):
            candidate_choose(comparison, run_id=first.pk, reason=WHY, by=by)
    for wrong in ({"run_id": first.pk, "reason": "  "}, {"run_id": uuid.uuid4(), "reason": WHY}):
        with pytest.raises(Refused):
            candidate_choose(comparison, **wrong, by=people.executor)
    with (
        pytest.raises(IntegrityError),
        recording(
            events.CANDIDATE_CHOSEN, by=people.executor, subject=comparison.subject, run=1, reason="none"
        ),
    ):
        Comparison.objects.filter(pk=comparison.pk).update(chosen_run=first, chosen_by=people.executor)


def test_one_run_is_no_comparison_and_a_cancelled_one_leaves_nothing(two, people):
    story, first, second = two
    with pytest.raises(Refused) as refused:
        comparison_start(story.fresh(), run_ids=[first.pk], by=people.executor)
    assert refused.value.verdict.code == "too_few_candidates"
    comparison, job = comparison_start(story.fresh(), run_ids=[first.pk, second.pk], by=people.executor)
    assert may_compare(people.executor, story.fresh()).code == "comparison_under_way"
    job_cancel(Job.objects.get(pk=job.pk), by=people.executor)
    comparison.refresh_from_db()
    assert comparison.ended_at
    assert not comparison.results
    assert may_compare(people.executor, story.fresh())
    assert candidate_pages.overview(story.fresh(), people.executor)["shown"] is None
    assert len(candidate_runs(story.project)) == 2


def test_the_api_says_and_does_the_same(compared, client, people):
    story, comparison, _first, second = compared
    client.force_login(people.executor)
    where = {"project_id": story.project.pk}
    listed = client.get(reverse("api:verification-comparisons", kwargs=where)).json()
    rows = listed["results"] if isinstance(listed, dict) else listed
    assert rows[0]["results"][0]["figures"]["k"] == comparison.results[0]["figures"]["k"]
    answer = client.post(
        reverse("api:verification-comparison-choice", kwargs={**where, "comparison_id": comparison.pk}),
        {"run": str(second.pk), "reason": WHY},
        content_type="application/json",
    )
    assert answer.status_code == 200
    assert answer.json()["chosen_run"] == str(second.pk)
    assert latest_run(story.fresh()) == second, "the current result needs no other run"
