"""How large the largest sample is."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

LEAST, MOST, PROPOSED = 100, 5_000_000, 50_000


class SampleForm(forms.Form):
    """One number; a table with fewer rows is taken whole."""

    rows = forms.IntegerField(
        label=_("Rows of the largest sample"),
        help_text=_("A quarter of it is measured too. A table with fewer rows is taken whole."),
        min_value=LEAST,
        max_value=MOST,
        initial=PROPOSED,
    )
