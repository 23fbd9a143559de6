"""The forms of the question whose rows they are; they translate what was chosen, the services decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.core.forms import OfferingForm

from .presentation import Choice
from .selectors import Key

_ROWS = "rows"


class PersonKeyForm(OfferingForm):
    """Whose rows they are. Nothing is chosen beforehand but what was decided; keys that were not counted are not offered."""

    offers = {
        "reason": (
            _(
                "Each value of the key stands for one person: the source is kept that way, and the counts above agree."
            ),
        )
    }

    key = forms.ChoiceField(label=_("Whose rows are they?"), widget=forms.RadioSelect)
    reason = forms.CharField(label=_("Reason"), max_length=2000, widget=forms.Textarea(attrs={"rows": 2}))

    def __init__(self, data: Any = None, *, choices: Sequence[Choice], reason: str = "") -> None:
        self.offered = {
            str(number) if one.columns else _ROWS: one
            for number, one in enumerate(choices)
            if one.figures is not None or not one.columns
        }
        chosen = next((value for value, one in self.offered.items() if one.chosen), "")
        super().__init__(data, initial={"key": chosen, "reason": reason})
        self.fields["key"].choices = [(value, one.label) for value, one in self.offered.items()]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        found = self.cleaned_data
        if found.get("key") == _ROWS and found.get("reason_chosen"):
            self.add_error("reason", _("No key is chosen: state why one row is one person."))
        return super().clean()

    @property
    def leads(self) -> dict[str, str]:
        """What each choice means."""
        return {value: one.lead for value, one in self.offered.items()}

    @property
    def columns(self) -> Key:
        """The key that was chosen."""
        return self.offered[self.cleaned_data["key"]].columns


class CountForm(forms.Form):
    """The columns of a key to count by."""

    columns = forms.MultipleChoiceField(
        label=_("Columns of the key"),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Rows with the same values in all of these columns count as one person's."),
    )

    def __init__(self, data: Any = None, *, header: Sequence[str]) -> None:
        super().__init__(data, prefix="count")
        self.fields["columns"].choices = [(str(place), name) for place, name in enumerate(header)]  # type: ignore[attr-defined]
        self._header = header

    @property
    def named(self) -> Key:
        """The columns that were ticked, in the order of the file."""
        return tuple(self._header[int(place)] for place in self.cleaned_data["columns"])
