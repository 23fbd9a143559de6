"""Where an agreement asks for it, each fetch of a file is requested for a purpose and approved by the supervisor (T/ISC 0078 11.2 c)."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.documents.models import Document
from approvals.governance.verdict import Refused
from deid_portal.demo.story import Story
from projects.core.models import Notification
from projects.core.tasks_registry import tasks_of
from projects.objective.enums import Act
from projects.releases import rules
from projects.releases.agreements.approvals import approval_text, is_proposed
from projects.releases.agreements.changes.services import terms_accept
from projects.releases.deliveries.requests import services
from projects.releases.deliveries.requests.documents import slip_context
from projects.releases.deliveries.requests.enums import SLIP, SLIP_JOB, FetchState
from projects.releases.deliveries.requests.models import (
    APPROVAL_HOLDS,
    Fetch,
    FetchDecision,
    FetchRequest,
)
from projects.releases.deliveries.requests.rules import MOST_WAITING, may_approve, may_decide, may_have_slip
from projects.releases.deliveries.requests.selectors import fetch_whole
from projects.releases.deliveries.services import delivery_open
from projects.releases.models import Agreement, Delivery
from projects.releases.selectors import current_release
from projects.releases.services import agreement_end, agreement_record, delivery_request, release_end
from projects.workflow import Role, State
from tests.approvals.documents.printed import needs_poppler, print_waiting, text_of
from tests.fixtures import PASSWORD
from tests.projects.releases import stories
from tests.projects.releases.deliveries.acts import everything_but
from tests.projects.rows import change, delete, member, put, refused, unkept


class Approving(Story):
    """Its agreement asks for an approval of each fetch."""

    fetch_approval = True


def START(people):
    story = Approving(vars(people), "Visits for a study", stories.data(), documents=False)
    story.reach(State.MONITORING)
    return story


@pytest.fixture
def released(story_at):
    return story_at(State.MONITORING, START)


@pytest.fixture
def release(released):
    return current_release(released.project)


@pytest.fixture
def ready(released, release, people):
    """A delivery whose seal was verified, and no fetch of it approved."""
    delivery, _job = delivery_request(release, notice_read=True, by=people.recipient)
    released.run_jobs()
    delivery.refresh_from_db()
    return delivery


def requested(release, people, **said):
    said = {"file": 0, "purpose": "the fees by ward", **said}
    return services.fetch_request(release, **said, by=people.recipient)


def decided(request, people, *, approve=True):
    return services.fetch_decide(request, approve=approve, reason="as agreed", by=people.supervisor)


def fetched(delivery, people):
    pieces, _delivery = delivery_open(Delivery.objects.get(pk=delivery.pk), by=people.recipient)
    return b"".join(pieces)


def both_posts(release, person):
    """They supervise the project, and turn out to be its executor under another account."""
    member(release.project, Role.SUPERVISOR, person)
    executor = release.project.memberships.get(role=Role.EXECUTOR).user
    for one in (person, executor):
        change(one, person_id=executor.pk)
        one.refresh_from_db()


def own(release):
    return reverse("recipient_fetches:page", args=[release.pk])


def test_a_fetch_without_an_approval_is_refused_on_page_and_in_the_api(ready, release, people, client):
    client.force_login(people.recipient)
    page = client.get(reverse("recipient:delivery", args=[ready.pk])).content.decode()
    download = reverse("recipient:download", args=[ready.pk])
    assert download not in page
    assert str(rules.ReleaseReason.FETCH_UNAPPROVED.label) in page
    assert own(release) in page
    for address in (download, reverse("api:receive-download", args=[ready.pk])):
        answer = client.get(address)
        assert answer.status_code == 403
    assert answer.json()["code"] == "fetch_not_approved"
    with pytest.raises(Refused):
        fetched(ready, people)
    assert not Fetch.objects.exists()
    ready.refresh_from_db()
    assert ready.fetched_at is None


def test_a_fetch_by_programs_alone_is_requested_on_the_page_too(ready, release, people, client):
    everything_but(release.project, Act.FETCH)
    client.force_login(people.recipient)

    def shown():
        return client.get(reverse("recipient:delivery", args=[ready.pk])).content.decode()

    page = shown()
    assert own(release) in page
    assert str(rules.ReleaseReason.FETCH_UNAPPROVED.label) in page
    assert client.post(own(release), {"file": "0", "purpose": "the fees by ward"}).status_code == 302
    assert str(rules.ReleaseReason.FETCH_WAITS.label) in shown()
    decided(FetchRequest.objects.get(), people)
    # Approved: nothing is to be requested, and it is still not fetched here.
    page = shown()
    assert own(release) not in page
    assert reverse("recipient:download", args=[ready.pk]) not in page
    assert b"".join(client.get(reverse("api:receive-download", args=[ready.pk])).streaming_content)
    assert own(release) in shown()


def test_one_approval_serves_one_fetch(ready, release, people, client):
    client.force_login(people.recipient)
    answer = client.post(own(release), {"file": "0", "purpose": "the fees by ward"})
    assert answer.status_code == 302
    request = FetchRequest.objects.get()
    assert request.state == FetchState.WAITING
    assert rules.may_download(people.recipient, ready).code == "fetch_waits"
    assert Notification.objects.filter(user=people.supervisor, action="fetch.requested").exists()
    place = reverse("releases:fetch_request", args=[release.project_id, request.pk])
    listing = reverse("releases:fetches", args=[release.project_id])
    assert listing in [task.url for task in tasks_of(people.supervisor)]
    # Nothing to do for who waits.
    assert not [task for task in tasks_of(people.recipient) if task.url == own(release)]
    client.force_login(people.supervisor)
    said = {"decision": "approve", "reason": "as agreed"}
    assert client.post(place, {**said, "secret": "wrong"}).status_code == 422
    assert client.post(place, {**said, "secret": PASSWORD}).status_code == 302
    request = FetchRequest.objects.get()
    assert request.state == FetchState.APPROVED
    assert request.decision.holds_until == request.decision.decided_at + APPROVAL_HOLDS
    assert timedelta(days=7) == APPROVAL_HOLDS
    assert client.post(place, {**said, "secret": PASSWORD}).status_code == 403
    assert listing not in [task.url for task in tasks_of(people.supervisor)]
    (task,) = [
        one for one in tasks_of(people.recipient) if str(release.pk) in one.url and "samples" not in one.url
    ]
    assert request.file_name in str(task.title)
    client.force_login(people.recipient)
    page = client.get(reverse("recipient:delivery", args=[ready.pk])).content.decode()
    assert reverse("recipient:download", args=[ready.pk]) in page
    answer = client.get(reverse("recipient:download", args=[ready.pk]))
    assert answer.status_code == 200
    assert b"".join(answer.streaming_content)
    fetch = Fetch.objects.get()
    assert (fetch.request, fetch.sha256) == (request, release.files[0]["sha256"])
    assert FetchRequest.objects.get().state == FetchState.FETCHED
    event = AuditEvent.objects.get(action="delivery.fetched")
    assert event.facts["fetch_request"] == str(request.pk)
    # Asking for the head alone fetches nothing.
    head = client.head(reverse("api:receive-download", args=[ready.pk]))
    assert (head.status_code, Fetch.objects.count()) == (405, 1)
    # The approval is used up.
    assert client.get(reverse("recipient:download", args=[ready.pk])).status_code == 403
    assert not [task for task in tasks_of(people.recipient) if task.url == own(release)]


def test_an_approval_ends_after_its_time(ready, release, people, monkeypatch):
    decided(requested(release, people), people)
    late = timezone.now() + APPROVAL_HOLDS + timedelta(minutes=1)
    change(ready, verified_at=late)
    ready.refresh_from_db()
    monkeypatch.setattr(timezone, "now", lambda: late)
    assert FetchRequest.objects.get().state == FetchState.OVER
    assert rules.may_download(people.recipient, ready).code == "fetch_over"


def replaced(release, people, **said):
    """A newer agreement of the same terms, but for what is ``said``, takes the place of the one in force."""
    newer = written_anew(release, people, **said)
    return terms_accept(newer, confirmed=True, by=people.recipient)


def written_anew(release, people, **said):
    held = Agreement.objects.get(ended_at=None)
    names = (
        "organisation", "purpose", "prohibits_reidentification", "prohibits_linkage", "prohibits_onward_sharing",
        "signed_by", "signed_on", "valid_until", "check_months", "country", "fetch_approval", "scan",
    )  # fmt: skip
    same = {name: getattr(held, name) for name in names}
    return agreement_record(release.project, recipient=people.recipient, by=people.planner, **same | said)


def test_an_approval_ends_with_the_agreement_it_was_given_under(ready, release, people, client):
    request = decided(requested(release, people), people)
    assert rules.may_download(people.recipient, ready)
    replaced(release, people)
    assert rules.may_download(people.recipient, ready).code == "fetch_lapsed"
    with pytest.raises(Refused) as refusal:
        fetched(ready, people)
    assert refusal.value.verdict.code == "fetch_lapsed"
    assert not Fetch.objects.exists()
    (task,) = [one for one in tasks_of(people.recipient) if one.url == own(release)]
    assert request.file_name in str(task.title)
    client.force_login(people.recipient)
    address = reverse("recipient:delivery", args=[ready.pk])
    page = client.get(address).content.decode()
    assert str(rules.ReleaseReason.FETCH_LAPSED.label) in page
    assert own(release) in page
    assert reverse("recipient:download", args=[ready.pk]) not in page
    assert str(FetchState.LAPSED.label) in client.get(own(release)).content.decode()
    rows = client.get(reverse("api:receive-fetch-requests", args=[release.pk])).json()["results"]
    assert [row["state"] for row in rows] == ["lapsed"]
    # Under the newer agreement it is requested anew.
    decided(requested(release, people), people)
    assert fetched(ready, people)
    assert [one.state for one in FetchRequest.objects.all()] == [FetchState.FETCHED, FetchState.LAPSED]
    assert not [one for one in tasks_of(people.recipient) if one.url == own(release)]


def test_an_approval_ends_with_an_agreement_that_nothing_replaces(release, people):
    decided(requested(release, people), people)
    agreement_end(Agreement.objects.get(), why="the study is over", by=people.planner)
    assert FetchRequest.objects.get().state == FetchState.LAPSED


def test_to_request_anew_is_a_task_of_who_may(release, people):
    decided(requested(release, people), people)

    def tasks():
        return [one for one in tasks_of(people.recipient) if one.url == own(release)]

    newer = written_anew(release, people, valid_until=timezone.localdate() + timedelta(days=2))
    assert not tasks(), "its terms are not accepted"
    terms_accept(newer, confirmed=True, by=people.recipient)
    assert len(tasks()) == 1
    with time_machine.travel(timezone.now() + timedelta(days=3)):
        assert not tasks(), "its term is over"
    of = {"project": release.project, "release": release, "recipient": people.recipient}
    with unkept():
        for number in range(900, 900 + MOST_WAITING):
            assert len(tasks()) == 1
            put(FetchRequest, number=number, file=number, **of)
        assert not tasks(), "as many wait as may"


def test_what_was_requested_before_a_newer_agreement_is_decided_under_it(ready, release, people):
    request = requested(release, people)
    replaced(release, people)
    decided(request, people)
    assert fetched(ready, people)


def test_an_approval_that_was_over_before_its_agreement_says_so_still(ready, release, people, monkeypatch):
    decided(requested(release, people), people)
    late = timezone.now() + APPROVAL_HOLDS + timedelta(minutes=1)
    monkeypatch.setattr(timezone, "now", lambda: late)
    replaced(release, people)
    assert FetchRequest.objects.get().state == FetchState.OVER


def test_the_database_refuses_a_fetch_by_an_approval_of_an_earlier_agreement(ready, release, people):
    request = decided(requested(release, people), people)
    row = {"project": release.project, "delivery": ready, "file": 0, "request": request}
    with unkept():
        put(Fetch, **row)
    replaced(release, people)
    with unkept(), refused("nor its agreement is over"):
        put(Fetch, **row)


def test_a_refusal_says_why_and_another_request_can_be_made(ready, release, people, client):
    decided(requested(release, people), people, approve=False)
    assert rules.may_download(people.recipient, ready).code == "fetch_not_approved"
    (task,) = [one for one in tasks_of(people.recipient) if one.url == own(release)]
    assert task.hint == "as agreed"
    client.force_login(people.recipient)
    assert "as agreed" in client.get(own(release)).content.decode()
    requested(release, people)
    assert not [one for one in tasks_of(people.recipient) if one.url == own(release)]


def test_no_more_than_three_wait(release, people):
    for _ in range(3):
        requested(release, people)
    with pytest.raises(Refused) as refusal:
        requested(release, people)
    assert refusal.value.verdict.code == "fetches_wait"


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"file": 7}, "fetch_no_file"),
        ({"purpose": " "}, "fetch_no_purpose"),
        ({"purpose": "of 11010519491231002X"}, "personal_in_text"),
    ],
)
def test_what_is_requested_is_a_file_of_the_release_for_a_purpose(release, people, said, code):
    with pytest.raises(Refused) as refusal:
        requested(release, people, **said)
    assert refusal.value.verdict.code == code
    assert not FetchRequest.objects.exists()


def test_who_decides(release, people):
    request = requested(release, people)
    for who in ("planner", "executor", "management", "recipient", "auditor", "outsider"):
        assert not may_decide(getattr(people, who), request), who
    assert may_decide(people.supervisor, request)
    with unkept():
        both_posts(release, people.outsider)
        assert may_decide(people.outsider, request).code == "same_person"


def test_a_release_that_ended_is_approved_to_nobody(release, people):
    request = requested(release, people)
    release_end(release, why="the study is over", by=people.planner)
    request = FetchRequest.objects.get(pk=request.pk)
    assert may_approve(people.supervisor, request).code == "fetch_no_release"
    listing = reverse("releases:fetches", args=[release.project_id])
    assert listing not in [task.url for task in tasks_of(people.supervisor)]


@needs_poppler
def test_the_slip_says_what_was_fetched_and_by_which_approval(ready, release, people, client, tmp_path):
    request = decided(requested(release, people), people)
    fetched(ready, people)
    fetch = Fetch.objects.get()
    for who in ("outsider", "administrator"):
        assert not may_have_slip(getattr(people, who), fetch), who
    said = slip_context(fetch_whole(fetch.pk))
    file = release.files[0]
    assert {file["sha256"], file["file_name"], release.seal} <= set(dict(said["file"]).values())
    assert {str(request), "the fees by ward", str(people.supervisor), "as agreed"} <= set(
        dict(said["approved"]).values()
    )
    client.force_login(people.recipient)
    address = reverse("recipient_fetches:slip", args=[release.pk, fetch.pk])
    assert client.post(address).status_code == 302
    print_waiting(SLIP_JOB)
    slips = list(Document.objects.filter(kind=SLIP))
    assert {one.language for one in slips} == {"zh-hans", "en"}
    for slip in slips:
        flat = "".join(text_of(slip, tmp_path).split())
        for words in (
            fetch.sha256,
            str(people.recipient),
            "the fees by ward",
            f"{release.project.number}-H1",
        ):
            assert "".join(words.split()) in flat, (slip.language, words)
    for who, code in (("recipient", 200), ("planner", 200), ("auditor", 200), ("outsider", 404)):
        client.force_login(getattr(people, who))
        answer = client.get(reverse("documents:open", args=[slips[0].pk]))
        assert answer.status_code == code, who
    # Nothing else of the project opens with it.
    other = put(Document, project_id=release.project_id, kind="plan", subject_id=str(fetch.pk), size=1)
    client.force_login(people.recipient)
    assert client.get(reverse("documents:open", args=[other.pk])).status_code == 404
    page = client.get(own(release)).content.decode()
    assert reverse("documents:open", args=[slips[0].pk]) in page
    client.force_login(people.planner)
    listing = client.get(reverse("releases:fetches", args=[release.project_id])).content.decode()
    assert reverse("documents:open", args=[slips[0].pk]) in listing
    assert str(people.recipient) in listing


def test_the_same_in_the_api(ready, released, release, people, client):
    client.force_login(people.recipient)
    own_requests = reverse("api:receive-fetch-requests", args=[release.pk])
    made = client.post(own_requests, {"purpose": "the fees by ward"}, content_type="application/json")
    assert made.status_code == 201
    assert made.json()["state"] == "waiting"
    project = release.project_id
    decide = reverse("api:fetch-requests-decide", args=[project, made.json()["id"]])
    body = {"approve": True, "reason": "as agreed", "secret": PASSWORD}
    assert client.post(decide, body, content_type="application/json").status_code == 404
    client.force_login(people.planner)
    assert client.post(decide, body, content_type="application/json").status_code == 403
    client.force_login(people.supervisor)
    done = client.post(decide, body, content_type="application/json")
    assert (done.status_code, done.json()["state"]) == (200, "approved")
    assert client.get(reverse("api:fetch-requests", args=[project])).json()["results"] == [done.json()]
    client.force_login(people.recipient)
    assert client.get(own_requests).json()["count"] == 1
    assert client.get(reverse("api:receive-download", args=[ready.pk])).status_code == 200
    (row,) = client.get(reverse("api:receive-fetches", args=[release.pk])).json()["results"]
    assert (row["request"], row["sha256"]) == (made.json()["id"], release.files[0]["sha256"])
    assert row["slips"] == []
    slip = client.post(reverse("api:receive-fetch-slip", args=[release.pk, row["id"]]))
    assert slip.status_code == 202
    client.force_login(people.auditor)
    assert client.get(reverse("api:fetches", args=[project])).json()["count"] == 1
    assert client.post(reverse("api:fetches-slip", args=[project, row["id"]])).status_code == 202


def test_the_database_refuses_what_nobody_approved(ready, release, people):
    project = release.project
    row = {"project": project, "delivery": ready, "file": 0}
    with unkept(), refused("each fetch has an approval of its own"):
        put(Fetch, **row, request=None)
    request = requested(release, people)
    with unkept(), refused("was approved"):
        put(Fetch, **row, request=request)
    decided(request, people)
    late = FetchDecision.objects.get().holds_until
    with unkept(), refused("was approved"):
        put(Fetch, **row, request=request, fetched_at=late + timedelta(seconds=1))
    with unkept(), refused("was approved"):
        put(Fetch, **{**row, "file": 1}, request=request)
    with unkept():
        put(Fetch, **row, request=request)
        with refused("UNIQUE|unique"):
            put(Fetch, **row, request=request)
    for found, new in ((request, {"purpose": "x"}), (FetchDecision.objects.get(), {"reason": "x"})):
        with unkept(), refused("written once"):
            change(found, **new)
        with unkept(), refused("written once"):
            delete(found)
    fetched(ready, people)
    with unkept(), refused("stays on the record"):
        change(Fetch.objects.get(), sha256="0" * 64)
    with unkept(), refused("stays on the record"):
        delete(Fetch.objects.get())


def test_the_database_knows_who_requests_and_who_decides(release, people):
    project = release.project
    with unkept(), refused("a recipient of the project"):
        put(FetchRequest, project=project, release=release, recipient=people.planner, file=0)
    request = requested(release, people)
    said = {"request": request, "approved": False, "holds_until": None}
    for who in (people.planner, people.management):
        with unkept(), refused("a supervisor of the project"):
            put(FetchDecision, **said, decided_by=who)
    for who in (people.recipient, people.executor):
        with unkept(), refused("a supervisor of the project|nor an executor"):
            put(FetchDecision, **said, decided_by=who)
    with unkept():
        both_posts(release, people.outsider)
        with refused("nor an executor"):
            put(FetchDecision, **said, decided_by=people.outsider)
    now = timezone.now()
    for wrong in (
        {"approved": True, "holds_until": None},
        {"approved": False, "holds_until": now + APPROVAL_HOLDS},
    ):
        with unkept(), refused("fetch_decision_ends_if_approved"):
            put(FetchDecision, request=request, decided_by=people.supervisor, decided_at=now, **wrong)


def test_the_form_proposes_it_by_the_grade(release, people):
    project = release.project
    assert not is_proposed(project)
    objective = project.objective
    for grade, proposed in (("sensitive", False), ("important", True), ("core", True)):
        with unkept():
            change(objective, scope={**objective.scope, "classification": grade})
            assert is_proposed(project) is proposed, grade
    assert len({approval_text(one) for one in (None, False, True)}) == 3
