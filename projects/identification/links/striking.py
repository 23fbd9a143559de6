"""What is said of values that catch the eye (5.3.4 b): counts for each column, and the technique that deals with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from projects.core.numbers import count
from techniques.catalogue.generalization import TOP_BOTTOM_CODING
from techniques.catalogue.suppression import RARE_VALUES

from ..models import IdentificationRound


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

    @property
    def brief(self) -> str:
        """How many columns have such values; that the scan is too old for it."""
        if self._stored is None:
            return _("This scan did not count them. Scan the file again to see them.")
        columns = len({line.column for line in self.lines})
        if not columns:
            return _("No column has outlying or rare values.")
        text = ngettext(
            "%(n)s column has outlying or rare values.",
            "%(n)s columns have outlying or rare values.",
            columns,
        )
        return text % {"n": count(columns)}

    @property
    def searched(self) -> str:
        """Which columns were not searched; empty where there are none."""
        found = {} if self._stored is None else self._stored["columns"]
        left = [column for column in self._columns if column not in found]
        if self._stored is None or not left:
            return ""
        text = _("Not searched, as direct identifiers, as columns of one value, or as too many: %(columns)s.")
        return text % {"columns": _(", ").join(left)}
