"""The stage of the release: agreements, seal, who may do what."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from projects.core.models import Project
from projects.datasets.models import StoredFile
from projects.datasets.upload import scans
from projects.releases import events
from projects.releases.agreements.terms import SCAN_PURPOSE
from projects.releases.models import Agreement, Release
from projects.releases.selectors import current_release
from projects.workflow import State
from tests.projects.releases import stories

START = stories.approved

INSIDE = ["planner", "executor", "supervisor", "management", "auditor", "assessor"]
OUTSIDE = ["outsider", "recipient", "administrator", "superuser"]
PDF = b"%PDF-1.7\nsigned by both\n%%EOF"


def url(name, project, **kwargs):
    return reverse(f"releases:{name}", kwargs={"project_id": project.pk, **kwargs})


def agreement_data(people, **changes):
    today = timezone.localdate()
    data = {
        "recipient": people.recipient.pk,
        "organisation": "School of Medicine",
        "purpose": "A study of fees.",
        "prohibits_reidentification": "on",
        "prohibits_linkage": "on",
        "prohibits_onward_sharing": "on",
        "signed_by": "Dean",
        "signed_on": today.isoformat(),
        "valid_until": (today + timedelta(days=90)).isoformat(),
        "check_months": "12",
        "country": "CN",
        "file": SimpleUploadedFile("signed.pdf", PDF),
        **changes,
    }
    return {key: value for key, value in data.items() if value is not None}


def test_from_approval_to_release_and_its_end(approved, people, client):
    project = approved.project
    client.force_login(people.planner)
    page = client.get(url("page", project))
    assert page.status_code == 200
    assert page.context["release_missing"]
    assert client.post(url("create", project)).status_code == 403
    # Through the form, with a scan that is opened again.
    data = agreement_data(
        people, file=SimpleUploadedFile("scan.exe", PDF, content_type="application/x-dosexec")
    )
    assert client.post(url("agreement", project), data).status_code == 302
    agreement = Agreement.objects.get()
    assert agreement.scan.purpose == SCAN_PURPOSE
    assert PDF not in agreement.scan.path.read_bytes()
    assert not client.get(url("page", project)).context["release_missing"]
    answer = client.get(url("scan", project, agreement_id=agreement.pk))
    assert b"".join(answer.streaming_content) == PDF
    assert answer["Content-Type"] == "application/pdf"
    assert answer["Content-Disposition"].startswith("attachment")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert AuditEvent.objects.filter(action="agreement.scan_read").exists()
    assert client.post(url("create", project)).status_code == 302
    release = current_release(project)
    project.refresh_from_db()
    assert project.state == State.MONITORING
    page = client.get(url("page", project)).content.decode()
    assert release.seal in page
    # Ends with a reason only.
    assert client.post(url("end", project, release_id=release.pk), {"reason": " "}).status_code == 422
    release.refresh_from_db()
    assert release.ended_at is None
    client.post(url("end", project, release_id=release.pk), {"reason": "The study is over."})
    release.refresh_from_db()
    assert release.ended_why == "The study is over."
    assert client.post(url("end", project, release_id=release.pk), {"reason": "Again."}).status_code == 403
    assert (
        client.post(url("agreement_end", project, agreement_id=agreement.pk), {"reason": "Over."}).status_code
        == 302
    )
    agreement.refresh_from_db()
    assert agreement.ended_at
    assert client.get(url("page", project)).status_code == 200


def test_roles(approved, people, client):
    project = approved.project
    approved.sign_agreement()
    agreement = Agreement.objects.get()
    for who in INSIDE:
        client.force_login(getattr(people, who))
        assert client.get(url("page", project)).status_code == 200
        assert client.get(url("scan", project, agreement_id=agreement.pk)).status_code == 200
        if who != "planner":
            assert client.get(url("agreement", project)).status_code == 403
            assert client.post(url("agreement", project), agreement_data(people)).status_code == 403
            assert client.post(url("create", project)).status_code == 403
        if who not in ("planner", "supervisor"):
            sent = client.post(url("agreement_end", project, agreement_id=agreement.pk), {"reason": "x"})
            assert sent.status_code == 403
    for who in OUTSIDE:
        client.force_login(getattr(people, who))
        for name in ("page", "agreement"):
            assert client.get(url(name, project)).status_code == 404
        assert client.get(url("scan", project, agreement_id=agreement.pk)).status_code == 404
        for name, extra in (
            ("create", {}),
            ("agreement", {}),
            ("agreement_end", {"agreement_id": agreement.pk}),
        ):
            assert client.post(url(name, project, **extra), {"reason": "x"}).status_code == 404
    assert Agreement.objects.get().ended_at is None
    assert not Release.objects.exists()


@pytest.mark.parametrize(
    "missing", ["prohibits_reidentification", "prohibits_linkage", "prohibits_onward_sharing"]
)
def test_each_prohibition_is_needed_in_form_and_database(approved, people, client, missing):
    project = approved.project
    client.force_login(people.planner)
    response = client.post(url("agreement", project), agreement_data(people, **{missing: None}))
    assert response.status_code == 422
    assert missing in response.context["form"].errors
    today = timezone.localdate()
    fields = dict.fromkeys(
        ("prohibits_reidentification", "prohibits_linkage", "prohibits_onward_sharing"), True
    )
    with pytest.raises(IntegrityError), transaction.atomic(), recording(events.AGREEMENT_RECORDED, by=None):
        Agreement.objects.create(
            project=project, recipient=people.recipient, organisation="x", purpose="x", signed_by="x",
            signed_on=today, valid_until=today, recorded_by=people.planner, **{**fields, missing: False},
        )  # fmt: skip
    assert not Agreement.objects.exists()


def test_agreements_that_cannot_be_recorded(approved, people, client, monkeypatch):
    project = approved.project
    client.force_login(people.planner)
    today = timezone.localdate()
    before = StoredFile.objects.count()
    wrong = [
        {"recipient": people.executor.pk},
        {"valid_until": (today - timedelta(days=1)).isoformat()},
        {"signed_on": (today + timedelta(days=1)).isoformat()},
        {"purpose": " "},
        {"file": None},
        {"file": SimpleUploadedFile("scan.pdf", b"MZ\x90 not a scan", content_type="application/pdf")},
    ]
    for changes in wrong:
        sent = client.post(url("agreement", project), agreement_data(people, **changes))
        assert sent.status_code == 422, changes
    monkeypatch.setattr(scans, "MAX_BYTES", 1000)
    large = SimpleUploadedFile("scan.pdf", PDF + b"x" * 5000)
    assert client.post(url("agreement", project), agreement_data(people, file=large)).status_code == 422
    assert not Agreement.objects.exists()
    assert StoredFile.objects.count() == before  # nothing received is left behind


def test_a_new_agreement_replaces_the_one_in_force(approved, people, client):
    client.force_login(people.planner)
    for organisation in ("First", "Second"):
        sent = client.post(
            url("agreement", approved.project), agreement_data(people, organisation=organisation)
        )
        assert sent.status_code == 302
    assert [a.organisation for a in Agreement.objects.filter(ended_at=None)] == ["Second"]


def test_the_upload_checks_the_token(approved, people):
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.force_login(people.planner)
    before = StoredFile.objects.count()
    data = agreement_data(people, file=SimpleUploadedFile("scan.pdf", PDF))
    assert client.post(url("agreement", approved.project), data).status_code == 403
    assert StoredFile.objects.count() == before


def test_public_sharing_wants_to_know_that_it_is_irrevocable(approved, people, client):
    with recording(events.AGREEMENT_RECORDED, by=None, recipient="-", valid_until="-"):
        Project.objects.filter(pk=approved.project.pk).update(sharing_type="public")
    client.force_login(people.planner)
    page = client.get(url("page", approved.project)).content.decode()
    assert 'name="irrevocable"' in page
    client.post(url("create", approved.project))
    assert not Release.objects.exists()
