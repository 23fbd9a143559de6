"""Documents are called in the record of versions and among attachments as on their own covers."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.utils import translation

from approvals.documents.render import DocumentHead
from approvals.documents.services import document_create
from approvals.governance.draft import Subject
from projects.jobs.documents import _numbered

SIGNED = "去标识化数据审批报告（已签批）"
RETURNED = "去标识化数据审批报告（已退回）"


@pytest.mark.django_db
@pytest.mark.parametrize("between", [" ", " · "])
def test_a_document_is_called_as_on_its_own_cover(project, people, between):
    def made(number: str, language: str, title: str):
        return document_create(
            project_id=project.pk,
            kind="approval_report_signed",
            subject=Subject("signoff", number, number, "aa" * 32),
            number=f"{project.number}-{number}",
            title=f"{title}{between}{project.title}",
            language=language,
            content=b"%PDF-1.7 x",
            by=people.planner,
        )

    chinese, english = made("VA1", "zh-hans", RETURNED), made("VA1", "en", "Approval report (returned)")
    head = DocumentHead(f"{project.number}-VA2", SIGNED, "bb" * 32, datetime(2026, 1, 2, tzinfo=UTC))
    about = Subject("signoff", "2", "2", "bb" * 32)
    with translation.override("zh-hans"):
        shown = _numbered(project, head, kind="approval_report_signed", about=about, language="zh-hans")
        attached = _numbered(project, head, kind="incident_report", about=about, language="zh-hans")
    assert [one.title for one in shown.versions] == [RETURNED, SIGNED]
    assert [one.title for one in attached.attachments] == [RETURNED]
    assert chinese.filename == f"{project.number}-审批报告-已决定-v1.pdf"
    assert english.filename == f"{project.number}-approval-report-decided-v1.pdf"
