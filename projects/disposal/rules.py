"""Who proposes that data are destroyed, and who carries it out.

As with keys of the vault, custody is divided: the planning manager proposes, the supervisor destroys or keeps. What is destroyed is
exactly what was proposed; while anything could still need it, nothing is.
"""

from __future__ import annotations

from collections.abc import Collection

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from projects.core.models import Project
from projects.core.rules import has_role
from projects.datasets.store.holdings import DATA
from projects.jobs.selectors import latest_job
from projects.workflow import TERMINAL, Role, State
from techniques.core.canonical import canonical_hash

from .enums import DESTROY_JOB, OPEN, DisposalOutcome
from .models import Disposal
from .selectors import content_now, disposals_of, jobs_running, release_in_force


class DisposalReason(Reason):
    RELEASE_IN_FORCE = (
        "release_in_force",
        _("A release of this project is in force. End the release and close the project first."),
    )
    NOT_ENDED = (
        "project_not_ended",
        _(
            "The project still needs its data. They can be destroyed once it is closed, rejected or withdrawn."
        ),
    )
    NOTHING_THERE = "nothing_there", _("No data and no key of this project are left.")
    ONE_OPEN = "disposal_open", _("The destruction of these data has already been proposed.")
    JOBS_RUN = "jobs_run", _("A job of this project is still running; wait until it ends or cancel it.")
    NOT_WAITING = "disposal_not_waiting", _("This proposal has already been decided.")
    OWN_PROPOSAL = "own_proposal", _("You proposed this yourself; another person destroys the data.")
    OTHER_CONTENT = (
        "other_content",
        _(
            "What is there now is not what was proposed to be destroyed. Keep it; the planning manager then proposes what is there."
        ),
    )
    NOT_INTERRUPTED = "not_interrupted", _("No removal of files was interrupted.")


def may_propose(user: Person, project: Project, kinds: Collection[str] = DATA) -> Verdict:
    """The planning manager, once the project has ended and none of its releases is in force; ``kinds`` of which anything is there."""
    verdict = has_role(user, project, Role.PLANNER)
    return _destroyable(project, kinds) if verdict else verdict


def _destroyable(project: Project, kinds: Collection[str]) -> Verdict:
    ended = _ended(project)
    if not ended:
        return ended
    if disposals_of(project).filter(outcome__in=OPEN).exists():
        return deny(DisposalReason.ONE_OPEN)
    found = content_now(project, kinds)
    if not (found["files"] or found["keys"]):
        return deny(DisposalReason.NOTHING_THERE)
    return ALLOW


def _ended(project: Project) -> Verdict:
    if release_in_force(project):
        return deny(DisposalReason.RELEASE_IN_FORCE)
    if State(project.state) not in TERMINAL:
        return deny(DisposalReason.NOT_ENDED)
    return deny(DisposalReason.JOBS_RUN) if jobs_running(project) else ALLOW


def may_carry_out(user: Person, disposal: Disposal) -> Verdict:
    """The supervisor, of exactly what the planning manager has proposed; never the same person under two accounts."""
    verdict = has_role(user, disposal.project, Role.SUPERVISOR)
    if not verdict:
        return verdict
    if disposal.outcome != DisposalOutcome.WAITING:
        return deny(DisposalReason.NOT_WAITING)
    if user.is_same_person(disposal.proposed_by):
        return deny(DisposalReason.OWN_PROPOSAL)
    ended = _ended(disposal.project)
    if not ended:
        return ended
    same = canonical_hash(content_now(disposal.project, disposal.kinds)) == disposal.content_hash
    return ALLOW if same else deny(DisposalReason.OTHER_CONTENT)


def may_keep(user: Person, disposal: Disposal) -> Verdict:
    """Who destroys may keep the data as well, and who proposes may take that back."""
    verdict = has_role(user, disposal.project, Role.SUPERVISOR, Role.PLANNER)
    if verdict and disposal.outcome != DisposalOutcome.WAITING:
        return deny(DisposalReason.NOT_WAITING)
    return verdict


def may_resume(user: Person, disposal: Disposal) -> Verdict:
    """The supervisor, where the job that removes the encrypted files came to no end."""
    verdict = has_role(user, disposal.project, Role.SUPERVISOR)
    if not verdict:
        return verdict
    return ALLOW if is_interrupted(disposal) else deny(DisposalReason.NOT_INTERRUPTED)


def is_interrupted(disposal: Disposal) -> bool:
    """Whether encrypted files may be left and no job removes them any more."""
    if disposal.outcome != DisposalOutcome.DESTROYING:
        return False
    job = latest_job(disposal.project, DESTROY_JOB, disposal.pk)
    return job is None or not job.is_active
