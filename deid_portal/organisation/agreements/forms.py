"""The form that proposes clauses: a row for each, and empty ones for more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.releases.agreements.clauses import Clause

from .clauses import LONGEST, LONGEST_MATTER, MOST_CLAUSES

SPARE = 2
PARTS = ("matter_zh", "matter_en", "zh", "en")
_LABELS = {
    "matter_zh": _("%(number)d: matter in Chinese"),
    "matter_en": _("%(number)d: matter in English"),
    "zh": _("%(number)d: clause in Chinese"),
    "en": _("%(number)d: clause in English"),
}


class ClausesForm(forms.Form):
    """``begins``: the clauses that the rows begin with. A row that is empty throughout is no clause."""

    off = forms.BooleanField(
        label=_("No clauses of our own: the text of an agreement has the portal's own part alone"),
        required=False,
    )
    reason = forms.CharField(label=_("Reason for this version"), max_length=500)

    def __init__(self, *args: Any, begins: Sequence[Clause], may_be_off: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not may_be_off:
            del self.fields["off"]
        rows = min(len(begins) + SPARE, MOST_CLAUSES)
        while self.is_bound and rows < MOST_CLAUSES and f"zh-{rows}" in self.data:
            rows += 1
        self.places = range(rows)
        for place in self.places:
            begin = begins[place].as_json() if place < len(begins) else {}
            for part in PARTS:
                is_text = part in ("zh", "en")
                self.fields[f"{part}-{place}"] = forms.CharField(
                    label=_LABELS[part] % {"number": place + 1},
                    max_length=LONGEST if is_text else LONGEST_MATTER,
                    required=False,
                    initial=begin.get(part, ""),
                    widget=forms.Textarea(attrs={"rows": 3}) if is_text else None,
                )

    @property
    def rows(self) -> list[str]:
        """Which fields stand together, for ``form_fields``."""
        return [",".join(f"{part}-{place}" for part in PARTS) for place in self.places]

    def clauses(self) -> list[Clause]:
        """What is proposed."""
        given = self.cleaned_data
        if given.get("off"):
            return []
        rows = [{part: given[f"{part}-{place}"] for part in PARTS} for place in self.places]
        return [Clause(**row) for row in rows if any(row.values())]
