"""The jobs of a disposal: taking the encrypted files from the disk, and printing the certificate."""

from __future__ import annotations

from approvals.documents.models import Document
from projects.jobs.documents import DocumentKind
from projects.jobs.models import Job
from projects.jobs.registry import JobKind, Tick, job_kind

from .documents import certificate_write
from .enums import CERTIFICATE_JOB, DESTROY_JOB
from .models import Disposal
from .services import disposal_finish, files_remove


def _disposal(job: Job) -> Disposal:
    found = Disposal.objects.select_related("project", "proposed_by", "decided_by")
    return found.get(pk=job.subject_id)


@job_kind(DESTROY_JOB)
class Destroy(JobKind):
    """Begun again after a crash it finds fewer files, and ends alike; broken off it leaves the disposal saying that it is not over."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        files_remove(_disposal(job), tick)
        return ""

    def finish(self, job: Job) -> None:
        disposal_finish(_disposal(job), by=job.requested_by)


@job_kind(CERTIFICATE_JOB)
class DisposalCertificate(DocumentKind):
    def write(self, job: Job, language: str) -> Document:
        return certificate_write(_disposal(job), language, by=job.requested_by)
