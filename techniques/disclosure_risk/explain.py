"""Risk in plain words, and what would make a failing check pass.

Texts are untranslated messages with named parameters; whoever shows them translates them first.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Literal

from techniques.core.messages import _
from techniques.core.settings import Frozen, Statement
from techniques.disclosure_risk.attackers import smallest_class_for, smallest_safe_size
from techniques.disclosure_risk.report import Figures, RiskReport
from techniques.disclosure_risk.sizes import keeps

Figure = Literal["k", "max_risk", "average_risk", "at_risk"]


class Target(Frozen):
    """A bound that a risk report is held against.

    ``kind``: ``k`` at least ``bound``; ``max_risk`` or ``average_risk`` at most ``bound``; ``at_risk``
    the share of records above ``threshold`` at most ``bound``.
    """

    kind: Figure
    bound: float
    threshold: float | None = None

    def met_by(self, figures: Figures) -> bool:
        """Whether ``figures`` keep the bound; a table without rows keeps none."""
        if figures.rows == 0:
            return False
        if self.kind == "k":
            return figures.k >= self.bound
        if self.kind == "max_risk":
            return figures.k >= smallest_class_for(self.bound)
        if self.kind == "average_risk":
            return keeps(figures.average_risk, self.bound)
        return keeps(self._share_below(figures), self.bound)

    def _share_below(self, figures: Figures) -> float:
        return figures.below(self.least_size())[1] / figures.counted

    def least_size(self) -> int:
        """The class size below which a record breaks the bound (for the average: none, 1)."""
        if self.kind == "k":
            return int(self.bound)
        if self.kind == "max_risk":
            return smallest_class_for(self.bound)
        if self.kind == "at_risk":
            return smallest_safe_size(self.threshold or 0.05)
        return 1


def _digits(value: float) -> str:
    """Four significant digits, never as a power of ten."""
    return f"{Decimal(f'{value:.4g}'):f}"


def explain(report: RiskReport) -> list[Statement]:
    """The figures of ``report`` as sentences, the most important first."""
    figures = report.figures
    if figures.rows == 0:
        text = _(
            "All %(rows)d records are suppressed: nobody can be recognised by these columns, and nothing can be told from them."
        )
        return [Statement.of("all_suppressed", text, rows=report.suppressed_rows)]
    if figures.persons is not None:
        return [
            *_of_persons(report, figures.persons),
            *([_suppressed(report)] if report.suppressed_rows else []),
        ]
    if report.k_as_values is not None:
        return [_emptied(report, report.k_as_values), *_average_and_above(figures)]
    smallest_classes, smallest_records = figures.below(figures.k + 1)
    statements = [
        Statement.of(
            "unique" if figures.k == 1 else "smallest_class",
            _(
                "%(records)d records are unique: someone who knows these %(count)d columns of a person recognises that person's record."
            )
            if figures.k == 1
            else _(
                "Someone who knows these %(count)d columns of a person would be right one time in %(k)d at best (%(percent).2f %%): %(classes)d classes have only %(k)d records."
            ),
            f"max 1/f = 1/{figures.k} = {_digits(figures.max_risk)}",
            count=len(report.columns), k=figures.k, percent=100 * figures.max_risk, classes=smallest_classes, records=smallest_records,
        ),
        *_average_and_above(figures),
    ]  # fmt: skip
    if report.suppressed_rows:
        statements.append(_suppressed(report))
    statements.append(_missing(report))
    return statements


def _emptied(report: RiskReport, strict: int) -> Statement:
    """The smallest class where local suppression has emptied cells (A.3.3), by both readings."""
    text = _(
        "An emptied cell may be anything: by these %(count)d columns every record can then be taken for at least %(k)d. Who knows "
        "why a cell was emptied reads it as a value of its own, and then the smallest class has %(strict)d."
    )
    figures = report.figures
    formula = f"min |{{s : s ~ r}}| = {figures.k}"
    return Statement.of("emptied_cells", text, formula, count=len(report.columns), k=figures.k, strict=strict)


def _average_and_above(figures: Figures) -> list[Statement]:
    """The average risk, and the records above each threshold."""
    left = f"J/n = {figures.classes}/{figures.rows}" if figures.smallest_table is None else "Σ 1/f / n"
    statements = [
        Statement.of(
            "average", _("On average over all %(rows)d records the chance is %(percent).2f %%."),
            f"{left} = {_digits(figures.average_risk)}",
            rows=figures.rows, percent=100 * figures.average_risk,
        ),
    ]  # fmt: skip
    for threshold, share in figures.at_risk.items():
        size = smallest_safe_size(float(threshold))
        records = figures.below(size)[1]
        statements.append(
            Statement.of(
                "at_risk",
                _("%(records)d records (%(percent).2f %%) can be recognised with a probability above %(threshold)s: their classes have fewer than %(size)d records."),
                f"Σ f·[1/f > {threshold}] / n = {records}/{figures.rows} = {_digits(share)}",
                records=records, percent=100 * share, threshold=threshold, size=size,
            )
        )  # fmt: skip
    return statements


def _of_persons(report: RiskReport, persons: int) -> list[Statement]:
    """The same where persons are counted."""
    figures = report.figures
    classes, alone = figures.below(figures.k + 1)
    statements = [
        Statement.of(
            "unique_person" if figures.k == 1 else "smallest_class_of_persons",
            _(
                "%(persons)d persons have a row that nobody else has one like: someone who knows these %(count)d columns of it recognises it."
            )
            if figures.k == 1
            else _(
                "Someone who knows these %(count)d columns of one row of a person would be right one time in %(k)d at best (%(percent).2f %%): %(classes)d classes have rows of only %(k)d persons."
            ),
            f"max 1/f = 1/{figures.k} = {_digits(figures.max_risk)}",
            count=len(report.columns), k=figures.k, percent=100 * figures.max_risk, classes=classes, persons=alone,
        ),
        Statement.of(
            "average_person",
            _("On average over all %(persons)d persons (%(rows)d rows), each by the smallest of its classes, the chance is %(percent).2f %%."),
            f"Σ max 1/f / P = {_digits(figures.average_risk)}",
            persons=persons, rows=figures.rows, percent=100 * figures.average_risk,
        ),
    ]  # fmt: skip
    for threshold, share in figures.at_risk.items():
        size = smallest_safe_size(float(threshold))
        few = figures.below(size)[1]
        statements.append(
            Statement.of(
                "persons_at_risk",
                _("%(persons)d persons (%(percent).2f %%) can be recognised with a probability above %(threshold)s: they have a row in a class of fewer than %(size)d persons."),
                f"Σ [max 1/f > {threshold}] / P = {few}/{persons} = {_digits(share)}",
                persons=few, percent=100 * share, threshold=threshold, size=size,
            )
        )  # fmt: skip
    if figures.unique_persons:
        statements.append(
            Statement.of(
                "unique_by_rows",
                _("Someone who knows these columns of all rows of a person can tell %(percent).2f %% of the persons apart: k over persons says nothing against that."),
                percent=100 * figures.unique_persons,
            )
        )  # fmt: skip
    return statements


def _suppressed(report: RiskReport) -> Statement:
    message = _(
        "%(rows)d suppressed records are left out (K = %(k_out)d); as a class of their own, K would be %(k_own)d."
    )
    if report.suppressed_option == "own_class":
        message = _(
            "%(rows)d suppressed records count as a class of their own (K = %(k_own)d); left out, K would be %(k_out)d."
        )
    rows, k_own, k_out = report.suppressed_rows, report.own_class.k, report.left_out.k
    return Statement.of("suppressed_rows", message, rows=rows, k_own=k_own, k_out=k_out)


def _missing(report: RiskReport) -> Statement:
    if report.missing is None:
        return Statement.of(
            "missing_values",
            _("A missing value counts as a value of its own, which is the stricter reading: taken as unknown, it could only match more records."),
        )  # fmt: skip
    return Statement.of(
        "missing_values",
        _(
            "In %(rows)d records a value is missing. It counts as a value of its own (K = %(k)d), the stricter reading; if it could be any value, K would be %(loose)d and the average chance %(percent).2f %%."
        ),
        rows=report.missing.rows_with_missing,
        k=report.figures.k,
        loose=report.missing.k,
        percent=100 * report.missing.average_risk,
    )


def population_statements(figures: Mapping[str, Any], rows: int) -> list[Statement]:
    """What the estimates by a sampling fraction (:func:`techniques.disclosure_risk.details.with_sampling_fraction`) hide from each
    other: 1/F of a class of average size beside people who are unique. Empty where they agree."""
    unique, highest = figures["population_uniqueness"], figures["journalist"]["max_risk"]
    if not unique.get("share") or not 0 < highest < 1:
        return []
    return [
        Statement.of(
            "average_hides_uniques",
            _(
                "The highest journalist risk of %(percent).2f %% is an average: it takes every record that is unique in the sample to stand for %(people)d people. About %(uniques).1f of the %(rows)d records (%(share).2f %%) are estimated to be unique in the population all the same: whoever looks for one of these persons recognises the record for certain, with a risk of 1."
            ),
            f"max 1/(f/π) = {_digits(highest)}; U/N = {_digits(unique['share'])}",
            percent=100 * highest, people=round(1 / highest), uniques=unique["share"] * rows, rows=rows,
            share=100 * unique["share"],
        )
    ]  # fmt: skip


class Suggestion(Frozen):
    """One way to make a failing check pass."""

    code: Literal["suppress_records", "generalise_column", "suppress_more"]
    statement: Statement
    records: int = 0
    column: str = ""


def suggestions(report: RiskReport, target: Target) -> list[Suggestion]:
    """What would bring ``report`` to ``target``; empty when it is there already.

    First the fewest records to suppress (smallest classes first, which is the fewest for every
    target here), then the columns by how much dropping them whole would help: generalising a column
    lies between, so this shows where to begin.
    """
    figures = report.figures
    if target.met_by(figures):
        return []
    # Rows of one person lie in several classes: how many persons it takes is not read from the classes alone.
    found = [] if figures.persons is not None else [_suppress(report, target)]
    size = target.least_size()
    for column, without in sorted(
        report.drop_one.items(), key=lambda item: (_below(item[1].records_below, size), item[1].classes)
    ):
        records = _below(without.records_below, size)
        text = _(
            "Without “%(column)s” there would be %(without)d classes instead of %(classes)d, and %(records)d records in classes that are too small. Generalise it further."
        )
        if target.kind == "average_risk":
            text = _(
                "Without “%(column)s” there would be %(without)d classes instead of %(classes)d. Generalise it further."
            )
        elif figures.persons is not None:
            text = _(
                "Without “%(column)s” there would be %(without)d classes instead of %(classes)d, and %(records)d persons with a row in a class that is too small. Generalise it further."
            )
        said = Statement.of(
            "generalise_column", text,
            column=column, without=without.classes, classes=figures.classes, records=records,
        )  # fmt: skip
        found.append(Suggestion(code="generalise_column", statement=said, records=records, column=column))
    return found


def _below(table: dict[int, int], size: int) -> int:
    """Records below ``size`` by the nearest size that was measured, from above where possible."""
    measured = sorted(table)
    return table[next((k for k in measured if k >= size), measured[-1])] if measured else 0


def _suppress(report: RiskReport, target: Target) -> Suggestion:
    """How many records must go, from the smallest classes upwards.

    Where suppressed rows are a class of their own, that class has to be large enough too, so more
    may have to go than the small classes hold.
    """
    base, size_limit = report.left_out, target.least_size()
    own = report.suppressed_option == "own_class"
    small = base.below(size_limit)[1]

    def enough(rows_gone: int, classes_gone: int, small_gone: int) -> bool:
        pool = report.suppressed_rows + rows_gone if own else 0
        rows = base.rows - rows_gone + pool
        too_small = small - small_gone + (pool if pool < size_limit else 0)
        if rows == 0:
            return False
        if target.kind == "average_risk":
            return keeps((base.classes - classes_gone + (pool > 0)) / rows, target.bound)
        if target.kind == "at_risk":
            return keeps(too_small / rows, target.bound)
        return too_small == 0

    rows_gone = classes_gone = small_gone = 0
    for size, number in base.size_table:
        is_small = size < size_limit
        # A share of records can be brought down record by record, everything else class by class.
        unit, units = (1, number * size) if target.kind == "at_risk" and is_small else (size, number)

        before = (rows_gone, classes_gone, small_gone)

        def enough_after(
            taken: int,
            before: tuple[int, int, int] = before,
            unit: int = unit,
            is_small: bool = is_small,
        ) -> bool:
            rows, classes, small = before
            return enough(rows + taken * unit, classes + taken, small + taken * unit * is_small)

        if enough_after(units):
            low, high = 0, units
            while low < high:
                middle = (low + high) // 2
                low, high = (low, middle) if enough_after(middle) else (middle + 1, high)
            return _suppression(report, rows_gone + low * unit)
        rows_gone += number * size
        classes_gone += number
        small_gone += number * size * is_small
    return _suppression(report, base.rows)


def _suppression(report: RiskReport, records: int) -> Suggestion:
    total = report.own_class.rows
    text = _("Suppressing %(records)d records (%(percent).2f %% of %(rows)d) would be enough.")
    percent = 100 * records / total
    said = Statement.of("suppress_records", text, records=records, rows=total, percent=percent)
    return Suggestion(code="suppress_records", statement=said, records=records)
