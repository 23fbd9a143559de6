"""Sentences of the audit log about monitoring."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words

from .afterwards.enums import LaterOutcome
from .enums import ChangeKind, ReassessmentOutcome

audit_words("change", ChangeKind)
audit_words("outcome", ReassessmentOutcome, LaterOutcome)

CHANGE_REPORTED = audit_action(
    "change.reported", _("%(actor)s reported a change of “%(subject)s”: %(change)s")
)
REASSESSMENT_PLANNED = audit_action(
    "reassessment.planned", _("The next re-assessment of “%(subject)s” is due on %(due_on)s")
)
REASSESSMENT_OPENED = audit_action(
    "reassessment.opened", _("A re-assessment of “%(subject)s” was opened, due on %(due_on)s")
)
REASSESSMENT_MEASURED = audit_action(
    "reassessment.measured", _("The release of “%(subject)s” was measured again: k = %(k)s")
)
REASSESSMENT_CONCLUDED = audit_action(
    "reassessment.concluded", _("%(actor)s concluded the re-assessment of “%(subject)s”: %(outcome)s")
)
RISK_ACCEPTED = audit_action(
    "reassessment.risk_accepted",
    _("%(actor)s accepted until %(until)s that the release of “%(subject)s” does not meet every target"),
)
REASSESSMENT_MEASURING = audit_action(
    "reassessment.measuring", _("%(actor)s requested a new measurement of the release of “%(subject)s”")
)
AMENDMENT_PROPOSED = audit_action(
    "amendment.proposed",
    _("%(actor)s proposed the amendment “%(subject)s” of what the release is measured by"),
)
AMENDMENT_REVIEWED = audit_action(
    "amendment.reviewed",
    _("%(actor)s reviewed the amendment “%(subject)s” and passed it on to senior management"),
)
AMENDMENT_APPROVED = audit_action(
    "amendment.approved",
    _("%(actor)s approved the amendment “%(subject)s”: the release is measured by it from now on"),
)
AMENDMENT_REFUSED = audit_action("amendment.refused", _("%(actor)s refused the amendment “%(subject)s”"))
AMENDMENT_LAPSED = audit_action(
    "amendment.lapsed", _("The amendment “%(subject)s” lapsed, because the re-assessment was concluded")
)
LATER_OPENED = audit_action(
    "later_reassessment.opened",
    _("A re-assessment of the copies of “%(subject)s” that are still out was opened, due on %(due_on)s"),
)
LATER_MEASURING = audit_action(
    "later_reassessment.measuring",
    _("%(actor)s requested a new measurement of “%(subject)s”, a release that has ended"),
)
LATER_MEASURED = audit_action(
    "later_reassessment.measured",
    _("“%(subject)s”, a release that has ended, was measured again: k = %(k)s"),
)
LATER_CONCLUDED = audit_action(
    "later_reassessment.concluded",
    _("%(actor)s concluded the re-assessment of the copies of “%(subject)s” that are still out: %(outcome)s"),
)
LATER_ENDED = audit_action(
    "later_reassessment.ended",
    _("The re-assessment of the copies of “%(subject)s” ended by itself: no copy is out any more"),
)
COPIES_RECALLED = audit_action(
    "copies.recalled",
    _("%(actor)s asked for every copy of “%(subject)s” to be destroyed or returned: %(reason)s"),
)
