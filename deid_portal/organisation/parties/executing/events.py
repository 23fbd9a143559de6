"""The sentence of the audit log about who carries a project out."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

NAMED = audit_action(
    "project.executing_party",
    _("%(actor)s named “%(party)s” as the organisation that carries “%(subject)s” out"),
)
