"""Forms of the vault."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class DestroyForm(forms.Form):
    reason = forms.CharField(
        label=_("Why the key is destroyed"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("What was made with this key can then never be made again or reversed."),
    )


class KeepForm(forms.Form):
    reason = forms.CharField(
        label=_("Why the key is kept"), max_length=500, widget=forms.Textarea(attrs={"rows": 2})
    )
