"""The inventory of the personal information of a project, by the verdicts, beside what its target says of it (GB/T 37964 5.2.3 b)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from projects.core.models import Project
from projects.core.numbers import count
from projects.datasets.models import Table
from projects.datasets.tables.names import column_label
from projects.objective.selectors import objective_of

from . import selectors, wording
from .enums import ColumnRole
from .lookup import metadata_table
from .models import ColumnVerdict, IdentificationRound
from .reports import ColumnReport, columns_of

# Shorter ones, as field names often are, stand in many a word that means something else.
_LETTERS = 4


@dataclass(frozen=True)
class Held:
    """A column that holds personal information: by its verdict, or ``inside`` values of something else, as the rules found.

    ``rows`` are those in which it is filled, or in which the rules found it.
    """

    table: str
    column: str
    role: ColumnRole
    rows: int
    inside: bool = False

    @property
    def place(self) -> str:
        return column_label(self.table, self.column)

    @property
    def said(self) -> str:
        """The column, what it was judged to be, and how many rows have a value."""
        values = {"column": self.place, "role": self.role.label, "rows": count(self.rows)}
        if self.inside:
            text = ngettext(
                "%(column)s: %(role)s; found by the rules inside the value of %(rows)s row",
                "%(column)s: %(role)s; found by the rules inside the values of %(rows)s rows",
                self.rows,
            )
        else:
            text = ngettext(
                "%(column)s: %(role)s; filled in %(rows)s row",
                "%(column)s: %(role)s; filled in %(rows)s rows",
                self.rows,
            )
        return text % values


@dataclass
class Entry:
    """One kind of personal information with the columns that hold it, or a column for which no verdict names a ``kind``.

    ``is_named``: whether one of its names, or that of one of its columns, stands in what the target says of the personal information.
    """

    kind: str
    name: str
    held: list[Held] = field(default_factory=list)
    is_named: bool = False


@dataclass(frozen=True)
class Inventory:
    """Every kind that was identified, in the order of the vocabulary's roles and the file; ``target`` are the target's own words,
    ``open`` the number of columns without a verdict, ``unscanned`` the tables that were not searched yet."""

    entries: tuple[Entry, ...]
    target: str
    open: int
    unscanned: tuple[str, ...]

    @property
    def unnamed(self) -> list[Entry]:
        """The kinds that the target does not name; none where it says nothing at all."""
        return [entry for entry in self.entries if self.target and not entry.is_named]

    @property
    def unscanned_said(self) -> str:
        return _(", ").join(self.unscanned)

    @property
    def unnamed_said(self) -> str:
        return _(", ").join(entry.name for entry in self.unnamed)


def inventory_of(project: Project, rounds: Iterable[tuple[Table, IdentificationRound | None]]) -> Inventory:
    """By the current verdicts of ``rounds``: each table with its scan."""
    names = wording.kind_names()
    target = ((getattr(objective_of(project), "factors", None)) or {}).get("personal_information", "")
    tables = list(rounds)
    found: dict[tuple[str, str], Entry] = {}
    missing = 0
    for table, round_ in tables:
        if round_ is None:
            continue
        given, label = selectors.verdicts_in(round_), str(table) if len(tables) > 1 else ""
        for column, report in columns_of(round_).items():
            if (verdict := given.get(column)) is None:
                missing += 1
                continue
            for kind, held in _held(report, verdict, label):
                entry = found.setdefault(
                    (kind, "" if kind else held.place), Entry(kind, names.get(kind, kind) or held.place)
                )
                entry.held.append(held)
    order = [*ColumnRole]
    entries = sorted(found.values(), key=lambda entry: min(order.index(one.role) for one in entry.held))
    names_known = _names_known({entry.kind for entry in entries} - {""})
    said = target.casefold()
    for entry in entries:
        columns = {one.column for one in entry.held if not one.inside}
        called = map(str.casefold, columns | names_known.get(entry.kind, set()))
        entry.is_named = any(name in said for name in filter(_is_telling, called))
    return Inventory(
        tuple(entries), target, missing, tuple(str(table) for table, round_ in tables if round_ is None)
    )


def _held(report: ColumnReport, verdict: ColumnVerdict, table: str) -> Iterable[tuple[str, Held]]:
    """Kind → what a column holds of it: what it was judged to be, and what the rules found inside its values. Where the verdict names
    no kind, it is that of the suggestion, if both have the same role."""
    role, suggestion = ColumnRole(verdict.role), report.suggestion
    suggested = suggestion.kind if suggestion is not None and suggestion.role == role else ""
    kind = verdict.kind or suggested
    if role != ColumnRole.OTHER:
        yield kind, Held(table, report.column, role, report.present)
    contained = suggestion.contains if suggestion is not None else ()
    for finding in report.findings:
        if finding.kind in contained and finding.kind != kind:
            yield finding.kind, Held(table, report.column, role, finding.rows, inside=True)


def _names_known(kinds: Iterable[str]) -> Mapping[str, set[str]]:
    """Kind → its name in each language, and the names that the table of metadata has for its fields."""
    called: dict[str, set[str]] = {kind: set() for kind in kinds}
    for row in metadata_table().rows:
        if row.kind in called:
            called[row.kind].update(row.field_names)
    for language, _label in settings.LANGUAGES:
        with override(language):
            names = wording.kind_names()
            for kind, found in called.items():
                found.add(names.get(kind, kind))
    return called


def _is_telling(name: str) -> bool:
    return len(name) >= (_LETTERS if name.isascii() else 2)
