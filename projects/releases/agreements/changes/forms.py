"""The form of the decision about a change of recipients."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from projects.core.forms import ApprovalForm


class ChangeDecisionForm(ApprovalForm):
    """Senior management's decision about exactly what the page shows."""

    approve = _("Approve the change")
    refuse = _("Refuse the change")
