"""Who asks for values, who decides, who reads the answer, and until when.

Custody is divided (GB/T 37964 4.2 c): who works on the data asks, a judge of the project decides, and the
decision is never one's own, under another account either.
"""

from __future__ import annotations

import uuid

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.models import Project
from projects.core.rules import CoreReason, has_role
from projects.datasets.models import StoredFile
from projects.datasets.rules import DatasetReason
from projects.processing.enums import RunStatus
from projects.processing.models import Run, RunTable
from projects.workflow import SIGNED, TERMINAL, Role, State

from .enums import ReversalStatus
from .models import ReversalRequest

ASKING = (Role.EXECUTOR, Role.PLANNER)
DECIDING = (Role.SUPERVISOR, Role.MANAGEMENT)


class ReversalReason(Reason):
    OWN_REQUEST = "own_request", _("You made this request yourself; another person decides.")
    DECIDED_ALREADY = "decided_already", _("This request has already been decided.")
    NOT_REVERSIBLE = "not_reversible", _("This column of this run cannot be reversed.")
    REASON_NEEDED = "reason_needed", _("A reason is required.")
    ONLY_REQUESTER = "only_who_asked", _("Only the person who requested the values may read them.")
    NO_ANSWER = "no_answer", _("There is no answer to read.")
    ASKER_GONE = (
        "asker_gone",
        _(
            "The requester is no longer active or no longer works on the project; the request can only be refused."
        ),
    )
    DECIDED_BY_SELF = (
        "decided_by_self",
        _(
            "The requester and the person who decided turned out to be the same person; the answer is not shown."
        ),
    )
    TIME_OVER = "time_over", _("The period in which the answer could be read is over.")


def is_reversible(project: Project) -> bool:
    """Whether the project's result is approved; suspending an approved project changes nothing in that. Before it is, the
    source itself is at hand for who works on it, and nobody else has the result."""
    state = project.suspended_from if project.state == State.SUSPENDED else project.state
    return state in SIGNED


def _approved(project: Project) -> Verdict:
    if is_reversible(project):
        return deny(DatasetReason.CONTENT_DESTROYED) if _results_destroyed(project) else ALLOW
    return deny(CoreReason.WRONG_STATE, state=project.get_state_display())


def _results_destroyed(project: Project) -> bool:
    """Only an ended project ever loses its results."""
    tables = RunTable.objects.filter(run__project=project, result__destroyed_at__isnull=False)
    return State(project.state) in TERMINAL and tables.exists()


def _there(project: Project, file_id: uuid.UUID | None) -> Verdict:
    """Whether a question or an answer is still there; of one that has ended something else is said before."""
    if State(project.state) not in TERMINAL:
        return ALLOW
    files = StoredFile.objects.filter(destroyed_at__isnull=False)
    gone = file_id is not None and files.filter(pk=file_id).exists()
    return deny(DatasetReason.CONTENT_DESTROYED) if gone else ALLOW


def may_ask(user: Person, project: Project) -> Verdict:
    return first_denial(has_role(user, project, *ASKING), _approved(project))


def may_ask_about(user: Person, run: Run) -> Verdict:
    if run.status != RunStatus.SUCCEEDED:
        return deny(ReversalReason.NOT_REVERSIBLE)
    return may_ask(user, run.project)


def may_refuse(user: Person, request: ReversalRequest) -> Verdict:
    """A judge, whatever became of the project or of who asked, but never who asked."""
    verdict = has_role(user, request.project, *DECIDING)
    if not verdict:
        return verdict
    if request.status != ReversalStatus.WAITING:
        return deny(ReversalReason.DECIDED_ALREADY)
    if user.is_same_person(request.asked_by):
        return deny(ReversalReason.OWN_REQUEST)
    return ALLOW


def may_approve(user: Person, request: ReversalRequest) -> Verdict:
    """A judge who may refuse, while the result is approved and who asked still works on it."""
    return first_denial(
        may_refuse(user, request), _requester_entitled(request), _there(request.project, request.asked_id)
    )


def may_answer(request: ReversalRequest) -> Verdict:
    """Whether an approved request may be answered: everything that held for the approval holds still."""
    return first_denial(
        _requester_entitled(request),
        _by_another(request),
        ALLOW if request.status == ReversalStatus.RUNNING else deny(ReversalReason.NO_ANSWER),
    )


def _requester_entitled(request: ReversalRequest) -> Verdict:
    if not has_role(request.asked_by, request.project, *ASKING):
        return deny(ReversalReason.ASKER_GONE)
    return _approved(request.project)


def _by_another(request: ReversalRequest) -> Verdict:
    """Accounts may have been linked since the decision."""
    if request.decided_by is not None and request.decided_by.is_same_person(request.asked_by):
        return deny(ReversalReason.DECIDED_BY_SELF)
    return ALLOW


def may_read(user: Person, request: ReversalRequest) -> Verdict:
    """Only who asked, as long as they have the role and the result is approved, and while the time runs."""
    verdict = has_role(user, request.project, *ASKING)
    if not verdict:
        return verdict
    if user.pk != request.asked_by_id:
        return deny(ReversalReason.ONLY_REQUESTER)
    if request.status == ReversalStatus.ENDED or request.is_over:
        return deny(ReversalReason.TIME_OVER)
    if request.status != ReversalStatus.READY:
        return deny(ReversalReason.NO_ANSWER)
    return first_denial(
        _approved(request.project), _by_another(request), _there(request.project, request.answer_id)
    )


def may_end(user: Person, request: ReversalRequest) -> Verdict:
    """Who asked, once they know what they needed; and the judges at any time."""
    role = has_role(user, request.project, *ASKING, *DECIDING)
    if not role:
        return role
    if request.status != ReversalStatus.READY:
        return deny(ReversalReason.NO_ANSWER)
    if has_role(user, request.project, *DECIDING) or user.pk == request.asked_by_id:
        return ALLOW
    return deny(ReversalReason.ONLY_REQUESTER)
