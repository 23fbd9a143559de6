"""The kinds of documents, in words, and how they stand to each other.

The words are the title of the document in short: file names and the log have them. What was decided, the title itself says.
"""

from itertools import takewhile

from django.utils.translation import gettext_lazy as _

KINDS = {
    "plan": _("Implementation plan"),
    "plan_approval": _("Implementation plan (approved)"),
    "identification_report": _("Identification report"),
    "processing_report": _("Processing report"),
    "approval_report": _("Approval report"),
    "impact_assessment": _("Impact assessment report"),
    "approval_report_signed": _("Approval report (decided)"),
    "reassessment_report": _("Re-assessment report"),
    "destruction_certificate": _("Certificate of destruction"),
    "incident_report": _("Incident report"),
    "intruder_test_report": _("Report of the intruder test"),
    "answer_account": _("Statement of the budget of answers"),
    "agreement_text": _("Data use agreement"),
    "delivery_slip": _("Delivery slip"),
}
OF_ITS_OWN = frozenset(
    {
        "reassessment_report",
        "destruction_certificate",
        "incident_report",
        "intruder_test_report",
        "delivery_slip",
    }
)
"""Kinds whose documents are each about a matter of its own: the next of the series is no version of the one before."""
_ATTACHED = {
    "destruction_certificate": ("processing_report", "approval_report_signed"),
    "incident_report": ("approval_report_signed",),
    "intruder_test_report": ("processing_report",),
    "answer_account": ("approval_report_signed",),
    "agreement_text": ("approval_report_signed",),
    "delivery_slip": ("approval_report_signed",),
}


def attached(kind: str) -> tuple[str, ...]:
    """The kinds whose newest document belongs to one of ``kind``: those before it, where nothing else is said."""
    return _ATTACHED.get(kind) or tuple(takewhile(lambda one: one != kind, KINDS))
