"""A remedy by one click: back, into the recipe, run and measured as a trial; all of it or nothing, each step by its own rule."""

from __future__ import annotations

import pytest
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.jobs.models import Job
from projects.jobs.services import job_cancel
from projects.processing.models import RecipeVersion, Run
from projects.processing.recipes.selectors import current_recipe
from projects.processing.rules import ProcessingReason
from projects.processing.runs.services import run_start
from projects.verification.models import Trial, Verification
from projects.verification.remedies import services
from projects.verification.remedies.services import may_carry_out, remedy_carry_out
from projects.workflow import State
from tests.projects.verification.stories import SmallStory

from .test_remedies import back, weak

pytestmark = pytest.mark.django_db


@pytest.fixture
def failed(people):
    story = SmallStory(people, change=weak)
    story.reach(State.VERIFICATION)
    return story, story.measure()


def state(story):
    return (
        story.fresh().state,
        RecipeVersion.objects.count(),
        Run.objects.count(),
        Trial.objects.count(),
        AuditEvent.objects.count(),
    )


def test_one_click_returns_takes_runs_and_measures(failed, people, client):
    story, verification = failed
    client.force_login(people.executor)
    page = client.get(
        reverse("verification:page", args=[story.project.pk]), headers={"accept-language": "en"}
    ).content.decode()
    address = reverse("verification:way_carry_out", args=[story.project.pk, verification.pk, 1])
    assert address in page
    assert "Take, run and measure" in page
    answer = client.post(address)
    assert answer.status_code == 302
    assert answer.url == reverse("verification:trials", args=[story.project.pk])
    assert story.fresh().state == State.PROCESSING
    trial = Trial.objects.get()
    assert (trial.run.recipe_version, trial.run.number) == (current_recipe(story.project), 2)
    assert trial.measured_at is None
    shown = client.get(answer.url)
    assert shown.context["job"].pk == trial.run.job_id
    story.run_jobs()
    trial = Trial.objects.get()
    assert trial.measured_at is not None
    assert trial.missed == 0, [one.kind for one in trial.results if one.passed is not True]
    # Nothing was handed over: the verification is still the one that did not pass.
    assert Verification.objects.get().passed is False
    assert story.fresh().state == State.PROCESSING
    log = list(AuditEvent.objects.order_by("pk").values_list("action", flat=True))
    steps = [
        "verification.way_taken",
        "recipe.saved",
        "run.started",
        "trial.planned",
        "run.succeeded",
        "trial.measured",
    ]
    assert set(steps) <= set(log)
    assert "verification.way_carried_out" in log


def test_from_processing_it_goes_on_from_there(failed, people):
    story, verification = failed
    back(story)
    verification = Verification.objects.get(pk=verification.pk)
    version, trial = remedy_carry_out(verification, number=1, by=people.executor)
    assert (version.number, trial.run.number) == (2, 2)


def test_all_or_nothing(failed, people, monkeypatch):
    story, verification = failed
    before = state(story)

    def refuse(*_given, **_named):
        services.deny(ProcessingReason.ALREADY_RUNNING).require()

    monkeypatch.setattr(services, "run_start", refuse)
    with pytest.raises(Refused):
        remedy_carry_out(verification, number=1, by=people.executor)
    assert state(story)[:4] == before[:4]


@pytest.mark.parametrize("number", [0, 99])
def test_only_what_passes(failed, people, number):
    story, verification = failed
    before = state(story)
    with pytest.raises(Refused):
        remedy_carry_out(verification, number=number, by=people.executor)
    assert state(story)[:4] == before[:4]


def test_nobody_but_the_executor_and_only_while_it_holds(failed, people):
    _story, verification = failed
    for role in ("planner", "supervisor", "management"):
        with pytest.raises(Refused):
            remedy_carry_out(verification, number=1, by=getattr(people, role))
    version, trial = remedy_carry_out(verification, number=1, by=people.executor)
    again = Verification.objects.get(pk=verification.pk)
    assert not may_carry_out(people.executor, again)
    with pytest.raises(Refused):
        remedy_carry_out(again, number=1, by=people.executor)
    assert (version.number, trial.number) == (2, 1)


def test_a_run_that_ends_without_a_result_ends_its_trial(failed, people):
    story, verification = failed
    _version, trial = remedy_carry_out(verification, number=1, by=people.executor)
    job_cancel(Job.objects.get(pk=trial.run.job_id), by=people.executor)
    story.run_jobs()
    trial = Trial.objects.get()
    assert (trial.measured_at, trial.job_id) == (None, None)
    assert trial.ended_at is not None
    # Another run has nothing to do with it.
    run_start(story.fresh(), by=people.executor)
    story.run_jobs()
    assert Trial.objects.count() == 1
