"""What would make a failing result pass, in words, the cheapest in usefulness first: table by table, then the joined view.

Reads what the job worked out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.governance.verdict import Verdict
from approvals.passages import passage
from projects.core.numbers import beside, count, one_in, percent, points
from projects.datasets.tables.names import titled

from ..gate.checks import check_of
from ..gate.checks.joined import Joined
from ..reports import remedies as kept
from ..reports.gate import CheckResult, Report
from ..wording import translated

SHOWN_WITH_CHECK = 3
_CLAUSES = {
    "settings": "B.1.1",
    "local": "A.5",
    "drop": "A.3.4",
    "unbind": "A.5",
    "suppress": "T/ISC 0078 C.6",
}


@dataclass(frozen=True)
class RemedyRow:
    """One remedy as a row. ``number`` counts from 1, 0 is the recipe as it is; ``passes`` None: it leads to no
    solution."""

    number: int
    text: str
    clause: str
    passes: bool | None
    table: str = ""
    """The table that this is about; empty for the view that joins several."""
    smallest: str = ""
    average: str = ""
    average_words: str = ""
    suppressed: str = ""
    kept: str = ""
    change: str = ""
    levels: str = ""
    emptied: str = ""
    is_cheapest: bool = False
    missed: Sequence[str] = ()
    """Utility targets that it misses, with what they would measure."""
    untold: Sequence[str] = ()
    """Utility targets that only a run can tell of."""
    alters: Sequence[tuple[str, str, str]] = ()
    """(place, before, after) of everything that it would change in the recipe."""
    below: str = ""
    """Persons of the joined view in classes that are too small."""


@dataclass(frozen=True)
class RemedyTable:
    """The remedies for one table, or for the view that joins the tables, with what stands as it is.

    ``stored`` are those of ``rows`` as the job worked them out; ``searched`` the quasi-identifiers of the search.
    """

    table: str
    joined: bool
    anchor: str
    """Its place on the page."""
    now: RemedyRow | None
    rows: Sequence[RemedyRow]
    stored: Sequence[kept.Remedy] | Sequence[kept.ViewRemedy]
    problem: str
    pairs: str
    useful: bool
    searched: Sequence[str] = ()
    requirements: str = ""
    needed: str = ""
    draws: bool = False
    beside: bool = False
    """Whether a table fails by itself as well, beside the joined view."""
    may_take: Verdict | None = None
    may_carry_out: Verdict | None = None
    """Whether the reader may take one into the recipe; None where they never may."""

    @property
    def found(self) -> list[RemedyRow]:
        """Those that lead to a solution."""
        return [row for row in self.rows if row.passes is not None]

    @property
    def first(self) -> list[RemedyRow]:
        """Those that stand in view: the cheapest that pass, or the first of the others where none does."""
        return (self.passing or self.found)[:SHOWN_WITH_CHECK]

    @property
    def others(self) -> list[RemedyRow]:
        """The others that lead to a solution."""
        first = {row.number for row in self.first}
        return [row for row in self.found if row.number not in first]

    @property
    def nothing(self) -> list[RemedyRow]:
        """Those that lead to none."""
        return [row for row in self.rows if row.passes is None]

    @property
    def passing(self) -> list[RemedyRow]:
        """Those that can be taken into the recipe."""
        return [row for row in self.rows if row.passes]

    @property
    def columns(self) -> str:
        """The quasi-identifiers of the search."""
        return _(", ").join(self.searched)


def remedy_tables(report: Report) -> list[RemedyTable]:
    """The remedies of each table that failed, and of the view that joins them; none where none was searched for.
    Their numbers run on from one table to the next.
    """
    made: list[RemedyTable] = []
    after = 0
    for name, of_table in report.by_table():
        if of_table.remedies is not None:
            made.append(_of_table(of_table.remedies, name, after, _anchor(len(made))))
            after += len(made[-1].rows)
    if report.view_remedies is not None:
        made.append(_of_view(report.view_remedies, after, _anchor(len(made)), beside=bool(made)))
    return made


def _anchor(number: int) -> str:
    return f"ways-{number + 1}" if number else "ways"


def passing_remedies(report: Report) -> list[RemedyRow]:
    """Those that can be taken into the recipe."""
    return [row for table in remedy_tables(report) for row in table.passing]


@dataclass(frozen=True)
class NumberedRemedy:
    """A remedy by its number: how it is shown, what the job stored of it, and the table it stands in."""

    row: RemedyRow
    stored: kept.Remedy | kept.ViewRemedy
    shown: RemedyTable


def remedy_by_number(report: Report, number: int) -> NumberedRemedy | None:
    for table in remedy_tables(report):
        for place, row in enumerate(table.rows):
            if row.number == number:
                return NumberedRemedy(row, table.stored[place], table)
    return None


# -- of one table ----------------------------------------------------------------------------------


def _of_table(remedies: kept.Remedies, table: str, after: int, anchor: str) -> RemedyTable:
    cheapest = _first(remedies.found, lambda one: bool(one.outcome and one.outcome.passes))
    return RemedyTable(
        table=table,
        joined=False,
        anchor=anchor,
        now=_row(remedies, remedies.now, 0, _("The recipe as it is"), "") if remedies.now else None,
        rows=[
            _row(
                remedies,
                one.outcome,
                after + number,
                _in_words([_change(change, remedies.known) for change in one.changes]),
                _(", ").join(dict.fromkeys(_CLAUSES[change.code] for change in one.changes)),
                table=table,
                is_cheapest=number == cheapest,
            )
            for number, one in enumerate(remedies.found, start=1)
        ],
        stored=remedies.found,
        problem=translated(remedies.problem),
        pairs=_pairs(remedies.pairs),
        useful=bool(remedies.utility),
        searched=remedies.columns,
        requirements=_requirements(remedies.found[0].settings) if remedies.found else "",
    )


def _first(remedies: Sequence[Any], passes: Callable[[Any], bool]) -> int:
    """The number of the first that passes, from 1; 0 where none does."""
    return next((number for number, one in enumerate(remedies, start=1) if passes(one)), 0)


def _row(
    remedies: kept.Remedies, outcome: kept.Outcome | None, number: int, text: str, clause: str, **more: Any
) -> RemedyRow:
    if outcome is None:
        return RemedyRow(number, text, clause, None, **more)
    # Measurements made before utility was looked at say nothing of it.
    utility = list(zip(remedies.utility, outcome.utility, strict=False))
    average, words = percent(outcome.average_risk), one_in(outcome.average_risk)
    now = remedies.now
    return RemedyRow(
        number,
        text,
        clause,
        outcome.passes,
        smallest=count(outcome.k),
        average=average,
        average_words=words if words != average else "",
        suppressed=percent(outcome.suppressed),
        kept=percent(outcome.kept),
        change=_points(outcome.kept - now.kept) if now and number else "",
        emptied=_(", ").join(outcome.emptied),
        levels=_(", ").join(f"{column} {level}" for column, level in outcome.levels.items()),
        missed=[_missed(target, one) for target, one in utility if one.passes is False],
        untold=[translated(target.label) for target, one in utility if one.passes is None],
        **more,
    )


def _change(change: kept.Change, known: bool) -> str:
    if change.code == "drop":
        return _("Remove the column “%(column)s”") % {"column": change.column}
    if change.code == "unbind":
        return _("Lift the bounds on how far “%(column)s” is generalised") % {"column": change.column}
    if change.code == "local":
        return _("Generalise class by class instead of whole columns (local recoding)")
    if change.code == "suppress":
        return _("Keep the levels as they are and suppress the records of every class that is too small")
    if not known:
        return _("Put all quasi-identifiers into one k-anonymity step")
    return _("Let the k-anonymity step keep all of the targets")


def _requirements(settings: kept.SearchSettings) -> str:
    """What every search has to keep, which is the same for all."""
    text = _("k = %(k)s, at most %(limit)s of the records suppressed") % {
        "k": count(settings.k),
        "limit": percent(settings.suppression_limit),
    }
    if settings.average_risk is not None:
        text += _(", an average risk of at most %(average)s") % {"average": percent(settings.average_risk)}
    return text


def _points(difference: float) -> str:
    """A difference of two shares, in percentage points with its sign."""
    shown = points(difference)
    return _("as much as now") if shown == "0" else _("%(points)s points against now") % {"points": shown}


# -- of the view that joins the tables -------------------------------------------------------------


def _of_view(remedies: kept.ViewRemedies, after: int, anchor: str, *, beside: bool) -> RemedyTable:
    """Which columns carry the risk of the joined view, and which of them it is enough to remove."""
    rows = [
        _view_row(
            remedies,
            one.outcome,
            after + number,
            _in_words(
                [
                    _("Remove the column “%(column)s” from the result, as a last step")
                    % {"column": ".".join(place)}
                    for place in one.columns
                ]
            ),
            "A.3.4",
            # Those that pass stand first.
            is_cheapest=number == 1 and one.outcome.passes,
        )
        for number, one in enumerate(remedies.found, start=1)
    ]
    now = remedies.now
    return RemedyTable(
        table="",
        joined=True,
        anchor=anchor,
        now=_view_row(remedies, now, 0, _("The joined view as it is"), "") if now else None,
        rows=rows,
        stored=remedies.found,
        problem=translated(remedies.problem),
        pairs=_pairs(remedies.pairs),
        useful=bool(remedies.utility),
        needed=count(remedies.needed),
        draws=remedies.draws,
        beside=beside,
    )


def _view_row(
    remedies: kept.ViewRemedies,
    outcome: kept.ViewOutcome,
    number: int,
    text: str,
    clause: str,
    *,
    is_cheapest: bool = False,
) -> RemedyRow:
    utility = list(zip(remedies.utility, outcome.utility, strict=True)) if number else []
    return RemedyRow(
        number,
        text,
        clause,
        outcome.passes,
        smallest=count(outcome.k),
        below=count(outcome.below),
        kept=percent(outcome.kept),
        is_cheapest=is_cheapest,
        missed=[
            _about(target, _missed(target, one))
            for target, one in utility
            if one.breaks and one.passes is False
        ],
        untold=[_about(target, translated(target.label)) for target, one in utility if one.passes is None],
    )


def _about(target: kept.NamedTarget, line: str) -> str:
    return _("%(table)s: %(check)s") % {"table": target.table, "check": line}


# -- of both ---------------------------------------------------------------------------------------


def _in_words(changes: Sequence[str]) -> str:
    """One change, or two at once, as one remedy."""
    if len(changes) == 1:
        return changes[0]
    return _("(1) %(first)s; (2) %(second)s") % {"first": changes[0], "second": changes[1]}


def _pairs(tried: kept.Pairs | None) -> str:
    """What was tried beyond single changes; empty where one was enough."""
    if not tried or not tried.possible:
        return ""
    said = _("No single change is enough.")
    if not tried.tried:
        return passage((said, _("No combinations of two changes were tried.")))
    pairs = ngettext(
        "Two changes at once: there is %(possible)s pair, and %(tried)s was tried.",
        "Two changes at once: of %(possible)s pairs the %(tried)s most promising were tried.",
        tried.possible,
    ) % {"tried": count(tried.tried), "possible": count(tried.possible)}
    return passage((said, pairs))


def _missed(target: kept.NamedTarget, expected: kept.Expected) -> str:
    label = translated(target.label)
    if expected.measured is None:
        return _("%(target)s: can no longer be measured") % {"target": label}
    params = {"target": label, "measured": percent(expected.measured), "bound": percent(target.bound)}
    if target.sense == "at_least":
        return _("%(target)s: %(measured)s, at least %(bound)s is wanted") % params
    return _("%(target)s: %(measured)s, at most %(bound)s is allowed") % params


# -- beside the gate -------------------------------------------------------------------------------


@dataclass(frozen=True)
class RemedyLine:
    """A remedy as it stands with a failing check: what it costs, and where it leads."""

    text: str
    cost: str = ""
    url: str = ""


class CheckRemedies:
    """The cheapest passing remedies as they stand with a failing check."""

    def __init__(self, report: Report) -> None:
        self._shown = {(one.table, one.joined): one for one in remedy_tables(report)}

    def of(self, result: CheckResult, *, links: bool) -> list[RemedyLine]:
        """The remedies of the check; none where none was worked out, or where they do not bear on it."""
        joined = result.kind == Joined.kind
        if result.passed is not False or not (joined or check_of(result.kind).has_remedy):
            return []
        shown = self._shown.get(("" if joined else result.table, joined))
        if shown is None:
            return []
        return [_line(shown, row, links=links) for row in shown.passing[:SHOWN_WITH_CHECK]]


def _line(shown: RemedyTable, row: RemedyRow, *, links: bool) -> RemedyLine:
    text = row.text
    if not row.below:
        text = _("%(change)s; search with %(asked)s") % {"change": text, "asked": shown.requirements}
    text = titled(row.table, text)
    cost = _("keeps %(kept)s of the detail") % {"kept": row.kept}
    # The tables of remedies stand on the same page, where one can be taken into the recipe.
    url = f"#{shown.anchor}" if links else ""
    return RemedyLine(text, beside(cost, row.change) if row.change else cost, url)
