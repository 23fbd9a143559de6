"""The form of the second person."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class SecondPersonForm(forms.Form):
    """Why a version is put in force or turned down."""

    reason = forms.CharField(label=_("Reason for the decision"), max_length=500)
