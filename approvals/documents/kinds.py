"""The kinds of documents, in words."""

from django.utils.translation import gettext_lazy as _

KINDS = {
    "plan": _("Implementation plan"),
    "plan_approval": _("Approved plan"),
    "identification_report": _("Identification report"),
    "processing_report": _("Processing report"),
    "approval_report": _("Approval report"),
    "approval_report_signed": _("Signed approval report"),
}
