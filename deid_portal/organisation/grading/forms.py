"""The form that proposes what each grade of data asks for."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.core.drafts.forms import KeptForm
from projects.core.enums import SharingType

from ..models import SIGNERS_BOUNDS
from .policy import GRADED, K_BOUNDS, GradeRule, Policy


class GradingForm(KeptForm):
    """Four fields a grade; whether they fit together is said by the service."""

    draft_name = "organisation.grading"
    keeps_ticks = True

    def __init__(self, *args: Any, now: Policy, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for grade in GRADED:
            rule, name = now.rules[grade.value], {"grade": grade.label}
            self.fields[f"{grade.value}_sharing"] = forms.MultipleChoiceField(
                label=_("%(grade)s: may be shared by") % name,
                choices=SharingType.choices,
                widget=forms.CheckboxSelectMultiple,
                required=False,
                initial=list(rule.sharing),
            )
            self.fields[f"{grade.value}_minimum_k"] = forms.IntegerField(
                label=_("%(grade)s: smallest class (k)") % name,
                min_value=K_BOUNDS[0],
                max_value=K_BOUNDS[1],
                initial=rule.minimum_k,
            )
            self.fields[f"{grade.value}_impact"] = forms.BooleanField(
                label=_("%(grade)s: only after an impact assessment") % name,
                required=False,
                initial=rule.impact,
            )
            self.fields[f"{grade.value}_signers"] = forms.IntegerField(
                label=_("%(grade)s: members of senior management who sign, at least") % name,
                min_value=SIGNERS_BOUNDS[0],
                max_value=SIGNERS_BOUNDS[1],
                initial=rule.signers,
            )
        self.fields["reason"] = forms.CharField(label=_("Reason for this version"), max_length=500)

    def rules(self) -> dict[str, GradeRule]:
        """What is proposed."""
        given = self.cleaned_data
        return {
            grade.value: GradeRule(
                tuple(given[f"{grade.value}_sharing"]),
                given[f"{grade.value}_minimum_k"],
                given[f"{grade.value}_impact"],
                given[f"{grade.value}_signers"],
            )
            for grade in GRADED
        }
