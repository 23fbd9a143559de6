"""The budget of the example."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class EpsilonForm(forms.Form):
    """ε, within what anybody would think of."""

    epsilon = forms.FloatField(
        label=_("Budget ε"),
        min_value=0.05,
        max_value=10,
        initial=1,
        help_text=_("From 0.05 to 10. The smaller it is, the more noise there is and the less anybody learns of one person."),
    )  # fmt: skip
