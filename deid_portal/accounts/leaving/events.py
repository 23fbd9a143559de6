"""Sentences of the audit log about leavers."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

LEFT = audit_action(
    "user.left",
    _(
        "%(actor)s recorded that %(subject)s leaves: access ended; appointments ended: %(posts)s; tokens ended: %(tokens_ended)s; "
        "roles in projects to hand over: %(projects)s. Reason: %(reason)s"
    ),
)
