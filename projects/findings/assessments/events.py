"""Sentences of the audit log about documents of outside assessments."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

DOCUMENT_KEPT = audit_action(
    "assessment.document_kept",
    _("%(actor)s kept the outside body's own document of the assessment “%(subject)s” (SHA-256 %(sha256)s)"),
)
DOCUMENT_READ = audit_action(
    "assessment.document_read",
    _("%(actor)s opened the outside body's own document of the assessment “%(subject)s”"),
)
