"""The words of the process (GB/T 37964 chapter 5): stages, states, roles, moves and what a move needs."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Stage(models.TextChoices):
    """The steps that the standard names, and what follows the approval (5.1, figure 1)."""

    OBJECTIVE = "objective", _("Determine the target")
    IDENTIFICATION = "identification", _("Find identifiers")
    PROCESSING = "processing", _("Process identifiers")
    VERIFICATION = "verification", _("Verify and approve")
    RELEASE = "release", _("Release and monitor")
    CLOSED = "closed", _("Closed")


class Phase(models.TextChoices):
    """The phases that the frame of T/ISC 0078-2025 names (clause 6)."""

    NEEDS = "needs", pgettext_lazy("phase", "Analysis of needs")
    SCHEME = "scheme", pgettext_lazy("phase", "Scheme")
    PROCESSING = "processing", pgettext_lazy("phase", "Processing")
    EVALUATION = "evaluation", pgettext_lazy("phase", "Evaluation of the effect")
    REVIEW = "review", pgettext_lazy("phase", "Assessment and review")
    MANAGEMENT = "management", pgettext_lazy("phase", "Management")


class State(models.TextChoices):
    """The state of a project; its row (STATES) says in which stage it is and who has to act."""

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
    """What must exist before a move; the stage packages say whether it does (``core.evidence``).

    ``role`` is the role that brings it: a stage page names it beside what is still missing.
    """

    role: Role

    def __new__(cls, value: str, role: Role) -> Evidence:
        member = str.__new__(cls, value)
        member._value_ = value
        member.role = role
        return member

    TEAM_COMPLETE = (
        "team_complete",
        Role.PLANNER,
        _("Every role that decides is filled by a different person"),
    )
    OBJECTIVE_COMPLETE = "objective_complete", Role.PLANNER, _("Scope, targets and plan are complete")
    OBJECTIVE_REVIEWED = "objective_reviewed", Role.SUPERVISOR, _("The target passed its stage review")
    PLAN_APPROVED = "plan_approved", Role.MANAGEMENT, _("Senior management approved this version of the plan")
    DATASET_READY = "dataset_ready", Role.EXECUTOR, _("A data set is uploaded and checked to its last row")
    VERDICTS_COMPLETE = "verdicts_complete", Role.EXECUTOR, _("Every column has a verdict with a reason")
    IDENTIFICATION_REVIEWED = (
        "identification_reviewed",
        Role.SUPERVISOR,
        _("The identification passed its stage review"),
    )
    RUN_SUCCEEDED = "run_succeeded", Role.EXECUTOR, _("A run of the current recipe has finished")
    PROCESSING_REVIEWED = "processing_reviewed", Role.SUPERVISOR, _("The processing passed its stage review")
    GATE_PASSED = "gate_passed", Role.EXECUTOR, _("Every check of the gate passed on the written result file")
    VERIFICATION_REVIEWED = (
        "verification_reviewed",
        Role.SUPERVISOR,
        _("The verification passed its stage review"),
    )
    RELEASE_APPROVED = (
        "release_approved",
        Role.MANAGEMENT,
        _("Senior management approved exactly this result"),
    )
    RELEASE_READY = (
        "release_ready",
        Role.PLANNER,
        _("Recipient and signed agreement are recorded and the seal is intact"),
    )
    ACCESS_ENDED = "access_ended", Role.PLANNER, _("No recipient still has access")
