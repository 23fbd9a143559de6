"""How the answers were randomised, and the file that they were collected in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from techniques.core.validation import validated

from .services import UPLOAD_LIMIT

REPORT = "report"
"""The column of the answers, as the kit for devices names it."""
_KINDS = (
    ("response", _("Randomised response: one choice of several")),
    ("unary", _("Optimised unary encoding: one choice of many")),
    ("number", _("Local Laplace noise: a number")),
)


class ReportsForm(forms.Form):
    """A file of answers, with the settings that devices had."""

    title = forms.CharField(
        label=_("What was asked"), max_length=120, help_text=_("Everyone in the project can read it.")
    )
    file = forms.FileField(
        label=_("CSV file of the answers"),
        help_text=_(
            "In UTF-8, one answer per row, at most 2 MB; the command “deid local estimate” reads larger files. The file is stored encrypted and removed once it has been read."
        ),
    )
    kind = forms.ChoiceField(label=_("How devices randomised"), choices=_KINDS)
    epsilon = forms.FloatField(label=_("ε of each answer"), min_value=0.001, max_value=20)
    choices = forms.CharField(
        label=_("Choices"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        max_length=200_000,
        help_text=_("One per line, in the order used by the devices; leave empty for a number."),
    )
    low = forms.FloatField(label=_("Lower bound of the number"), required=False)
    high = forms.FloatField(label=_("Upper bound of the number"), required=False)
    steps = forms.IntegerField(
        label=_("Steps between the bounds"), min_value=1, max_value=10_000, initial=100, required=False
    )
    confidence = forms.FloatField(
        label=_("Confidence of each interval"), min_value=0.5, max_value=0.9999, initial=0.95
    )
    column = forms.CharField(label=_("Column of the answers"), max_length=512, initial=REPORT)
    person_key = forms.CharField(
        label=_("Columns that identify whose answer it is"),
        required=False,
        max_length=2000,
        help_text=_(
            "Separated by commas; leave empty where each row is a different person. The first answer of each person counts."
        ),
    )

    def clean_file(self) -> bytes:
        upload = self.cleaned_data["file"]
        if upload.size > UPLOAD_LIMIT:
            raise forms.ValidationError(gettext("The file is larger than 2 MB."))
        content: bytes = upload.read()
        return content

    def started(self) -> dict[str, Any]:
        """What :func:`estimate_start` is given; EngineError where the settings do not fit together."""
        from techniques.models.local_privacy.survey import Survey

        given = self.cleaned_data
        wanted = ("kind", "epsilon", "low", "high", "confidence")
        survey = validated(
            Survey,
            {name: given[name] for name in wanted}
            | {"choices": _lines(given["choices"]), "steps": given["steps"] or 100},
            "survey",
        )
        return {
            "title": given["title"],
            "content": given["file"],
            "survey": survey.model_dump(mode="json"),
            "column": given["column"].strip(),
            "person_key": [one.strip() for one in given["person_key"].split(",") if one.strip()],
        }


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
