"""A checklist of the organisation is answered where a stage is reviewed, and stands against what does not hold."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone, translation

from approvals.audit.recording import recording
from approvals.decisions import events
from approvals.decisions.models import ChecklistRecord, ItemAnswer, Review, ReviewOutcome
from approvals.documents.models import Document
from approvals.governance.verdict import Refused
from deid_portal.organisation.checklists.lists import checklist_decide, checklist_now, checklist_propose
from deid_portal.organisation.checklists.shipped import shipped
from projects.monitoring.checklists.items import Answer, Answers, Item
from projects.monitoring.services import stage_review_record
from projects.objective.enums import APPROVAL_JOB
from projects.workflow import Stage, State
from tests.approvals.documents.printed import needs_poppler, print_waiting, text_of
from tests.projects.objective.steps import decide, fill, fresh, submit

pytestmark = pytest.mark.django_db

ITEMS = [
    Item("法律依据齐全", "The grounds are complete", "5.2.2 a", True),
    Item("目的明确", "The purpose is clear", "5.2.2 e", True),
    Item("措辞清楚", "The wording is clear", "5.2.4", False),
]
HOLDS, FAILS, NOT = Answer("holds"), Answer("fails", "it is not"), Answer("not_applicable", "no such data")
OPEN = Answer()


def in_force(people: Any, items: Any = None, stage: Stage = Stage.OBJECTIVE) -> Any:
    version = checklist_propose(stage, ITEMS if items is None else items, reason="ours", by=people.planner)
    checklist_decide(version, accept=True, reason="agreed", by=people.administrator)
    return version


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


@pytest.fixture
def submitted(project, people):
    project = fill(project, people)
    submit(project, people)
    return fresh(project)


def reviewed(
    project: Any, people: Any, *given: Answer, outcome: str = "passed", of: str | None = None
) -> Review:
    now = checklist_now(Stage.OBJECTIVE)
    answers = Answers(now.hash if of is None else of, given) if given else None
    return stage_review_record(
        fresh(project),
        object="the plan",
        time=timezone.now(),
        process="read",
        result="sound",
        measures="none",
        outcome=ReviewOutcome(outcome),
        answers=answers,
        by=people.supervisor,
    )


def refused(project: Any, people: Any, *given: Answer, **more: Any) -> Any:
    with pytest.raises(Refused) as error:
        reviewed(project, people, *given, **more)
    assert not ChecklistRecord.objects.exists()
    assert fresh(project).state == State.OBJECTIVE_REVIEW
    return error.value.verdict


def test_without_a_checklist_a_review_is_what_it_was(submitted, people):
    assert not hasattr(reviewed(submitted, people), "checklist")
    assert fresh(submitted).state == State.PLAN_APPROVAL


def test_what_holds_or_is_not_applicable_passes_and_is_kept(submitted, people):
    version = in_force(people)
    record = reviewed(submitted, people, HOLDS, NOT, FAILS).checklist
    assert fresh(submitted).state == State.PLAN_APPROVAL
    assert (record.version, record.checklist_hash, record.against) == (1, version.content_hash, 0)
    assert [(row["en"], row["answer"], row["reason"]) for row in record.rows] == [
        ("The grounds are complete", "holds", ""),
        ("The purpose is clear", "not_applicable", "no such data"),
        ("The wording is clear", "fails", "it is not"),
    ]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((OPEN, HOLDS, HOLDS), "1 “The grounds are complete” (no answer)"),
        ((HOLDS, FAILS, HOLDS), "2 “The purpose is clear” (it is not)"),
        ((), "2 “The purpose is clear” (no answer)"),
    ],
)
def test_an_obligatory_item_stands_against_passing_with_its_reason(submitted, people, given, said):
    in_force(people)
    verdict = refused(submitted, people, *given)
    assert verdict.code == "checklist_against"
    assert said in verdict.text


def test_what_is_returned_may_leave_items_open(submitted, people):
    in_force(people)
    record = reviewed(submitted, people, FAILS, OPEN, OPEN, outcome="returned").checklist
    assert (record.against, record.review.outcome) == (2, "returned")


def test_what_does_not_hold_or_is_not_applicable_needs_a_reason(submitted, people):
    in_force(people)
    for bare in (Answer("fails", " "), Answer("not_applicable")):
        verdict = refused(submitted, people, HOLDS, HOLDS, bare)
        assert (verdict.code, verdict.params) == ("checklist_reason", {"numbers": "3"})
    assert refused(submitted, people, HOLDS, HOLDS, Answer("perhaps")).code == "checklist_answer"


def test_answers_to_another_version_are_refused_and_old_ones_stay(submitted, people):
    old = in_force(people)
    new = in_force(people, [*ITEMS, Item("新增", "Added", "5.1", True)])
    assert refused(submitted, people, HOLDS, HOLDS, HOLDS, of=old.content_hash).code == "checklist_changed"
    assert refused(submitted, people, HOLDS, HOLDS, HOLDS).code == "checklist_changed"
    record = reviewed(submitted, people, *[HOLDS] * 4).checklist
    in_force(people, ITEMS[:1])
    record.refresh_from_db()
    assert (record.version, record.checklist_hash, len(record.rows)) == (2, new.content_hash, 4)


def test_switched_off_it_is_asked_no_more(submitted, people):
    in_force(people)
    in_force(people, [])
    assert not checklist_now(Stage.OBJECTIVE).items
    reviewed(submitted, people)
    assert fresh(submitted).state == State.PLAN_APPROVAL


def test_the_checklist_of_another_stage_is_not_asked(submitted, people):
    in_force(people, stage=Stage.PROCESSING)
    reviewed(submitted, people)
    assert fresh(submitted).state == State.PLAN_APPROVAL


def test_the_database_lets_nothing_pass_against_an_item_and_keeps_what_was_answered(submitted, people):
    in_force(people)
    review = reviewed(submitted, people, HOLDS, HOLDS, HOLDS)
    for change in (
        lambda: ChecklistRecord.objects.filter(review=review).update(rows=[]),
        lambda: ChecklistRecord.objects.filter(review=review).delete(),
    ):
        with pytest.raises(IntegrityError), transaction.atomic(), recording(events.REVIEW_RECORDED, by=None):
            change()
    other = Review.objects.get(pk=review.pk)
    other.pk = None

    def against() -> None:
        with transaction.atomic(), recording(events.REVIEW_RECORDED, by=None):
            other.save(force_insert=True)
            ChecklistRecord.objects.create(
                project_id=other.project_id, review=other, version=1, checklist_hash="x", rows=[], against=1
            )

    with pytest.raises(IntegrityError, match="obligatory item"):
        against()


def test_on_the_page_of_the_review(submitted, people, client):
    in_force(people)
    client.force_login(people.supervisor)
    page = reverse("monitoring:review", args=[submitted.pk])
    shown = client.get(page, headers={"accept-language": "en"})
    form = shown.context["form"]
    sent = {name: form[name].value() for name in ("content", "object", "checklist_hash")}
    sent |= {f: "on" for f in form.fields if f.startswith("met-")}
    sent |= {"time": form["time"].value().strftime("%Y-%m-%dT%H:%M"), "outcome": "passed"}
    assert "The purpose is clear" in shown.content.decode()
    sent |= {"item-0": "holds", "item-1": "fails", "result": "x", "process": "y", "measures": "z"}
    answer = client.post(page, sent, headers={"accept-language": "en"})
    assert answer.status_code == 422
    assert "needs a reason: 2" in answer.content.decode()
    answer = client.post(page, sent | {"why-1": "it is not"}, headers={"accept-language": "en"})
    assert answer.status_code == 422
    assert "By the checklist it cannot pass: 2 “The purpose is clear” (it is not)" in answer.content.decode()
    assert client.post(page, sent | {"item-1": "holds"}).status_code == 302
    (review,) = Review.objects.filter(project_id=submitted.pk)
    assert [row["answer"] for row in review.checklist.rows] == ["holds", "holds", ""]
    record = client.get(reverse("monitoring:page", args=[submitted.pk]), headers={"accept-language": "en"})
    assert "The wording is clear" in record.content.decode()
    assert "no answer" in record.content.decode()
    chinese = client.get(
        reverse("monitoring:page", args=[submitted.pk]), headers={"accept-language": "zh-hans"}
    )
    assert "措辞清楚" in chinese.content.decode()


def test_all_answered_without_remarks_needs_no_text(submitted, people, client):
    in_force(people)
    client.force_login(people.supervisor)
    page = reverse("monitoring:review", args=[submitted.pk])
    form = client.get(page).context["form"]
    sent = {name: form[name].value() for name in ("content", "object", "checklist_hash")}
    sent |= {f: "on" for f in form.fields if f.startswith("met-")}
    sent |= {"time": form["time"].value().strftime("%Y-%m-%dT%H:%M"), "outcome": "passed"}
    sent |= {"item-0": "holds", "item-1": "holds"}
    assert client.post(page, sent).status_code == 422, "an item is left without an answer"
    assert client.post(page, sent | {"item-2": "holds"}).status_code == 302


def test_through_the_api(submitted, people, client):
    in_force(people)
    client.force_login(people.supervisor)
    asked = client.get(reverse("api:reviews-subject", args=[submitted.pk])).json()
    assert [one["clause"] for one in asked["checklist"]["items"]] == ["5.2.2 a", "5.2.2 e", "5.2.4"]
    sent = {
        "content": asked["content"],
        "object": "the plan",
        "time": timezone.now().isoformat(),
        "process": "read",
        "result": "sound",
        "measures": "none",
        "outcome": "passed",
    }
    address = reverse("api:reviews", args=[submitted.pk])
    answer = client.post(address, sent, content_type="application/json")
    assert answer.json()["code"] == "checklist_against"
    given = [{"answer": "holds"}, {"answer": "not_applicable", "reason": "none"}, {"answer": ""}]
    sent["checklist"] = {"hash": asked["checklist"]["hash"], "answers": given}
    made = client.post(address, sent, content_type="application/json")
    assert made.status_code == 201, made.content
    (kept,) = client.get(address).json()
    assert [one["answer"] for one in kept["checklist"]["items"]] == ["holds", "not_applicable", ""]
    assert kept["checklist"]["version"] == 1


@needs_poppler
def test_it_stands_in_the_document_of_the_approved_plan(submitted, people, tmp_path):
    in_force(people)
    reviewed(submitted, people, HOLDS, NOT, OPEN)
    decide(submitted, people)
    print_waiting(APPROVAL_JOB)
    said = {one.language: text_of(one, tmp_path) for one in Document.objects.filter(kind="plan_approval")}
    for wanted in (
        "Checklist of the organisation, version 1",
        "The purpose is clear",
        "no such data",
        "no answer",
    ):
        assert wanted in said["en"]
    assert "目的明确" in said["zh-hans"]


@pytest.mark.parametrize(
    "stage", [Stage.OBJECTIVE, Stage.IDENTIFICATION, Stage.PROCESSING, Stage.VERIFICATION]
)
def test_what_is_shipped_says_each_point_in_both_languages(stage):
    items = shipped(stage)
    assert len(items) >= 5
    assert any(item.obligatory for item in items)
    for item in items:
        assert item.zh != item.en
        assert item.clause
    assert set(ItemAnswer.values) == {"holds", "fails", "not_applicable"}
