"""Recipients as part of what is signed: a new one, another purpose, a longer term; and terms that are accepted."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.demo.story import SCAN
from projects.core.services import member_add
from projects.core.tasks_registry import tasks_of
from projects.datasets.models import StoredFile
from projects.datasets.store.store import store_write
from projects.monitoring.models import Reassessment
from projects.releases.agreements.changes.services import change_decide, change_propose
from projects.releases.agreements.terms import SCAN_PURPOSE, Terms
from projects.releases.enums import ChangeOutcome, CheckInterval
from projects.releases.models import Agreement, RecipientChange
from projects.releases.rules import may_receive
from projects.releases.selectors import agreement_with, current_release
from projects.releases.services import agreement_end, agreement_record
from projects.workflow import Role
from tests.fixtures import PASSWORD
from tests.projects.releases import stories
from tests.projects.verification.test_signers import signers_set

START = stories.released


def scan() -> StoredFile:
    with store_write(SCAN_PURPOSE) as writer:
        writer.write(SCAN)
    return writer.stored


def terms(**changes) -> Terms:
    today = timezone.localdate()
    said = {
        "organisation": "School", "purpose": "A study of fees.", "signed_by": "Dean", "signed_on": today,
        "valid_until": today + timedelta(days=30), "check_months": CheckInterval.YEAR, "country": "CN",
        "fetch_approval": False,
    }  # fmt: skip
    return Terms(**said | changes)


def in_force(people) -> Terms:
    agreement = Agreement.objects.get(recipient=people.recipient, ended_at=None)
    return Terms(**{name: getattr(agreement, name) for name in Terms.model_fields})


def record(project, people, recipient, said: Terms) -> Agreement:
    prohibitions = ("prohibits_reidentification", "prohibits_linkage", "prohibits_onward_sharing")
    return agreement_record(
        project, recipient=recipient, **said.model_dump(), **dict.fromkeys(prohibitions, True), scan=scan(), by=people.planner
    )  # fmt: skip


def propose(project, people, recipient, said: Terms) -> RecipientChange:
    return change_propose(project, recipient=recipient, terms=said, scan=scan(), by=people.planner)


def decide(change, by, *, approve=True, reason="as planned", seen=None) -> RecipientChange:
    return change_decide(change, approve=approve, reason=reason, seen_hash=seen or change.content_hash, by=by)


def test_a_new_recipient_is_approved_accepts_the_terms_and_receives(released, people, client):
    project, outsider = released.project, people.outsider
    member_add(project, user=outsider, role=Role.RECIPIENT, by=people.planner)
    release = current_release(project)
    assert may_receive(outsider, release).code == "no_agreement"
    assert may_receive(people.recipient, release), "the others receive as before"
    with pytest.raises(Refused, match="needs_approval"):
        record(project, people, outsider, terms())
    # On the page the same form proposes it.
    client.force_login(people.planner)
    page = reverse("releases:agreement", args=[project.pk])
    sent = terms().model_dump(mode="json") | {
        "recipient": outsider.pk, "prohibits_reidentification": "on", "prohibits_linkage": "on",
        "prohibits_onward_sharing": "on", "file": SimpleUploadedFile("signed.pdf", SCAN),
    }  # fmt: skip
    change_page = client.post(page, sent).url
    change = RecipientChange.objects.get()
    assert (change.asks, change.outcome) == (["recipient"], ChangeOutcome.WAITING)
    assert client.post(change_page, {"decision": "approve"}).status_code == 403
    assert "Decide on the change of recipients" not in str(tasks_of(people.planner))
    # Senior management, with the password, about what is on the screen.
    client.force_login(people.management)
    shown = client.get(change_page, headers={"accept-language": "en"}).content.decode()
    assert "A recipient who was not named when the release was signed" in shown
    assert change_page in [task.url for task in tasks_of(people.management)]
    decision = {"decision": "approve", "reason": "within the plan", "content_hash": change.content_hash}
    assert client.post(change_page, decision | {"secret": "wrong"}).status_code == 422
    assert client.post(change_page, decision | {"secret": PASSWORD}).status_code == 302
    change.refresh_from_db()
    agreement = Agreement.objects.get(recipient=outsider)
    assert (change.outcome, change.agreement_id) == (ChangeOutcome.APPROVED, agreement.pk)
    assert agreement.recorded_by == people.planner
    changed = Reassessment.objects.get(change__isnull=False)
    assert changed.change.kind == "recipient"
    # The recipient accepts along with the first request.
    assert may_receive(outsider, release).code == "terms_not_accepted"
    assert may_receive(people.recipient, release)
    client.force_login(outsider)
    detail = reverse("recipient:detail", args=[release.pk])
    assert "A study of fees." in client.get(detail).content.decode()
    request = reverse("recipient:request", args=[release.pk])
    assert client.post(request, {"notice_read": "on"}).status_code == 422
    assert client.post(request, {"notice_read": "on", "accepted": "on"}).status_code == 302
    assert agreement_with(outsider, project).is_accepted
    events = AuditEvent.objects.filter(project_id=project.pk).values_list("action", flat=True)
    assert {"recipient_change.proposed", "recipient_change.approved", "agreement.terms_accepted"} <= {*events}


def test_another_purpose_or_a_longer_term_is_a_change_and_less_is_not(released, people):
    project, held = released.project, in_force(people)
    shorter = held.model_copy(
        update={"valid_until": held.valid_until - timedelta(days=9), "organisation": "B"}
    )
    with pytest.raises(Refused, match="nothing_asked"):
        propose(project, people, people.recipient, shorter)
    longer = held.model_copy(update={"valid_until": held.valid_until + timedelta(days=9)})
    wider = longer.model_copy(update={"purpose": "Everything"})
    for said in (longer, wider):
        with pytest.raises(Refused, match="needs_approval"):
            record(project, people, people.recipient, said)
    first = propose(project, people, people.recipient, longer)
    second = propose(project, people, people.recipient, wider)
    first.refresh_from_db()
    assert (first.outcome, first.asks, second.asks) == (ChangeOutcome.REPLACED, ["term"], ["purpose", "term"])
    for who in (people.planner, people.executor, people.supervisor, people.auditor, people.recipient):
        with pytest.raises(Refused):
            decide(second, who)
    for wrong, code in (({"reason": " "}, "reason_needed"), ({"seen": "0" * 64}, "other_change")):
        with pytest.raises(Refused, match=code):
            decide(second, people.management, **wrong)
    decide(second, people.management, approve=False, reason="too wide")
    assert in_force(people) == held, "what was refused alters nothing"
    with pytest.raises(Refused, match="change_decided_already"):
        decide(second, people.management)
    # Less than was signed is recorded without a signature; what it was before is a longer term again.
    record(project, people, people.recipient, shorter)
    assert propose(project, people, people.recipient, held).asks == ["term"]


def test_who_was_cut_off_comes_back_only_by_a_signature(released, people):
    project, held = released.project, in_force(people)
    agreement_end(Agreement.objects.get(ended_at=None), why="misuse", by=people.supervisor)
    with pytest.raises(Refused, match="needs_approval"):
        record(project, people, people.recipient, held)
    change = propose(project, people, people.recipient, held)
    assert change.asks == ["again"]
    decide(change, people.management)
    assert may_receive(people.recipient, current_release(project)).code == "terms_not_accepted"


def test_for_programs(released, people, client):
    project, held = released.project, in_force(people)
    change = propose(
        project,
        people,
        people.recipient,
        held.model_copy(update={"valid_until": held.valid_until + timedelta(days=9)}),
    )
    client.force_login(people.management)
    listed = client.get(reverse("api:recipient-changes", args=[project.pk])).json()
    assert [(one["id"], one["asks"]) for one in listed] == [(str(change.pk), ["term"])]
    scan_of = client.get(reverse("api:recipient-changes-scan", args=[project.pk, change.pk]))
    assert b"".join(scan_of.streaming_content) == SCAN
    url = reverse("api:recipient-changes-decide", args=[project.pk, change.pk])
    sent = {"approve": True, "reason": "as planned", "content_hash": change.content_hash}
    assert client.post(url, sent, content_type="application/json").status_code == 400
    made = client.post(url, sent | {"secret": PASSWORD}, content_type="application/json")
    assert (made.status_code, made.json()["outcome"]) == (200, "approved")
    assert in_force(people).valid_until == held.valid_until + timedelta(days=9)


class TestSeveralSign:
    @pytest.fixture
    def proposed(self, released, people):
        """Two have to sign; the second of them came to the team after the release."""
        signers_set(people, 2)
        member_add(released.project, user=people.outsider, role=Role.MANAGEMENT, by=people.planner)
        held = in_force(people)
        longer = held.model_copy(update={"valid_until": held.valid_until + timedelta(days=9)})
        return propose(released.project, people, people.recipient, longer)

    def test_the_agreement_comes_into_force_with_the_last_signature(self, proposed, people, client):
        before = in_force(people)
        project = proposed.project
        page = reverse("releases:recipient_change", args=[project.pk, proposed.pk])
        client.force_login(people.management)
        sent = {
            "decision": "approve",
            "reason": "seen",
            "content_hash": proposed.content_hash,
            "secret": PASSWORD,
        }
        assert client.post(page, sent).status_code == 302
        assert in_force(people) == before, "one signature of two alters nothing"
        proposed.refresh_from_db()
        assert proposed.outcome == ChangeOutcome.WAITING
        event = AuditEvent.objects.get(action="recipient_change.signed")
        assert (event.facts["given"], event.facts["needed"]) == (1, 2)
        assert not AuditEvent.objects.filter(action="recipient_change.approved").exists()
        # Who has signed is not asked again; the other one is, and sees who has.
        assert page not in [task.url for task in tasks_of(people.management)]
        assert page in [task.url for task in tasks_of(people.outsider)]
        with pytest.raises(Refused, match=r"^change_signed_already$"):
            decide(proposed, people.management)
        shown = client.get(page).content.decode()
        assert 'value="refuse"' in shown
        assert 'value="approve"' not in shown
        client.force_login(people.outsider)
        shown = client.get(page, headers={"accept-language": "en"}).content.decode()
        assert "1 of 2 have signed." in shown
        assert "2 signatures are needed, because the result is shared by “Controlled public sharing”" in shown
        assert f"Missing: {people.outsider}." in shown
        assert client.post(page, sent).status_code == 302
        assert in_force(people) == Terms.model_validate(proposed.terms)
        shown = client.get(page).content.decode()
        assert f"{people.management}、{people.outsider}" in shown

    def test_a_refusal_by_any_of_them_ends_it(self, proposed, people):
        before = in_force(people)
        decide(proposed, people.management)
        decide(proposed, people.management, approve=False, reason="on second thoughts")
        assert in_force(people) == before
        with pytest.raises(Refused, match=r"^change_decided_already$"):
            decide(proposed, people.outsider)

    def test_a_later_proposal_begins_without_signatures(self, proposed, people):
        decide(proposed, people.management)
        held = in_force(people)
        longest = held.model_copy(update={"valid_until": held.valid_until + timedelta(days=20)})
        later = propose(proposed.project, people, people.recipient, longest)
        decide(later, people.outsider)
        assert in_force(people) == held
        decide(later, people.management)
        assert in_force(people) == longest

    def test_the_number_is_that_of_the_day_of_the_proposal(self, proposed, people, client):
        signers_set(people, 1)
        assert decide(proposed, people.management).outcome == ChangeOutcome.WAITING
        client.force_login(people.management)
        changes = reverse("api:recipient-changes", args=[proposed.project.pk])
        (row,) = client.get(changes, headers={"accept-language": "en"}).json()
        assert (row["needed"], [one["reason"] for one in row["signatures"]]) == (2, ["as planned"])
        assert row["why"].startswith("2 signatures are needed, because the result is shared by")
