"""Sentences of the audit log about incidents."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words

from .enums import IncidentKind, IncidentSeverity

audit_words("incident_kind", IncidentKind)
audit_words("incident_severity", IncidentSeverity)

RAISED = audit_action(
    "incident.raised",
    _("%(actor)s reported the incident “%(subject)s”: %(incident_kind)s (%(incident_severity)s)"),
)
MEASURE = audit_action("incident.measure", _("%(actor)s recorded a measure on the incident “%(subject)s”"))
STOP = audit_action("incident.stop", _("%(actor)s stopped deliveries because of the incident “%(subject)s”"))
RESUME = audit_action("incident.resume", _("%(actor)s resumed deliveries after the incident “%(subject)s”"))
CONFIRM = audit_action("incident.confirm", _("%(actor)s confirmed the incident “%(subject)s”"))
UNFOUNDED = audit_action("incident.unfounded", _("%(actor)s found the incident “%(subject)s” unfounded"))
AUTHORITY = audit_action(
    "incident.authority",
    _("%(actor)s recorded that the authority had been notified of the incident “%(subject)s”"),
)
PERSONS = audit_action(
    "incident.persons",
    _("%(actor)s recorded that the persons had been notified of the incident “%(subject)s”"),
)
SPARE = audit_action(
    "incident.spare",
    _("%(actor)s decided that the persons need not be notified of the incident “%(subject)s”"),
)
CLOSE = audit_action("incident.close", _("%(actor)s closed the incident “%(subject)s”"))
