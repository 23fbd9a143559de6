"""Work that was sent back: it is answered before it goes on, and its reason stands where the work is done."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from approvals.audit.models import AuditEvent
from approvals.audit.proof import state_faults
from approvals.audit.recording import recording
from approvals.decisions.events import SIGNOFF_REQUESTED
from approvals.decisions.models import Decision, Justification, ReviewOutcome, SignOff
from approvals.decisions.services import review_record
from approvals.governance.verdict import Refused
from approvals.request_cache import close_cache
from projects.core.models import Notification
from projects.core.pages import stage_context
from projects.core.returns import unexplained
from projects.core.services import project_move
from projects.core.tasks_registry import tasks_of
from projects.datasets.tables.selectors import first_table
from projects.identification.models import ColumnVerdict
from projects.identification.selectors import report_subject, rounds_now, verdicts_of
from projects.monitoring.services import stage_review_record
from projects.objective.selectors import plan_latest
from projects.objective.services import objective_decide
from projects.processing.recipes.services import recipe_save
from projects.processing.recipes.suggestion import recipe_suggest
from projects.processing.runs.selectors import latest_run, run_subject
from projects.processing.runs.services import run_start
from projects.verification.documents import REPORT_KIND, report_document_context
from projects.verification.selectors import content_hash_now, current_verification, latest_verification
from projects.verification.services import release_decide
from projects.verification.sign_off.answer import answer_of
from projects.workflow import Move, Stage, State

from . import stories

pytestmark = pytest.mark.django_db

START = stories.waiting

REASON = "The regions are still too fine for this purpose."
WHY = "The study compares districts; the committee of 12 March asked for exactly this level of detail."


def return_release(story, people):
    release_decide(story.fresh(), decision=Decision.RETURNED, reason=REASON, by=people.management)
    return story.fresh()


def review(story, people, outcome=ReviewOutcome.RETURNED):
    stage_review_record(
        story.fresh(),
        object="the submitted work",
        time=timezone.now(),
        process="compared with the data dictionary",
        result=REASON,
        measures="none",
        outcome=outcome,
        by=people.supervisor,
    )
    return story.fresh()


def read(client, name, project, **kwargs):
    answer = client.get(reverse(name, kwargs={"project_id": project.pk, **kwargs}))
    assert answer.status_code == 200, name
    return answer.content.decode()


def test_a_returned_result_does_not_come_back_as_it_was(waiting, people):
    project = return_release(waiting, people)
    answer = answer_of(project, latest_verification(project))
    assert (answer.code, answer.tone) == ("returned", "fail")
    assert REASON.rstrip(".") in answer.lead
    with pytest.raises(Refused) as refused:
        project_move(project, move=Move.SUBMIT_PROCESSING, by=people.executor)
    assert refused.value.verdict.code == "return_unexplained"
    assert REASON in refused.value.verdict.text
    assert waiting.fresh().state == State.PROCESSING
    # Everything else is there, as it was when it came back.
    rows = stage_context(project, people.executor, Stage.PROCESSING)["check_rows"]
    assert [row["state"] for row in rows] == ["todo"] + ["done"] * (len(rows) - 1)
    assert stage_context(project, people.supervisor, Stage.PROCESSING)["check_rows"][0]["state"] == "waiting"


def test_running_the_same_recipe_again_is_no_change(waiting, people):
    project = return_release(waiting, people)
    run_start(project, by=people.executor)
    waiting.run_jobs()
    with pytest.raises(Refused, match="return_unexplained"):
        project_move(waiting.fresh(), move=Move.SUBMIT_PROCESSING, by=people.executor)


def test_a_justification_is_kept_audited_and_hashed(client, waiting, people):
    project = return_release(waiting, people)
    before = current_verification(project).content_hash
    processed = run_subject(latest_run(project)).hash
    project_move(project, move=Move.SUBMIT_PROCESSING, by=people.executor, justification=WHY)
    row = Justification.objects.get(project_id=project.pk)
    assert (row.text, row.given_by, row.signoff.reason) == (WHY, people.executor, REASON)
    assert AuditEvent.objects.get(action="return.justified", project_id=project.pk).reason == WHY
    project = waiting.fresh()
    verification = current_verification(project)
    assert run_subject(latest_run(project)).hash != processed
    assert verification.content_hash not in ("", before)
    assert verification.content_hash == content_hash_now(verification, verification.run)
    assert not state_faults()
    # The reviewer sees both first, then the signer.
    client.force_login(people.supervisor)
    page = read(client, "monitoring:review", project)
    assert REASON in page
    assert WHY in page
    assert page.index(WHY) < page.index('id="review"')
    review(waiting, people, ReviewOutcome.PASSED)
    project_move(waiting.fresh(), move=Move.SUBMIT_VERIFICATION, by=people.executor)
    project = review(waiting, people, ReviewOutcome.PASSED)
    assert project.state == State.RELEASE_APPROVAL
    answer = answer_of(project, latest_verification(project))
    assert (answer.code, answer.tone) == ("justified", "warn")
    client.force_login(people.management)
    page = read(client, "verification:decide", project)
    assert page.index(WHY) < page.index('id="use"')
    assert "verdict--ok" not in page
    release_decide(project, decision=Decision.APPROVED, reason="Convincing.", by=people.management)
    assert SignOff.objects.get(decision="approved", subject_kind="release").subject_hash != before


def test_a_second_return_wants_a_second_justification(waiting, people):
    project = return_release(waiting, people)
    project_move(project, move=Move.SUBMIT_PROCESSING, by=people.executor, justification=WHY)
    review(waiting, people)
    with pytest.raises(Refused, match="return_unexplained"):
        project_move(waiting.fresh(), move=Move.SUBMIT_PROCESSING, by=people.executor)
    project_move(
        waiting.fresh(), move=Move.SUBMIT_PROCESSING, by=people.executor, justification=WHY + " Again."
    )
    assert Justification.objects.filter(project_id=project.pk).count() == 2


def test_changed_work_needs_none_and_is_shown_as_changed(client, waiting, people):
    project = return_release(waiting, people)
    content = recipe_suggest(first_table(project))
    content["title"] = "coarser regions"
    recipe_save(first_table(project), content=content, note="coarser", by=people.executor)
    run_start(waiting.fresh(), by=people.executor)
    waiting.run_jobs()
    close_cache()
    rows = stage_context(waiting.fresh(), people.executor, Stage.PROCESSING)["check_rows"]
    assert rows[0]["state"] == "done"
    project_move(waiting.fresh(), move=Move.SUBMIT_PROCESSING, by=people.executor, justification="not needed")
    project = waiting.fresh()
    assert not Justification.objects.exists()
    client.force_login(people.supervisor)
    page = read(client, "monitoring:review", project)
    assert REASON in page
    assert "<ins>coarser regions</ins>" in page


def test_the_reason_stands_where_the_work_is_done(
    client, waiting, people, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        project = return_release(waiting, people)
    client.force_login(people.executor)
    for name in (
        "processing:page",
        "processing:recipe",
        "processing:recipe_text",
        "processing:solutions",
        "processing:scenes",
        "core:project",
    ):
        assert read(client, name, project).count(REASON) >= 1, name
    page = read(client, "processing:page", project)
    assert 'name="justification"' in page
    (task,) = [task for task in tasks_of(people.executor) if task.project == str(project)]
    assert REASON in str(task.hint)
    assert task.tone == "warn"
    # The supervisor, who passed it before, learns why it came back.
    notification = Notification.objects.filter(user=people.supervisor, action="project.return_release").get()
    assert notification.reason == REASON
    client.force_login(people.supervisor)
    assert REASON in client.get(reverse("core:notifications")).content.decode()


def test_pages_and_api_refuse_and_take_a_justification(client, waiting, people):
    project = return_release(waiting, people)
    client.force_login(people.executor)
    move = reverse("core:move", kwargs={"project_id": project.pk, "move": "submit_processing"})
    asked = client.post(move)
    assert asked.status_code == 422, "in the list of errors, with the field for it"
    assert 'name="justification"' in asked.content.decode()
    api = f"/api/projects/{project.pk}/moves/submit_processing/"
    refused = client.post(api, {}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (403, "return_unexplained")
    detail = client.get(f"/api/projects/{project.pk}/").json()
    assert [one["unchanged"] for one in detail["returns"]] == [True]
    assert any(offer["needs_justification"] for offer in detail["moves"])
    answer = client.post(api, {"justification": WHY}, content_type="application/json")
    assert answer.status_code == 200
    assert answer.json()["returns"][0]["justification"] == WHY


def test_the_database_refuses_what_was_returned_and_keeps_justifications(waiting, people):
    project = return_release(waiting, people)
    returned = SignOff.objects.get(project_id=project.pk, decision="returned")
    with recording(SIGNOFF_REQUESTED, by=None):
        again = SignOff.objects.create(
            project_id=project.pk,
            subject_kind=returned.subject_kind,
            subject_id=returned.subject_id,
            subject_hash=returned.subject_hash,
            submitted_by=people.executor,
        )
    again.decision, again.reason = "approved", "as it was"
    again.decided_by, again.decided_at = people.management, timezone.now()
    with pytest.raises(IntegrityError), transaction.atomic(), recording(SIGNOFF_REQUESTED, by=None):
        again.save()
    with recording(SIGNOFF_REQUESTED, by=None):
        again.delete()
    with pytest.raises(IntegrityError), transaction.atomic(), recording(SIGNOFF_REQUESTED, by=None):
        Justification.objects.create(
            project_id=project.pk, signoff=returned, text=WHY, given_by=people.management
        )
    project_move(project, move=Move.SUBMIT_PROCESSING, by=people.executor, justification=WHY)
    row = Justification.objects.get()
    row.text = "something else"
    with pytest.raises(IntegrityError), transaction.atomic(), recording(SIGNOFF_REQUESTED, by=None):
        row.save()
    with pytest.raises(IntegrityError), transaction.atomic(), recording(SIGNOFF_REQUESTED, by=None):
        row.delete()


def test_overrides_stand_before_reviewer_and_signer_on_page_paper_and_api(client, waiting, people):
    project = waiting.fresh()
    name = verdicts_of(first_table(project))["姓名"]
    with recording(SIGNOFF_REQUESTED, by=None):
        ColumnVerdict.objects.filter(pk=name.pk).update(
            role="other", overrules=[{"kind": "person_name", "rows": 600}], reason=WHY
        )
    verification = latest_verification(project)
    context = report_document_context(verification, kind=REPORT_KIND)
    assert [one.reason for one in context["overrides"]] == [WHY]
    client.force_login(people.management)
    for page in ("verification:page", "verification:decide"):
        text = read(client, page, project)
        assert text.index(WHY) < text.index('class="gate"'), page
    (found,) = client.get(f"/api/projects/{project.pk}/verification/{verification.pk}/").json()["overrides"]
    assert (found["column"], found["reason"]) == ("姓名", WHY)


def test_the_overview_names_every_review(client, waiting, people):
    project = waiting.fresh()
    for number in range(6):
        review_record(
            project_id=project.pk,
            stage=project.stage,
            subject=current_verification(project).subject,
            object=f"look {number}",
            time=timezone.now(),
            process="read",
            result="sound",
            measures="none",
            outcome=ReviewOutcome.RETURNED,
            submitted_by=people.executor,
            by=people.supervisor,
        )
    client.force_login(people.auditor)
    page = read(client, "core:project", project)
    assert all(f"look {number}" in page for number in range(6))
    assert page.count("<tr") >= 4 + 6


def test_a_missing_right_is_no_step_that_opens_later(client, waiting, people):
    project = waiting.fresh()
    client.force_login(people.planner)
    page = client.post(reverse("verification:measure", kwargs={"project_id": project.pk}))
    assert page.status_code == 403
    with translation.override("zh-hans"):
        assert str(_("You do not have access to this")) in page.content.decode()
    client.force_login(people.executor)
    page = client.post(reverse("verification:measure", kwargs={"project_id": project.pk}))
    with translation.override("zh-hans"):
        assert str(_("This step is not open")) in page.content.decode()


@pytest.fixture
def under_way(request, people):
    story = stories.SmallStory(people)
    story.reach(request.param)
    return story


@pytest.mark.parametrize(
    ("under_way", "submit", "work"),
    [
        (
            State.OBJECTIVE_REVIEW,
            Move.SUBMIT_OBJECTIVE,
            ("objective:page", "objective:plan_edit", "objective:scope"),
        ),
        (State.IDENTIFICATION_REVIEW, Move.SUBMIT_IDENTIFICATION, ("identification:page",)),
        (State.VERIFICATION_REVIEW, Move.SUBMIT_VERIFICATION, ("verification:page",)),
    ],
    indirect=["under_way"],
)
def test_every_stage_answers_its_returns(client, under_way, people, submit, work):
    project = review(under_way, people)
    who = people.planner if submit == Move.SUBMIT_OBJECTIVE else people.executor
    client.force_login(who)
    for name in work:
        assert REASON in read(client, name, project), name
    assert len(unexplained(project)) == 1
    with pytest.raises(Refused, match="return_unexplained"):
        project_move(project, move=submit, by=who)
    hashes = set(contents(under_way.fresh()))
    project_move(under_way.fresh(), move=submit, by=who, justification=WHY)
    project = under_way.fresh()
    assert not unexplained(project)
    assert set(contents(project)).isdisjoint(hashes)
    client.force_login(people.supervisor)
    assert WHY in read(client, "monitoring:review", project)
    review(under_way, people, ReviewOutcome.PASSED)


def contents(project):
    """The hash of what stands under review."""
    if project.stage == "objective":
        return [plan_latest(project).content_hash]
    if project.stage == "identification":
        return [report_subject(round_).hash for _table, round_ in rounds_now(project) if round_]
    return [current_verification(project).content_hash]


def test_a_plan_that_management_returned_names_the_reason_to_the_supervisor(
    people, django_capture_on_commit_callbacks
):
    story = stories.SmallStory(people)
    story.reach(State.PLAN_APPROVAL)
    with django_capture_on_commit_callbacks(execute=True):
        objective_decide(story.fresh(), decision=Decision.RETURNED, reason=REASON, by=people.management)
    notification = Notification.objects.filter(user=people.supervisor, action="project.return_plan").get()
    assert notification.reason == REASON
    with pytest.raises(Refused, match="return_unexplained"):
        project_move(story.fresh(), move=Move.SUBMIT_OBJECTIVE, by=people.planner)
    project_move(story.fresh(), move=Move.SUBMIT_OBJECTIVE, by=people.planner, justification=WHY)
    assert plan_latest(story.fresh()).content["justifications"][0]["justification"] == WHY
