"""The outside body's own document: received encrypted, kept once by the assessor, opened on the record, evidence of the project."""

from __future__ import annotations

import hashlib

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import translation
from rest_framework.test import APIClient

from approvals.audit.models import AuditEvent
from projects.core.assessments.enums import Conclusion
from projects.core.assessments.selectors import orders_of
from projects.core.assessments.services import assessment_end, assessment_report
from projects.core.models import Notification
from projects.datasets.models import StoredFile
from projects.datasets.store.holdings import HeldKind, holdings_of
from projects.datasets.store.store import store_write
from projects.datasets.upload import scans
from projects.findings.assessments.services import PURPOSE
from projects.findings.models import AssessmentDocument
from projects.findings.providers import assessment_documents
from tests.projects.rows import change, delete, put, refused

pytestmark = pytest.mark.django_db
BACKEND = "deid_portal.accounts.backends.AccountBackend"
PDF = b"%PDF-1.7\nwhat the outside body found\n%%EOF"


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


@pytest.fixture
def order(project):
    """The one that every project of these tests begins with."""
    return orders_of(project).get()


def signed_in(person):
    client = Client(headers={"accept-language": "en"})
    client.force_login(person, backend=BACKEND)
    return client


def program_of(person):
    caller = APIClient()
    caller.force_authenticate(person)
    return caller


def sent(content=PDF, name="report.pdf"):
    return {"file": SimpleUploadedFile(name, content)}


def page_of(order):
    return reverse("findings:assessment_document", args=[order.project_id, order.pk])


def file_of(order):
    return reverse("findings:assessment_file", args=[order.project_id, order.pk])


def reported(order):
    return assessment_report(
        order, conclusion=Conclusion.CONFORMS, report="As it should be.", by=order.assessor
    )


@pytest.mark.parametrize("before", [True, False], ids=["before the report", "after it"])
def test_it_is_kept_encrypted_and_opened_on_the_record(
    people, order, before, django_capture_on_commit_callbacks
):
    if not before:
        reported(order)
    assessor = signed_in(people.assessor)
    with django_capture_on_commit_callbacks(execute=True):
        assert assessor.post(page_of(order), sent()).url == page_of(order)
    kept = AssessmentDocument.objects.get()
    digest = hashlib.sha256(PDF).hexdigest()
    assert (kept.order, kept.kept_by, kept.size, kept.sha256) == (order, people.assessor, len(PDF), digest)
    assert PDF not in kept.stored.path.read_bytes()
    assert Notification.objects.filter(user=order.ordered_by, action="assessment.document_kept").exists()
    assert (
        digest
        in signed_in(people.supervisor)
        .get(reverse("core:assessments", args=[order.project_id]))
        .content.decode()
    )
    for who in ("planner", "executor", "supervisor", "management", "auditor", "assessor"):
        client = signed_in(getattr(people, who))
        assert file_of(order) in client.get(page_of(order)).content.decode()
        answer = client.get(file_of(order))
        assert (b"".join(answer.streaming_content), answer["Content-Type"]) == (PDF, "application/pdf")
        assert answer["Content-Disposition"].startswith("attachment")
    events = AuditEvent.objects.filter(action__startswith="assessment.document").order_by("seq")
    assert [one.action for one in events] == ["assessment.document_kept", *["assessment.document_read"] * 6]
    assert (events[0].facts["sha256"], events[0].actor_id) == (digest, str(people.assessor.pk))
    assert events[0].subject_id == str(order.pk)
    assert assessor.post(page_of(order), sent()).status_code == 403, "once"
    assert StoredFile.objects.filter(purpose=PURPOSE).count() == 1, "nothing of the second stays"
    if before:
        assert reported(order).conclusion == Conclusion.CONFORMS


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"GIF89a", "must be a PDF, PNG or JPEG"),
        (b"%PDF-" + b"x" * 2000, "larger than"),
        (None, "Choose the file"),
    ],
)
def test_what_is_no_document_is_refused_where_it_was_chosen_and_leaves_nothing(
    people, order, monkeypatch, content, said
):
    monkeypatch.setattr(scans, "MAX_BYTES", 1000)
    answer = signed_in(people.assessor).post(page_of(order), sent(content) if content else {})
    assert answer.status_code in (413, 422)
    assert said in answer.content.decode()
    assert not AssessmentDocument.objects.exists()
    assert not StoredFile.objects.filter(purpose=PURPOSE).exists()


@pytest.mark.parametrize("content", [PDF, b"\x89PNG\r\n\x1a\nx", b"\xff\xd8\xffx"])
def test_the_kind_is_that_of_its_bytes_whatever_it_is_called(people, order, content):
    assert signed_in(people.assessor).post(page_of(order), sent(content, "report.txt")).status_code == 302
    (enclosed,) = assessment_documents(order.project)
    ending = {b"%": "pdf", b"\x89": "png", b"\xff": "jpg"}[content[:1]]
    assert enclosed.name == f"assessment-{order.number}.{ending}"


@pytest.mark.parametrize("who", ["planner", "supervisor", "management", "auditor", "outsider", "recipient"])
def test_nobody_else_keeps_it(people, order, who):
    client = signed_in(getattr(people, who))
    assert client.post(page_of(order), sent()).status_code in (403, 404)
    api = reverse("api:assessment-document", args=[order.project_id, order.pk])
    assert program_of(getattr(people, who)).post(api, sent(), format="multipart").status_code in (403, 404)
    if who in ("outsider", "recipient"):
        assert client.get(page_of(order)).status_code in (403, 404)
        assert client.get(file_of(order)).status_code in (403, 404)
    assert not StoredFile.objects.filter(purpose=PURPOSE).exists()


def test_not_once_the_order_is_over(people, order):
    assessment_end(order, reason="They have no time.", by=people.supervisor)
    assert signed_in(people.assessor).post(page_of(order), sent()).status_code in (403, 404)
    assert (
        "No document of the outside body is kept"
        in signed_in(people.supervisor).get(page_of(order)).content.decode()
    )
    assert signed_in(people.supervisor).get(file_of(order)).status_code == 404
    assert not StoredFile.objects.filter(purpose=PURPOSE).exists()


def test_it_is_evidence_of_the_project_and_goes_into_its_package(people, order):
    signed_in(people.assessor).post(page_of(order), sent())
    kept = AssessmentDocument.objects.get()
    (holding,) = holdings_of(order.project, evidence=True)
    assert (holding.code, holding.kind) == ("findings.assessmentdocument.stored", HeldKind.EVIDENCE)
    assert holding.stored == kept.stored
    assert holdings_of(order.project) == [], "the destruction of the data does not reach it"
    (enclosed,) = assessment_documents(order.project)
    assert enclosed.sha256 == kept.sha256
    assert b"".join(enclosed.read()) == PDF


def test_the_database_keeps_it(people, order):
    with store_write(PURPOSE) as writer:
        writer.write(PDF)
    of = {"order": order, "stored": writer.stored, "sha256": writer.stored.sha256, "kept_by": people.assessor}
    for wrong in ({"kept_by": people.supervisor}, {"sha256": "0" * 64}):
        with refused("is kept by who has the order"):
            put(AssessmentDocument, **of | wrong)
    made = put(AssessmentDocument, **of)
    with refused("is kept once"):
        change(made, size=1)
    with refused("is kept once"):
        delete(made)
    with refused("UNIQUE"):
        put(AssessmentDocument, **of)


def test_the_api_keeps_it_and_hands_it_out(people, order):
    api = reverse("api:assessment-document", args=[order.project_id, order.pk])
    listed = reverse("api:project-assessments", args=[order.project_id])
    assessor = program_of(people.assessor)
    assert assessor.get(api).status_code == 404
    assert assessor.get(listed).json()[0]["document_sha256"] == ""
    made = assessor.post(api, sent(), format="multipart")
    assert (made.status_code, made.json()["sha256"]) == (201, hashlib.sha256(PDF).hexdigest())
    assert assessor.get(listed).json()[0]["document_sha256"] == made.json()["sha256"]
    assert b"".join(program_of(people.planner).get(api).streaming_content) == PDF
    assert assessor.post(api, sent(), format="multipart").status_code == 403
