"""Sentences of the audit log about findings and spot checks."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words

from .enums import FindingSeverity

audit_words("finding_severity", FindingSeverity)

RAISED = audit_action(
    "finding.raised", _("%(actor)s raised the finding “%(subject)s” (%(finding_severity)s): %(title)s")
)
ASSIGNED = audit_action(
    "finding.assigned", _("%(actor)s gave the finding “%(subject)s” to %(owner)s, due on %(due_on)s")
)
ACTED = audit_action("finding.acted", _("%(actor)s took a corrective action on the finding “%(subject)s”"))
CLOSED = audit_action(
    "finding.closed",
    _("%(actor)s checked the effect of the corrective action and closed the finding “%(subject)s”"),
)
REOPENED = audit_action(
    "finding.reopened", _("%(actor)s found the corrective action on the finding “%(subject)s” without effect")
)
DRAWN = audit_action(
    "spot_check.drawn",
    _(
        "%(actor)s requested the spot check “%(subject)s”: %(drawn)s of %(drawable)s steps, drawn with "
        "the seed %(seed)s"
    ),
)
CHECKED = audit_action(
    "spot_check.sound", _("%(actor)s found the records of “%(subject)s” complete and sound")
)
DEVIATED = audit_action(
    "spot_check.deviated", _("%(actor)s found a deviation in the records of “%(subject)s”")
)
