"""A project by the phases of T/ISC 0078: the same states, the same log."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import translation

from approvals.documents.models import Document
from projects.core.models import Project
from projects.core.phases.selectors import phases_of
from projects.core.services import project_move
from projects.objective.enums import PLAN_JOB
from projects.workflow import PHASES, STATES, TERMINAL, Move, Phase, Stage, State
from tests.approvals.documents.printed import print_waiting
from tests.projects.verification.stories import measurable

pytestmark = pytest.mark.django_db
BACKEND = "deid_portal.accounts.backends.AccountBackend"


def test_every_state_in_which_somebody_works_is_of_a_phase():
    placed = {state for state, row in STATES.items() if row.phase is not None}
    assert {*State} - placed == {*TERMINAL, State.SUSPENDED}


def test_the_phases_follow_each_other_as_the_states_do():
    phases = [row.phase for row in STATES.values() if row.phase is not None]
    assert phases == sorted(phases, key=[*Phase].index)
    assert {*PHASES} - {*phases} == {Phase.MANAGEMENT}
    assert PHASES[Phase.REVIEW].stages == [Stage.VERIFICATION, Stage.RELEASE]


def states(project):
    return {passed.row.phase: passed.state for passed in phases_of(project)}


def test_a_new_project_has_its_needs_analysed(project):
    found = states(project)
    assert found.pop(Phase.NEEDS) == "current"
    assert found.pop(Phase.MANAGEMENT) == "beside"
    assert {*found.values()} == {"next"}


@pytest.fixture
def returned(people):
    """Verified once, and sent back to processing."""
    project = measurable(people).fresh()
    project_move(project, move=Move.BACK_TO_PROCESSING, by=people.executor, reason="coarser")
    return Project.objects.get(pk=project.pk)


def test_what_runs_again_is_current_and_what_follows_is_to_come(returned):
    found = {passed.row.phase: passed for passed in phases_of(returned)}
    assert [found[phase].state for phase in Phase] == ["done", "done", "current", "next", "next", "beside"]
    assert found[Phase.PROCESSING].times == 2
    assert found[Phase.PROCESSING].left is None
    assert found[Phase.EVALUATION].left is not None


def test_each_record_has_time_handler_measure_and_result(returned, people):
    found = {passed.row.phase: passed for passed in phases_of(returned)}
    (last,) = found[Phase.EVALUATION].steps
    assert (last.handler, last.reason, last.result) == (str(people.executor), "coarser", State.PROCESSING)
    assert last.measure
    moves = [step.result for passed in found.values() for step in passed.steps]
    assert moves.count(State.VERIFICATION) == 1
    # The plan is handed on by who analysed the needs, and decided on in the phase of the scheme.
    assert [step.result for step in found[Phase.NEEDS].steps] == [State.OBJECTIVE_REVIEW]
    assert [step.result for step in found[Phase.SCHEME].steps] == [State.PLAN_APPROVAL, State.IDENTIFICATION]


def test_a_suspended_project_stays_in_its_phase_and_a_withdrawn_one_in_none(project, people):
    project_move(project, move=Move.SUSPEND, by=people.supervisor, reason="leak")
    assert states(Project.objects.get(pk=project.pk))[Phase.NEEDS] == "current"
    project_move(Project.objects.get(pk=project.pk), move=Move.RESUME, by=people.supervisor, reason="none")
    resumed = phases_of(Project.objects.get(pk=project.pk))[0]
    assert (resumed.state, resumed.left, resumed.times) == ("current", None, 1)
    project_move(Project.objects.get(pk=project.pk), move=Move.WITHDRAW, by=people.planner, reason="void")
    gone = Project.objects.get(pk=project.pk)
    assert "current" not in states(gone).values()
    assert states(gone)[Phase.NEEDS] == "done"


def test_page_and_endpoint_say_the_same(client, returned, people):
    client.force_login(people.auditor, backend=BACKEND)
    print_waiting(PLAN_JOB)
    page = client.get(reverse("core:phases", args=[returned.pk]), headers={"accept-language": "en"})
    shown = page.content.decode()
    answered = client.get(reverse("api:project-phases", args=[returned.pk])).json()
    assert [one["phase"] for one in answered] == [*Phase]
    with translation.override("en"):
        for passed, one in zip(phases_of(returned), answered, strict=True):
            assert str(passed.row.phase.label) in shown
            assert one["state"] == passed.state
            assert [step["result"] for step in one["steps"]] == [step.result for step in passed.steps]
            assert one["documents"] == [document.number for document in passed.documents]
            assert all(document.filename in shown for document in passed.documents)
    assert "begun 2 times" in shown
    assert str(people.executor) in shown


def test_a_document_stands_in_the_phase_that_ran_when_it_was_made(returned):
    print_waiting(PLAN_JOB)
    made = {passed.row.phase: len(passed.documents) for passed in phases_of(returned) if passed.documents}
    assert made == {Phase.PROCESSING: Document.objects.count()}
    assert Document.objects.exists()
