"""The form that proposes rules for tables of statistics."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

COUNTS, AMOUNTS = "counts", "amounts"
_KINDS = (
    (COUNTS, _("Tables that count persons")),
    (AMOUNTS, _("Tables that add up amounts, or rows")),
)
_ZEROS = (
    ("published", _("Publish cells whose contributions are all zero")),
    ("hidden", _("Hide cells whose contributions are all zero")),
)


def _number(label: Any, help_text: Any = "") -> forms.FloatField:
    return forms.FloatField(label=label, required=False, help_text=help_text)


class RulesForm(forms.Form):
    """A version of a set, field by field; whether it fits together is said by the service."""

    name = forms.CharField(
        label=_("Name of the set"), max_length=60,
        help_text=_("Everyone in the organisation sees it: do not include numbers. A name that already exists gets its next version."),
    )  # fmt: skip
    kind = forms.ChoiceField(label=_("For which tables"), choices=_KINDS)
    minimum = forms.IntegerField(
        label=_("Fewest contributors"),
        required=False,
        help_text=_("Cells with fewer contributors are sensitive."),
    )
    margin = _number(
        _("Share by which the estimate of a sum with fewer contributors must be off"),
        _("0.3 if left empty. For amounts only."),
    )
    n = forms.IntegerField(label=_("Dominance: n largest contributors"), required=False)
    k = _number(_("Dominance: contribute more than k per cent"))
    p_percent = _number(
        _("p %: the second largest estimates the largest to within p per cent"), _("For amounts only.")
    )
    p = _number(
        _("p/q: nobody may be able to estimate another contributor to within p per cent"),
        _("For amounts only."),
    )
    q = _number(_("p/q: when everyone already knew each contributor to within q per cent"))
    zeros = forms.ChoiceField(label=_("Zeros"), choices=_ZEROS)
    reason = forms.CharField(
        label=_("Reason for this version"), max_length=500,
        help_text=_("It is written into the audit log, where many people can read it: do not include numbers."),
    )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        for one, other in (("n", "k"), ("p", "q")):
            if (given.get(one) is None) != (given.get(other) is None):
                raise ValidationError(_("Dominance needs n and k, p/q needs p and q: give both, or neither."))
        return given

    def rules(self) -> dict[str, Any]:
        """What is proposed, as the engine's rules."""
        given = self.cleaned_data
        found: dict[str, Any] = {
            "minimum_contributors": given["minimum"],
            "p_percent": given["p_percent"],
            "zeros": given["zeros"],
        }
        if given["margin"] is not None:
            found["margin"] = given["margin"]
        if given["n"] is not None:
            found["dominance"] = {"n": given["n"], "k": given["k"]}
        if given["p"] is not None:
            found["prior_posterior"] = {"p": given["p"], "q": given["q"]}
        return found
