"""A result is measured before it is handed over: as the gate would measure it, counted, and never in the place of a verdict."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils.translation import override

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.core.evidence import evidence_state
from projects.core.pages import pointers
from projects.core.services import project_move
from projects.jobs.models import Job
from projects.jobs.services import job_cancel
from projects.processing.runs.services import run_start
from projects.verification import events
from projects.verification.documents import REPORT_KIND, report_document_context
from projects.verification.models import Trial, Verification
from projects.verification.selectors import current_verification, latest_verification
from projects.verification.trials.pages import overview, tally, trials_said
from projects.verification.trials.selectors import trials_counted
from projects.verification.trials.services import may_try, trial_start, trials_of
from projects.workflow import Evidence, Move, Stage, State
from tests.projects.verification.stories import SmallStory

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(people):
    """In the state PROCESSING, with a result that nobody has reviewed."""
    story = SmallStory(people)
    story.reach(State.PROCESSING)
    story.write_recipe()
    run_start(story.fresh(), by=people.executor)
    story.run_jobs()
    return story


def tried(story):
    trial_start(story.fresh(), by=story.people["executor"])
    story.run_jobs()
    return trials_of(story.fresh()).first()


def test_a_trial_measures_what_the_verification_will(run):
    trial = tried(run)
    assert trial.measured_at is not None
    run.reach(State.VERIFICATION)
    verification = run.measure()
    assert [one.as_json() for one in trial.results] == [one.as_json() for one in verification.results]
    assert (trial.missed == 0) is verification.passed


def test_a_trial_is_no_verdict_and_nothing_that_is_signed(run, people):
    trial = tried(run)
    project = run.fresh()
    assert latest_verification(project) is None
    assert current_verification(project) is None
    assert not evidence_state(project, Evidence.GATE_PASSED).met
    assert project.state == State.PROCESSING
    assert not hasattr(trial, "passed")
    # Nor does it stand in for a verification once the project is there.
    run.reach(State.VERIFICATION)
    assert current_verification(run.fresh()) is None
    assert not evidence_state(run.fresh(), Evidence.GATE_PASSED).met
    assert not Verification.objects.exists()


def test_trials_are_in_the_log_and_counted_before_who_judges(run, people, client):
    assert pointers(run.fresh(), Stage.PROCESSING) == []
    tried(run)
    tried(run)
    trials = AuditEvent.objects.filter(action__startswith="trial.").order_by("pk")
    names = list(trials.values_list("action", flat=True))
    assert names == [events.TRIAL_STARTED, events.TRIAL_MEASURED] * 2
    assert pointers(run.fresh(), Stage.PROCESSING) == [], "the executor knows"
    project_move(run.fresh(), move=Move.SUBMIT_PROCESSING, by=people.executor)
    with override("en"):
        (said,) = pointers(run.fresh(), Stage.PROCESSING)
        assert "measured 2 times before handing over, of 1 result." in said.text
        assert trials_said(0, 0) == ""
    client.force_login(people.supervisor)
    page = client.get(reverse("monitoring:review", args=[run.project.pk])).content.decode()
    assert str(said.url) in page


def test_who_signs_hears_of_it_and_what_was_broken_off_measured_nothing(run, people, client):
    tried(run)
    trial_start(run.fresh(), by=people.executor)
    with override("en"):
        assert "measured 1 time before" in trials_said(*trials_counted(run.fresh()))
    job_cancel(Job.objects.get(pk=trials_of(run.fresh()).first().job_id), by=people.executor)
    run.run_jobs()
    with override("en"):
        said = trials_said(*trials_counted(run.fresh()))
        assert said == "The executor measured 1 time before handing over, of 1 result."
    project_move(run.fresh(), move=Move.SUBMIT_PROCESSING, by=people.executor)
    for step in (run.review, run.verify, run.review):
        run.project.refresh_from_db()
        step()
    assert run.fresh().state == State.RELEASE_APPROVAL
    with override("en"):
        (found,) = [one for one in pointers(run.fresh(), Stage.VERIFICATION) if one.text.startswith(said)]
    client.force_login(people.management)
    page = client.get(
        reverse("verification:decide", args=[run.project.pk]), headers={"accept-language": "en"}
    ).content.decode()
    assert said in page
    assert found.url in page
    with override("en"):
        paper = report_document_context(latest_verification(run.fresh()), kind=REPORT_KIND)
    assert found.text in paper["weigh"], "the report that is signed says what its page says"


@pytest.mark.parametrize("role", ["planner", "supervisor", "management"])
def test_only_the_executor_tries(run, people, role):
    with pytest.raises(Refused):
        trial_start(run.fresh(), by=getattr(people, role))


def test_one_at_a_time_and_only_of_a_result(people):
    story = SmallStory(people)
    story.reach(State.PROCESSING)
    assert may_try(people.executor, story.fresh()).code == "nothing_to_try"
    story.write_recipe()
    run_start(story.fresh(), by=people.executor)
    story.run_jobs()
    trial_start(story.fresh(), by=people.executor)
    assert may_try(people.executor, story.fresh()).code == "trial_under_way"
    job_cancel(Job.objects.get(kind="verification.try"), by=people.executor)
    story.run_jobs()
    trial = Trial.objects.get()
    assert (trial.measured_at, trial.content_hash) == (None, "")
    assert trial.ended_at is not None
    assert may_try(people.executor, story.fresh())


def test_the_page_says_what_was_measured_and_that_it_is_no_verdict(run, people, client):
    tried(run)
    address = reverse("verification:trials", args=[run.project.pk])
    for person in (people.executor, people.supervisor, people.management):
        client.force_login(person)
        answer = client.get(address, headers={"accept-language": "en"})
        assert answer.status_code == 200
        assert "it is not a verdict" in answer.content.decode()
        assert len(answer.context["gate"]) == len(Trial.objects.get().results)
    with override("en"):
        found = overview(run.fresh(), people.executor)
        assert found["is_current"]
        assert found["answer"] == tally(Trial.objects.get())


def test_few_statements(run, people, client, django_assert_max_num_queries):
    for _ in range(3):
        tried(run)
    client.force_login(people.executor)
    with django_assert_max_num_queries(21):
        client.get(reverse("verification:trials", args=[run.project.pk]))
    with django_assert_max_num_queries(21):
        client.get(reverse("processing:page", args=[run.project.pk]))
