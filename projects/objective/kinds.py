"""The target's jobs: its documents, one item a language."""

from __future__ import annotations

from approvals.decisions.models import SignOff
from approvals.documents.render import LANGUAGES
from projects.jobs.models import Job
from projects.jobs.registry import ItemSpec, JobKind, Tick, job_kind
from techniques.core.messages import gettext_noop

from .models import PlanVersion
from .plan.documents import APPROVAL_JOB, PLAN_JOB, plan_document_write

_TITLES = {"zh-hans": gettext_noop("Chinese document"), "en": gettext_noop("English document")}


class _PlanDocument(JobKind):
    def items(self, job: Job) -> list[ItemSpec]:
        return [ItemSpec(language, _TITLES[language]) for language in LANGUAGES]


@job_kind(PLAN_JOB)
class PlanDocument(_PlanDocument):
    """The plan as submitted."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        tick(0.0)
        return plan_document_write(_version(job.subject_id), language=key).sha256


@job_kind(APPROVAL_JOB)
class ApprovalDocument(_PlanDocument):
    """The plan with its review and one approval."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        tick(0.0)
        approval = SignOff.objects.select_related("decided_by").get(pk=job.subject_id)
        return plan_document_write(_version(approval.subject_id), language=key, approval=approval).sha256


def _version(version_id: str) -> PlanVersion:
    return PlanVersion.objects.select_related("project", "created_by").get(pk=version_id)
