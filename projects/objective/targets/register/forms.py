"""What the register of releases is asked by."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from ..content import LONG
from .content import MOST_COLUMNS, Question, names_in


class LookupForm(forms.Form):
    source = forms.CharField(
        label=_("Data source"),
        help_text=_("The system or register that the data come from, by the name that others would write."),
        max_length=LONG,
        required=False,
    )
    subject = forms.CharField(
        label=_("Columns that tell persons apart"),
        help_text=_("Such as a record number: names of columns, with commas between them."),
        max_length=LONG,
        required=False,
    )
    columns = forms.CharField(
        label=_("Columns of the data"),
        help_text=_(
            "Names with commas between them. Releases are named that have at least two of them, and half of their own or of these."
        ),
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=20_000,
        required=False,
    )

    @staticmethod
    def initial_of(question: Question) -> dict[str, str]:
        return {
            "source": question.source,
            "subject": ", ".join(question.subject),
            "columns": ", ".join(question.columns),
        }

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        subject, columns = names_in(data.get("subject", "")), names_in(data.get("columns", ""))
        if any(len(name) > 200 for name in (*subject, *columns)):
            raise ValidationError(_("The name of a column has at most 200 characters."))
        if len(columns) > MOST_COLUMNS or len(subject) > 20:
            raise ValidationError(
                _("At most %(most)s columns, and 20 that tell persons apart."), params={"most": MOST_COLUMNS}
            )
        return {"source": data.get("source", ""), "subject": subject, "columns": columns}

    @property
    def question(self) -> Question:
        return Question(**self.cleaned_data)
