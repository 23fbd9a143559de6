"""The form by which senior management accepts a risk until a day."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from projects.core.forms import SignedForm

from ..forms import DateInput
from .rules import AcceptanceReason, latest_day


class AcceptanceForm(SignedForm):
    until = forms.DateField(
        label=_("Accepted until"),
        widget=DateInput,
        help_text=_(
            "At most a year. After this day nothing can be received until the release has been re-assessed."
        ),
    )
    reason = forms.CharField(
        label=_("Why it is accepted"), max_length=2000, strip=True, widget=forms.Textarea(attrs={"rows": 3})
    )

    def clean_until(self) -> Any:
        day: date = self.cleaned_data["until"]
        today = timezone.localdate()
        if day < today:
            raise forms.ValidationError(AcceptanceReason.DAY_PAST.label)
        if day > (most := latest_day(today)):
            raise forms.ValidationError(AcceptanceReason.TOO_LONG.label % {"most": most})
        return day
