"""A degree of anonymisation below 1 (T/ISC 0078 C.2) stops a release that passes its targets, until management accepts it."""

from __future__ import annotations

import pytest
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from approvals.decisions.models import Decision, SignOff
from approvals.governance.verdict import Refused
from projects.objective.targets.risk import RiskTargets
from projects.releases.selectors import current_release
from projects.verification import events
from projects.verification.documents import SIGNED_KIND, report_document_context
from projects.verification.selectors import current_verification
from projects.verification.services import release_decide
from projects.verification.sign_off.answer import answer_of
from projects.workflow import State
from tests.fixtures import PASSWORD

from .stories import SmallStory

pytestmark = pytest.mark.django_db
WHY = "The recipient works in our own closed room, for one month"
INSIDE = ("planner", "executor", "supervisor", "management", "auditor", "assessor")


class LowStory(SmallStory):
    """Agreed on classes of two, where another organisation needs five."""

    def risk(self):
        return RiskTargets(
            k=2, measure="strict_average", max_risk=0.5, average_risk=0.4, strict_cap=0.5, overall_threshold=0.4,
            why="A small study.",
        )  # fmt: skip


def below(people) -> LowStory:
    story = LowStory(people)
    story.reach(State.RELEASE_APPROVAL)
    return story


START = below


@pytest.fixture
def low(story_at):
    return story_at(State.RELEASE_APPROVAL, below)


def address(project, name="verification:decide"):
    return reverse(name, kwargs={"project_id": project.pk})


def decision(project, **more):
    return {
        "decision": "approved",
        "secret": PASSWORD,
        "reason": "As agreed.",
        "content_hash": current_verification(project).content_hash,
        **more,
    }


def test_no_way_leads_past_the_reason(client, low, people):
    project = low.fresh()
    verification = current_verification(project)
    assert verification.passed
    assert 2 <= verification.degree_below.k < 5
    answer = answer_of(project, verification)
    assert (answer.code, answer.tone) == ("degree_below", "warn")
    client.force_login(people.management)
    page = client.get(address(project)).content.decode()
    assert "verdict--ok" not in page
    assert 'name="acceptance"' in page
    refused = client.post(address(project), decision(project, acceptance="  "))
    assert refused.status_code == 422
    api = address(project, "api:verification-decision")
    sent = client.post(api, decision(project), content_type="application/json")
    assert (sent.status_code, sent.json()["code"]) == (403, "degree_not_accepted")
    returned = {**decision(project, acceptance=WHY), "decision": "returned"}
    sent = client.post(api, returned, content_type="application/json")
    assert (sent.status_code, sent.json()["code"]) == (403, "nothing_to_accept")
    for acceptance in ("", " "):
        with pytest.raises(Refused, match="degree_not_accepted"):
            release_decide(
                project, decision=Decision.APPROVED, reason="x", acceptance=acceptance, by=people.management
            )
    assert low.fresh().state == State.RELEASE_APPROVAL
    assert SignOff.objects.get(subject_kind="release").acceptance is None


def test_who_signs_says_why_and_everybody_concerned_reads_it(client, low, people):
    project = low.fresh()
    client.force_login(people.management)
    assert client.post(address(project), decision(project, acceptance=WHY)).status_code == 302
    assert low.fresh().state == State.APPROVED
    signoff = SignOff.objects.get(subject_kind="release")
    assert signoff.acceptance == WHY
    assert AuditEvent.objects.get(action="signoff.decided", subject_kind="release").facts["acceptance"] == WHY
    report = report_document_context(current_verification(project), kind=SIGNED_KIND)
    assert WHY in report["degree_below"]
    low.release()
    for who in INSIDE:
        client.force_login(getattr(people, who))
        for name in ("verification:page", "verification:decide", "releases:page"):
            assert WHY in client.get(address(low.fresh(), name)).content.decode(), (who, name)
    release = current_release(low.fresh())
    received = {"release_id": release.pk}
    client.force_login(people.recipient)
    assert WHY in client.get(reverse("recipient:detail", kwargs=received)).content.decode()
    assert WHY in client.get(reverse("api:receive-detail", kwargs=received)).json()["degree_below"]
    for name in ("verification:page", "verification:decide"):
        assert client.get(address(project, name)).status_code == 404
    for who in ("outsider", "superuser", "administrator"):
        client.force_login(getattr(people, who))
        assert client.get(reverse("recipient:detail", kwargs=received)).status_code == 404
        assert client.get(address(project, "releases:page")).status_code == 404


def test_the_act_of_release_looks_again(low, people):
    """Whatever approved it: an approval that accepted nothing releases nothing; one of before the question still does."""
    project = low.fresh()
    release_decide(project, decision=Decision.APPROVED, reason="x", acceptance=WHY, by=people.management)
    low.fresh()
    low.sign_agreement()
    signoff = SignOff.objects.get(subject_kind="release")
    for acceptance, released in (("", False), (None, True)):
        with recording(events.VERIFICATION_JUSTIFIED, by=None, about=signoff, old=""):
            signoff.acceptance = acceptance
            signoff.save()
        if not released:
            with pytest.raises(Refused, match="evidence_missing"):
                low.release()
            assert current_release(low.fresh()) is None
    low.release()
    assert current_release(low.fresh()) is not None
