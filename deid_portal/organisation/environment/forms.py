"""The form that proposes coefficients."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from projects.core.drafts.forms import KeptForm
from techniques.disclosure_risk.scales.degree import (
    HIGH_BOUNDS,
    LOW_BOUNDS,
    SCENARIO_BOUNDS,
    SCENARIO_COEFFICIENTS,
    SCENARIO_NAMES,
    Scenario,
)


def coefficient_field(label: Any, bounds: Any, hint: Any) -> forms.DecimalField:
    least, most = (Decimal(float(bound)) for bound in bounds)
    return forms.DecimalField(
        label=label, help_text=hint, min_value=least, max_value=most, max_digits=3, decimal_places=2
    )


def _k_field(scenario: Scenario) -> forms.IntegerField:
    suggested = SCENARIO_COEFFICIENTS[scenario].denominator
    return forms.IntegerField(
        label=format_lazy(_("Smallest K: {scenario}"), scenario=_(SCENARIO_NAMES[scenario])),
        help_text=format_lazy(_("The standard suggests {k}, a coefficient of 1/{k}."), k=suggested),
        min_value=SCENARIO_BOUNDS[0],
        max_value=SCENARIO_BOUNDS[1],
    )


class CoefficientsForm(KeptForm):
    """The coefficients of low and of high capability (that of medium capability is 1), and K of each scenario."""

    draft_name = "organisation.coefficients"

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
    internal = _k_field(Scenario.INTERNAL)
    external = _k_field(Scenario.EXTERNAL)
    public = _k_field(Scenario.PUBLIC)
    reason = forms.CharField(label=_("Reason for this version"), max_length=500)
