"""The process of GB/T 37964 chapter 5 as tables: the only place that knows the order.

Everything else asks these tables: which moves there are, who owns a state, what a move needs,
what it writes into the audit log and whom it notifies. ``docs/workflow.md`` is generated from
here, and a test compares it.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Stage(models.TextChoices):
    """The steps that the standard names, and what follows the approval (5.1, figure 1)."""

    OBJECTIVE = "objective", _("Determine the target")
    IDENTIFICATION = "identification", _("Identify identifiers")
    PROCESSING = "processing", _("Process identifiers")
    VERIFICATION = "verification", _("Verify and approve")
    RELEASE = "release", _("Release and monitor")
    CLOSED = "closed", _("Closed")


class State(models.TextChoices):
    """Where a project stands; each state is owned by exactly one role (OWNERS)."""

    OBJECTIVE_DRAFT = "objective_draft", _("Target being determined")
    OBJECTIVE_REVIEW = "objective_review", _("Target under review")
    PLAN_APPROVAL = "plan_approval", _("Plan awaits approval")
    IDENTIFICATION = "identification", _("Identifiers being identified")
    IDENTIFICATION_REVIEW = "identification_review", _("Identification under review")
    PROCESSING = "processing", _("Identifiers being processed")
    PROCESSING_REVIEW = "processing_review", _("Processing under review")
    VERIFICATION = "verification", _("Result being verified")
    VERIFICATION_REVIEW = "verification_review", _("Verification under review")
    RELEASE_APPROVAL = "release_approval", _("Release awaits approval")
    APPROVED = "approved", _("Approved, release being prepared")
    MONITORING = "monitoring", _("Released and monitored")
    CLOSED = "closed", _("Closed")
    REJECTED = "rejected", _("Rejected")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    SUSPENDED = "suspended", _("Suspended")


class Role(models.TextChoices):
    """What a person is within one project (clause 6.1). One person, one role per project, for good."""

    PLANNER = "planner", _("Planning manager")
    EXECUTOR = "executor", _("Executor")
    SUPERVISOR = "supervisor", _("Supervisor")
    MANAGEMENT = "management", _("Senior management")
    RECIPIENT = "recipient", pgettext_lazy("role", "Recipient")


class Move(models.TextChoices):
    """The verbs that change a project's state."""

    SUBMIT_OBJECTIVE = "submit_objective", _("Submit target and plan for review")
    PASS_OBJECTIVE = "pass_objective", _("Pass the review of the target")
    RETURN_OBJECTIVE = "return_objective", _("Return the target for rework")
    APPROVE_PLAN = "approve_plan", _("Approve the plan")
    RETURN_PLAN = "return_plan", _("Return the plan")
    REJECT_PLAN = "reject_plan", _("Reject the plan")
    SUBMIT_IDENTIFICATION = "submit_identification", _("Submit the identification for review")
    PASS_IDENTIFICATION = "pass_identification", _("Pass the review of the identification")
    RETURN_IDENTIFICATION = "return_identification", _("Return the identification for rework")
    SUBMIT_PROCESSING = "submit_processing", _("Submit the processing for review")
    PASS_PROCESSING = "pass_processing", _("Pass the review of the processing")
    RETURN_PROCESSING = "return_processing", _("Return the processing for rework")
    SUBMIT_VERIFICATION = "submit_verification", _("Submit the verification for review")
    PASS_VERIFICATION = "pass_verification", _("Pass the review of the verification")
    RETURN_VERIFICATION = "return_verification", _("Return the verification for rework")
    APPROVE_RELEASE = "approve_release", _("Approve the release")
    RETURN_RELEASE = "return_release", _("Return to processing")
    REJECT_RELEASE = "reject_release", _("Reject the release")
    RELEASE = "release", _("Release to the recipient")
    REVISE_OBJECTIVE = "revise_objective", _("Go back and revise the target")
    BACK_TO_IDENTIFICATION = "back_to_identification", _("Go back to identification")
    BACK_TO_PROCESSING = "back_to_processing", _("Go back to processing")
    REOPEN_VERIFICATION = "reopen_verification", _("Re-open the verification")
    REOPEN_PROCESSING = "reopen_processing", _("Re-open the processing")
    CLOSE = "close", _("Close the project")
    WITHDRAW = "withdraw", _("Withdraw the project")
    SUSPEND = "suspend", _("Suspend the project")
    RESUME = "resume", _("Resume the project")


class Evidence(models.TextChoices):
    """What must exist before a move; the stage packages say whether it does (``core.evidence``)."""

    TEAM_COMPLETE = "team_complete", _("Every role that decides is filled by a different person")
    OBJECTIVE_COMPLETE = "objective_complete", _("Scope, targets and plan are complete")
    OBJECTIVE_REVIEWED = "objective_reviewed", _("The target passed its stage review")
    PLAN_APPROVED = "plan_approved", _("Senior management approved this version of the plan")
    DATASET_READY = "dataset_ready", _("A data set is uploaded and checked to its last row")
    VERDICTS_COMPLETE = "verdicts_complete", _("Every column has a verdict with a reason")
    IDENTIFICATION_REVIEWED = "identification_reviewed", _("The identification passed its stage review")
    RUN_SUCCEEDED = "run_succeeded", _("A run of the current recipe has finished")
    PROCESSING_REVIEWED = "processing_reviewed", _("The processing passed its stage review")
    GATE_PASSED = "gate_passed", _("Every check of the gate passed on the written result file")
    VERIFICATION_REVIEWED = "verification_reviewed", _("The verification passed its stage review")
    RELEASE_APPROVED = "release_approved", _("Senior management approved exactly this result")
    RELEASE_READY = "release_ready", _("Recipient and signed agreement are recorded and the seal is intact")
    ACCESS_ENDED = "access_ended", _("No recipient has access any more")


S, R, M, E = State, Role, Move, Evidence

STAGE_OF: dict[State, Stage] = {
    S.OBJECTIVE_DRAFT: Stage.OBJECTIVE,
    S.OBJECTIVE_REVIEW: Stage.OBJECTIVE,
    S.PLAN_APPROVAL: Stage.OBJECTIVE,
    S.IDENTIFICATION: Stage.IDENTIFICATION,
    S.IDENTIFICATION_REVIEW: Stage.IDENTIFICATION,
    S.PROCESSING: Stage.PROCESSING,
    S.PROCESSING_REVIEW: Stage.PROCESSING,
    S.VERIFICATION: Stage.VERIFICATION,
    S.VERIFICATION_REVIEW: Stage.VERIFICATION,
    S.RELEASE_APPROVAL: Stage.VERIFICATION,
    S.APPROVED: Stage.RELEASE,
    S.MONITORING: Stage.RELEASE,
    S.CLOSED: Stage.CLOSED,
    S.REJECTED: Stage.CLOSED,
    S.WITHDRAWN: Stage.CLOSED,
    S.SUSPENDED: Stage.CLOSED,
}

# Who has to act in a state; None where nobody has to.
OWNERS: dict[State, Role | None] = {
    S.OBJECTIVE_DRAFT: R.PLANNER,
    S.OBJECTIVE_REVIEW: R.SUPERVISOR,
    S.PLAN_APPROVAL: R.MANAGEMENT,
    S.IDENTIFICATION: R.EXECUTOR,
    S.IDENTIFICATION_REVIEW: R.SUPERVISOR,
    S.PROCESSING: R.EXECUTOR,
    S.PROCESSING_REVIEW: R.SUPERVISOR,
    S.VERIFICATION: R.EXECUTOR,
    S.VERIFICATION_REVIEW: R.SUPERVISOR,
    S.RELEASE_APPROVAL: R.MANAGEMENT,
    S.APPROVED: R.PLANNER,
    S.MONITORING: R.SUPERVISOR,
    S.CLOSED: None,
    S.REJECTED: None,
    S.WITHDRAWN: None,
    S.SUSPENDED: R.SUPERVISOR,
}

TERMINAL = frozenset({S.CLOSED, S.REJECTED, S.WITHDRAWN})
REVIEW_STATES: dict[State, Stage] = {
    S.OBJECTIVE_REVIEW: Stage.OBJECTIVE,
    S.IDENTIFICATION_REVIEW: Stage.IDENTIFICATION,
    S.PROCESSING_REVIEW: Stage.PROCESSING,
    S.VERIFICATION_REVIEW: Stage.VERIFICATION,
}
# From which states a project can be withdrawn or suspended: before anything has left the house.
BEFORE_RELEASE = tuple(s for s in S if s not in TERMINAL and s not in (S.SUSPENDED, S.MONITORING))
ACTIVE = (*BEFORE_RELEASE, S.MONITORING)


@dataclass(frozen=True)
class MoveRule:
    """One row of the table. ``target`` None means: back to where the project was suspended."""

    move: Move
    sources: tuple[State, ...]
    target: State | None
    roles: tuple[Role, ...]
    requires: tuple[Evidence, ...] = ()
    notifies: tuple[Role, ...] = ()
    needs_reason: bool = False

    @property
    def audit_action(self) -> str:
        return f"project.{self.move.value}"


def _rule(
    move: Move, sources: State | tuple[State, ...], target: State | None, *roles: Role, **more: object
) -> MoveRule:
    sources = (sources,) if isinstance(sources, State) else sources
    return MoveRule(move, sources, target, roles, **more)  # type: ignore[arg-type]


_PLAN = (E.OBJECTIVE_COMPLETE, E.OBJECTIVE_REVIEWED, E.PLAN_APPROVED)
_IDENTIFIED = (*_PLAN, E.DATASET_READY, E.VERDICTS_COMPLETE)
_PROCESSED = (*_IDENTIFIED, E.IDENTIFICATION_REVIEWED, E.RUN_SUCCEEDED)
_VERIFIED = (*_PROCESSED, E.PROCESSING_REVIEWED, E.GATE_PASSED)

MOVES: dict[Move, MoveRule] = {
    rule.move: rule
    for rule in (
        _rule(
            M.SUBMIT_OBJECTIVE,
            S.OBJECTIVE_DRAFT,
            S.OBJECTIVE_REVIEW,
            R.PLANNER,
            requires=(E.TEAM_COMPLETE, E.OBJECTIVE_COMPLETE),
            notifies=(R.SUPERVISOR,),
        ),
        _rule(
            M.PASS_OBJECTIVE,
            S.OBJECTIVE_REVIEW,
            S.PLAN_APPROVAL,
            R.SUPERVISOR,
            requires=(E.OBJECTIVE_COMPLETE, E.OBJECTIVE_REVIEWED),
            notifies=(R.MANAGEMENT,),
        ),
        _rule(
            M.RETURN_OBJECTIVE,
            S.OBJECTIVE_REVIEW,
            S.OBJECTIVE_DRAFT,
            R.SUPERVISOR,
            notifies=(R.PLANNER,),
            needs_reason=True,
        ),
        _rule(
            M.APPROVE_PLAN,
            S.PLAN_APPROVAL,
            S.IDENTIFICATION,
            R.MANAGEMENT,
            requires=_PLAN,
            notifies=(R.PLANNER, R.EXECUTOR),
            needs_reason=True,
        ),
        _rule(
            M.RETURN_PLAN,
            S.PLAN_APPROVAL,
            S.OBJECTIVE_DRAFT,
            R.MANAGEMENT,
            notifies=(R.PLANNER,),
            needs_reason=True,
        ),
        _rule(
            M.REJECT_PLAN,
            S.PLAN_APPROVAL,
            S.REJECTED,
            R.MANAGEMENT,
            notifies=(R.PLANNER, R.EXECUTOR, R.SUPERVISOR),
            needs_reason=True,
        ),
        _rule(
            M.SUBMIT_IDENTIFICATION,
            S.IDENTIFICATION,
            S.IDENTIFICATION_REVIEW,
            R.EXECUTOR,
            requires=_IDENTIFIED,
            notifies=(R.SUPERVISOR,),
        ),
        _rule(
            M.PASS_IDENTIFICATION,
            S.IDENTIFICATION_REVIEW,
            S.PROCESSING,
            R.SUPERVISOR,
            requires=(*_IDENTIFIED, E.IDENTIFICATION_REVIEWED),
            notifies=(R.EXECUTOR,),
        ),
        _rule(
            M.RETURN_IDENTIFICATION,
            S.IDENTIFICATION_REVIEW,
            S.IDENTIFICATION,
            R.SUPERVISOR,
            notifies=(R.EXECUTOR,),
            needs_reason=True,
        ),
        _rule(
            M.SUBMIT_PROCESSING,
            S.PROCESSING,
            S.PROCESSING_REVIEW,
            R.EXECUTOR,
            requires=_PROCESSED,
            notifies=(R.SUPERVISOR,),
        ),
        _rule(
            M.PASS_PROCESSING,
            S.PROCESSING_REVIEW,
            S.VERIFICATION,
            R.SUPERVISOR,
            requires=(*_PROCESSED, E.PROCESSING_REVIEWED),
            notifies=(R.EXECUTOR,),
        ),
        _rule(
            M.RETURN_PROCESSING,
            S.PROCESSING_REVIEW,
            S.PROCESSING,
            R.SUPERVISOR,
            notifies=(R.EXECUTOR,),
            needs_reason=True,
        ),
        _rule(
            M.SUBMIT_VERIFICATION,
            S.VERIFICATION,
            S.VERIFICATION_REVIEW,
            R.EXECUTOR,
            requires=_VERIFIED,
            notifies=(R.SUPERVISOR,),
        ),
        _rule(
            M.PASS_VERIFICATION,
            S.VERIFICATION_REVIEW,
            S.RELEASE_APPROVAL,
            R.SUPERVISOR,
            requires=(*_VERIFIED, E.VERIFICATION_REVIEWED),
            notifies=(R.MANAGEMENT,),
        ),
        _rule(
            M.RETURN_VERIFICATION,
            S.VERIFICATION_REVIEW,
            S.VERIFICATION,
            R.SUPERVISOR,
            notifies=(R.EXECUTOR,),
            needs_reason=True,
        ),
        _rule(
            M.APPROVE_RELEASE,
            S.RELEASE_APPROVAL,
            S.APPROVED,
            R.MANAGEMENT,
            requires=(*_VERIFIED, E.VERIFICATION_REVIEWED, E.RELEASE_APPROVED),
            notifies=(R.PLANNER, R.EXECUTOR, R.SUPERVISOR),
            needs_reason=True,
        ),
        _rule(
            M.RETURN_RELEASE,
            S.RELEASE_APPROVAL,
            S.PROCESSING,
            R.MANAGEMENT,
            notifies=(R.EXECUTOR, R.SUPERVISOR),
            needs_reason=True,
        ),
        _rule(
            M.REJECT_RELEASE,
            S.RELEASE_APPROVAL,
            S.REJECTED,
            R.MANAGEMENT,
            notifies=(R.PLANNER, R.EXECUTOR, R.SUPERVISOR),
            needs_reason=True,
        ),
        _rule(
            M.RELEASE,
            S.APPROVED,
            S.MONITORING,
            R.PLANNER,
            requires=(E.RELEASE_APPROVED, E.RELEASE_READY),
            notifies=(R.RECIPIENT, R.SUPERVISOR),
        ),
        _rule(
            M.REVISE_OBJECTIVE,
            (S.IDENTIFICATION, S.PROCESSING, S.VERIFICATION),
            S.OBJECTIVE_DRAFT,
            R.PLANNER,
            notifies=(R.EXECUTOR, R.SUPERVISOR),
            needs_reason=True,
        ),
        _rule(
            M.BACK_TO_IDENTIFICATION,
            S.PROCESSING,
            S.IDENTIFICATION,
            R.EXECUTOR,
            notifies=(R.SUPERVISOR,),
            needs_reason=True,
        ),
        _rule(
            M.BACK_TO_PROCESSING,
            S.VERIFICATION,
            S.PROCESSING,
            R.EXECUTOR,
            notifies=(R.SUPERVISOR,),
            needs_reason=True,
        ),
        _rule(
            M.REOPEN_VERIFICATION,
            (S.MONITORING, S.APPROVED),
            S.VERIFICATION,
            R.SUPERVISOR,
            notifies=(R.PLANNER, R.EXECUTOR, R.MANAGEMENT),
            needs_reason=True,
        ),
        _rule(
            M.REOPEN_PROCESSING,
            (S.MONITORING, S.APPROVED),
            S.PROCESSING,
            R.SUPERVISOR,
            notifies=(R.PLANNER, R.EXECUTOR, R.MANAGEMENT),
            needs_reason=True,
        ),
        _rule(
            M.CLOSE,
            S.MONITORING,
            S.CLOSED,
            R.PLANNER,
            requires=(E.ACCESS_ENDED,),
            notifies=(R.SUPERVISOR, R.MANAGEMENT),
            needs_reason=True,
        ),
        _rule(
            M.WITHDRAW,
            BEFORE_RELEASE,
            S.WITHDRAWN,
            R.PLANNER,
            notifies=(R.EXECUTOR, R.SUPERVISOR, R.MANAGEMENT),
            needs_reason=True,
        ),
        _rule(
            M.SUSPEND,
            ACTIVE,
            S.SUSPENDED,
            R.SUPERVISOR,
            R.PLANNER,
            notifies=(R.PLANNER, R.EXECUTOR, R.SUPERVISOR, R.MANAGEMENT),
            needs_reason=True,
        ),
        _rule(M.RESUME, S.SUSPENDED, None, R.SUPERVISOR, notifies=(R.PLANNER, R.EXECUTOR), needs_reason=True),
    )
}

# Who brings each piece of evidence: whom a stage page names beside what is still missing.
EVIDENCE_FROM: dict[Evidence, Role] = {
    E.TEAM_COMPLETE: R.PLANNER,
    E.OBJECTIVE_COMPLETE: R.PLANNER,
    E.OBJECTIVE_REVIEWED: R.SUPERVISOR,
    E.PLAN_APPROVED: R.MANAGEMENT,
    E.DATASET_READY: R.EXECUTOR,
    E.VERDICTS_COMPLETE: R.EXECUTOR,
    E.IDENTIFICATION_REVIEWED: R.SUPERVISOR,
    E.RUN_SUCCEEDED: R.EXECUTOR,
    E.PROCESSING_REVIEWED: R.SUPERVISOR,
    E.GATE_PASSED: R.EXECUTOR,
    E.VERIFICATION_REVIEWED: R.SUPERVISOR,
    E.RELEASE_APPROVED: R.MANAGEMENT,
    E.RELEASE_READY: R.PLANNER,
    E.ACCESS_ENDED: R.PLANNER,
}

# Moves that bring a released project back to be verified or processed again.
REOPENING: frozenset[Move] = frozenset({M.REOPEN_VERIFICATION, M.REOPEN_PROCESSING})

# Moves that are the outcome of a recorded judgement (a stage review or a sign-off). They are made by
# the service that writes that judgement, never by the general "move" action.
JUDGED_MOVES: frozenset[Move] = frozenset(
    {
        M.PASS_OBJECTIVE,
        M.RETURN_OBJECTIVE,
        M.PASS_IDENTIFICATION,
        M.RETURN_IDENTIFICATION,
        M.PASS_PROCESSING,
        M.RETURN_PROCESSING,
        M.PASS_VERIFICATION,
        M.RETURN_VERIFICATION,
        M.APPROVE_PLAN,
        M.RETURN_PLAN,
        M.REJECT_PLAN,
        M.APPROVE_RELEASE,
        M.RETURN_RELEASE,
        M.REJECT_RELEASE,
    }
)

# The stages in the order of the standard, for the stage bar.
STAGES: tuple[Stage, ...] = (
    Stage.OBJECTIVE,
    Stage.IDENTIFICATION,
    Stage.PROCESSING,
    Stage.VERIFICATION,
    Stage.RELEASE,
)

# The clauses that a stage page shows (IDs of the clause checklist).
CLAUSES: dict[Stage, tuple[str, ...]] = {
    Stage.OBJECTIVE: (
        "G-030",
        "G-032",
        "G-033",
        "G-034",
        "G-035",
        "G-036",
        "G-037",
        "G-038",
        "G-044",
        "G-045",
    ),
    Stage.IDENTIFICATION: ("G-046", "G-047", "G-048", "G-050", "G-051", "G-053"),
    Stage.PROCESSING: ("G-056", "G-060", "G-061", "G-063", "G-064"),
    Stage.VERIFICATION: ("G-065", "G-067", "G-068", "G-073", "G-075", "G-076"),
    Stage.RELEASE: ("G-009", "G-080", "G-081", "G-082", "G-083", "G-084", "G-085", "G-086"),
}


def moves_from(state: State) -> list[MoveRule]:
    """The rules of all moves that leave ``state``, in table order."""
    return [rule for rule in MOVES.values() if state in rule.sources]


def stage_states(stage: Stage) -> list[State]:
    """The states that belong to ``stage``."""
    return [state for state, of in STAGE_OF.items() if of == stage]
