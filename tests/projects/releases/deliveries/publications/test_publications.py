"""A completely public release gets an address without sign-in: proposed, approved by another person, sealed, and taken down at once."""

from __future__ import annotations

import hashlib

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from approvals.governance.verdict import Refused
from deid_portal.demo.story import run_jobs
from projects.core.models import Notification, Project
from projects.core.services import project_move
from projects.core.tasks_registry import tasks_of
from projects.disposal.services import disposal_carry_out, disposal_propose
from projects.objective.enums import Act
from projects.releases import events
from projects.releases.deliveries.publications.rules import availability_of, may_approve
from projects.releases.deliveries.publications.services import (
    publication_decide,
    publication_propose,
    publication_withdraw,
)
from projects.releases.enums import Availability, PublicationStatus
from projects.releases.models import Publication, PublicationDownloads, Release
from projects.releases.providers import access_ended
from projects.releases.selectors import current_release
from projects.releases.services import release_end
from projects.workflow import Move, State
from tests.fixtures import PASSWORD
from tests.projects.releases import stories
from tests.projects.releases.deliveries.acts import everything_but
from tests.projects.rows import change

START = stories.released_publicly
ENGLISH = {"accept-language": "en"}
TEXTS = {
    "title": "Visits by region",
    "summary": "Visits of two years.",
    "conditions": "Cite the source.",
    "contact": "Office of statistics",
}


@pytest.fixture
def story(people, story_at):
    return story_at(State.MONITORING, stories.released_publicly)


def propose(story, people, **changes) -> Publication:
    said = TEXTS | changes
    return publication_propose(story.project, **said, irrevocable_understood=True, by=people.planner)


def approve(publication, people) -> Publication:
    publication_decide(
        publication,
        approve=True,
        reason="as signed",
        seen_hash=publication.content_hash,
        by=people.supervisor,
    )
    run_jobs(documents=False)
    return Publication.objects.select_related("project", "release").get(pk=publication.pk)


def published(story, people, **changes) -> Publication:
    return approve(propose(story, people, **changes), people)


def page_of(publication) -> str:
    return reverse("published:page", args=[publication.token])


def body(answer) -> bytes:
    return b"".join(answer.streaming_content)


def test_from_the_proposal_on_the_page_to_the_file_of_somebody_without_an_account(story, people, client):
    project, anybody = story.project, Client()
    client.force_login(people.planner)
    listing = reverse("releases:publications", args=[project.pk])
    assert listing in [task.url for task in tasks_of(people.planner)]
    assert client.post(listing, TEXTS).status_code == 422, "that it cannot be recalled is confirmed"
    page = client.post(listing, TEXTS | {"irrevocable": "on"}).url
    publication = Publication.objects.get()
    assert publication.status == PublicationStatus.WAITING
    assert anybody.get(page_of(publication)).status_code == 404, "before it is approved nobody is told of it"
    assert client.post(page, {"decision": "approve"}).status_code == 403, "not by who proposed it"
    client.force_login(people.supervisor)
    assert page in [task.url for task in tasks_of(people.supervisor)]
    decision = {"decision": "approve", "reason": "as signed", "content_hash": publication.content_hash}
    assert client.post(page, decision | {"secret": "wrong"}).status_code == 422
    assert client.post(page, decision | {"secret": PASSWORD}).status_code == 302
    assert anybody.get(page_of(publication)).status_code == 404, "nor before the seal is verified"
    run_jobs(documents=False)
    publication.refresh_from_db()
    assert (publication.status, publication.version) == (PublicationStatus.LIVE, 1)
    assert publication.designation in ("deidentified", "anonymised", "aggregated")
    shown = anybody.get(page_of(publication), headers=ENGLISH).content.decode()
    release = current_release(project)
    file = release.files[0]
    for said in (*TEXTS.values(), release.seal, file["sha256"], "Maximum re-identification risk"):
        assert said in shown
    for inside in (
        project.title,
        people.planner.full_name,
        people.supervisor.full_name,
        "as signed",
        str(project.pk),
    ):
        assert inside not in shown, "no name of the house"
    answer = anybody.get(reverse("published:download", args=[publication.token, 0]))
    assert hashlib.sha256(body(answer)).hexdigest() == file["sha256"]
    assert answer["Content-Disposition"].startswith("attachment")
    assert PublicationDownloads.objects.get().count == 1
    assert anybody.get(reverse("published:download", args=[publication.token, 1])).status_code == 404
    events = AuditEvent.objects.filter(project_id=project.pk).values_list("action", flat=True)
    assert {"publication.proposed", "publication.approved", "publication.published"} <= {*events}


def test_the_api_says_the_same(story, people, client):
    project, anybody = story.project, Client()
    client.force_login(people.planner)
    listing = reverse("api:publications", args=[project.pk])
    requested = {**TEXTS, "irrevocable": False}
    assert client.post(listing, requested, content_type="application/json").json()["code"] == "irrevocable"
    made = client.post(listing, {**TEXTS, "irrevocable": True}, content_type="application/json").json()
    assert (made["status"], made["token"]) == ("waiting", "")
    client.force_login(people.supervisor)
    decide = reverse("api:publications-decide", args=[project.pk, made["id"]])
    decision = {"approve": True, "reason": "as signed", "content_hash": made["content_hash"]}
    assert client.post(decide, decision, content_type="application/json").status_code == 400
    assert (
        client.post(decide, decision | {"secret": PASSWORD}, content_type="application/json").status_code
        == 200
    )
    run_jobs(documents=False)
    (row,) = client.get(listing).json()
    address = reverse("api:published", args=[row["token"]])
    answer_of_api = anybody.get(address, headers=ENGLISH).json()
    assert (
        answer_of_api["title"],
        answer_of_api["version"],
        answer_of_api["newer"],
        answer_of_api["older"],
    ) == (TEXTS["title"], 1, None, [])
    assert answer_of_api["files"][0]["sha256"] == current_release(project).files[0]["sha256"]
    assert answer_of_api["files"][0]["columns"]
    assert answer_of_api["measured"]
    assert answer_of_api["notices"][""]["changes"]
    answer = anybody.get(reverse("api:published-file", args=[row["token"], 0]))
    assert hashlib.sha256(body(answer)).hexdigest() == answer_of_api["files"][0]["sha256"]
    withdraw = reverse("api:publications-withdraw", args=[project.pk, made["id"]])
    client.post(withdraw, {"reason": "an error"}, content_type="application/json")
    gone = anybody.get(address)
    assert (gone.status_code, gone.json()["code"]) == (410, "withdrawn")
    assert anybody.get(reverse("api:published-file", args=[row["token"], 0])).status_code == 410
    assert anybody.get(reverse("api:published", args=["nothing"])).status_code == 404


def test_who_may_not_is_told_why(story, people):
    for who in ("executor", "supervisor", "management", "auditor", "recipient", "outsider"):
        with pytest.raises(Refused):
            publication_propose(story.project, **TEXTS, irrevocable_understood=True, by=getattr(people, who))
    with pytest.raises(Refused, match="irrevocable"):
        publication_propose(story.project, **TEXTS, irrevocable_understood=False, by=people.planner)
    with pytest.raises(Refused, match="personal_in_text"):
        propose(story, people, summary="Ask 13800138000.")
    first, second = propose(story, people), propose(story, people, title="Visits")
    first.refresh_from_db()
    assert first.status == PublicationStatus.REPLACED
    decision = {"approve": True, "reason": "as signed", "seen_hash": second.content_hash}
    for who in ("planner", "executor", "management", "auditor", "recipient", "outsider"):
        with pytest.raises(Refused):
            publication_decide(second, **decision, by=getattr(people, who))
    with pytest.raises(Refused, match="publication_decided_already"):
        publication_decide(first, **decision, by=people.supervisor)
    for wrong, code in (({"reason": " "}, "reason_needed"), ({"seen_hash": "0"}, "other_publication")):
        with pytest.raises(Refused, match=code):
            publication_decide(second, **decision | wrong, by=people.supervisor)
    publication_decide(second, **decision | {"approve": False}, by=people.supervisor)
    live = published(story, people)
    with pytest.raises(Refused, match="published_already"):
        propose(story, people)
    for who in ("executor", "management", "auditor", "recipient", "outsider"):
        with pytest.raises(Refused):
            publication_withdraw(live, why="an error", by=getattr(people, who))
    with pytest.raises(Refused, match="reason_needed"):
        publication_withdraw(live, why=" ", by=people.supervisor)
    assert availability_of(live) is Availability.UP


def test_what_the_target_does_not_allow_is_not_published(story, people, client):
    client.force_login(people.planner)
    address = reverse("releases:publications", args=[story.project.pk])
    everything_but(story.project, Act.PUBLISH)
    page = client.get(address, headers={"accept-language": "en"}).content.decode()
    assert "Fetching without signing in, from the address of a publication." in page
    assert client.post(address, {"title": "x"}).status_code == 403
    everything_but(story.project)
    waiting = propose(story, people)
    everything_but(story.project, Act.PUBLISH)
    assert may_approve(people.supervisor, waiting).code == "act_not_allowed"


def test_only_what_is_shared_completely_publicly_is_published(people):
    other = stories.released(people)
    with pytest.raises(Refused, match="publication_not_public"):
        propose(other, people)


def down(publication) -> str:
    """What everybody is told at both addresses."""
    page = Client().get(page_of(publication), headers=ENGLISH)
    file = Client().get(reverse("published:download", args=[publication.token, 0]), headers=ENGLISH)
    assert (page.status_code, file.status_code) == (410, 410)
    return page.content.decode()


def test_withdrawal_suspension_and_end_take_the_address_down_at_once(story, people):
    project, publication = story.project, published(story, people)
    project_move(project, move=Move.SUSPEND, by=people.supervisor, reason="a doubt")
    said = down(publication)
    assert "are being examined" in said
    assert "a doubt" not in said
    assert TEXTS["title"] in said, "that it was published stays"
    project_move(project, move=Move.RESUME, by=people.supervisor, reason="no doubt any more")
    assert Client().get(page_of(publication)).status_code == 200
    publication_withdraw(publication, why="an error in house", by=people.planner)
    said = down(publication)
    assert "has been withdrawn" in said
    assert "an error in house" not in said
    again = published(story, people, title="Visits, corrected")
    assert again.version == 2
    assert page_of(again) in down(publication), "what was withdrawn leads to what came after"
    assert page_of(publication) in Client().get(page_of(again)).content.decode()
    release_end(current_release(project), why="it is over", by=people.planner)
    assert "The release has ended" in down(again)


def test_a_proposal_that_waits_ends_with_its_release(
    story, people, client, django_capture_on_commit_callbacks
):
    publication = propose(story, people)
    with pytest.raises(IntegrityError), transaction.atomic(), recording(events.PUBLICATION_LAPSED, by=None):
        Publication.objects.filter(pk=publication.pk).update(
            status=PublicationStatus.LAPSED, ended_at=timezone.now(), ended_why="too early"
        )
    with django_capture_on_commit_callbacks(execute=True):
        release_end(current_release(story.project), why="it is over", by=people.planner)
    publication.refresh_from_db()
    assert publication.status == PublicationStatus.LAPSED
    assert (publication.ended_by, publication.ended_why) == (None, "it is over")
    (event,) = AuditEvent.objects.filter(action=events.PUBLICATION_LAPSED)
    assert (event.actor_id, event.reason, event.subject_id) == ("", "it is over", str(publication.pk))
    notices = Notification.objects.filter(action=events.PUBLICATION_LAPSED)
    assert {(one.user, one.reason) for one in notices} == {
        (people.planner, "it is over"),
        (people.supervisor, "it is over"),
    }
    page = reverse("releases:publication", args=[story.project.pk, publication.pk])
    assert page not in [task.url for task in tasks_of(people.supervisor)]
    client.force_login(people.planner)
    shown = client.get(page, headers=ENGLISH).content.decode()
    assert "Ended with its release before it was decided" in shown
    assert "by the portal" in shown
    with pytest.raises(Refused) as refused:
        publication_decide(
            publication,
            approve=False,
            reason="so",
            seen_hash=publication.content_hash,
            by=people.supervisor,
        )
    assert refused.value.verdict.code == "publication_decided_already"
    assert Client().get(page_of(publication)).status_code == 404


def test_what_was_destroyed_is_down_and_its_record_stays(story, people):
    project, publication = story.project, published(story, people)
    release_end(current_release(project), why="it is over", by=people.planner)
    project_move(project, move=Move.CLOSE, by=people.planner, reason="it is over")
    project.refresh_from_db()
    disposal = disposal_propose(project, reason="it is over", by=people.planner)
    disposal_carry_out(disposal, reason="it is over", by=people.supervisor)
    run_jobs(documents=False)
    assert publication.release.files[0]["sha256"] in down(publication)


def test_altered_bytes_are_never_published(story, people):
    publication = propose(story, people)
    publication_decide(
        publication,
        approve=True,
        reason="as signed",
        seen_hash=publication.content_hash,
        by=people.supervisor,
    )
    _alter(story.project)
    run_jobs(documents=False)
    publication.refresh_from_db()
    assert publication.status == PublicationStatus.STOPPED
    assert Release.objects.get().seal_broken_at is not None
    assert Client().get(page_of(publication)).status_code == 404
    stopped = AuditEvent.objects.get(action="publication.stopped")
    assert stopped.facts["code"] == "release.not_sealed"


def test_bytes_altered_later_are_found_at_the_download(story, people):
    publication = published(story, people)
    _alter(story.project)
    answer = Client().get(reverse("published:download", args=[publication.token, 0]))
    assert answer.status_code == 410
    assert Release.objects.get().seal_broken_at is not None
    assert "not what was published" in down(publication)


def _alter(project) -> None:
    stored = stories.stored_of(current_release(project))
    content = bytearray(stored.path.read_bytes())
    content[len(content) // 2 % 64 + 40] ^= 1
    stored.path.write_bytes(bytes(content))


def test_a_row_that_no_event_explains_stops_the_download(story, people):
    publication = published(story, people)
    change(story.project, created_at=timezone.now())
    answer = Client().get(reverse("published:download", args=[publication.token, 0]))
    assert answer.status_code == 410
    assert not PublicationDownloads.objects.exists()


def test_a_release_that_ends_while_the_seal_is_verified_is_not_published(story, people):
    publication = propose(story, people)
    publication_decide(
        publication,
        approve=True,
        reason="as signed",
        seen_hash=publication.content_hash,
        by=people.supervisor,
    )
    release_end(current_release(story.project), why="a doubt", by=people.planner)
    run_jobs(documents=False)
    publication.refresh_from_db()
    assert publication.status == PublicationStatus.STOPPED
    assert AuditEvent.objects.get(action="publication.stopped").facts["code"] == "release.overtaken"


def test_a_project_is_not_closed_while_its_data_are_published(
    story, people, django_capture_on_commit_callbacks
):
    publication = published(story, people)
    with translation.override("en"):
        (missing,) = access_ended(Project.objects.get(pk=story.project.pk))
        assert "takes down" in str(missing)
    with pytest.raises(Refused, match="evidence_missing"):
        project_move(story.project, move=Move.CLOSE, by=people.planner, reason="The study is over")
    assert Client().get(page_of(publication)).status_code == 200
    with django_capture_on_commit_callbacks(execute=True):
        release_end(current_release(story.project), why="it is over", by=people.planner)
    assert Client().get(page_of(publication)).status_code == 410
    messages = Notification.objects.filter(action=events.PUBLICATION_DOWN)
    assert {one.user for one in messages} == {people.supervisor, people.management}
    assert AuditEvent.objects.get(action=events.PUBLICATION_DOWN).subject_id == str(publication.pk)
    project_move(
        Project.objects.get(pk=story.project.pk),
        move=Move.CLOSE,
        by=people.planner,
        reason="The study is over",
    )
    assert Client().get(page_of(publication)).status_code == 410
