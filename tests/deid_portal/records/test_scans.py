"""The scan of a record of staff: received encrypted, kept once, the file whose hash is on record, opened by administrators on the record."""

from __future__ import annotations

import hashlib

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import translation
from rest_framework.test import APIClient

from approvals.audit.models import AuditEvent
from deid_portal.records.enums import RecordKind
from deid_portal.records.models import RecordScan
from deid_portal.records.services import record_add, record_take_back
from projects.datasets.models import StoredFile
from projects.datasets.store.store import store_open
from projects.datasets.upload import scans
from tests.projects.rows import change, delete, put, refused

from .test_records import on_record, signed_in, today

pytestmark = pytest.mark.django_db
PDF = b"%PDF-1.7\nthe signed paper of somebody\n%%EOF"


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def sent(content=PDF, name="agreement.pdf"):
    return {"file": SimpleUploadedFile(name, content)}


def program_of(person):
    caller = APIClient()
    caller.force_authenticate(person)
    return caller


def page_of(record):
    return reverse("records:scan", args=[record.pk])


@pytest.fixture
def record(people):
    return on_record(people, people.executor, "agreement", last=30)


def test_it_is_kept_encrypted_and_opened_on_the_record(people, record):
    administrator = signed_in(people.administrator)
    records = reverse("records:records", args=[record.account_id])
    assert page_of(record) in administrator.get(records).content.decode()
    assert administrator.post(page_of(record), sent()).url == page_of(record)
    scan = RecordScan.objects.get()
    assert (scan.record, scan.kept_by, scan.size) == (record, people.administrator, len(PDF))
    assert scan.sha256 == hashlib.sha256(PDF).hexdigest()
    assert PDF not in scan.stored.path.read_bytes()
    shown = administrator.get(page_of(record)).content.decode()
    assert scan.sha256 in shown
    file = reverse("records:scan_file", args=[record.pk])
    assert file in shown
    answer = administrator.get(file)
    assert (b"".join(answer.streaming_content), answer["Content-Type"]) == (PDF, "application/pdf")
    assert answer["Content-Disposition"].startswith("attachment")
    events = AuditEvent.objects.filter(action__startswith="staff_record.scan").order_by("seq")
    assert [(one.action, one.actor_id) for one in events] == [
        ("staff_record.scan_kept", str(people.administrator.pk)),
        ("staff_record.scan_read", str(people.administrator.pk)),
    ]
    assert administrator.post(page_of(record), sent()).status_code == 403
    assert StoredFile.objects.count() == 1, "nothing of the second stays"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"GIF89a", "must be a PDF, PNG or JPEG"),
        (b"%PDF-" + b"x" * 2000, "larger than"),
        (None, "Choose the file"),
    ],
)
def test_what_is_no_scan_is_refused_where_it_was_chosen_and_leaves_nothing(
    people, record, monkeypatch, content, said
):
    monkeypatch.setattr(scans, "MAX_BYTES", 1000)
    answer = signed_in(people.administrator).post(page_of(record), sent(content) if content else {})
    assert answer.status_code in (413, 422)
    assert said in answer.content.decode()
    assert not RecordScan.objects.exists()
    assert not StoredFile.objects.exists()


def test_where_a_hash_is_on_record_only_that_file_is_taken(people):
    record = record_add(
        people.executor,
        kind=RecordKind.AGREEMENT,
        title="A paper",
        done_on=today(),
        passed=True,
        kept_at="folder 7",
        document_hash=hashlib.sha256(PDF).hexdigest().upper(),
        by=people.administrator,
    )
    administrator = signed_in(people.administrator)
    answer = administrator.post(page_of(record), sent(PDF + b" "))
    assert answer.status_code == 422
    assert "is not the one on record" in answer.content.decode()
    assert not StoredFile.objects.exists()
    assert administrator.post(page_of(record), sent()).status_code == 302


@pytest.mark.parametrize("who", ["planner", "supervisor", "management", "auditor", "outsider", "recipient"])
def test_nobody_else_reads_or_keeps_it(people, record, who):
    client = signed_in(getattr(people, who))
    for answer in (
        client.get(page_of(record)),
        client.post(page_of(record), sent()),
        client.get(reverse("records:scan_file", args=[record.pk])),
        client.get(reverse("api:records-scan", args=[record.pk])),
    ):
        assert answer.status_code in (403, 404)
    assert not StoredFile.objects.exists()


def test_one_of_a_record_that_was_withdrawn_is_not_kept(people, record):
    administrator = signed_in(people.administrator)
    record_take_back(record, reason="of somebody else", by=people.administrator)
    assert administrator.post(page_of(record), sent()).status_code == 403
    assert administrator.get(reverse("records:scan_file", args=[record.pk])).status_code == 404
    assert not StoredFile.objects.exists()


def test_withdrawing_the_record_destroys_the_file_and_keeps_its_hash(people, record):
    administrator = signed_in(people.administrator)
    administrator.post(page_of(record), sent())
    withdrawal = reverse("records:take_back", args=[record.pk])
    records = reverse("records:records", args=[record.account_id])
    assert "The file of its scan is destroyed" in administrator.get(records).content.decode()
    administrator.post(withdrawal, {f"{record.pk}-reason": "of somebody else"})
    scan = RecordScan.objects.get()
    assert scan.stored.destroyed_at is not None
    assert bytes(scan.stored.wrapped_key) == b""
    shown = administrator.get(page_of(record)).content.decode()
    assert scan.sha256 in shown
    assert "the file was destroyed with it" in shown
    assert administrator.get(reverse("records:scan_file", args=[record.pk])).status_code == 404
    (row,) = (
        program_of(people.administrator).get(reverse("api:records-list", args=[record.account_id])).json()
    )
    assert row["scan"]["destroyed"]


def test_without_the_token_of_the_page_nothing_is_kept(people, record):
    client = Client(enforce_csrf_checks=True)
    client.force_login(people.administrator, backend="deid_portal.accounts.backends.AccountBackend")
    assert client.post(page_of(record), sent()).status_code == 403
    assert not StoredFile.objects.exists()


def test_programs_keep_and_read_it_too(people, record):
    caller = program_of(people.administrator)
    path = reverse("api:records-scan", args=[record.pk])
    assert caller.get(path).status_code == 404
    assert caller.post(path, {}, format="multipart").status_code == 400
    kept = caller.post(path, sent(), format="multipart")
    assert kept.status_code == 201
    assert kept.json()["sha256"] == hashlib.sha256(PDF).hexdigest()
    (row,) = caller.get(reverse("api:records-list", args=[record.account_id])).json()
    assert row["scan"] == kept.json()
    assert b"".join(caller.get(path).streaming_content) == PDF


def test_the_database_keeps_it_as_it_was(people, record):
    signed_in(people.administrator).post(page_of(record), sent())
    scan = RecordScan.objects.get()
    with refused("kept once"):
        change(scan, sha256="0" * 64)
    with refused("kept once"):
        delete(scan)
    with store_open(scan.stored, whole=True) as stream:
        assert stream.read() == PDF
    other = on_record(people, people.supervisor, "agreement")
    record_take_back(other, reason="wrong", by=people.administrator)
    with refused("not taken back"):
        put(RecordScan, record=other, stored=scan.stored, kept_by=people.administrator)
    mine = on_record(people, people.supervisor, "agreement")
    with refused("not taken back"):
        put(RecordScan, record=mine, stored=scan.stored, kept_by=people.supervisor)
