"""The form of the decision about a change of recipients."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.core.forms import SignedForm

_REFUSE = [("refuse", _("Refuse the change"))]


class ChangeDecisionForm(SignedForm):
    """Senior management's decision about exactly what the page shows."""

    decision = forms.ChoiceField(
        label=_("Decision"),
        choices=[("approve", _("Approve the change")), *_REFUSE],
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        label=_("Reason for the decision"),
        max_length=500,
        strip=True,
        help_text=_("It is recorded in the audit log: do not include personal data."),
    )

    def __init__(self, *args: Any, may_approve: bool, **kwargs: Any) -> None:
        """Without ``may_approve`` the page offers to refuse alone; who sends an approval all the same reads why not."""
        super().__init__(*args, **kwargs)
        if not may_approve and not self.is_bound:
            decision = cast(forms.ChoiceField, self.fields["decision"])
            decision.choices = _REFUSE
