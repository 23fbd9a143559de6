"""Why something about monitoring is not allowed."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.verdict import Reason


class MonitoringReason(Reason):
    NOTHING_TO_REVIEW = "nothing_to_review", _("This stage has no content to review.")
    CHECKLIST_AGAINST = (
        "checklist_against",
        _("By the checklist it cannot pass: %(items)s"),
    )
    CHECKLIST_CHANGED = (
        "checklist_changed",
        _("The checklist is another one now than what was answered. Read it again, then answer it."),
    )
    CHECKLIST_REASON = (
        "checklist_reason",
        _("What does not hold or is not applicable needs a reason: %(numbers)s"),
    )
    CHECKLIST_ANSWER = "checklist_answer", _("This is not an answer to an item of the checklist.")
    NOT_PASSED = "stage_not_passed", _("The supervisor has not passed this stage, or has returned it since.")
    CHANGED_SINCE = (
        "stage_changed_since",
        _(
            "This stage has changed since the supervisor passed it; its records can be reviewed once it has passed again."
        ),
    )
    OWN_STAGE = (
        "own_stage",
        _("You handed in or supervised this stage; another member of senior management reviews its records."),
    )
    CONTENT_CHANGED = "content_changed", _("The content has changed.")
    DEVIATIONS = (
        "deviations_unclear",
        _("State each deviation that was found, or that the records are complete and sound."),
    )
    CONCLUDED = "concluded", _("This re-assessment is already concluded.")
    NOT_OPEN = "not_open", _("This re-assessment has not been opened yet.")
    NOT_MEASURED = "not_measured", _("The released file has not been measured again yet.")
    ALREADY_OPEN = "already_open", _("A re-assessment is already open.")
    NO_RELEASE = "no_release", _("No release is in force.")
    AMENDED_SINCE = (
        "amended_since",
        _("The yardstick was amended after this measurement; it is being measured again."),
    )
    AMENDMENT_WAITS = (
        "amendment_waits",
        _(
            "An amendment within this re-assessment awaits its decision; until then the release cannot be kept."
        ),
    )
