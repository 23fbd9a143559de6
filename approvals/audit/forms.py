"""The filters of the audit log."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from .selectors import action_choices, project_choices


class LogFilterForm(forms.Form):
    person = forms.CharField(label=_("Who"), required=False, max_length=80)
    action = forms.ChoiceField(label=_("What happened"), required=False)
    project_id = forms.ChoiceField(label=_("Project"), required=False)
    since = forms.DateField(label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(label=_("Until"), required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        everything = [("", _("All"))]
        for name, choices in (("action", action_choices()), ("project_id", project_choices())):
            field: Any = self.fields[name]
            field.choices = [*everything, *choices]
