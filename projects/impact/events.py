"""Sentences of the audit log about impact assessments."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

LAID_DOWN = audit_action("impact.laid_down", _("%(actor)s drew up the impact assessment %(subject)s"))
CONCLUDED = audit_action(
    "impact.concluded", _("%(actor)s concluded the impact assessment %(subject)s (%(reason)s)")
)
TURNED_DOWN = audit_action(
    "impact.turned_down", _("%(actor)s turned down the impact assessment %(subject)s (%(reason)s)")
)
