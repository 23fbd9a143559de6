"""The form that proposes coefficients."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from techniques.disclosure_risk.scales.degree import HIGH_BOUNDS, LOW_BOUNDS


def coefficient_field(label: Any, bounds: Any, hint: Any) -> forms.DecimalField:
    least, most = (Decimal(float(bound)) for bound in bounds)
    return forms.DecimalField(
        label=label, help_text=hint, min_value=least, max_value=most, max_digits=3, decimal_places=2
    )


class CoefficientsForm(forms.Form):
    """The coefficients of low and of high capability; that of medium capability is 1."""

    low = coefficient_field(
        _("Coefficient of low capability"),
        LOW_BOUNDS,
        _("0.5 to 0.75: the lower the value, the larger the classes that weak safeguards require."),
    )
    high = coefficient_field(
        _("Coefficient of high capability"),
        HIGH_BOUNDS,
        _("1 to 1.25: above 1, strong safeguards may allow smaller classes."),
    )
    reason = forms.CharField(label=_("Reason for this version"), max_length=500)
