"""Sentences of the audit log about requests to fetch a file."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

REQUESTED = audit_action(
    "fetch.requested", _("%(actor)s requested to fetch “%(file)s” (%(subject)s): %(reason)s")
)
APPROVED = audit_action(
    "fetch.approved",
    _("%(actor)s approved one fetch of “%(file)s” by %(recipient)s until %(until)s (%(subject)s)"),
)
REFUSED = audit_action(
    "fetch.refused", _("%(actor)s refused the fetch of “%(file)s” by %(recipient)s (%(subject)s)")
)
