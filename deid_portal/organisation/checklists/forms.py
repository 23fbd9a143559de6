"""The form that proposes a checklist."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ..proposals.forms import RowsForm
from .lists import LONGEST, LONGEST_CLAUSE, MOST_ITEMS


class ChecklistForm(RowsForm):
    draft_name = "organisation.checklist"

    parts, texts = ("clause", "zh", "en", "obligatory"), ("zh", "en")
    most, row_title = MOST_ITEMS, _("Item %(number)s")

    off = forms.BooleanField(
        label=_(
            "Ask nothing beside the standard's requirements: the checklist of this stage is switched off"
        ),
        required=False,
    )

    def row_fields(self, number: int, begin: Mapping[str, Any]) -> dict[str, forms.Field]:
        """Clause, text in both languages, and whether it is obligatory, as a new one is."""
        name = {"number": number}
        fields: dict[str, forms.Field] = {
            "clause": forms.CharField(
                label=_("%(number)d: clause") % name,
                max_length=LONGEST_CLAUSE,
                required=False,
                initial=begin.get("clause", ""),
            )
        }
        for part, label in (("zh", _("%(number)d: Chinese text")), ("en", _("%(number)d: English text"))):
            fields[part] = forms.CharField(
                label=label % name,
                max_length=LONGEST,
                required=False,
                initial=begin.get(part, ""),
                widget=forms.Textarea(attrs={"rows": 2}),
            )
        fields["obligatory"] = forms.BooleanField(
            label=_("%(number)d: a stage passes only when it holds or is not applicable") % name,
            required=False,
            initial=begin.get("obligatory", True),
        )
        return fields
