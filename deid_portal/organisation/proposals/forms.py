"""The forms of a proposal: of the second person, and of a list that is proposed row by row."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from projects.core.drafts.forms import KeptForm
from projects.core.forms import SecondPersonForm


class DecisionForm(SecondPersonForm):
    """Why a version is put in force or turned down."""

    unsaid = _("State whether the version is brought into force or rejected.")


class RowsForm(KeptForm):
    """A row for each of what ``begins`` the list, and empty ones for more. A row whose ``texts`` are all empty is none.

    A subclass declares ``off``, by which the list is given up, and what stands in a row.
    """

    # What a tick says there is part of the list, as a text is.
    keeps_ticks = True

    parts: ClassVar[tuple[str, ...]]
    texts: ClassVar[tuple[str, ...]]
    most: ClassVar[int]
    row_title: ClassVar[str | Promise]
    spare: ClassVar[int] = 3

    reason = forms.CharField(label=_("Reason for this version"), max_length=500)

    def __init__(
        self, *args: Any, begins: Sequence[Mapping[str, Any]], may_be_off: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        if not may_be_off:
            del self.fields["off"]
        rows = min(len(begins) + self.spare, self.most)
        while self.is_bound and rows < self.most and f"{self.texts[0]}-{rows}" in self.data:
            rows += 1
        self.places = range(rows)
        for place in self.places:
            fields = self.row_fields(place + 1, begins[place] if place < len(begins) else {})
            self.fields.update({f"{part}-{place}": field for part, field in fields.items()})

    @abstractmethod
    def row_fields(self, number: int, begin: Mapping[str, Any]) -> dict[str, forms.Field]:
        """The fields of the row of this ``number``, by part, as they ``begin``."""

    @property
    def rows(self) -> list[tuple[str, str]]:
        """(title, which fields stand together for ``form_fields``) of each row."""
        return [
            (self.row_title % {"number": place + 1}, ",".join(f"{part}-{place}" for part in self.parts))
            for place in self.places
        ]

    def given(self) -> list[dict[str, Any]]:
        """The rows that are proposed; none where the list is given up."""
        said = self.cleaned_data
        if said.get("off"):
            return []
        rows = [{part: said[f"{part}-{place}"] for part in self.parts} for place in self.places]
        return [row for row in rows if any(row[text] for text in self.texts)]
