"""The questions about the surroundings as a form: it translates, and computes nothing."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from techniques.disclosure_risk.scales.environment import CONTROLS, MOTIVES

_ANSWERS = (("1", gettext_lazy("yes")), ("0.5", gettext_lazy("in part")), ("0", gettext_lazy("no")))


class ContextForm(forms.Form):
    """Eleven controls, four factors of motive, the acquaintance formula and the breach rate with its source."""

    prevalence = forms.FloatField(
        label=gettext_lazy("How common is the trait that the data are about?"),
        help_text=gettext_lazy(
            "Share of the people who have it, 0 to 1: for data about an illness its prevalence. The rarer it is, the less likely somebody knows such a person."
        ),
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "any", "min": "0", "max": "1"}),
    )
    acquaintances = forms.IntegerField(
        label=gettext_lazy("How many people does somebody know well?"),
        help_text=gettext_lazy("The standard takes 150 to 190."),
        min_value=150,
        max_value=190,
        initial=150,
    )
    breach = forms.FloatField(
        label=gettext_lazy("Yearly rate of breaches in the recipient's sector"),
        help_text=gettext_lazy("A published figure, 0 to 1."),
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "any", "min": "0", "max": "1"}),
    )
    breach_source = forms.CharField(
        label=gettext_lazy("Where that rate was published"),
        help_text=gettext_lazy("Publisher, title and year, so that it can be looked up."),
        max_length=500,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for prefix, items in (("control", CONTROLS), ("motive", MOTIVES)):
            for item in items:
                self.fields[f"{prefix}-{item.code}"] = forms.ChoiceField(
                    label=_(item.title), choices=_ANSWERS, widget=forms.RadioSelect
                )

    @property
    def controls(self) -> list[Any]:
        return [self[f"control-{item.code}"] for item in CONTROLS]

    @property
    def motives(self) -> list[Any]:
        return [self[f"motive-{item.code}"] for item in MOTIVES]

    @property
    def answers(self) -> dict[str, Any]:
        """The answers as the engine reads them, after a successful ``is_valid``."""
        data = self.cleaned_data
        return {
            "controls": {item.code: float(data[f"control-{item.code}"]) for item in CONTROLS},
            "motives": {item.code: float(data[f"motive-{item.code}"]) for item in MOTIVES},
            **{name: data[name] for name in ("prevalence", "acquaintances", "breach", "breach_source")},
        }

    @staticmethod
    def initial_of(answers: dict[str, Any]) -> dict[str, Any]:
        """The entries that show stored answers."""
        return {
            **{name: answers[name] for name in ("prevalence", "acquaintances", "breach", "breach_source")},
            **{f"control-{code}": f"{value:g}" for code, value in answers["controls"].items()},
            **{f"motive-{code}": f"{value:g}" for code, value in answers["motives"].items()},
        }
