"""The privacy notice on file: received encrypted, named by the plan, read on the record."""

from __future__ import annotations

import hashlib

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from approvals.governance.governed import GovernanceBypassed
from approvals.governance.verdict import Refused
from projects.core.services import project_move
from projects.datasets.models import StoredFile
from projects.datasets.store.store import store_write
from projects.objective import events
from projects.objective.completeness import missing_items
from projects.objective.models import PlanVersion, PrivacyNotice
from projects.objective.notice import files as notice_files
from projects.objective.notice.files import notice_kind
from projects.objective.notice.services import notice_get, notice_keep, notice_open, notice_remove, notices_of
from projects.objective.selectors import objective_of, plan_content, plan_hash
from projects.workflow import Move, State
from techniques.core.messages import EngineError
from tests.projects.objective.steps import approved, fill, fresh, submit, write_plan

pytestmark = pytest.mark.django_db
PDF = b"%PDF-1.7\nwhat we do with your data\n%%EOF"
TEXT = "隐私政策第七条：用于科研前先去标识化。\n".encode()
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
DOCX = b"PK\x03\x04\x14\x00\x06\x00word/document.xml"
INSIDE = ("planner", "executor", "supervisor", "management", "auditor", "assessor")
OUTSIDE = ("outsider", "recipient", "administrator", "superuser")


def page(project, name="notice", **more):
    return reverse(f"objective:{name}", kwargs={"project_id": project.pk, **more})


def api(project, name="objective-notice", **more):
    return reverse(f"api:{name}", kwargs={"project_id": project.pk, **more})


def stored(content: bytes) -> StoredFile:
    with store_write("privacy_notice") as writer:
        writer.write(content)
    return writer.stored


def keep(project, people, content=PDF, name="告知书.pdf"):
    return notice_keep(fresh(project), stored=stored(content), name=name, by=people.planner)


def sent(content=PDF, name="notice.pdf"):
    return {"file": SimpleUploadedFile(name, content)}


@pytest.fixture
def filled(project, people):
    return fill(project, people)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (PDF, "pdf"),
        (TEXT, "txt"),
        (TEXT.decode().encode("gb18030"), "txt"),
        (TEXT.decode().encode("utf-16"), "txt"),
        (b"\xef\xbb\xbf" + TEXT, "txt"),
        # The first piece ends within a character.
        (b"a" * ((1 << 20) - 1) + TEXT, "txt"),
        (b"a" * (1 << 21) + b"\x00", None),
        (PNG, None),
        (DOCX, None),
        (b"MZ\x90\x00", None),
        (b" \n" + PDF[:3], "txt"),
        (b"", None),
        (b" \r\n", None),
        (b"abc\xff\xff\xff", None),
    ],
)
def test_the_kind_is_read_from_the_bytes(content, kind, db):
    assert notice_kind(stored(content)) == kind


def test_the_notice_goes_on_file_and_the_plan_names_it(filled, people):
    before = plan_hash(filled)
    notice = keep(filled, people)
    assert PDF not in notice.stored.path.read_bytes()
    project = fresh(filled)
    assert plan_content(project)["notice"] == {
        "name": "告知书.pdf",
        "sha256": hashlib.sha256(PDF).hexdigest(),
    }
    assert plan_hash(project) != before
    # The plan was written about another set of promises: it is read again and saved.
    assert [item.part for item in missing_items(project)] == ["plan"]
    write_plan(project, people)
    submit(project, people)
    version = PlanVersion.objects.get(project=project)
    assert version.content["notice"]["sha256"] == notice.sha256
    event = AuditEvent.objects.get(action="privacy_notice.kept")
    assert event.subject_hash == notice.sha256
    assert "告知书" not in str(AuditEvent.objects.filter(action__startswith="privacy_notice").values())


def test_without_a_notice_the_hash_is_what_it_was(filled, people):
    """What was signed before there were notices keeps its signature."""
    assert set(plan_content(filled)) == {
        "title", "summary", "sharing_type", "scope", "factors", "risk", "utility", "plan",
    }  # fmt: skip
    before = plan_hash(filled)
    keep(filled, people)
    notice_remove(fresh(filled), by=people.planner)
    assert plan_hash(fresh(filled)) == before


def test_replacing_changes_the_hash_and_lapses_the_approval(project, people):
    project = approved(project, people)
    with pytest.raises(Refused) as refused:
        keep(project, people)
    assert refused.value.verdict.code == "wrong_state"
    assert not StoredFile.objects.filter(purpose="privacy_notice").exists()
    project_move(
        fresh(project), move=Move.REVISE_OBJECTIVE, by=people.planner, reason="The notice is missing."
    )
    digest = plan_hash(fresh(project))
    keep(project, people)
    lapsed = AuditEvent.objects.filter(project_id=project.pk, action__contains="lapse")
    assert lapsed.exists()
    first = plan_hash(fresh(project))
    assert first != digest
    assert keep(project, people).pk == objective_of(fresh(project)).notice_id  # the same again
    assert plan_hash(fresh(project)) == first
    keep(project, people, name="另一名.pdf")
    assert plan_hash(fresh(project)) != first
    keep(project, people, content=TEXT)
    assert plan_hash(fresh(project)) != first


def test_a_replaced_file_stays_while_a_submitted_plan_names_it(filled, people):
    draft = keep(filled, people, TEXT, "draft.txt")
    named = keep(filled, people)
    draft.stored.refresh_from_db()
    assert draft.stored.destroyed_at is not None  # no version ever named it
    write_plan(fresh(filled), people)
    submit(filled, people)
    project_move(fresh(filled), move=Move.RETURN_OBJECTIVE, by=people.supervisor, reason="Another notice.")
    newest = keep(filled, people, TEXT, "new.txt")
    assert list(notices_of(filled)) == [newest, named]
    notice_remove(fresh(filled), by=people.planner)
    assert list(notices_of(filled)) == [named]
    with notice_open(notice_get(filled, named.pk), by=people.auditor) as stream:
        assert stream.read() == PDF


def test_a_withdrawn_project_keeps_it(filled, people, client):
    notice = keep(filled, people)
    project_move(fresh(filled), move=Move.WITHDRAW, by=people.planner, reason="Not wanted any more.")
    assert fresh(filled).state == State.WITHDRAWN
    with pytest.raises(Refused):
        notice_remove(fresh(filled), by=people.planner)
    client.force_login(people.auditor)
    answer = client.get(page(filled, "notice_file", notice_id=notice.pk))
    assert b"".join(answer.streaming_content) == PDF


def test_only_services_write_and_the_database_knows_the_kinds(filled, people):
    notice = keep(filled, people)
    with pytest.raises(GovernanceBypassed):
        PrivacyNotice.objects.filter(pk=notice.pk).update(name="x")
    with (
        pytest.raises(IntegrityError),
        recording(events.NOTICE_KEPT, by=people.planner, subject=notice.subject, kind="exe"),
    ):
        PrivacyNotice.objects.filter(pk=notice.pk).update(kind="exe")


def test_a_person_puts_it_on_file_replaces_opens_and_removes_it(client, filled, people):
    client.force_login(people.planner)
    assert page(filled) in client.get(page(filled, "page")).content.decode()
    hostile = '"><img src=x onerror=alert(1)>\u202egnp.exe'
    assert client.post(page(filled), sent(name=hostile)).status_code == 302
    notice = objective_of(fresh(filled)).notice
    assert "\u202e" not in notice.name
    for name in ("page", "notice"):
        shown = client.get(page(filled, name)).content.decode()
        assert notice.sha256 in shown
        assert "<img src=x" not in shown
    answer = client.get(page(filled, "notice_file", notice_id=notice.pk))
    assert b"".join(answer.streaming_content) == PDF
    assert answer["Content-Type"] == "application/pdf"
    assert answer["X-Content-Type-Options"] == "nosniff"
    said = answer["Content-Disposition"]
    assert said.startswith("attachment;")
    assert said.endswith(".exe.pdf")
    assert not set(said) & set('"<>\r\n')
    assert (
        AuditEvent.objects.filter(action="privacy_notice.read", actor_id=str(people.planner.pk)).count() == 1
    )
    assert client.post(page(filled), sent(TEXT, "neu.txt")).status_code == 302
    assert objective_of(fresh(filled)).notice.kind == "txt"
    assert client.get(page(filled, "notice_file", notice_id=notice.pk)).status_code == 404  # destroyed
    assert client.post(page(filled, "notice_remove")).status_code == 302
    assert objective_of(fresh(filled)).notice is None


def test_what_cannot_be_kept_leaves_nothing_behind(client, filled, people, monkeypatch):
    client.force_login(people.planner)
    before = StoredFile.objects.count()
    for content in (PNG, DOCX, b" "):
        assert client.post(page(filled), sent(content)).status_code == 422
        assert client.post(api(filled), sent(content)).status_code == 422
    assert client.post(page(filled), {}).status_code == 422
    monkeypatch.setattr(notice_files, "MAX_BYTES", 1000)
    large = PDF + b"x" * 5000
    assert client.post(page(filled), sent(large)).status_code == 413
    assert client.post(api(filled), sent(large)).json()["code"] == "upload.too_large"
    with pytest.raises(EngineError):
        notice_keep(filled, stored=stored(PNG), name="a.pdf", by=people.planner)
    # Nobody else's site sends a file in the planning manager's name.
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(people.planner)
    monkeypatch.undo()
    assert strict.post(page(filled), sent()).status_code == 403
    assert StoredFile.objects.count() == before
    assert objective_of(fresh(filled)).notice is None


def test_who_may(client, filled, people):
    notice = keep(filled, people)
    file_page = page(filled, "notice_file", notice_id=notice.pk)
    file_api = api(filled, "objective-notice-file", notice_id=notice.pk)
    for who in (*INSIDE, *OUTSIDE):
        client.force_login(getattr(people, who))
        hidden = who in OUTSIDE
        for url in (page(filled), api(filled), file_page, file_api):
            assert client.get(url).status_code == (404 if hidden else 200), (who, url)
        if who not in ("planner", "executor"):
            denied = 404 if hidden else 403
            assert client.post(page(filled), sent(TEXT)).status_code == denied
            assert client.post(page(filled, "notice_remove")).status_code == denied
            assert client.post(api(filled), sent(TEXT)).status_code == denied
            assert client.delete(api(filled)).status_code == denied
    read = AuditEvent.objects.filter(action="privacy_notice.read").count()
    assert read == 2 * len(INSIDE)
    assert objective_of(fresh(filled)).notice == notice


def test_another_projects_member_finds_nothing(client, filled, people):
    from tests.fixtures import make_project

    notice = keep(filled, people)
    other = make_project(people, "Other")
    client.force_login(people.planner)
    assert client.get(page(other, "notice_file", notice_id=notice.pk)).status_code == 404
    assert client.get(api(other, "objective-notice-file", notice_id=notice.pk)).status_code == 404
    assert client.get(api(other)).json() == []
    with pytest.raises(PrivacyNotice.DoesNotExist):
        notice_get(other, notice.pk)


def test_a_program_keeps_lists_opens_and_removes_it(client, filled, people):
    client.force_login(people.planner)
    made = client.post(api(filled), sent(name="a.pdf"))
    assert made.status_code == 201, made.json()
    assert (made.json()["kind"], made.json()["in_force"]) == ("pdf", True)
    (row,) = client.get(api(filled)).json()
    assert row["sha256"] == hashlib.sha256(PDF).hexdigest()
    said = client.get(api(filled, "objective-detail")).json()
    assert said["notice"] == {"name": "a.pdf", "sha256": row["sha256"]}
    answer = client.get(api(filled, "objective-notice-file", notice_id=row["id"]))
    assert b"".join(answer.streaming_content) == PDF
    assert client.delete(api(filled)).status_code == 204
    assert client.get(api(filled)).json() == []
    assert client.get(api(filled, "objective-detail")).json()["notice"] is None


def test_the_overview_asks_no_more_for_it(client, filled, people):
    client.force_login(people.planner)

    def statements(name):
        client.get(page(filled, name))
        with CaptureQueriesContext(connection) as queries:
            client.get(page(filled, name))
        return len(queries)

    before = statements("page")
    keep(filled, people)
    assert statements("page") == before
    assert statements("notice") <= before
