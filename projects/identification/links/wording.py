"""What is said of links among columns: one wording for page, report and API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from projects.core.numbers import count, percent

from ..enums import GUARD, ColumnRole
from ..models import IdentificationRound
from ..presentation import Row
from .left import left_searchable, long_text
from .persons import other_persons_text, persons_text


class LinksText:
    """The links that a scan found, in sentences; ``rows`` are its columns with their verdicts."""

    def __init__(self, round_: IdentificationRound, rows: Sequence[Row]) -> None:
        self._stored: Mapping[str, Any] | None = round_.report.get("links")
        self._round = round_
        self._rows = {row.column: row for row in rows}

    @property
    def brief(self) -> str:
        """The set of columns that finds most, or that none finds anybody; that the scan is too old for it, or that its counts
        are by other persons."""
        if self._stored is None:
            return _("This scan did not search for links. Scan the file again to see them.")
        if self.other_persons:
            return self.other_persons
        if self.sets:
            return self.sets[0]
        if not self._stored["together"]:
            return _("No columns were put together.")
        if left_searchable(self._round, self._stored["together"]):
            return _(
                "No combination that was searched singles anybody out, but not every column was searched."
            )
        return _("No combination that was searched singles anybody out.")

    @cached_property
    def other_persons(self) -> str:
        """That the counts are by other persons than was stated; empty where they are not."""
        return "" if self._stored is None else other_persons_text(self._round)

    @property
    def sets(self) -> list[str]:
        """Whom somebody finds who knows a few columns of a person."""
        if self._stored is None:
            return []
        text = _("Someone who knows %(columns)s finds %(persons)s of %(all)s persons.")
        every = count(self._stored["persons"])
        return [
            text % {"columns": _listed(one["columns"]), "persons": count(one["persons"]), "all": every}
            for one in self._stored["sets"]
        ]

    @property
    def following(self) -> list[str]:
        """Which columns follow from others."""
        if self._stored is None:
            return []
        exact = _(
            "%(column)s follows from %(source)s: each value of %(source)s that several persons have has one value of %(column)s (%(compared)s persons compared)."
        )
        nearly = _(
            "%(column)s nearly follows from %(source)s: of %(compared)s persons compared, %(agree)s have the value of %(column)s that is commonest for theirs of %(source)s."
        )
        return [
            (exact if one["agree"] == one["compared"] else nearly)
            % {**one, "agree": count(one["agree"]), "compared": count(one["compared"])}
            for one in self._stored["following"]
        ]

    @property
    def searched(self) -> list[str]:
        """What was searched, and what was not."""
        if self._stored is None:
            return []
        found, said = self._stored, []
        if found["together"]:
            text = ngettext(
                "Searched alone, in pairs and in threes, %(n)s combination: %(columns)s.",
                "Searched alone, in pairs and in threes, %(n)s combinations: %(columns)s.",
                found["searched"],
            )
            said.append(text % {"n": count(found["searched"]), "columns": _(", ").join(found["together"])})
            said.append(
                _(
                    "At least one person is alone in %(alone)s of them. No further column is added where %(share)s of the persons are found already."
                )
                % {"alone": count(found["alone"]), "share": percent(found["enough"])}
            )
            said.append(persons_text(self._round))
        if len(found["compared"]) > 1:
            text = _("Compared in pairs, whether one follows from the other: %(columns)s.")
            said.append(text % {"columns": _(", ").join(found["compared"])})
        long = found.get("long", ())
        if long:
            said.append(long_text(long))
        left = [name for name in self._rows if name not in (*found["compared"], *found["key"], *long)]
        if left:
            text = _(
                "Not compared, because they have one value or none, or because so many columns of so many rows are not searched: %(columns)s."
            )
            said.append(text % {"columns": _(", ").join(left)})
        return said

    @property
    def against(self) -> list[str]:
        """The verdicts that call a column harmless which follows from an identifier, or nearly does."""
        if self._stored is None:
            return []
        exact = _(
            "The verdict on %(column)s is “%(role)s”, but it follows from %(source)s (%(source_role)s): if only %(source)s is treated, %(column)s still says part of it."
        )
        nearly = _(
            "The verdict on %(column)s is “%(role)s”, but it nearly follows from %(source)s (%(source_role)s): if only %(source)s is treated, %(column)s still says part of it."
        )
        said = []
        for one in self._stored["following"]:
            row, source = self._rows[one["column"]], self._rows[one["source"]]
            role = _role(source)
            if row.verdict is None or role is None or row.verdict.role != ColumnRole.OTHER:
                continue
            if GUARD[role] >= GUARD[ColumnRole.QUASI]:
                said.append(
                    (exact if one["agree"] == one["compared"] else nearly)
                    % {
                        "column": one["column"],
                        "role": ColumnRole.OTHER.label,
                        "source": one["source"],
                        "source_role": role.label,
                    }
                )
        return said

    @property
    def sentences(self) -> list[str]:
        """All of it, for programs; the one sentence that there is where nothing was searched."""
        if self._stored is None:
            return [self.brief]
        # What is said first of counts by other persons is said of all that comes after it.
        first = [self.brief] if self.other_persons or not self.sets else []
        return [*first, *self.sets, *self.following, *self.against, *self.searched]


def _role(row: Row) -> ColumnRole | None:
    """By the verdict, or by the suggestion as long as there is none."""
    if row.verdict is not None:
        return ColumnRole(row.verdict.role)
    return row.report.suggestion.role if row.report.suggestion else None


def _listed(columns: Iterable[str]) -> str:
    *first, last = columns
    if not first:
        return last
    return _("%(first)s and %(last)s") % {"first": _(", ").join(first), "last": last}
