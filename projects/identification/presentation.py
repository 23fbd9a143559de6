"""The lines of the identification table: report, words, verdict and form of each column."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from approvals.passages import passage
from projects.core.models import Project
from projects.core.numbers import beside, count, percent
from projects.datasets.tables.names import column_label, label_of
from projects.datasets.tables.selectors import tables_of
from projects.objective.enums import Classification
from projects.objective.selectors import grade_of
from techniques.core.kinds import kind_of
from techniques.identification.metadata.lookup import MatchedHow

from . import selectors, wording
from .enums import ColumnRole, Method
from .models import ColumnVerdict, IdentificationRound
from .profiles import ProfileText
from .reports import ColumnReport, columns_of
from .sentences import reason_read

FILTERS: dict[str, Any] = {
    "": gettext_lazy("All columns"),
    "open": gettext_lazy("Without a verdict"),
    "found": gettext_lazy("With identifiers found"),
    "overruled": gettext_lazy("Findings overruled"),
    "unsure": gettext_lazy("Unsure or no suggestion"),
}
SORTS: dict[str, Any] = {
    "": gettext_lazy("Order of the file"),
    "name": gettext_lazy("Column name"),
    "confidence": gettext_lazy("Least certain first"),
    "role": gettext_lazy("Verdict"),
}


@dataclass
class FoundLine:
    kind: str
    strong: bool
    sentences: list[str]
    first_rows: str


@dataclass
class Row:
    """One column as the page shows it."""

    report: ColumnReport
    names: Mapping[str, str] = field(repr=False)
    verdict: ColumnVerdict | None = None
    earlier: ColumnVerdict | None = None
    superseded: Sequence[ColumnVerdict] = ()
    samples: Sequence[str] = ()
    form: Any = None

    @property
    def column(self) -> str:
        return self.report.column

    @property
    def anchor(self) -> str:
        return f"column-{self.report.position}"

    @property
    def number(self) -> int:
        """Counted from 1, as people count columns."""
        return self.report.position + 1

    @property
    def pick(self) -> str:
        """What the page's form sends for the column when it is ticked."""
        return str(self.report.position)

    @property
    def filled(self) -> str:
        return percent(self.report.present / self.report.rows) if self.report.rows else ""

    @property
    def distinct(self) -> str:
        return count(self.report.distinct)

    @property
    def found_brief(self) -> list[tuple[str, str, bool]]:
        """What the rules found, the weightiest first: (kind, share of the values, whether a verdict has to reckon with it)."""
        found = sorted(self.report.findings, key=lambda one: (not one.is_strong, -one.confidence))
        return [
            (
                self.names.get(one.kind, one.kind),
                "" if kind_of(one.kind).column_sign else percent(one.rows / max(self.report.present, 1)),
                one.is_strong,
            )
            for one in found
        ]

    @property
    def profile(self) -> ProfileText | None:
        """What the column holds; None in a scan from before it was counted."""
        return ProfileText(self.report.profile) if self.report.profile else None

    @property
    def against(self) -> str:
        """The roles that would set a strong finding aside, with blanks between them."""
        return " ".join(role for role in ColumnRole if self.report.overruled_by(role))

    @property
    def strong_text(self) -> str:
        return wording.kinds_in_words(self.report.strong, self.names)

    @property
    def is_acceptable(self) -> bool:
        """Whether the suggestion can be taken as it is: it sets no finding aside."""
        suggestion = self.report.suggestion
        return suggestion is not None and not self.report.overruled_by(suggestion.role)

    @property
    def lookup_text(self) -> str:
        return wording.lookup(self.report.lookup) if self.report.lookup else ""

    @property
    def lookup_kind(self) -> str:
        found = self.report.lookup
        return self.names.get(found.kind, found.kind) if found else ""

    @property
    def lookup_exact(self) -> bool:
        return self.report.lookup is not None and self.report.lookup.how == MatchedHow.EXACT

    @property
    def found(self) -> list[FoundLine]:
        return [
            FoundLine(
                kind=self.names.get(item.kind, item.kind),
                strong=item.is_strong,
                sentences=wording.finding(self.report, item, self.names),
                first_rows=wording.first_rows(item),
            )
            for item in self.report.findings
        ]

    @property
    def present_text(self) -> str:
        """How much of the column is filled, and with how many different values."""
        text = _("%(present)s of %(rows)s rows filled, %(distinct)s different values")
        return text % {
            "present": count(self.report.present),
            "rows": count(self.report.rows),
            "distinct": count(self.report.distinct),
        }

    @property
    def suggestion_kind(self) -> str:
        found = self.report.suggestion
        return self.names.get(found.kind, found.kind) if found else ""

    @property
    def suggestion_contains(self) -> str:
        """The direct identifiers that the suggestion is about, where they are inside something else."""
        found = self.report.suggestion
        return _(", ").join(self.names.get(kind, kind) for kind in found.contains) if found else ""

    @property
    def sure_word(self) -> str:
        return wording.confidence(self.report.suggestion.confidence) if self.report.suggestion else ""

    @property
    def sure_percent(self) -> str:
        return percent(self.report.suggestion.confidence) if self.report.suggestion else ""

    @property
    def why(self) -> str:
        return passage(wording.reasons(self.report))

    @property
    def reason(self) -> str:
        return reason_read(self.verdict) if self.verdict else ""

    @property
    def earlier_reason(self) -> str:
        return reason_read(self.earlier) if self.earlier else ""

    @property
    def verdict_kind(self) -> str:
        return self.names.get(self.verdict.kind, self.verdict.kind) if self.verdict else ""

    @property
    def earlier_kind(self) -> str:
        return self.names.get(self.earlier.kind, self.earlier.kind) if self.earlier else ""

    @property
    def overruled(self) -> str:
        """The strong findings that the current verdict sets aside, in words; empty mostly."""
        if self.verdict is None:
            return ""
        set_aside = self.report.overruled_by(ColumnRole(self.verdict.role))
        return wording.kinds_in_words(set_aside, self.names)

    @property
    def differs(self) -> bool:
        """Whether the verdict departs from the suggestion."""
        suggestion = self.report.suggestion
        return self.verdict is not None and suggestion is not None and self.verdict.role != suggestion.role

    def is_shown(self, which: str) -> bool:
        """Whether the filter ``which`` lets this line through."""
        suggestion = self.report.suggestion
        return {
            "open": self.verdict is None,
            "found": bool(self.report.strong),
            "overruled": bool(self.overruled),
            "unsure": suggestion is None or not suggestion.is_sure,
        }.get(which, True)


def rows_of(project: Project, round_: IdentificationRound) -> list[Row]:
    """A line for every column, in the order of the file."""
    names = wording.kind_names()
    given = selectors.verdicts_in(round_)
    earlier = selectors.earlier_verdicts(round_)
    superseded = selectors.superseded_in(round_)
    return [
        Row(
            report=report,
            names=names,
            verdict=given.get(column),
            earlier=None if column in given else earlier.get(column),
            superseded=superseded.get(column, ()),
        )
        for column, report in columns_of(round_).items()
    ]


def rows_sorted(rows: Iterable[Row], order: str) -> list[Row]:
    """``rows`` by one of SORTS; the order of the file where they are equal."""
    lines = list(rows)
    if order == "name":
        lines.sort(key=lambda row: row.column.casefold())
    elif order == "confidence":
        lines.sort(key=lambda row: row.report.suggestion.confidence if row.report.suggestion else 0.0)
    elif order == "role":
        places = {role: place for place, role in enumerate(["", *ColumnRole.values])}
        lines.sort(key=lambda row: places[row.verdict.role if row.verdict else ""])
    return lines


@dataclass(frozen=True)
class Tally:
    """How far the verdicts are, for the head of the page and of the report."""

    columns: int
    given: int
    overruled: int
    sure_open: int
    earlier_open: int
    by_role: tuple[tuple[str, int], ...]

    @property
    def open(self) -> int:
        return self.columns - self.given

    @property
    def items(self) -> list[tuple[str, str]]:
        """Label and value of each count, for a list of facts."""
        of = _("%(given)s of %(columns)s") % {"given": self.given, "columns": self.columns}
        return [(_("Columns with a verdict"), of), *((label, str(count)) for label, count in self.by_role)]


@dataclass(frozen=True)
class MethodLine:
    """One automatic method as it was applied: in which version, and when it ended."""

    label: str
    version: str
    finished: datetime


def method_lines(round_: IdentificationRound) -> list[MethodLine]:
    """The automatic methods in the order in which they were applied (5.3.3)."""
    lines = []
    for item in round_.report["methods"]:
        shipped = item["version"] == "shipped"
        version = _("version %(version)s") % {"version": item["version"]}
        lines.append(
            MethodLine(
                str(Method(item["method"]).label),
                _("table as shipped") if shipped else version,
                datetime.fromisoformat(item["times"][1]),
            )
        )
    return lines


def tally(rows: Sequence[Row]) -> Tally:
    """Count over all lines, whatever the filter."""
    return Tally(
        columns=len(rows),
        given=sum(row.verdict is not None for row in rows),
        overruled=sum(bool(row.overruled) for row in rows),
        sure_open=sum(
            row.verdict is None
            and row.report.suggestion is not None
            and row.report.suggestion.is_sure
            and not row.report.overruled_by(row.report.suggestion.role)
            for row in rows
        ),
        earlier_open=sum(row.earlier is not None for row in rows),
        by_role=tuple(
            (str(role.label), sum(row.verdict is not None and row.verdict.role == role for row in rows))
            for role in ColumnRole
        ),
    )


def verdict_changes(project: Project, since: datetime) -> list[tuple[str, str, str]]:
    """(column, before, after) of every verdict that is another one than at a moment."""
    names = wording.kind_names()

    def said(verdict: ColumnVerdict) -> str:
        kind = names.get(verdict.kind, verdict.kind)
        return " · ".join(filter(None, (verdict.role_said, kind, reason_read(verdict))))

    before = {(v.dataset.table_id, v.column): said(v) for v in selectors.verdicts_at(project, since)}
    now, labels = {}, {}
    for table in tables_of(project):
        for column, verdict in selectors.verdicts_of(table).items():
            now[table.pk, column] = said(verdict)
        labels[table.pk] = label_of(table)
    return [
        (column_label(labels.get(key[0], ""), key[1]), before.get(key, ""), now.get(key, ""))
        for key in dict.fromkeys([*before, *now])
        if before.get(key) != now.get(key)
    ]


def above_of_rows(project: Project, rows: Iterable[Row]) -> list[str]:
    """:func:`above_said` of the lines of one table."""
    return above_said(project, [(row.column, row.verdict) for row in rows if row.verdict is not None])


def above_said(project: Project, given: Iterable[tuple[str, ColumnVerdict]]) -> list[str]:
    """The columns, each by its label, that are graded higher than the data in the target, and how that is put right; empty mostly."""
    labelled = list(given)
    above = {verdict.pk for verdict in selectors.graded_above(project, (one for _label, one in labelled))}
    core, higher = [], []
    for label, verdict in labelled:
        if verdict.pk in above and verdict.grade == Classification.CORE:
            core.append(label)
        elif verdict.pk in above:
            higher.append(beside(label, verdict.get_grade_display()))
    said = []
    if higher:
        scope = grade_of(project)
        text = _(
            "Graded higher than the data in the target (%(grade)s): %(columns)s. Grade the data again in the target, or let the recipe remove the columns."
        )
        said.append(text % {"grade": scope.label if scope else "–", "columns": _(", ").join(higher)})
    if core:
        text = _("Core data never leave: %(columns)s. Let the recipe remove the columns.")
        said.append(text % {"columns": _(", ").join(core)})
    return said


@dataclass(frozen=True)
class Override:
    """A verdict that sets findings of the scan aside, for who reviews and signs."""

    column: str
    role: str
    found: str
    reason: str
    by: str
    at: datetime


def overrides_said(overrides: Collection[Override]) -> list[str]:
    """The verdicts below what the scan found, as one line; none where there are none."""
    if not overrides:
        return []
    text = ngettext(
        "%(n)s verdict against what the scan found: %(columns)s",
        "%(n)s verdicts against what the scan found: %(columns)s",
        len(overrides),
    )
    return [text % {"n": len(overrides), "columns": _(", ").join(one.column for one in overrides)}]


def overrides_of(project: Project) -> list[Override]:
    """Every current verdict below what the scan found, in the order of tables and columns."""
    found = []
    for table in tables_of(project):
        for column, verdict in selectors.verdicts_of(table).items():
            if not verdict.overrules:
                continue
            kinds = [
                _("%(kind)s (%(rows)s rows)")
                % {"kind": wording.kind_name(one["kind"]), "rows": count(one["rows"])}
                for one in verdict.overrules
            ]
            found.append(
                Override(
                    column_label(label_of(table), column),
                    verdict.role_said,
                    _(", ").join(kinds),
                    reason_read(verdict),
                    str(verdict.decided_by),
                    verdict.decided_at,
                )
            )
    return found
