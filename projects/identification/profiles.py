"""What a column holds, in words and as a small picture: from counts alone, for no value of the data is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from projects.core.numbers import count, number, percent

SORTS: dict[str, Any] = {
    "number": gettext_lazy("Numbers"),
    "date": gettext_lazy("Dates"),
    "text": pgettext_lazy("data type", "Text"),
    "empty": gettext_lazy("No values"),
}
WIDTH, HEIGHT = 10, 40
"""Of a bar's place in the picture."""
_SCALE = 10**6
"""In which the scan keeps the bounds between numbers."""


@dataclass(frozen=True)
class BarText:
    """One bar of the spread: what it is about, its rows, and its place in the picture."""

    label: str
    rows: str
    left: int
    top: float
    height: float


class ProfileText:
    """The profile of one column, as the scan has stored it (``techniques.identification.profiles``)."""

    def __init__(self, stored: Mapping[str, Any]) -> None:
        self._stored = stored

    @property
    def sort(self) -> str:
        return str(SORTS[self._stored["sort"]])

    @cached_property
    def bars(self) -> list[BarText]:
        """The spread of numbers or dates; empty for texts, and where too few rows have a value."""
        bars = self._stored["bars"]
        most = max((rows for _low, _high, rows in bars), default=1)
        return [
            BarText(
                self._span(low, high),
                count(rows),
                place * WIDTH + 1,
                round(HEIGHT * (1 - rows / most), 1),
                round(HEIGHT * rows / most, 1),
            )
            for place, (low, high, rows) in enumerate(bars)
        ]

    @property
    def picture(self) -> tuple[int, int]:
        """Width and height of the picture."""
        return len(self.bars) * WIDTH, HEIGHT

    @property
    def range(self) -> str:
        """From where to where the values go, without the outermost ones."""
        if not self.bars:
            return ""
        return _("%(first)s … %(last)s") % {"first": self.bars[0].label, "last": self.bars[-1].label}

    @property
    def minimum(self) -> str:
        return count(self._stored["minimum"])

    @property
    def rare(self) -> str:
        """How much of the column is rare values."""
        if not self._stored["rows"]:
            return ""
        text = (
            _("%(share)s of the filled rows hold a value shared by fewer than %(few)s rows.")
            if self._stored["exact"]
            else _(
                "About %(share)s of the filled rows hold a value shared by fewer than %(few)s rows (estimated)."
            )
        )
        return text % {"share": percent(self._stored["rare"]), "few": count(self._stored["few"])}

    @property
    def forms(self) -> list[tuple[str, str]]:
        """The commonest ways of writing, with their rows."""
        return [(form, count(rows)) for form, rows in self._stored["forms"]]

    @property
    def looked_at(self) -> str:
        return count(self._stored["looked_at"])

    def _span(self, low: int | None, high: int | None) -> str:
        return span_text(self._stored["sort"], low, high)


def span_text(sort: str, low: int | None, high: int | None) -> str:
    """From ``low`` to below ``high``, as the scan keeps the bounds of a number or a date; None is an open end."""
    if low is None:
        return _("below %(bound)s") % {"bound": bound_text(sort, high)}
    if high is None:
        return _("%(bound)s or more") % {"bound": bound_text(sort, low)}
    return _("%(low)s to below %(high)s") % {"low": bound_text(sort, low), "high": bound_text(sort, high)}


def bound_text(sort: str, place: int | None) -> str:
    """A bound between two bars: a number, or year and month."""
    assert place is not None
    if sort == "date":
        return f"{place // 12:04}-{place % 12 + 1:02}"
    return number(place / _SCALE)
