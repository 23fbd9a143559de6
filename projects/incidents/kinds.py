"""The job that prints an incident report."""

from __future__ import annotations

from approvals.documents.models import Document
from projects.jobs.documents import DocumentKind
from projects.jobs.models import Job
from projects.jobs.registry import job_kind

from .documents import report_write
from .enums import PDF_JOB
from .models import Incident


@job_kind(PDF_JOB)
class IncidentReport(DocumentKind):
    def write(self, job: Job, language: str) -> Document:
        found = Incident.objects.select_related("project", "raised_by", "closed_by")
        return report_write(found.get(pk=job.subject_id), language, by=job.requested_by)
