"""The questions about the surroundings as a form: it translates, and computes nothing."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.core.drafts.forms import KeptForm
from techniques.disclosure_risk.scales.environment import CONTROLS, MOTIVES
from techniques.disclosure_risk.scales.recovery import RECOVERY
from techniques.disclosure_risk.scales.safeguards import MANAGEMENT, TECHNICAL

_ANSWERS = (("1", gettext_lazy("yes")), ("0.5", gettext_lazy("in part")), ("0", gettext_lazy("no")))

_FIELDS = (
    "prevalence",
    "prevalence_source",
    "acquaintances",
    "breach",
    "breach_source",
    "safeguards_source",
    "recovery_source",
)


class ContextForm(KeptForm):
    """Eleven controls, four factors of motive, the ten items of C.5 with what their answers rest on, the five of 5.1 c 1
    with the same, the acquaintance formula and the breach rate; both shares with their sources."""

    draft_name = "objective.surroundings"

    prevalence = forms.FloatField(
        label=gettext_lazy("How common is the trait that the data describe?"),
        help_text=gettext_lazy(
            "Share of the people who have it, 0 to 1: for data about an illness, its prevalence. The rarer it is, the less likely it is that someone knows such a person."
        ),
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "any", "min": "0", "max": "1"}),
    )
    prevalence_source = forms.CharField(
        label=gettext_lazy("Where that share was read"),
        help_text=gettext_lazy("Publisher, title and year, so that it can be looked up."),
        max_length=500,
    )
    acquaintances = forms.IntegerField(
        label=gettext_lazy("How many people does a person know well?"),
        help_text=gettext_lazy("The standard uses 150 to 190."),
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

    safeguards_source = forms.CharField(
        label=gettext_lazy("What the answers about safeguards are based on"),
        help_text=gettext_lazy("Contract, certificate or inspection: what it is, who issued it and when."),
        max_length=500,
    )

    recovery_source = forms.CharField(
        label=gettext_lazy("What the answers about recovery are based on"),
        help_text=gettext_lazy(
            "Who looked into it, when, and by what: which sources of extra information were considered, which law and which clause of the agreement, which estimate of time and cost."
        ),
        max_length=500,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for prefix, items in (
            ("control", CONTROLS),
            ("motive", MOTIVES),
            ("safeguard", (*TECHNICAL, *MANAGEMENT)),
            ("recovery", RECOVERY),
        ):
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
    def technical(self) -> list[Any]:
        return [self[f"safeguard-{item.code}"] for item in TECHNICAL]

    @property
    def management(self) -> list[Any]:
        return [self[f"safeguard-{item.code}"] for item in MANAGEMENT]

    @property
    def recovery(self) -> list[Any]:
        return [self[f"recovery-{item.code}"] for item in RECOVERY]

    @property
    def answers(self) -> dict[str, Any]:
        """The answers as the engine reads them, after a successful ``is_valid``."""
        data = self.cleaned_data
        return {
            "controls": {item.code: float(data[f"control-{item.code}"]) for item in CONTROLS},
            "motives": {item.code: float(data[f"motive-{item.code}"]) for item in MOTIVES},
            "safeguards": {
                item.code: float(data[f"safeguard-{item.code}"]) for item in (*TECHNICAL, *MANAGEMENT)
            },
            "recovery": {item.code: float(data[f"recovery-{item.code}"]) for item in RECOVERY},
            **{name: data[name] for name in _FIELDS},
        }

    @staticmethod
    def initial_of(answers: dict[str, Any]) -> dict[str, Any]:
        """The entries that show stored answers; assessments of before an item was asked have no answer to it."""
        return {
            **{name: answers[name] for name in _FIELDS if name in answers},
            **{f"control-{code}": f"{value:g}" for code, value in answers["controls"].items()},
            **{f"motive-{code}": f"{value:g}" for code, value in answers["motives"].items()},
            **{f"safeguard-{code}": f"{value:g}" for code, value in answers.get("safeguards", {}).items()},
            **{f"recovery-{code}": f"{value:g}" for code, value in answers.get("recovery", {}).items()},
        }
