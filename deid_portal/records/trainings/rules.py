"""Who plans a training, and who records that it was held."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from deid_portal.accounts.rules import may_administer
from deid_portal.organisation.proposals.rules import may_propose

from ..enums import TrainingStatus
from ..models import Training


class TrainingReason(Reason):
    CLOSED = "training_closed", _("This training has been held or cancelled.")
    NOT_YET = "training_not_yet", _("Its day has not come yet.")
    TEXT_NEEDED = "training_text_needed", _("A reason is required.")


def may_plan(by: Person) -> Verdict:
    """Who edits what the organisation lays down: planning managers and administrators."""
    return may_propose(by)


def may_cancel(by: Person, training: Training) -> Verdict:
    """Who may plan one, while it is planned."""
    if not (verdict := may_plan(by)):
        return verdict
    return ALLOW if training.status == TrainingStatus.PLANNED else deny(TrainingReason.CLOSED)


def may_read_attendance(by: Person) -> Verdict:
    """Administrators, as everything else that is on record about people."""
    return may_administer(by)


def may_hold(by: Person, training: Training) -> Verdict:
    """Administrators, from its day on: they keep the records."""
    if not (verdict := may_read_attendance(by)):
        return verdict
    if training.status != TrainingStatus.PLANNED:
        return deny(TrainingReason.CLOSED)
    return ALLOW if training.held_on <= timezone.localdate() else deny(TrainingReason.NOT_YET)
