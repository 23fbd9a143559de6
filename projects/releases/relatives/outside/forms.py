"""The form by which a release made outside the portal is taken down: it translates, and decides nothing."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from projects.core.enums import SharingType

from .content import OutsideFacts, names_of
from .models import OutsideRelease


def _day() -> forms.DateInput:
    return forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


def _lines(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows})


class OutsideForm(forms.Form):
    name = forms.CharField(
        label=_("What was released"),
        max_length=120,
        help_text=_("As others would look for it; no names of persons."),
    )
    source = forms.CharField(
        label=_("Data source"),
        max_length=200,
        help_text=_("The system or register that the data come from, by the name that others would write."),
    )
    released_on = forms.DateField(label=_("Released on"), widget=_day())
    sharing_type = forms.ChoiceField(label=_("Sharing type"), choices=SharingType.choices)
    recipients = forms.CharField(label=_("Recipients"), max_length=1000, widget=_lines(2))
    subject_columns = forms.CharField(
        label=_("Columns that tell persons apart"),
        required=False,
        max_length=5_000,
        widget=_lines(2),
        help_text=_("Names, one a line. Leave empty if not known."),
    )
    columns = forms.CharField(
        label=_("Columns"),
        max_length=120_000,
        widget=_lines(6),
        help_text=_("The names of all columns that were released, one a line. No values."),
    )
    treatment = forms.CharField(
        label=_("How it was treated"),
        required=False,
        max_length=1000,
        widget=_lines(2),
        help_text=_("Techniques, and what the result was called, as far as known."),
    )
    valid_until = forms.DateField(
        label=_("Valid until and including"),
        required=False,
        widget=_day(),
        help_text=_("Leave empty if it has no end date."),
    )
    evidence = forms.CharField(label=_("Where the evidence lies"), max_length=200)
    sha256 = forms.CharField(
        label=_("SHA-256 of the released file"),
        required=False,
        max_length=100,
        help_text=_("If somebody has the file and measured it. By it the same file is recognised."),
    )
    why_outside = forms.CharField(
        label=_("Why it was made outside the portal"), max_length=500, widget=_lines(2)
    )

    @staticmethod
    def initial_of(entry: OutsideRelease) -> dict[str, Any]:
        found = {name: getattr(entry, name) for name in OutsideForm.base_fields}
        return found | {name: "\n".join(found[name]) for name in ("subject_columns", "columns")}

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for name in ("subject_columns", "columns"):
            if name in data:
                data[name] = names_of(data[name])
        self.cleaned_data = data
        if not self.errors:
            try:
                self.facts.require()
            except ValidationError as wrong:
                self.add_error(None, wrong)
        return data

    @property
    def facts(self) -> OutsideFacts:
        given = {name: self.cleaned_data[name] for name in OutsideForm.base_fields}
        return OutsideFacts(**given | {"sharing_type": SharingType(given["sharing_type"])})


class WithdrawalForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), max_length=500, widget=_lines(2))


class OutsideCorrectionForm(OutsideForm):
    reason = forms.CharField(label=_("What was wrong"), max_length=500, widget=_lines(2))
