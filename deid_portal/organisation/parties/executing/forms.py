"""The form on the page of the team."""

from __future__ import annotations

from django import forms

from ..models import Party


class ExecutingForm(forms.Form):
    """One of the register; whether it can be named, the rule says."""

    party = forms.ModelChoiceField(queryset=Party.objects.all())
