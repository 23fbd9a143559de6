"""The policy library: two persons, acknowledgement by those concerned, the owner's reviews, pages and API."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone, translation

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.accounts.persons import person_link
from deid_portal.organisation.models import Policy, PolicyAcknowledgement, PolicyReview, PolicyVersion
from deid_portal.organisation.policies.enums import PolicyKind
from deid_portal.organisation.policies.selectors import entries, readers_of
from deid_portal.organisation.policies.services import (
    Document,
    Wording,
    owner_change,
    policy_add,
    policy_review,
    version_acknowledge,
    version_decide,
    version_propose,
)
from deid_portal.organisation.proposals.models import ProposalStatus
from projects.core.models import Notification
from projects.datasets.models import StoredFile
from projects.datasets.store.store import store_write
from tests.projects.rows import change, delete

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def in_chinese():
    with translation.override("zh-hans"):
        yield


TEXT = "Data leave the house by a release only."


def wording(text: str = TEXT, *, concerns: tuple[str, ...] = ("staff",), **more: Any) -> Wording:
    today = timezone.localdate()
    said = {"edition": "", "effective_on": today, "review_on": today + timedelta(days=365)}
    return Wording(text=text, concerns=concerns, **{**said, **more})


def document(content: bytes = b"%PDF-1.7 what is laid down") -> Document:
    with store_write("policy") as writer:
        writer.write(content)
    return Document(writer.stored, "rules.pdf")


def added(
    people: Any, *, kind: PolicyKind = PolicyKind.POLICY, title: str = "Releases", **more: Any
) -> Policy:
    what = {"regulation": "", "every_project": False, "owner": people.executor, "document": None}
    return policy_add(
        title=title,
        kind=kind,
        reason="we need it",
        by=people.planner,
        **{**what, "wording": wording(), **more},
    )


def approved(people: Any, **more: Any) -> PolicyVersion:
    version = added(people, **more).versions.get()
    by = people.management if version.by_management else people.administrator
    return version_decide(version, accept=True, reason="agreed", by=by)


def test_senior_management_approves_an_internal_policy(people):
    version = added(people).versions.get()
    for who, code in (("planner", "wrong_post"), ("administrator", "wrong_post"), ("auditor", "wrong_post")):
        with pytest.raises(Refused) as refused:
            version_decide(version, accept=True, reason="mine", by=getattr(people, who))
        assert refused.value.verdict.code == code
    version_decide(version, accept=True, reason="agreed", by=people.management)
    version.refresh_from_db()
    assert (version.status, version.decided_by) == (ProposalStatus.IN_FORCE, people.management)
    assert version.policy.review_on == version.review_on
    assert AuditEvent.objects.filter(action="policy.in_force", actor_id=people.management.pk).exists()


def test_who_manages_and_proposed_it_does_not_approve_it(people):
    """The outsider plans and belongs to senior management."""
    policy = added(people)
    version_decide(policy.versions.get(), accept=False, reason="not yet", by=people.management)
    version = version_propose(
        policy, wording=wording(), document=None, reason="we need it", by=people.outsider
    )
    with pytest.raises(Refused) as refused:
        version_decide(version, accept=True, reason="mine", by=people.outsider)
    assert refused.value.verdict.code == "own_proposal"


@pytest.mark.parametrize("kind", [kind for kind in PolicyKind if kind != PolicyKind.POLICY])
def test_everything_else_is_approved_by_another_editor(people, kind):
    version = added(people, kind=kind).versions.get()
    with pytest.raises(Refused):
        version_decide(version, accept=True, reason="not my post", by=people.management)
    version_decide(version, accept=True, reason="agreed", by=people.administrator)
    assert PolicyVersion.objects.get().status == ProposalStatus.IN_FORCE


def test_who_may_decide_is_claim_state_a_proposal(people):
    with transaction.atomic():
        added(people)
    news = Notification.objects.filter(action="policy.awaits_decision")
    assert {one.user for one in news} <= {people.management, people.outsider}


@pytest.mark.parametrize("who", ["executor", "supervisor", "management", "auditor", "assessor", "recipient"])
def test_only_planners_and_administrators_propose(people, who):
    with pytest.raises(Refused):
        policy_add(
            title="Mine", kind=PolicyKind.LAW, regulation="", every_project=False, owner=people.executor,
            wording=wording(), document=None, reason="mine", by=getattr(people, who),
        )  # fmt: skip


def test_what_cannot_be_is_said_by_field_and_leaves_no_file(people):
    today = timezone.localdate()
    for more, field in (
        ({"wording": wording("")}, "text"),
        ({"wording": wording(review_on=today)}, "review_on"),
        ({"wording": wording(concerns=("recipient",))}, "concerns"),
        ({"wording": wording(), "document": document(b"\x00\x01 neither")}, "file"),
        ({"title": ""}, "title"),
    ):
        with pytest.raises(ValidationError) as error:
            added(people, **more)
        assert set(error.value.message_dict) == {field}
    assert not Policy.objects.exists()
    assert not StoredFile.objects.filter(purpose="policy").exists()


def test_the_same_again_is_no_version(people):
    version = approved(people)
    with pytest.raises(Refused) as refused:
        version_propose(version.policy, wording=wording(), document=None, reason="again", by=people.planner)
    assert refused.value.verdict.code == "nothing_changed"
    version_propose(version.policy, wording=wording("Other"), document=None, reason="new", by=people.planner)
    with pytest.raises(Refused) as refused:
        version_propose(version.policy, wording=wording("More"), document=None, reason="n", by=people.planner)
    assert refused.value.verdict.code == "one_is_waiting"


def test_those_concerned_acknowledge_and_the_page_names_who_has_not(people, client):
    version = approved(people, wording=wording(concerns=("staff",)))
    assert [one.person for one in readers_of(version) if one.at] == []
    version_acknowledge(version, by=people.supervisor)
    for who, code in (
        ("supervisor", "acknowledged"),
        ("planner", "not_concerned"),
        ("recipient", "inside_only"),
    ):
        with pytest.raises(Refused) as refused:
            version_acknowledge(version, by=getattr(people, who))
        assert refused.value.verdict.code == code
    found = {one.person: one.at is not None for one in readers_of(version)}
    assert found[people.supervisor]
    assert found[people.executor] is False
    assert people.planner not in found
    (entry,) = entries()
    assert (entry.acknowledged, entry.concerned) == (1, len(found))
    client.force_login(people.auditor)
    page = client.get(
        reverse("organisation:policy", args=[version.policy_id]), headers={"accept-language": "en"}
    )
    assert f"{len(found) - 1} people have not acknowledged it yet" in page.content.decode()


def test_a_later_version_asks_everybody_anew(people):
    version = approved(people)
    version_acknowledge(version, by=people.supervisor)
    second = version_propose(
        version.policy, wording=wording("Other"), document=None, reason="new", by=people.planner
    )
    version_decide(second, accept=True, reason="agreed", by=people.management)
    with pytest.raises(Refused) as refused:
        version_acknowledge(version, by=people.executor)
    assert refused.value.verdict.code == "not_in_force"


def test_an_overdue_review_is_the_owners_to_record(people, monkeypatch):
    version = approved(people)
    policy = version.policy
    late = timezone.now() + timedelta(days=366)
    monkeypatch.setattr(timezone, "now", lambda: late)
    policy.refresh_from_db()
    assert policy.is_overdue
    with pytest.raises(Refused) as refused:
        policy_review(
            policy, result="fine", next_on=timezone.localdate() + timedelta(days=9), by=people.planner
        )
    assert refused.value.verdict.code == "not_the_owner"
    with pytest.raises(Refused) as refused:
        policy_review(policy, result="fine", next_on=timezone.localdate(), by=people.executor)
    assert refused.value.verdict.code == "next_in_past"
    next_on = timezone.localdate() + timedelta(days=100)
    policy_review(policy, result="It still holds.", next_on=next_on, by=people.executor)
    policy.refresh_from_db()
    assert policy.review_on == next_on


def test_an_entry_is_handed_over(people):
    policy = approved(people).policy
    with pytest.raises(Refused):
        owner_change(policy, owner=people.supervisor, by=people.executor)
    with pytest.raises(Refused) as refused:
        owner_change(policy, owner=people.recipient, by=people.planner)
    assert refused.value.verdict.code == "owner_outside"
    assert owner_change(policy, owner=people.supervisor, by=people.planner).owner == people.supervisor


def test_what_takes_effect_later_is_not_called_in_force(people):
    day = timezone.localdate() + timedelta(days=30)
    version = approved(people, wording=wording(effective_on=day))
    assert version.status_text == f"已批准，自{day}起生效"


class TestTriggers:
    """What goes past the services."""

    def test_nobody_approves_their_own(self, people):
        version = added(people, kind=PolicyKind.LAW).versions.get()
        own = {"decided_by": people.planner, "decided_at": timezone.now(), "decision_reason": "mine"}
        with pytest.raises(IntegrityError, match="policy_second_person"):
            change(version, status=ProposalStatus.IN_FORCE, **own)

    def test_nor_under_another_account(self, people):
        version = added(people, kind=PolicyKind.LAW).versions.get()
        person_link(people.outsider, people.planner, reason="the same", by=people.administrator)
        other = {"decided_by": people.planner, "decided_at": timezone.now(), "decision_reason": "mine"}
        other["decided_by"] = people.outsider
        with pytest.raises(IntegrityError, match="under another account"):
            change(version, status=ProposalStatus.IN_FORCE, **other)

    def test_an_internal_policy_needs_senior_management(self, people):
        version = added(people).versions.get()
        made = {"decided_at": timezone.now(), "decision_reason": "agreed", "status": ProposalStatus.IN_FORCE}
        with pytest.raises(IntegrityError, match="senior management"), transaction.atomic():
            change(version, decided_by=people.administrator, **made)
        change(version, decided_by=people.management, **made)

    @pytest.mark.parametrize("field", ["text", "edition", "content_hash", "document_name", "reason"])
    def test_what_a_version_says_stays(self, people, field):
        with pytest.raises(IntegrityError):
            change(approved(people), **{field: "another"})

    def test_what_was_decided_is_decided_once(self, people):
        with pytest.raises(IntegrityError, match="decided once"):
            change(approved(people), decided_by=people.outsider)

    def test_an_entry_stays_what_it_is(self, people):
        with pytest.raises(IntegrityError, match="never changes"):
            change(added(people), kind=PolicyKind.LAW)

    def test_acknowledgements_and_reviews_are_written_once(self, people):
        version = approved(people)
        version_acknowledge(version, by=people.supervisor)
        policy_review(
            version.policy,
            result="fine",
            next_on=timezone.localdate() + timedelta(days=9),
            by=people.executor,
        )
        for row, message in (
            (PolicyAcknowledgement.objects.get(), "written once"),
            (PolicyReview.objects.get(), "written once"),
        ):
            with pytest.raises(IntegrityError, match=message), transaction.atomic():
                delete(row)
        with pytest.raises(IntegrityError, match="written once"):
            change(PolicyReview.objects.get(), result="otherwise")

    def test_nothing_is_deleted(self, people):
        version = approved(people)
        for row in (version, version.policy):
            with pytest.raises(IntegrityError), transaction.atomic():
                delete(row)


def test_a_whole_life_by_the_pages(people, client):
    today = timezone.localdate()
    sent = {
        "title": "Health data", "kind": "law", "regulation": "gbt_39725", "owner": str(people.executor.pk),
        "edition": "2020", "effective_on": today.isoformat(), "review_on": (today + timedelta(days=90)).isoformat(),
        "concerns": ["staff"], "reason": "it came out",
    }  # fmt: skip
    client.force_login(people.planner)
    assert client.post(reverse("organisation:policy_add"), sent).status_code == 422, (
        "neither text nor document"
    )
    file = SimpleUploadedFile("law.pdf", b"%PDF-1.7 the law")
    assert client.post(reverse("organisation:policy_add"), {**sent, "file": file}).status_code == 302
    version = PolicyVersion.objects.select_related("stored").get()
    assert b"the law" not in version.stored.path.read_bytes(), "encrypted at rest"
    page = reverse("organisation:policy", args=[version.policy_id])
    shown = client.get(page, headers={"accept-language": "en"}).content.decode()
    assert "You proposed this yourself" in shown
    client.force_login(people.administrator)
    decide = reverse("organisation:policy_decide", args=[version.policy_id, version.pk])
    assert client.post(decide, {"decision": "accept", "reason": "as published"}).status_code == 302
    client.force_login(people.executor)
    download = client.get(reverse("organisation:policy_document", args=[version.policy_id, version.pk]))
    assert b"".join(download.streaming_content) == b"%PDF-1.7 the law"
    assert AuditEvent.objects.filter(action="policy.document_read").count() == 1
    acknowledge = reverse("organisation:policy_acknowledge", args=[version.policy_id, version.pk])
    assert client.post(acknowledge).status_code == 302
    review = reverse("organisation:policy_review", args=[version.policy_id])
    assert client.post(review, {"result": "read", "next_on": today.isoformat()}).status_code == 422
    later = (today + timedelta(days=300)).isoformat()
    assert client.post(review, {"result": "read", "next_on": later}).status_code == 302
    for name in ("policies", "page"):
        assert client.get(reverse(f"organisation:{name}")).status_code == 200


def test_a_document_that_is_too_large_leaves_nothing(people, client, monkeypatch):
    monkeypatch.setattr("deid_portal.organisation.policies.receiving.MAX_BYTES", 10)
    client.force_login(people.planner)
    file = SimpleUploadedFile("law.pdf", b"%PDF-1.7" + b"x" * 3_000_000)
    answer = client.post(reverse("organisation:policy_add"), {"title": "Law", "file": file})
    assert answer.status_code == 413
    assert not StoredFile.objects.exists()


def test_the_same_by_the_api(people, client):
    today = timezone.localdate()
    sent = {
        "title": "Health data", "kind": "policy", "owner": "executor", "text": TEXT, "effective_on": today.isoformat(),
        "review_on": (today + timedelta(days=90)).isoformat(), "concerns": ["staff"], "reason": "ours",
    }  # fmt: skip
    client.force_login(people.planner)
    made = client.post(reverse("api:policies"), sent, content_type="application/json")
    assert made.status_code == 201, made.content
    version = made.json()["versions"][0]
    where = [made.json()["id"], version["id"]]
    client.force_login(people.management)
    decided = client.post(
        reverse("api:policy-decide", args=where), {"accept": True, "reason": "agreed"}, "application/json"
    )
    assert decided.json()["status"] == "in_force"
    assert client.post(reverse("api:policy-acknowledge", args=where)).status_code == 204
    detail = client.get(reverse("api:policy", args=where[:1])).json()
    assert [one["person"] for one in detail["readers"] if one["at"]] == ["management"]
    (entry,) = client.get(reverse("api:policies")).json()
    assert (entry["acknowledged"], entry["version"]["number"]) == (1, 1)
    client.force_login(people.planner)
    again = client.post(reverse("api:policy-versions", args=where[:1]), {
        "file": SimpleUploadedFile("p.txt", b"the policy"), "effective_on": today.isoformat(),
        "review_on": (today + timedelta(days=90)).isoformat(), "reason": "newer",
    })  # fmt: skip
    assert again.status_code == 201, again.content
    assert again.json()["document_name"] == "p.txt"
