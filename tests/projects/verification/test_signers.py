"""Several members of senior management sign one result: all of them, each once, and a return voids what was signed."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.decisions.models import Decision, Signature, SignOff
from approvals.decisions.selectors import open_signoff
from approvals.governance.verdict import Refused
from deid_portal.accounts.models import User
from deid_portal.accounts.persons import person_link
from deid_portal.accounts.services import user_create
from deid_portal.organisation.signers.quorum import signers_decide, signers_propose
from projects.core.models import Notification, Project
from projects.core.services import member_add, member_end
from projects.core.tasks_registry import tasks_of
from projects.verification.documents import REPORT_KIND, SIGNED_KIND, report_document_context
from projects.verification.rules import RELEASE, may_approve, may_decide
from projects.verification.selectors import current_verification
from projects.verification.services import release_decide
from projects.workflow import Role, State
from projects.workflow.posts import AppointedPost
from tests.fixtures import PASSWORD
from tests.projects.releases.relatives.outside.steps import recorded
from tests.projects.rows import change, delete, put, refused

from . import stories

pytestmark = pytest.mark.django_db


def START(people: Any) -> stories.SmallStory:
    """Two have to sign; the second of them came to the team after the plan."""
    story = stories.measurable(people)
    signers_set(people, 2)
    member_add(story.fresh(), user=people.outsider, role=Role.MANAGEMENT, by=people.planner)
    story.verify()
    story.fresh()
    story.review()
    return story


def signers_set(people: Any, number: int) -> None:
    needed = dict.fromkeys(("public", "controlled", "enclave"), number)
    made = signers_propose(needed, reason="by our rules", by=people.planner)
    signers_decide(made, accept=True, reason="agreed", by=people.administrator)


@pytest.fixture
def shared(own_start) -> Project:
    return Project.objects.get(pk=own_start.story.project.pk)


def decide(
    project: Project, by: User, decision: Decision = Decision.APPROVED, reason: str = "In order."
) -> Project:
    return release_decide(project, decision=decision, reason=reason, by=by)


def test_the_result_is_approved_with_the_last_signature(shared, people):
    after = decide(shared, people.management, reason="Seen.")
    assert after.state == State.RELEASE_APPROVAL
    signoff = open_signoff(shared.pk, RELEASE)
    assert (signoff.needed, signoff.decision) == (2, "")
    (given,) = Signature.objects.all()
    assert (given.signed_by, given.reason, given.subject_hash) == (
        people.management,
        "Seen.",
        signoff.subject_hash,
    )
    event = AuditEvent.objects.get(action="signoff.signed")
    assert (event.facts["given"], event.facts["needed"]) == (1, 2)
    assert not AuditEvent.objects.filter(
        action="signoff.decided", facts__decision="approved", subject_kind=RELEASE
    ).exists()
    assert decide(shared, people.outsider).state == State.APPROVED
    signed = SignOff.objects.get(subject_kind=RELEASE)
    assert signed.signers_text == f"{people.management}、{people.outsider}"


def test_one_person_signs_once_and_nobody_beyond_those_needed(shared, people):
    decide(shared, people.management)
    assert may_approve(people.management, shared).code == "signed_already"
    with pytest.raises(Refused, match=r"^signed_already$"):
        decide(shared, people.management)
    decide(shared, people.outsider)
    shared.refresh_from_db()
    for person in (people.management, people.outsider):
        assert may_decide(person, shared).code == "enough_signed"
        with pytest.raises(Refused, match=r"^enough_signed$"):
            decide(shared, person)


def test_a_second_account_of_who_has_signed_adds_nothing(shared, people):
    decide(shared, people.management)
    again = user_create(
        username="again", password=PASSWORD, full_name="Again", appointed=(AppointedPost.MANAGEMENT,), by=None
    )
    person_link(again, people.management, reason="The same person.", by=people.administrator)
    again = User.objects.get(pk=again.pk)
    member_add(shared, user=again, role=Role.MANAGEMENT, by=people.planner)
    assert may_approve(again, shared).code == "signed_already"


@pytest.mark.parametrize("by", ["management", "outsider"])
def test_a_return_by_any_of_them_voids_what_was_signed(shared, people, by):
    decide(shared, people.management)
    after = decide(shared, getattr(people, by), Decision.RETURNED, "Too coarse.")
    assert after.state == State.PROCESSING
    (signoff,) = SignOff.objects.filter(subject_kind=RELEASE)
    assert (signoff.decision, signoff.signers_text) == (Decision.RETURNED, str(getattr(people, by)))
    assert open_signoff(shared.pk, RELEASE) is None


def test_the_number_is_fixed_at_submission(shared, people):
    signers_set(people, 1)
    assert decide(shared, people.management).state == State.RELEASE_APPROVAL
    with refused("fixed when a content is submitted"):
        change(open_signoff(shared.pk, RELEASE), needed=1)


def test_the_database_takes_no_approval_by_fewer(shared, people):
    signoff = open_signoff(shared.pk, RELEASE)

    def approve(by: User) -> None:
        change(signoff, decision="approved", decided_by=by, decided_at=timezone.now(), reason="mine")

    with refused("as many different people"):
        approve(people.management)
    decide(shared, people.management)
    with refused("as many different people"):
        approve(people.management)
    (given,) = Signature.objects.all()
    for act in (lambda: change(given, reason="other"), lambda: delete(given)):
        with refused("written once"):
            act()


def test_the_database_takes_no_signature_beyond_those_needed(shared, people):
    decide(shared, people.management)
    (given,) = Signature.objects.all()
    with refused("none is given beyond"):
        sign_past_the_portal(given, people.outsider)


def test_the_database_takes_no_signature_of_who_did_the_work(shared, people):
    signoff = open_signoff(shared.pk, RELEASE)
    row = Signature(project_id=shared.pk, signoff=signoff, subject_hash=signoff.subject_hash, reason="mine")
    with refused("who executes a project"):
        sign_past_the_portal(row, people.executor)
    row.subject_hash = "0" * 64
    with refused("exactly what waits"):
        sign_past_the_portal(row, people.management)


def sign_past_the_portal(like: Signature, by: User) -> None:
    put(
        Signature,
        project_id=like.project_id,
        signoff=like.signoff,
        subject_hash=like.subject_hash,
        signed_by=by,
        reason="mine",
    )


def test_the_page_says_who_has_signed_and_who_is_missing(shared, people, client):
    url = reverse("verification:decide", kwargs={"project_id": shared.pk})
    english = {"accept-language": "en"}
    for reader in (people.planner, people.supervisor, people.management):
        client.force_login(reader)
        assert "0 of 2 have signed." in client.get(url, headers=english).content.decode()
        assert ("It is your turn" in client.get(url, headers=english).content.decode()) == (
            reader == people.management
        )
    current = current_verification(shared)
    given = {"decision": "approved", "reason": "Seen it all.", "content_hash": current.content_hash}
    assert client.post(url, given | {"secret": PASSWORD}).status_code == 302
    page = client.get(url, headers=english).content.decode()
    assert f"1 of 2 have signed. Missing: {people.outsider}." in page
    assert "Seen it all." in page
    assert "It is your turn" not in page
    assert "You have signed this result already" in page
    answer = client.get(reverse("api:verification-answer", kwargs={"project_id": shared.pk})).json()
    assert (answer["signing"]["needed"], answer["signing"]["missing"]) == (2, [str(people.outsider)])
    assert [one["signed_by"] for one in answer["signing"]["given"]] == ["management"]


def test_who_has_signed_has_no_task_and_the_others_are_told(
    shared, people, django_capture_on_commit_callbacks
):
    def waits(person: User) -> bool:
        return any(task.project_id == shared.pk for task in tasks_of(person))

    assert waits(people.management)
    assert waits(people.outsider)
    with django_capture_on_commit_callbacks(execute=True):
        decide(shared, people.management)
    assert not waits(people.management)
    assert waits(people.outsider)
    notified = Notification.objects.filter(action="signoff.signed")
    assert [one.user for one in notified] == [people.outsider]


def test_a_team_with_too_few_is_named(shared, people, client):
    membership = shared.memberships.get(user=people.outsider)
    member_end(membership, by=people.planner)
    client.force_login(people.planner)
    url = reverse("verification:decide", kwargs={"project_id": shared.pk})
    page = client.get(url, headers={"accept-language": "en"}).content.decode()
    assert "The project lacks 1 member of senior management who can sign" in page


def test_the_report_has_a_line_for_each_signature(shared, people):
    verification = current_verification(shared)

    def lines(kind: str) -> list[dict[str, Any]]:
        found = report_document_context(verification, kind=kind)["signers"]
        return [one for one in found if one["role"] == str(Role.MANAGEMENT.label)]

    assert [one.get("decision") for one in lines(REPORT_KIND)] == [None, None]
    decide(shared, people.management, reason="First.")
    decide(shared, people.outsider, reason="Second.")
    signed = [(one["name"], one["reason"]) for one in lines(SIGNED_KIND)]
    assert signed == [(str(people.management), "First."), (str(people.outsider), "Second.")]
    assert all(one["decision"] and one["time"] for one in lines(SIGNED_KIND))


def test_everybody_who_signs_accepts_the_related_releases(shared, people):
    """The first signed before the other release was known; a return lets everybody sign knowing of it."""
    decide(shared, people.management)
    recorded(people, columns=["性别", "年龄", "诊断"])
    with pytest.raises(Refused, match="signed_without_related"):
        release_decide(
            shared, decision=Decision.APPROVED, reason="x", related_acceptance="One room.", by=people.outsider
        )


def test_the_reasons_of_all_who_signed_are_printed(shared, people):
    recorded(people, columns=["性别", "年龄", "诊断"])
    for person, why in ((people.management, "One room."), (people.outsider, "One team.")):
        release_decide(shared, decision=Decision.APPROVED, reason="x", related_acceptance=why, by=person)
    context = report_document_context(current_verification(shared), kind=SIGNED_KIND)
    assert context["accepted"] == [
        (str(people.management), "", "One room."),
        (str(people.outsider), "", "One team."),
    ]
