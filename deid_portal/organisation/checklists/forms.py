"""The form that proposes a checklist: a row for each item, and empty ones for more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.monitoring.checklists.items import Item

from .lists import LONGEST, LONGEST_CLAUSE, MOST_ITEMS

SPARE = 3
PARTS = ("clause", "zh", "en", "obligatory")


class ChecklistForm(forms.Form):
    """``begins``: the items that the rows begin with. A row whose texts are both empty is no item."""

    off = forms.BooleanField(
        label=_(
            "Ask nothing beside the standard's requirements: the checklist of this stage is switched off"
        ),
        required=False,
    )
    reason = forms.CharField(label=_("Reason for this version"), max_length=500)

    def __init__(self, *args: Any, begins: Sequence[Item], may_be_off: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not may_be_off:
            del self.fields["off"]
        rows = len(begins) + SPARE
        while self.is_bound and rows < MOST_ITEMS and f"zh-{rows}" in self.data:
            rows += 1
        self.places = range(rows)
        for place in self.places:
            item = begins[place] if place < len(begins) else Item("", "", "", True)
            name = {"number": place + 1}
            self.fields[f"clause-{place}"] = forms.CharField(
                label=_("%(number)d: clause") % name,
                max_length=LONGEST_CLAUSE,
                required=False,
                initial=item.clause,
            )
            for part, label in (("zh", _("%(number)d: Chinese text")), ("en", _("%(number)d: English text"))):
                self.fields[f"{part}-{place}"] = forms.CharField(
                    label=label % name,
                    max_length=LONGEST,
                    required=False,
                    initial=getattr(item, part),
                    widget=forms.Textarea(attrs={"rows": 2}),
                )
            self.fields[f"obligatory-{place}"] = forms.BooleanField(
                label=_("%(number)d: a stage passes only when it holds or is not applicable") % name,
                required=False,
                initial=item.obligatory,
            )

    @property
    def rows(self) -> list[str]:
        """Which fields stand together, for ``form_fields``."""
        return [",".join(f"{part}-{place}" for part in PARTS) for place in self.places]

    def items(self) -> list[Item]:
        """What is proposed."""
        given = self.cleaned_data
        if given.get("off"):
            return []
        rows = [{part: given[f"{part}-{place}"] for part in PARTS} for place in self.places]
        return [Item(**row) for row in rows if row["zh"] or row["en"]]
