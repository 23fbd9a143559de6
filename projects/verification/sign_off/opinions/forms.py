"""Asking an external assessor, and answering."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.core.drafts.forms import KeptForm

from .models import Fitness

LONG = 4000


class AskForm(KeptForm):
    draft_name = "verification.opinion"

    assessor = forms.ChoiceField(label=_("External assessor"))
    question = forms.CharField(
        label=_("What it is to be judged for"),
        help_text=_("The use, and what the result has to be good for in it."),
        max_length=LONG,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, people: Sequence[Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._people = {str(one.pk): one for one in people}
        field = self.fields["assessor"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(key, str(one)) for key, one in self._people.items()]

    def clean_assessor(self) -> Any:
        return self._people[self.cleaned_data["assessor"]]


class AnswerForm(forms.Form):
    verdict = forms.ChoiceField(label=_("Verdict"), choices=Fitness.choices, widget=forms.RadioSelect)
    reason = forms.CharField(
        label=_("Reason"),
        help_text=_("What you looked at, what the result is good for, and within which limits."),
        max_length=LONG,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
