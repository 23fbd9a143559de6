"""May this job, may this user: each answered with a reason."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from projects.core.enums import INSIDE_ROLES
from projects.core.rules import CoreReason, has_role
from projects.core.selectors import memberships_of, role_of
from projects.workflow import Role

from .models import Job


class JobReason(Reason):
    ALREADY_ACTIVE = "job_already_active", _("A job of this kind is already queued or running here.")
    REQUESTED_BY_ANOTHER = "job_asked_by_another", _("Only the person who requested this can cancel it.")
    NOT_ACTIVE = "job_not_active", _("The job has already ended.")


def may_cancel(user: Person, job: Job) -> Verdict:
    """Who asked for the job, or who has the role now in which it was asked for, while it is queued or running.

    What a recipient asked for is theirs alone.
    """
    if not user.is_active:
        return deny(CoreReason.INACTIVE)
    if job.requested_by_id != user.pk:
        if job.project is None or role_of(user, job.project) is None:
            return deny(CoreReason.NOT_A_MEMBER)
        requester_roles = [m.role for m in memberships_of(job.project) if m.user_id == job.requested_by_id]
        roles = INSIDE_ROLES.intersection(Role(role) for role in requester_roles)
        verdict = has_role(user, job.project, *roles) if roles else deny(JobReason.REQUESTED_BY_ANOTHER)
        if not verdict:
            return verdict
    return ALLOW if job.is_active else deny(JobReason.NOT_ACTIVE)
