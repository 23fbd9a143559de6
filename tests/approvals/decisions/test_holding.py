"""An approval holds for exactly the content that it judged, until it lapses or another word is spoken about it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.utils import timezone

from approvals.decisions.models import Decision, ReviewOutcome, SignOff
from approvals.decisions.selectors import current_approval, open_signoff, passed_review
from approvals.decisions.services import (
    review_record,
    signoff_decide,
    signoff_lapse,
    signoff_request,
    signoffs_lapse_stale,
)
from approvals.governance.draft import Subject

pytestmark = pytest.mark.django_db
HASH, OTHER = "0" * 64, "0" * 63 + "1"


@pytest.fixture
def signed(project, people):
    """``ask``, ``decide`` and ``holds`` about one content of the project."""

    def ask(content=HASH, kind="plan"):
        return signoff_request(
            project_id=project.pk, subject=Subject(kind, "1", "it", content), by=people.planner
        )

    def decide(signoff, decision=Decision.APPROVED):
        return signoff_decide(signoff, decision=decision, reason="Seen.", by=people.management)

    def holds(content=HASH, kind="plan"):
        return current_approval(project.pk, kind=kind, content_hash=content)

    return SimpleNamespace(ask=ask, decide=decide, holds=holds)


def test_an_approval_holds_for_its_content_and_kind_alone(signed):
    approved = signed.decide(signed.ask())
    assert signed.holds() == approved
    assert signed.holds(OTHER) is None
    assert signed.holds(kind="release") is None


def test_a_lapsed_approval_holds_no_longer(signed, people):
    approved = signed.decide(signed.ask())
    signoff_lapse(approved, why="content changed", by=people.planner)
    assert signed.holds() is None


@pytest.mark.parametrize("decision", [Decision.RETURNED, Decision.REJECTED])
def test_no_other_word_is_an_approval(signed, decision):
    signed.decide(signed.ask(), decision)
    assert signed.holds() is None


def test_the_last_word_counts(signed):
    signed.decide(signed.ask())
    again = signed.ask()
    assert signed.holds() is None
    signed.decide(again, Decision.REJECTED)
    assert signed.holds() is None
    assert signed.decide(signed.ask()) == signed.holds()


def test_what_is_decided_or_has_lapsed_is_not_open(signed, project, people):
    asked = signed.ask()
    assert open_signoff(project.pk, "plan") == asked
    assert open_signoff(project.pk, "release") is None
    signoff_lapse(asked, why="content changed", by=people.planner)
    assert open_signoff(project.pk, "plan") is None
    signed.decide(signed.ask())
    assert open_signoff(project.pk, "plan") is None


@pytest.mark.parametrize("how", ["decided", "lapsed"])
def test_what_is_closed_is_not_decided_again(signed, people, how):
    asked = signed.ask()
    if how == "decided":
        signed.decide(asked, Decision.RETURNED)
    else:
        signoff_lapse(asked, why="content changed", by=people.planner)
    with pytest.raises(SignOff.DoesNotExist):
        signed.decide(asked)
    assert signed.holds() is None


def test_what_judged_other_content_lapses_and_nothing_else(signed, project, people):
    def lapse(current):
        return signoffs_lapse_stale(
            project_id=project.pk, kind="plan", current_hash=current, by=people.planner
        )

    release = signed.decide(signed.ask(kind="release"))
    signed.decide(signed.ask("2" * 64), Decision.RETURNED)
    approved = signed.decide(signed.ask())
    assert lapse(HASH) == 0
    assert signed.holds() == approved
    assert lapse(OTHER) == 1
    assert lapse(OTHER) == 0
    assert signed.holds() is None
    assert signed.holds(kind="release") == release


def test_a_review_passes_what_it_saw_until_the_next_one(project, people):
    def record(outcome, content=HASH):
        return review_record(
            project_id=project.pk, stage="objective", subject=Subject("plan", "1", "plan", content), object="o",
            time=timezone.now(), process="p", result="r", measures="m", outcome=outcome,
            submitted_by=people.planner, by=people.supervisor,
        )  # fmt: skip

    def passed(stage="objective", content=HASH):
        return passed_review(project.pk, stage=stage, content_hash=content)

    review = record(ReviewOutcome.PASSED)
    assert passed() == review
    assert passed(content=OTHER) is None
    assert passed(stage="identification") is None
    record(ReviewOutcome.RETURNED)
    assert passed() is None
