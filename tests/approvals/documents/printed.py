"""What a reader of a printed document sees."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from approvals.audit.models import AuditEvent
from approvals.documents.models import Document
from approvals.documents.services import document_open
from projects.jobs.enums import JobStatus
from projects.jobs.models import Job
from projects.jobs.services import job_run

needs_poppler = pytest.mark.skipif(
    shutil.which("pdftotext") is None, reason="the poppler tools are not installed"
)


def print_waiting(job_kind: str) -> None:
    """Make the documents of one kind that wait for the worker. To print what else has come about on the way takes ten seconds."""
    waiting = Job.objects.filter(kind=job_kind, status=JobStatus.QUEUED)
    assert waiting
    for job in waiting:
        done = job_run(job.pk)
        assert done.status == JobStatus.SUCCEEDED, (done.error_code, done.error_text)


def text_of(document: Document, folder: Path) -> str:
    """The text of the pages, laid out as on paper."""
    path = folder / "document.pdf"
    path.write_bytes(document_open(document))
    return subprocess.run(
        ["pdftotext", "-layout", str(path), "-"], capture_output=True, check=True, text=True
    ).stdout


def anchored_after(action: str, text: str) -> bool:
    """Whether an English document prints a row of the audit log with its hash, no older than the act it is about."""
    found = re.search(r"row\s+(\d+),\s+hash\s+([0-9a-f]{16})", text)
    assert found, text[:2000]
    row = AuditEvent.objects.get(pk=found[1])
    return row.hash.startswith(found[2]) and row.seq >= AuditEvent.objects.filter(action=action).last().seq
