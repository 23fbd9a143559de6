"""The form of the decision about a change of recipients."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.core.forms import SignedForm


class ChangeDecisionForm(SignedForm):
    """Senior management's decision about exactly what the page shows."""

    decision = forms.ChoiceField(
        label=_("Decision"),
        choices=[("approve", _("Approve the change")), ("refuse", _("Refuse the change"))],
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        label=_("Reason for the decision"),
        max_length=500,
        strip=True,
        help_text=_("It is recorded in the audit log: do not include personal data."),
    )
