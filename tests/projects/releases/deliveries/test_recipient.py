"""What a recipient gets: exactly the approved bytes behind an intact seal, or the reason why not."""

from __future__ import annotations

import hashlib
import io
from datetime import timedelta

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from approvals.governance.verdict import Refused
from projects.core.models import Notification, Project
from projects.core.services import member_add, member_end, project_move
from projects.datasets.models import StoredFile
from projects.datasets.store.store import store_open
from projects.jobs.models import Job
from projects.releases.deliveries.services import delivery_open, delivery_request
from projects.releases.models import Agreement, Delivery, Release
from projects.releases.rules import ReleaseReason
from projects.releases.selectors import current_release
from projects.releases.services import agreement_end, release_end
from projects.verification import events as some_events
from projects.workflow import Move, Role
from techniques.core.messages import EngineError
from tests.projects.releases import stories
from tests.projects.releases.stories import stored_of

START = stories.released

OTHERS = [
    "planner",
    "executor",
    "supervisor",
    "management",
    "auditor",
    "assessor",
    "outsider",
    "administrator",
    "superuser",
]


def url(name, **kwargs):
    return reverse(f"recipient:{name}", kwargs=kwargs)


def ask(client, release):
    response = client.post(url("request", release_id=release.pk), {"notice_read": "on"})
    assert response.status_code == 302, response.status_code
    return Delivery.objects.filter(release=release).latest("requested_at")


@pytest.fixture
def recipient(people, client):
    client.force_login(people.recipient)
    return client


@pytest.fixture
def ready(recipient, released, release):
    delivery = ask(recipient, release)
    released.run_jobs()
    delivery.refresh_from_db()
    return delivery


def body(response):
    return b"".join(response.streaming_content)


def test_from_the_list_to_the_file(recipient, released, release):
    page = recipient.get(url("list")).content.decode()
    assert url("detail", release_id=release.pk) in page
    detail = recipient.get(url("detail", release_id=release.pk))
    assert detail.status_code == 200
    text = detail.content.decode()
    assert "姓名" in text  # named among the removed columns of the notice
    refused = recipient.post(url("request", release_id=release.pk), {})
    assert refused.status_code == 422
    assert not Delivery.objects.exists()
    delivery = ask(recipient, release)
    waiting = recipient.get(url("delivery", delivery_id=delivery.pk)).content.decode()
    assert url("progress", delivery_id=delivery.pk) in waiting
    assert url("download", delivery_id=delivery.pk) not in waiting
    assert recipient.get(url("download", delivery_id=delivery.pk)).status_code == 403
    assert "HX-Refresh" not in recipient.get(url("progress", delivery_id=delivery.pk)).headers
    released.run_jobs()
    assert recipient.get(url("progress", delivery_id=delivery.pk)).headers["HX-Refresh"] == "true"
    assert (
        url("download", delivery_id=delivery.pk)
        in recipient.get(url("delivery", delivery_id=delivery.pk)).content.decode()
    )
    response = recipient.get(url("download", delivery_id=delivery.pk))
    content = body(response)
    with store_open(stored_of(release)) as stream:
        assert content == stream.read()
    assert hashlib.sha256(content).hexdigest() == release.files[0]["sha256"]
    assert len(content) == int(response["Content-Length"])
    assert response["Content-Type"] == "text/csv"
    assert str(release) in response["Content-Disposition"]
    assert response["Content-Disposition"].startswith("attachment")
    assert response["X-Content-Type-Options"] == "nosniff"
    assert "no-store" in response["Cache-Control"]
    actions = AuditEvent.objects.values_list("action", flat=True)
    for action in ("delivery.requested", "delivery.ready", "delivery.fetched"):
        assert action in actions


def test_nothing_leaks_to_others(ready, release, people, client):
    for who in OTHERS:
        client.force_login(getattr(people, who))
        page = client.get(url("list"))
        assert page.status_code == 200
        assert str(release) not in page.content.decode()
        assert client.get(url("detail", release_id=release.pk)).status_code == 404
        sent = client.post(url("request", release_id=release.pk), {"notice_read": "on"})
        assert sent.status_code == 404
        for name in ("delivery", "progress", "download", "look"):
            assert client.get(url(name, delivery_id=ready.pk)).status_code == 404


def test_another_recipient_cannot_use_my_delivery(ready, released, release, people, client):
    project = Project.objects.get(pk=released.project.pk)
    member_add(project, user=people.outsider, role=Role.RECIPIENT, by=people.planner)
    client.force_login(people.outsider)
    assert client.get(url("download", delivery_id=ready.pk)).status_code == 404
    # A recipient without an agreement sees what it is, and why it is closed.
    detail = client.get(url("detail", release_id=release.pk))
    assert str(ReleaseReason.NO_AGREEMENT.label) in detail.content.decode()
    assert client.post(url("request", release_id=release.pk), {"notice_read": "on"}).status_code == 403


def flip(stored, position):
    with stored.path.open("r+b") as file:
        file.seek(position)
        byte = file.read(1)
        file.seek(position)
        file.write(bytes([byte[0] ^ 1]))


def assert_reported(release):
    release.refresh_from_db()
    assert release.seal_broken_at is not None
    event = AuditEvent.objects.get(action="release.seal_broken")
    assert event.project_id == release.project_id
    roles = {n.user.username for n in Notification.objects.filter(action="release.seal_broken")}
    assert roles == {"supervisor", "planner"}


@pytest.mark.parametrize("where", ["first", "middle", "last"])
def test_a_flipped_byte_breaks_the_seal(recipient, released, release, people, client, where):
    size = stored_of(release).path.stat().st_size
    flip(stored_of(release), {"first": 20, "middle": size // 2, "last": size - 1}[where])
    delivery = ask(recipient, release)
    released.run_jobs()
    assert_reported(release)
    page = recipient.get(url("delivery", delivery_id=delivery.pk)).content.decode()
    assert url("download", delivery_id=delivery.pk) not in page
    assert recipient.get(url("download", delivery_id=delivery.pk)).status_code == 403
    assert recipient.post(url("request", release_id=release.pk), {"notice_read": "on"}).status_code == 403
    client.force_login(people.supervisor)
    inside = client.get(reverse("releases:page", kwargs={"project_id": release.project_id}))
    assert "verdict--fail" in inside.content.decode()


def test_a_byte_flipped_after_the_verification(recipient, ready, release):
    flip(stored_of(release), 40)
    assert recipient.get(url("download", delivery_id=ready.pk)).status_code == 403
    assert_reported(release)
    ready.refresh_from_db()
    assert ready.fetched_at is None


def test_a_byte_flipped_while_it_is_sent(ready, release, people, monkeypatch):
    """A later chunk that does not prove itself ends the stream, and the seal is broken for everybody."""
    monkeypatch.setattr(
        "projects.releases.deliveries.services.store_open", lambda stored: FailsLater(b"x" * 9)
    )
    pieces, _ = delivery_open(ready, by=people.recipient)
    with pytest.raises(EngineError):
        list(pieces)
    assert_reported(release)


class FailsLater(io.BytesIO):
    """Sound at first, then a chunk that does not prove itself."""

    def read(self, size=-1):
        piece = super().read(size)
        if not piece:
            raise EngineError("store.damaged", "damaged")
        return piece


def test_an_altered_row_breaks_the_seal(recipient, ready, release):
    other = [release.files[0] | {"sha256": "f" * 64}]
    altered = {"recipe_hash": "f" * 64, "verification_hash": "f" * 64, "seal": "f" * 64, "files": other}
    for field, value in altered.items():
        with transaction.atomic():
            with recording(some_events.VERIFICATION_BROKEN_OFF, by=None, code="tampering"):
                Release.objects.filter(pk=release.pk).update(**{field: value})
            assert recipient.get(url("download", delivery_id=ready.pk)).status_code == 403
            assert_reported(release)
            transaction.set_rollback(True)


def test_an_exchanged_file_breaks_the_seal(recipient, released, ready, release):
    other = StoredFile.objects.exclude(pk=stored_of(release).pk).exclude(wrapped_key=b"").first()
    with recording(some_events.VERIFICATION_BROKEN_OFF, by=None, code="tampering"):
        Release.objects.filter(pk=release.pk).update(files=[release.files[0] | {"stored": str(other.pk)}])
    assert recipient.get(url("download", delivery_id=ready.pk)).status_code == 403
    assert_reported(release)


def test_an_expired_agreement(recipient, ready, release, monkeypatch):
    after = Agreement.objects.get().valid_until + timedelta(days=1)
    monkeypatch.setattr(timezone, "localdate", lambda: after)
    refused(recipient, ready, release, ReleaseReason.NO_AGREEMENT)


def test_an_ended_agreement(recipient, ready, release, people):
    agreement_end(Agreement.objects.get(), why="The study is over.", by=people.supervisor)
    refused(recipient, ready, release, ReleaseReason.NO_AGREEMENT)


def test_an_ended_release(recipient, ready, release, people):
    release_end(release, why="The study is over.", by=people.planner)
    refused(recipient, ready, release, ReleaseReason.RELEASE_ENDED)
    assert "The study is over." in recipient.get(url("detail", release_id=release.pk)).content.decode()


def test_a_suspended_project(recipient, ready, release, people):
    project_move(release.project, move=Move.SUSPEND, by=people.supervisor, reason="An incident.")
    refused(recipient, ready, release, ReleaseReason.SUSPENDED)
    project_move(release.project, move=Move.RESUME, by=people.supervisor, reason="Clarified.")
    assert recipient.get(url("download", delivery_id=ready.pk)).status_code == 200


def test_a_former_recipient(recipient, ready, release, people):
    membership = release.project.memberships.get(user=people.recipient)
    member_end(membership, by=people.planner)
    for path in (
        url("detail", release_id=release.pk),
        url("delivery", delivery_id=ready.pk),
        url("download", delivery_id=ready.pk),
    ):
        response = recipient.get(path)
        assert response.status_code == 403
        assert str(ReleaseReason.NOT_A_RECIPIENT.label) in response.content.decode()
    assert str(release) not in recipient.get(url("list")).content.decode()


def test_an_old_verification_is_not_enough(recipient, ready, release):
    with recording(some_events.VERIFICATION_BROKEN_OFF, by=None, code="time passes"):
        Delivery.objects.filter(pk=ready.pk).update(verified_at=timezone.now() - timedelta(minutes=61))
    response = recipient.get(url("download", delivery_id=ready.pk))
    assert response.status_code == 403
    assert str(ReleaseReason.EXPIRED.label) in response.content.decode()


def refused(client, delivery, release, reason):
    response = client.get(url("download", delivery_id=delivery.pk))
    assert response.status_code == 403
    assert str(reason.label) in response.content.decode()
    assert str(reason.label) in client.get(url("detail", release_id=release.pk)).content.decode()
    assert client.post(url("request", release_id=release.pk), {"notice_read": "on"}).status_code == 403


def test_a_broken_off_verification_hands_nothing_out(recipient, release):
    delivery = ask(recipient, release)
    job = Job.objects.get(subject_id=str(delivery.pk))
    from projects.jobs.services import job_cancel

    job_cancel(job, by=job.requested_by)
    assert recipient.get(url("download", delivery_id=delivery.pk)).status_code == 403
    assert AuditEvent.objects.filter(action="delivery.broken_off").exists()


class TestEnclave:
    @pytest.fixture
    def enclave(self, released):
        with recording(some_events.VERIFICATION_BROKEN_OFF, by=None, code="as an enclave"):
            Project.objects.filter(pk=released.project.pk).update(sharing_type="enclave")

    def test_looks_page_by_page_and_never_downloads(self, enclave, recipient, released, release, people):
        release = current_release(Project.objects.get(pk=release.project_id))
        delivery = ask(recipient, release)
        released.run_jobs()
        assert recipient.get(url("download", delivery_id=delivery.pk)).status_code == 403
        page = recipient.get(url("delivery", delivery_id=delivery.pk)).content.decode()
        assert url("look", delivery_id=delivery.pk) in page
        assert url("download", delivery_id=delivery.pk) not in page
        first = recipient.get(url("look", delivery_id=delivery.pk))
        assert first.status_code == 200
        assert len(first.context["page"].rows) == 25
        text = first.content.decode()
        assert text.count("Recipient Person") > 5
        assert "no-store" in first["Cache-Control"]
        second = recipient.get(url("look", delivery_id=delivery.pk) + "?page=2")
        assert second.context["page"].first == 26
        assert second.context["page"].rows != first.context["page"].rows
        last = recipient.get(url("look", delivery_id=delivery.pk) + "?page=99999").context["page"]
        assert last.last == 500
        events = AuditEvent.objects.filter(action="release.viewed").order_by("seq")
        assert [(e.facts["first"], e.facts["last"]) for e in events] == [(1, 25), (26, 50), (476, 500)]
        flip(stored_of(release), 30)
        assert recipient.get(url("look", delivery_id=delivery.pk)).status_code == 403
        assert_reported(release)

    def test_looking_is_for_enclave_sharing_only(self, recipient, ready):
        assert recipient.get(url("look", delivery_id=ready.pk)).status_code == 403


def test_the_notice_must_be_read(release, people):
    with pytest.raises(Refused):
        delivery_request(release, notice_read=False, by=people.recipient)


def test_a_recipient_queues_no_work_without_bound(recipient, released, release):
    for _number in range(3):
        ask(recipient, release)
    more = recipient.post(url("request", release_id=release.pk), {"notice_read": "on"})
    assert more.status_code == 403
    assert Delivery.objects.count() == 3
