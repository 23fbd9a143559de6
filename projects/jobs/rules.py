"""May this job, may this user: each answered with a reason."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from approvals.governance import ALLOW, Reason, Verdict, deny
from projects.core.rules import CoreReason, has_role
from projects.workflow import Role

from .models import Job


class JobReason(Reason):
    ALREADY_ACTIVE = "job_already_active", _("A job of this kind is already queued or running for this.")
    NOT_ACTIVE = "job_not_active", _("The job has ended already.")


def may_cancel(user: Any, job: Job) -> Verdict:
    """Who asked for the job, or an executor of its project, while it is queued or running."""
    if not user.is_active:
        return deny(CoreReason.INACTIVE)
    if job.requested_by_id != user.pk:
        if job.project is None:
            return deny(CoreReason.NOT_A_MEMBER)
        verdict = has_role(user, job.project, Role.EXECUTOR)
        if not verdict:
            return verdict
    return ALLOW if job.is_active else deny(JobReason.NOT_ACTIVE)
