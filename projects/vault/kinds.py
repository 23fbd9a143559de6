"""The job that prints the certificate of a destroyed key."""

from __future__ import annotations

from approvals.documents.models import Document
from projects.jobs.documents import DocumentKind
from projects.jobs.models import Job
from projects.jobs.registry import job_kind

from .documents import CERTIFICATE_JOB, certificate_write
from .models import Secret
from .services import secrets_forget


@job_kind(CERTIFICATE_JOB)
class Certificate(DocumentKind):
    def write(self, job: Job, language: str) -> Document:
        secret = Secret.objects.select_related("project", "created_by", "proposed_by", "destroyed_by").get(
            pk=job.subject_id
        )
        secrets_forget([secret])
        return certificate_write(secret, language, by=job.requested_by)
