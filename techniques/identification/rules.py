"""The rule method (GB/T 37964 5.3.3): patterns over every row, and in every text.

:func:`scan` reads a table to its end, never its head alone, for the first rows of a column may be
empty and the next ten thousand full of identity numbers (5.3.3 b).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from techniques.core import faults
from techniques.identification.metadata.forms import ValueForm
from techniques.identification.patterns import GATES, RULES
from techniques.identification.reports import ColumnScan, Finding, ScanReport
from techniques.identification.scanner import ColumnScanner, find_spans, matches
from techniques.values.written import normalise, visible

__all__ = ["ColumnScan", "Finding", "ScanReport", "find_in_text", "redact", "scan"]


def scan(
    batches: Iterable[pa.RecordBatch],
    columns: Sequence[str],
    tick: Callable[[int], None] | None = None,
    total_rows: int | None = None,
    forms: Sequence[ValueForm] = (),
) -> ScanReport:
    """Search ``columns`` of every batch for every kind of identifier.

    ``tick`` is called after each batch with the rows read so far. ``total_rows``, where the caller
    knows it, is what coverage is measured against. ``forms`` are rules of an organisation's own, on whole values. Memory does not grow with the rows but for at
    most 8 MB of hashes a column. Raises :class:`EngineError` for a column that is not in the table.
    """
    return scanned(batches, columns, tick, forms).report(total_rows)


@dataclass(frozen=True)
class ScannedColumns:
    """The scanners of columns that have been fed all ``rows`` rows of a table."""

    scanners: Mapping[str, ColumnScanner]
    rows: int

    def report(self, total_rows: int | None = None) -> ScanReport:
        """What they have found, of a table of ``total_rows`` rows where that is known."""
        return ScanReport(
            rows=self.rows,
            coverage=coverage(self.rows, total_rows),
            columns={column: scanner.result() for column, scanner in self.scanners.items()},
        )


def scanned(
    batches: Iterable[pa.RecordBatch],
    columns: Sequence[str],
    tick: Callable[[int], None] | None = None,
    forms: Sequence[ValueForm] = (),
) -> ScannedColumns:
    """As :func:`scan`, not yet judged."""
    scanners = {column: ColumnScanner(column, forms) for column in columns}
    rows = 0
    for batch in batches:
        missing = [column for column in columns if column not in batch.schema.names]
        if missing:
            raise faults.unknown_column(missing[0])
        for column, scanner in scanners.items():
            scanner.feed(batch.column(column))
        rows += batch.num_rows
        if tick is not None:
            tick(rows)
    return ScannedColumns(scanners, rows)


def coverage(rows: int, total_rows: int | None) -> float:
    """Share of the rows that were read; more rows than expected is no full coverage either, for
    then something else was read than what was counted."""
    if total_rows is None or rows == total_rows:
        return 1.0
    # Rounding must never make a whole of what is not: one row of ten millions is missing too.
    return min(round(min(rows, total_rows) / max(rows, total_rows), 6), 0.999999) if rows else 0.0


def find_in_text(value: str, kinds: Collection[str] | None = None) -> list[tuple[str, int, int]]:
    """(kind, start, end) of every identifier in ``value``, in order, without overlaps.

    Full-width digits and letters count as their ASCII forms, Chinese numerals as digits where many stand in a row;
    characters without width do not count.
    """
    rules = RULES if kinds is None else tuple(rule for rule in RULES if rule.kind in kinds)
    if value.isascii():
        return [(rule.kind, start, end) for rule, start, end in find_spans(value, rules)]
    text, places = visible(value)
    found = find_spans(normalise(text), rules)
    return [(rule.kind, places[start], places[end - 1] + 1) for rule, start, end in found]


def can_be_found_in(values: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Which of the texts can hold an identifier by a first test; in the others :func:`find_in_text` finds none."""
    texts = pa.array([normalise(visible(value)[0]) for value in values], pa.string())
    passed = np.zeros(len(values), dtype=np.bool_)
    for gate in GATES.values():
        passed |= matches(texts, gate)
    return passed


def redact(values: Sequence[str], kinds: Collection[str] | None = None, mask: str = "*") -> list[str]:
    """``values`` with each identifier in them replaced, character by character, by ``mask``.

    ``kinds`` limits which identifiers; a ``mask`` of several characters stands once for each
    identifier. The rest of the text stays as it was, full-width characters included.
    """
    result = list(values)
    if not result:
        return result
    for place in np.flatnonzero(can_be_found_in(result)).tolist():
        text = result[place]
        for _kind, start, end in reversed(find_in_text(text, kinds)):
            text = text[:start] + (mask * (end - start) if len(mask) == 1 else mask) + text[end:]
        result[place] = text
    return result
