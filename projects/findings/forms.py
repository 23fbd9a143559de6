"""Forms of findings; they translate only."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from approvals.governance.person import Person, by_reading
from projects.core.drafts.forms import KeptForm
from projects.core.models import Project
from projects.workflow import Stage

from .enums import FindingSeverity, FindingSource
from .selectors import owners_possible

MOST_STEPS = 50


def _long(rows: int, **given: Any) -> forms.CharField:
    return forms.CharField(max_length=4000, widget=forms.Textarea(attrs={"rows": rows}), **given)


class DayInput(forms.DateInput):
    input_type = "date"


class _Assigning(KeptForm):
    """Who puts it right, and by when."""

    owner = forms.ChoiceField(label=gettext_lazy("Who puts it right"))
    due_on = forms.DateField(label=gettext_lazy("Due on"), widget=DayInput)

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.people: dict[str, Person] = {str(one.pk): one for one in owners_possible(project)}
        people = sorted(self.people.items(), key=lambda item: by_reading(item[1]))
        self.fields["owner"].choices = [  # type: ignore[attr-defined]
            ("", "–"),
            *((key, str(one)) for key, one in people),
        ]

    def clean_owner(self) -> Person:
        return self.people[self.cleaned_data["owner"]]

    def clean_due_on(self) -> date:
        day: date = self.cleaned_data["due_on"]
        if day < timezone.localdate():
            raise forms.ValidationError(_("The day is in the past."))
        return day


class FindingForm(_Assigning):
    """What deviates from what. A step that was drawn already says source and step."""

    draft_name = "findings.finding"

    source = forms.ChoiceField(label=gettext_lazy("Found in"), choices=FindingSource.choices)
    stage = forms.ChoiceField(label=gettext_lazy("Step"), choices=Stage.choices)
    severity = forms.ChoiceField(
        label=gettext_lazy("Severity"), choices=FindingSeverity.choices, widget=forms.RadioSelect
    )
    title = forms.CharField(
        label=gettext_lazy("In one line"),
        max_length=120,
        help_text=gettext_lazy("It is recorded in the audit log: do not include personal data."),
    )
    description = _long(4, label=gettext_lazy("What deviates from what"))

    field_order = ("source", "stage", "severity", "title", "description", "owner", "due_on")

    def __init__(self, *args: Any, known: Sequence[str] = (), **kwargs: Any) -> None:
        """``known`` are the fields that what it comes from has answered."""
        super().__init__(*args, **kwargs)
        if "source" not in known:
            field: Any = self.fields["source"]
            field.choices = [one for one in FindingSource.choices if one[0] != FindingSource.MANAGEMENT]
        for name in known:
            del self.fields[name]


class AssignForm(_Assigning):
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=500)


class ActionForm(KeptForm):
    draft_name = "findings.action"

    action = _long(
        4,
        label=gettext_lazy("Corrective action"),
        help_text=gettext_lazy("What was done, why it happened and what will keep it from happening again."),
    )


class EffectForm(forms.Form):
    remark = _long(
        3,
        label=gettext_lazy("How the effect was checked"),
        help_text=gettext_lazy("Which records or figures show whether the deviation has been corrected."),
    )


class DrawForm(forms.Form):
    size = forms.IntegerField(
        label=gettext_lazy("How many steps to draw"), min_value=1, max_value=MOST_STEPS, initial=3
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=500)


class SoundForm(forms.Form):
    remark = _long(2, label=gettext_lazy("What was looked through"))
