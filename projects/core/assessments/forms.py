"""The forms of an outside assessment: the order, the report, and its end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import by_reading
from projects.core.drafts.forms import KeptForm

from .enums import Conclusion
from .models import AssessmentOrder

LONG = 4000
MOST_MONTHS = 60


def _label(name: str) -> Any:
    return AssessmentOrder._meta.get_field(name).verbose_name  # type: ignore[union-attr]


class OrderForm(KeptForm):
    draft_name = "core.assessment_order"

    assessor = forms.ChoiceField(label=_label("assessor"))
    covers = forms.CharField(
        label=_label("covers"),
        help_text=_("Which steps or questions, and by which clauses, rules or contract."),
        max_length=LONG,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    until = forms.DateField(
        label=_label("until"),
        help_text=_("The last day on which the assessor sees the project."),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    again_months = forms.IntegerField(
        label=_label("again_months"),
        help_text=_(
            "Counted from the report. The supervisor has the next one among their tasks in time. Leave empty if no further one is "
            "wanted after this one."
        ),
        min_value=1,
        max_value=MOST_MONTHS,
        required=False,
    )

    def __init__(self, *args: Any, people: Iterable[Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.people = {str(one.pk): one for one in people}
        field: Any = self.fields["assessor"]
        rows = [(key, str(one)) for key, one in self.people.items()]
        field.choices = [("", _("Choose")), *sorted(rows, key=lambda row: by_reading(row[1]))]

    def clean_assessor(self) -> Any:
        return self.people[self.cleaned_data["assessor"]]


class AssessmentReportForm(forms.Form):
    conclusion = forms.ChoiceField(
        label=_label("conclusion"), choices=Conclusion.choices, widget=forms.RadioSelect
    )
    report = forms.CharField(
        label=_label("report"),
        help_text=_("What was looked at, how, and what was found. It is written once."),
        max_length=LONG,
        widget=forms.Textarea(attrs={"rows": 6}),
    )


class EndForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), widget=forms.Textarea(attrs={"rows": 2}), max_length=500)
