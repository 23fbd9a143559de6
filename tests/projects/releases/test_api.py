"""The API of releases and of recipients: the same rules and reasons as the pages."""

from __future__ import annotations

from datetime import timedelta

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from projects.datasets.models import StoredFile
from projects.datasets.store.store import store_open
from projects.releases.models import Agreement, Delivery, Release
from projects.releases.selectors import current_release
from tests.projects.releases.stories import stored_of

PDF = b"%PDF-1.7\nsigned\n%%EOF"
INSIDE = ["planner", "executor", "supervisor", "management", "auditor", "assessor"]
OUTSIDE = ["outsider", "recipient", "administrator", "superuser"]


def url(name, *args):
    return reverse(f"api:{name}", args=args)


def caller(user):
    client = APIClient()
    client.force_authenticate(user)
    return client


def agreement(**changes):
    today = timezone.localdate()
    return {
        "recipient": "recipient", "organisation": "School", "purpose": "A study.", "signed_by": "Dean",
        "prohibits_reidentification": True, "prohibits_linkage": True, "prohibits_onward_sharing": True,
        "signed_on": today.isoformat(), "valid_until": (today + timedelta(days=9)).isoformat(), "country": "CN",
        "file": SimpleUploadedFile("a.pdf", PDF), **changes,
    }  # fmt: skip


def test_agreement_release_delivery_download_end(approved, people):
    pk = approved.project.pk
    planner, recipient = caller(people.planner), caller(people.recipient)
    refused = planner.post(url("releases", pk), {}, format="json")
    assert refused.status_code == 403
    assert refused.json()["missing"]
    for wrong in ({"recipient": "executor"}, {"prohibits_linkage": False}, {"valid_until": "2020-01-01"}):
        assert planner.post(url("agreements", pk), agreement(**wrong), format="multipart").status_code == 400
    before = StoredFile.objects.count()
    bad = agreement(file=SimpleUploadedFile("a.pdf", b"MZ nothing"))
    assert planner.post(url("agreements", pk), bad, format="multipart").status_code == 422
    assert StoredFile.objects.count() == before
    sent = agreement(file=SimpleUploadedFile("a.pdf", PDF))
    made = planner.post(url("agreements", pk), sent, format="multipart")
    assert made.status_code == 201, made.json()
    assert made.json()["in_force"] is True
    scan = planner.get(url("agreements-scan", pk, made.json()["id"]))
    assert b"".join(scan.streaming_content) == PDF
    assert (
        planner.post(url("agreements", pk), agreement(organisation="Other"), format="multipart").status_code
        == 201
    )
    assert len(planner.get(url("agreements", pk)).json()) == 2

    released = planner.post(url("releases", pk), {}, format="json")
    assert released.status_code == 201
    release = current_release(approved.project)
    assert released.json()["seal"] == release.seal

    listed = recipient.get(url("receive")).json()
    assert [row["id"] for row in listed] == [str(release.pk)]
    detail = recipient.get(url("receive-detail", release.pk)).json()
    assert detail["may_receive"] is False
    early = recipient.post(url("receive-request", release.pk), {"notice_read": True}, format="json")
    assert early.json()["code"] == "terms_not_accepted"
    assert (
        recipient.post(url("receive-accept", release.pk), {"accepted": False}, format="json").status_code
        == 403
    )
    accepted = recipient.post(url("receive-accept", release.pk), {"accepted": True}, format="json")
    assert (accepted.status_code, accepted.json()["terms"]["purpose"]) == (200, "A study.")
    assert (
        recipient.post(url("receive-accept", release.pk), {"accepted": True}, format="json").status_code
        == 403
    )
    assert recipient.get(url("receive-detail", release.pk)).json()["may_receive"] is True
    assert "姓名" in detail["notice"]["removed"]
    unread = recipient.post(url("receive-request", release.pk), {"notice_read": False}, format="json")
    assert unread.json()["code"] == "notice_unread"
    requested = recipient.post(url("receive-request", release.pk), {"notice_read": True}, format="json")
    assert requested.status_code == 202
    delivery = requested.json()["id"]
    assert recipient.get(url("receive-download", delivery)).json()["code"] == "not_ready"
    approved.run_jobs()
    assert recipient.get(url("receive-delivery", delivery)).json()["status"] == "ready"
    got = recipient.get(url("receive-download", delivery))
    with store_open(stored_of(release)) as stream:
        assert b"".join(got.streaming_content) == stream.read()
    assert [row["status"] for row in planner.get(url("releases-deliveries", pk)).json()] == ["fetched"]

    assert planner.post(url("releases-end", pk, release.pk), {}, format="json").status_code == 400
    ended = planner.post(url("releases-end", pk, release.pk), {"reason": "Over."}, format="json")
    assert ended.json()["ended_why"] == "Over."
    assert recipient.get(url("receive-download", delivery)).json()["code"] == "release_ended"
    current = Agreement.objects.get(ended_at=None)
    over = planner.post(url("agreements-end", pk, current.pk), {"reason": "Over."}, format="json")
    assert over.status_code == 200
    assert over.json()["in_force"] is False


def test_roles(released, release, people):
    pk = released.project.pk
    current = Agreement.objects.get()
    mine = caller(people.recipient).post(
        url("receive-request", release.pk), {"notice_read": True}, format="json"
    )
    delivery = mine.json()["id"]
    writes = [
        (url("releases", pk), {}),
        (url("releases-end", pk, release.pk), {"reason": "x"}),
        (url("agreements", pk), agreement(file="")),
        (url("agreements-end", pk, current.pk), {"reason": "x"}),
    ]
    may = {"planner": {1, 2, 3}, "supervisor": {1, 3}}
    for who in (*INSIDE, *OUTSIDE):
        client = caller(getattr(people, who))
        hidden = who in OUTSIDE
        for name in ("releases", "agreements", "releases-deliveries"):
            assert client.get(url(name, pk)).status_code == (404 if hidden else 200)
        assert client.get(url("agreements-scan", pk, current.pk)).status_code == (404 if hidden else 200)
        for index, (path, data) in enumerate(writes):
            if index not in may.get(who, set()):
                assert client.post(path, data, format="json").status_code == (404 if hidden else 403), (
                    who,
                    path,
                )
        if who != "recipient":
            assert client.get(url("receive")).json() == []
            assert client.get(url("receive-detail", release.pk)).status_code == 404
            assert client.get(url("receive-delivery", delivery)).status_code == 404
            assert client.get(url("receive-download", delivery)).status_code == 404
            sent = client.post(url("receive-request", release.pk), {"notice_read": True}, format="json")
            assert sent.status_code == 404
    assert APIClient().get(url("receive")).status_code in (401, 403)
    assert Delivery.objects.count() == 1
    assert Release.objects.get().ended_at is None
