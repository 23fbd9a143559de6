"""How samples of a result are drawn, and what they say of the whole result."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from approvals.passages import passage
from projects.core.numbers import count, moment, percent

from .bounds import most_affected
from .enums import InspectionOutcome, SampleUnit
from .models import ResultSample

TONES = {
    InspectionOutcome.READING: "info",
    InspectionOutcome.OPEN: "info",
    InspectionOutcome.NOTHING: "ok",
    InspectionOutcome.FOUND: "warn",
    InspectionOutcome.FAILED: "fail",
}


@dataclass(frozen=True)
class DrawnRow:
    """``place``: the number in the draw, of the record or person; ``number``: the record of the result, counted from 1."""

    place: int
    number: int
    cells: list[str]


@dataclass(frozen=True)
class DrawnPage:
    """One page of the rows that were drawn; ``first`` and ``last`` count from 1 among them."""

    columns: list[str]
    rows: list[DrawnRow]
    number: int
    pages: int
    first: int
    last: int
    is_cut: bool

    @classmethod
    def of(cls, found: dict[str, Any], number: int, rows: int) -> DrawnPage:
        """Page ``number`` (from 1; brought into range) of what was read."""
        pages = max(1, -(-len(found["rows"]) // rows))
        number = max(1, min(number, pages))
        skip = (number - 1) * rows
        shown = [DrawnRow(*row) for row in found["rows"][skip : skip + rows]]
        return cls(found["columns"], shown, number, pages, skip + 1, skip + len(shown), found["is_cut"])

    @property
    def before(self) -> int:
        """The number of the page before this one; 0 where there is none."""
        return self.number - 1

    @property
    def after(self) -> int:
        """The number of the page after this one; 0 where there is none."""
        return self.number + 1 if self.number < self.pages else 0


def shown_whole(places: Sequence[int], seen: Collection[int], rows: int) -> int:
    """How many of those drawn stand on pages that were seen (from 1) with all that is kept of them; ``places``: for each row, in order,
    its number in the draw; ``rows``: of a page."""
    missed = {place for index, place in enumerate(places) if index // rows + 1 not in seen}
    return len({*places} - missed)


def sample_row(sample: ResultSample) -> dict[str, Any]:
    """The sample with its tone, how many of how many were drawn, and what that says."""
    return {
        "sample": sample,
        "tone": TONES[InspectionOutcome(sample.outcome)],
        "of": drawn_text(sample),
        "said": statement(sample),
        "tickets": [(one.ticket, one.get_kind_display()) for one in sample.deviations.all()],
    }


def drawn_text(sample: ResultSample) -> str:
    """How many of how many; empty before they are read."""
    if sample.size is None or sample.population is None:
        return ""
    figures = {"size": count(sample.size), "population": count(sample.population)}
    if sample.unit == SampleUnit.PERSON:
        return _("%(size)s of %(population)s persons") % figures
    return _("%(size)s of %(population)s records") % figures


def most(sample: ResultSample) -> int | None:
    """How many of the result can be affected at most, at 95 % confidence, by those that were looked through; None before the report."""
    if sample.found is None or sample.population is None:
        return None
    return most_affected(sample.population, sample.looked, sample.found)


def statement(sample: ResultSample) -> str:
    """What the sample says of the result, with the formula and its values; empty before the report."""
    bound = most(sample)
    if bound is None:
        return ""
    size, population, found = sample.looked, sample.population or 0, sample.found or 0
    cut = _(
        "Of persons with more than 100 rows the first 100 were shown, and of values with more than 2,000 characters their beginning."
    )
    return passage(
        [_said(size, population, found, bound, drawn=sample.size or 0), cut if sample.is_cut else ""]
    )


def _said(size: int, population: int, found: int, bound: int, *, drawn: int) -> str:
    figures = {
        "drawn": count(drawn),
        "found": count(found),
        "size": count(size),
        "population": count(population),
        "most": count(bound),
        "share": percent(bound / population),
        "three": percent(min(1.0, 3 / size)),
    }
    if size == population:
        return (
            _("All %(population)s were looked through; something was found in %(found)s of them.") % figures
        )
    if found:
        return (
            _(
                "Something was found in %(found)s of the %(size)s that were looked through, of %(drawn)s drawn from %(population)s. At 95 %% confidence it is in at most "
                "%(most)s of them (%(share)s): the largest K with which a draw of n = %(size)s from N = %(population)s shows "
                "%(found)s or fewer in more than 5 %% of all draws (hypergeometric)."
            )
            % figures
        )
    return (
        _(
            "Nothing was found in the %(size)s that were looked through, of %(drawn)s drawn from %(population)s. At 95 %% confidence at most %(most)s of them (%(share)s) are "
            "affected: the largest K with C(N − K, n) / C(N, n) above 5 %%, N = %(population)s, n = %(size)s; the rule of three, "
            "3 / n, says %(three)s."
        )
        % figures
    )


def record_text(sample: ResultSample) -> str:
    """All that stands of a reported sample, for a paper: who drew what by which seed from which result, what was found, and what that says."""
    lines = [
        f"{drawn_text(sample)} · {sample.place}",
        statement(sample),
        *(f"F{one.ticket.number} {one.get_kind_display()}" for one in sample.deviations.all()),
        sample.remark,
        _("Drawn by %(who)s, %(when)s") % {"who": sample.drawn_by, "when": moment(sample.drawn_at)},
        _("Reported by %(who)s, %(when)s") % {"who": sample.reported_by, "when": moment(sample.reported_at)},
        _("Seed %(seed)s, result %(sha256)s") % {"seed": sample.seed, "sha256": sample.sha256},
    ]
    return "\n".join(lines)
