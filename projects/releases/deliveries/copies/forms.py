"""The form with which a recipient states that their copy is destroyed."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class CopyForm(forms.Form):
    how = forms.CharField(
        label=_("How the data were destroyed, and where they lay"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_(
            "Backups and what you derived from the data as far as it still tells of persons included."
        ),
    )
    confirmed = forms.BooleanField(
        label=_("I have destroyed my copy, and every copy that I made or passed on inside my organisation.")
    )
