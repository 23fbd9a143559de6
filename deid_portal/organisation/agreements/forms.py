"""The form that proposes clauses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ..proposals.forms import RowsForm
from .clauses import LONGEST, LONGEST_MATTER, MOST_CLAUSES

_LABELS = {
    "matter_zh": _("%(number)d: matter in Chinese"),
    "matter_en": _("%(number)d: matter in English"),
    "zh": _("%(number)d: clause in Chinese"),
    "en": _("%(number)d: clause in English"),
}


class ClausesForm(RowsForm):
    draft_name = "organisation.clauses"

    parts = texts = tuple(_LABELS)
    most, spare, row_title = MOST_CLAUSES, 2, _("Clause %(number)s")

    off = forms.BooleanField(
        label=_("No clauses of our own: the text of an agreement has the portal's own part alone"),
        required=False,
    )

    def row_fields(self, number: int, begin: Mapping[str, Any]) -> dict[str, forms.Field]:
        """Matter and text, each in both languages."""
        return {
            part: forms.CharField(
                label=label % {"number": number},
                max_length=LONGEST_MATTER if part.startswith("matter") else LONGEST,
                required=False,
                initial=begin.get(part, ""),
                widget=None if part.startswith("matter") else forms.Textarea(attrs={"rows": 3}),
            )
            for part, label in _LABELS.items()
        }
