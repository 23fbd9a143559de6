"""What is said of values that catch the eye (5.3.4 b): counts for each column, and the technique that deals with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from projects.core.numbers import count
from techniques.catalogue.generalization import TOP_BOTTOM_CODING
from techniques.catalogue.suppression import RARE_VALUES

from ..models import IdentificationRound
from .left import left_searchable, long_text
from .persons import key_of_counts, other_persons_text, persons_text


@dataclass(frozen=True)
class StrikingLine:
    """One sort of striking values in one column."""

    column: str
    what: str
    values: str
    persons: str
    technique: str


class StrikingText:
    """The values that catch the eye, as a scan counted them."""

    def __init__(self, round_: IdentificationRound) -> None:
        self._round = round_
        self._stored: Mapping[str, Any] | None = round_.report.get("striking")
        self._columns = [one["column"] for one in round_.report.get("columns", ())]

    @property
    def lines(self) -> list[StrikingLine]:
        """In the order of the file; a column without such values has none."""
        if self._stored is None:
            return []
        few = count(self._stored["few"])
        sorts = (
            ("below", _("Unusually small numbers"), TOP_BOTTOM_CODING),
            ("above", _("Unusually large numbers"), TOP_BOTTOM_CODING),
            ("rare", _("Values that fewer than %(few)s persons have") % {"few": few}, RARE_VALUES),
        )
        return [
            StrikingLine(
                column,
                what,
                count(found["values"]),
                count(found["persons"]),
                _(technique.name),
            )
            for column in self._columns
            for sort, what, technique in sorts
            if (found := self._stored["columns"].get(column, {}).get(sort)) and found["values"]
        ]

    @cached_property
    def other_persons(self) -> str:
        """That the counts are by other persons than was stated; empty where they are not."""
        return "" if self._stored is None else other_persons_text(self._round)

    @property
    def brief(self) -> str:
        """How many columns have such values; that the scan is too old for it, or that its counts are by other persons."""
        if self._stored is None:
            return _("This scan did not count them. Scan the file again to see them.")
        if self.other_persons:
            return self.other_persons
        searched = self._stored["columns"]
        columns = len({line.column for line in self.lines})
        if not searched:
            return _("No column was searched.")
        if not columns and left_searchable(self._round, searched):
            return _(
                "No column that was searched has outlying or rare values, but not every column was searched."
            )
        if not columns:
            return _("No column that was searched has outlying or rare values.")
        text = ngettext(
            "%(n)s column has outlying or rare values.",
            "%(n)s columns have outlying or rare values.",
            columns,
        )
        return text % {"n": count(columns)}

    @property
    def searched(self) -> list[str]:
        """What a person is in the counts, and which columns were not searched."""
        if self._stored is None:
            return []
        found, key = self._stored["columns"], key_of_counts(self._round)
        said = [persons_text(self._round)] if found else []
        long = [
            column for column in self._round.report.get("links", {}).get("long", ()) if column not in found
        ]
        if long:
            said.append(long_text(long))
        left = [column for column in self._columns if column not in (*found, *key, *long)]
        if left:
            text = _(
                "Not searched, as direct identifiers, as columns of one value, or as too many: %(columns)s."
            )
            said.append(text % {"columns": _(", ").join(left)})
        return said
