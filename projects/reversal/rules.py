"""Who asks for values, who decides, who reads the answer, and until when.

Custody is divided (GB/T 37964 4.2 c): who works on the data asks, a judge of the project decides, and the
decision is never one's own, under another account either.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from approvals.governance import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.models import Project
from projects.core.rules import has_role, in_state
from projects.processing.enums import RunStatus
from projects.processing.models import Run
from projects.workflow import Role, State

from .enums import ReversalStatus
from .models import ReversalRequest

# Before a result is approved the source itself is at hand for who works on it, and nobody else has the result.
REVERSIBLE_IN = (State.APPROVED, State.MONITORING, State.SUSPENDED, State.CLOSED)
ASKING = (Role.EXECUTOR, Role.PLANNER)
DECIDING = (Role.SUPERVISOR, Role.MANAGEMENT)


class ReversalReason(Reason):
    OWN_REQUEST = "own_request", _("You asked for it yourself; another person decides.")
    DECIDED_ALREADY = "decided_already", _("This request has been decided already.")
    NOT_REVERSIBLE = "not_reversible", _("No way leads back from this column of this run.")
    REASON_NEEDED = "reason_needed", _("A reason is required.")
    ONLY_WHO_ASKED = "only_who_asked", _("Only who asked for the values may read them.")
    NO_ANSWER = "no_answer", _("There is no answer to be read.")
    TIME_OVER = "time_over", _("The time in which the answer could be read is over.")


def may_ask(user: Any, project: Project) -> Verdict:
    return first_denial(has_role(user, project, *ASKING), in_state(project, *REVERSIBLE_IN))


def may_ask_about(user: Any, run: Run) -> Verdict:
    if run.status != RunStatus.SUCCEEDED:
        return deny(ReversalReason.NOT_REVERSIBLE)
    return may_ask(user, run.project)


def may_decide(user: Any, request: ReversalRequest) -> Verdict:
    project = request.project
    verdict = first_denial(has_role(user, project, *DECIDING), in_state(project, *REVERSIBLE_IN))
    if not verdict:
        return verdict
    if request.status != ReversalStatus.WAITING:
        return deny(ReversalReason.DECIDED_ALREADY)
    if user.is_same_person(request.asked_by):
        return deny(ReversalReason.OWN_REQUEST)
    return ALLOW


def may_read(user: Any, request: ReversalRequest) -> Verdict:
    """Only who asked, as long as they have the role, and while the time runs."""
    verdict = has_role(user, request.project, *ASKING)
    if not verdict:
        return verdict
    if user.pk != request.asked_by_id:
        return deny(ReversalReason.ONLY_WHO_ASKED)
    if request.status == ReversalStatus.ENDED or request.is_over:
        return deny(ReversalReason.TIME_OVER)
    if request.status != ReversalStatus.READY:
        return deny(ReversalReason.NO_ANSWER)
    return ALLOW


def may_end(user: Any, request: ReversalRequest) -> Verdict:
    """Who asked, once they know what they needed; and the judges at any time."""
    role = has_role(user, request.project, *ASKING, *DECIDING)
    if not role:
        return role
    if request.status != ReversalStatus.READY:
        return deny(ReversalReason.NO_ANSWER)
    if has_role(user, request.project, *DECIDING) or user.pk == request.asked_by_id:
        return ALLOW
    return deny(ReversalReason.ONLY_WHO_ASKED)
