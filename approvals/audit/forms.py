"""The filters of the audit log."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from .anchors import Anchor, anchor_read
from .selectors import action_choices, project_choices


class AnchorForm(forms.Form):
    """The end of the log as a document printed it; both fields or neither."""

    expect_seq = forms.IntegerField(
        label=_("Number of the row"), required=False, min_value=1, max_value=2**62
    )
    expect_hash = forms.CharField(
        label=_("Its hash"),
        required=False,
        max_length=160,
        help_text=_("As printed on a plan or a report; the first 16 signs are enough."),
        widget=forms.TextInput(attrs={"spellcheck": "false", "autocomplete": "off"}),
    )

    anchor: Anchor | None = None

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not self.errors:
            try:
                self.anchor = anchor_read(given.get("expect_seq"), given.get("expect_hash", ""))
            except ValueError as error:
                raise forms.ValidationError(str(error)) from None
        return given


class LogFilterForm(forms.Form):
    person = forms.CharField(label=_("Who"), required=False, max_length=80)
    action = forms.ChoiceField(label=_("What happened"), required=False)
    project_id = forms.ChoiceField(label=_("Project"), required=False)
    since = forms.DateField(
        label=pgettext_lazy("a date", "From"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(label=_("Until"), required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        everything = [("", _("All"))]
        for name, choices in (("action", action_choices()), ("project_id", project_choices())):
            field: Any = self.fields[name]
            field.choices = [*everything, *choices]
