"""The target's jobs: its documents."""

from __future__ import annotations

from approvals.decisions.models import SignOff
from approvals.documents.models import Document
from projects.jobs.documents import DocumentKind
from projects.jobs.models import Job
from projects.jobs.registry import job_kind

from .enums import APPROVAL_JOB, PLAN_JOB
from .models import PlanVersion
from .plan.documents import plan_document_write


@job_kind(PLAN_JOB)
class PlanDocument(DocumentKind):
    """The plan as submitted."""

    def write(self, job: Job, language: str) -> Document:
        return plan_document_write(_version(job.subject_id), language=language)


@job_kind(APPROVAL_JOB)
class ApprovalDocument(DocumentKind):
    """The plan with its review and one approval."""

    def write(self, job: Job, language: str) -> Document:
        approval = SignOff.objects.select_related("decided_by", "in_stead_of").get(pk=job.subject_id)
        return plan_document_write(_version(approval.subject_id), language=language, approval=approval)


def _version(version_id: str) -> PlanVersion:
    return PlanVersion.objects.select_related("project", "created_by").get(pk=version_id)
