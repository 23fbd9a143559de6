"""The job that prints the report of an intruder test."""

from __future__ import annotations

from approvals.documents.models import Document
from projects.jobs.documents import DocumentKind
from projects.jobs.models import Job
from projects.jobs.registry import job_kind

from .documents import report_write
from .enums import PDF_JOB
from .models import IntruderTest


@job_kind(PDF_JOB)
class IntruderTestReport(DocumentKind):
    def write(self, job: Job, language: str) -> Document:
        found = IntruderTest.objects.select_related("project", "run", "opened_by", "closed_by")
        return report_write(found.get(pk=job.subject_id), language, by=job.requested_by)
