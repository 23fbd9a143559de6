"""The form of a query; it translates only."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.core.drafts.forms import KeptForm

from .services import LONGEST


class QueryForm(KeptForm):
    """One SELECT. Its text may name persons: it is kept encrypted, and in no draft."""

    draft_name = "enclave.query"
    never_kept = frozenset({"statement"})

    statement = forms.CharField(
        label=_("Query (SQL)"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text=_(
            "One SELECT as DuckDB reads it. Names in Chinese stand in double quotes, texts in single ones; every column is text, "
            "numbers are read with CAST(… AS DOUBLE)."
        ),
    )
    purpose = forms.CharField(
        label=_("What it is needed for"),
        max_length=500,
        required=False,
        help_text=_("The project's team and auditors read it: do not include values."),
    )
