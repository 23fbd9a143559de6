"""Sentences of the audit log about itself."""

from django.utils.translation import gettext_lazy as _

from .registry import audit_action

LOG_EXPORTED = audit_action("audit.exported", _("%(actor)s exported the audit log as %(format)s"))
LOG_VERIFIED = audit_action(
    "audit.verified", _("%(actor)s verified the audit log: %(rows)s rows, %(faults)s faults")
)
