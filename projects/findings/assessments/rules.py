"""Who keeps the document of an outside assessment: who has the order, once, while it lasts. Who sees the project opens it."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import Reason, Verdict, deny
from projects.core.assessments.models import AssessmentOrder
from projects.core.assessments.rules import AssessmentReason, may_assess

from .selectors import document_of


class DocumentReason(Reason):
    FILE_NEEDED = "assessment_file_needed", _("Choose the file.")
    KEPT = "assessment_document_kept", _("The document of this assessment is already kept.")


def may_keep(user: Person, order: AssessmentOrder) -> Verdict:
    """With the report, before it or after it."""
    if user.pk != order.assessor_id:
        return deny(AssessmentReason.NOT_THEIRS)
    if document_of(order) is not None:
        return deny(DocumentReason.KEPT)
    if not order.is_in_force:
        return deny(AssessmentReason.OVER)
    return may_assess(user, order.project)
