"""Sentences of the audit log about itself."""

from django.utils.translation import gettext_lazy as _

from .registry import audit_action

STATE_TAKEN_IN = audit_action(
    "audit.state_taken_in",
    _(
        "The portal sealed the log as it stood (%(last)s rows) and adopted %(count)s existing rows as "
        "they were; only the earlier log says who wrote them"
    ),
)
ROWS_RESTATED = audit_action(
    "audit.rows_restated", _("The portal restated %(count)s rows that a migration had rewritten")
)
LOG_EXPORTED = audit_action("audit.exported", _("%(actor)s exported the audit log as %(format)s"))
LOG_VERIFIED = audit_action(
    "audit.verified", _("%(actor)s verified the audit log: %(rows)s rows, %(faults)s faults")
)
