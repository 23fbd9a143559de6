"""Sentences of the audit log about documents."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words

audit_words(
    "kind",
    {
        "plan": _("Implementation plan"),
        "plan_approval": _("Approved plan"),
        "identification_report": _("Identification report"),
        "processing_report": _("Processing report"),
        "approval_report": _("Approval report"),
        "approval_report_signed": _("Signed approval report"),
    },
)
audit_words("language", {"zh-hans": "中文", "en": "English"})

DOCUMENT_CREATED = audit_action(
    "document.created", _("The document “%(subject)s” was made (%(language)s, %(size)s bytes)")
)
SEAL_BROKEN = audit_action(
    "document.seal_broken", _("The seal of “%(subject)s” is broken: nobody can fetch it any more")
)
