"""Sentences of the audit log about people who come in by a table."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

TAKEN_IN = audit_action(
    "user.taken_in",
    _(
        "%(actor)s imported people from the table “%(subject)s”: accounts created: %(created)s, changed: "
        "%(changed)s, posts proposed: %(proposed)s. Reason: %(reason)s"
    ),
)
