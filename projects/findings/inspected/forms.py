"""Forms of samples of a result; they translate only."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from projects.processing.models import RunTable

from ..received.forms import LONG, DeviationForm
from .enums import InspectionKind
from .models import ResultSample
from .rules import MOST


class DrawForm(forms.Form):
    table = forms.ChoiceField(label=gettext_lazy("Table"), required=False)
    size = forms.IntegerField(
        label=gettext_lazy("How many to draw"),
        min_value=1,
        max_value=MOST,
        required=False,
        help_text=gettext_lazy(
            "Where you leave it empty, so many are drawn that nothing found says: at most 5 in 100 at 95 % confidence (59 of very many)."
        ),
    )

    def __init__(self, *args: Any, tables: dict[str, RunTable], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if len(tables) < 2:
            del self.fields["table"]
        else:
            self.fields["table"].choices = [(name, name) for name in tables]  # type: ignore[attr-defined]


class InspectionForm(DeviationForm):
    """How many of those that were looked through are affected, by what, and how it was looked at."""

    kinds = InspectionKind
    found = forms.IntegerField(
        label=gettext_lazy("In how many of those looked through something was found"), min_value=0, initial=0
    )
    remark = forms.CharField(
        label=gettext_lazy("What was looked at, and how"),
        max_length=LONG,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, sample: ResultSample, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["found"].max_value = sample.looked  # type: ignore[attr-defined]
        self.order_fields(["nothing", "found", *InspectionKind.values, "remark"])
