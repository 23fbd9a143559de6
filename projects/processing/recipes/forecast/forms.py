"""What is assumed of the attacker, as a form."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from techniques.disclosure_risk.scales.attack import Attack

DEFAULTS: dict[str, Any] = Attack().model_dump()


class AttackForm(forms.Form):
    """The four assumptions; the engine's are filled in."""

    known = forms.FloatField(
        label=_("Probability that a column is known (p)"), min_value=0, max_value=1, initial=DEFAULTS["known"]
    )
    most_known = forms.IntegerField(
        label=_("Maximum number of columns that may be known (N)"),
        min_value=1,
        max_value=1000,
        initial=DEFAULTS["most_known"],
    )
    sensitive = forms.FloatField(
        label=_("Weight of a sensitive attribute (λ_SA)"),
        min_value=0,
        max_value=1,
        initial=DEFAULTS["sensitive"],
    )
    quasi = forms.FloatField(
        label=_("Weight of a quasi-identifier (λ_QI)"), min_value=0, max_value=1, initial=DEFAULTS["quasi"]
    )
