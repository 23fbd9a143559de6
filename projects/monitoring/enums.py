"""Vocabulary of monitoring and review (GB/T 37964 5.6)."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from projects.workflow import Move, Stage, State

# The two ways out of each stage's review.
PASS: dict[State, Move] = {
    State.OBJECTIVE_REVIEW: Move.PASS_OBJECTIVE,
    State.IDENTIFICATION_REVIEW: Move.PASS_IDENTIFICATION,
    State.PROCESSING_REVIEW: Move.PASS_PROCESSING,
    State.VERIFICATION_REVIEW: Move.PASS_VERIFICATION,
}
RETURN: dict[State, Move] = {
    State.OBJECTIVE_REVIEW: Move.RETURN_OBJECTIVE,
    State.IDENTIFICATION_REVIEW: Move.RETURN_IDENTIFICATION,
    State.PROCESSING_REVIEW: Move.RETURN_PROCESSING,
    State.VERIFICATION_REVIEW: Move.RETURN_VERIFICATION,
}
# Who submitted what the review judges.
SUBMIT: dict[Stage, Move] = {
    Stage.OBJECTIVE: Move.SUBMIT_OBJECTIVE,
    Stage.IDENTIFICATION: Move.SUBMIT_IDENTIFICATION,
    Stage.PROCESSING: Move.SUBMIT_PROCESSING,
    Stage.VERIFICATION: Move.SUBMIT_VERIFICATION,
}


class ChangeKind(models.TextChoices):
    """The changes that call for a re-assessment: GB/T 37964 5.6.2 a–d and T/ISC 0078 11.1 c."""

    RECIPIENT = "recipient", _("The users of the data changed")
    SYSTEM = "system", _("The target system changed")
    ENVIRONMENT = "environment", _("The security environment changed")
    NEW_DATA = "new_data", _("New de-identified data were published")
    PROCESSING = "processing", _("A new processing activity began")


class ReassessmentOutcome(models.TextChoices):
    """What a re-assessment concludes."""

    KEEP = "keep", _("The risk is still acceptable: keep the release")
    VERIFY = "verify", _("Verify again")
    PROCESS = "process", _("Process again")
