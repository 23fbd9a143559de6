"""What is searched for."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

LONGEST = 80


class SearchForm(forms.Form):
    query = forms.CharField(
        label=_("Search"),
        help_text=_(
            "Within what you may see: projects by number or title, columns of the current data sets "
            "by name, people by name or department, events by their number, their kind or the number "
            "of their project. The contents of data, free text and reasons are not searched."
        ),
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
        max_length=LONGEST,
        strip=True,
    )
