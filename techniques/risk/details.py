"""Figures beside those of :func:`techniques.risk.measure.measure`: other attackers, variety, single records."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TextIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from techniques.risk.attackers import (
    THRESHOLDS,
    estimated_population,
    journalist,
    marketer,
    smallest_class_for,
    smallest_safe_size,
    threshold_key,
)
from techniques.risk.classes import encode, row_keys
from techniques.risk.diversity import diversity
from techniques.risk.measure import match_population
from techniques.risk.population import population_uniqueness
from techniques.risk.report import RiskReport

Batches = Callable[[], Iterable[pa.RecordBatch]]
"""Opens a table anew."""


def class_sizes(report: RiskReport) -> npt.NDArray[np.int64]:
    """The size of every class that the report counts, in rising order."""
    table = np.array(report.figures.size_table, dtype=np.int64).reshape(-1, 2)
    return np.repeat(table[:, 0], table[:, 1])


def records_at_risk(report: RiskReport, thresholds: Sequence[float]) -> dict[str, int]:
    """How many records lie above each threshold."""
    return {threshold_key(t): report.figures.below(smallest_safe_size(t))[1] for t in thresholds}


def strict_average(report: RiskReport, cap: float) -> dict[str, Any]:
    """B.1.4.1 b, controlled sharing: the average risk, which counts only if no record is above ``cap``.

    A cap of 0.33 means that no class is smaller than 3. Where it is broken, the risk is the maximum.
    """
    holds = report.k >= smallest_class_for(cap)
    return {"cap": cap, "holds": holds, "risk": report.average_risk if holds else report.max_risk}


def with_population(
    sample: Batches, population: Batches, qi: Sequence[str], thresholds: Sequence[float] = THRESHOLDS
) -> dict[str, Any]:
    """Journalist and marketer risk by a population table that holds the sample's persons too.

    ``presence`` is the greatest share of a population class that is in the sample (δ-presence).
    """
    f, F = match_population(sample(), population(), qi)
    return {
        "journalist": journalist(f, F, thresholds).model_dump(),
        "marketer": marketer(f, F),
        "presence": float((f / F).max()),
    }


def with_sampling_fraction(
    report: RiskReport, fraction: float, thresholds: Sequence[float] = THRESHOLDS
) -> dict[str, Any]:
    """The same estimated where only the share of the population that was sampled is known."""
    f = class_sizes(report)
    F = estimated_population(f, fraction)
    return {
        "journalist": journalist(f, F, thresholds).model_dump(),
        "marketer": marketer(f, F),
        "population_uniqueness": population_uniqueness(f, fraction).model_dump(),
        "estimated": True,
    }


def variety(
    batches: Iterable[pa.RecordBatch], qi: Sequence[str], sensitive: Sequence[str], *, left_out: bool
) -> dict[str, dict[str, float]]:
    """l, t, β and δ of each sensitive column over the classes of ``qi``; a missing value is a value.

    The distance takes all values as equally far apart. ``left_out`` leaves out suppressed rows.
    """
    coded = encode(batches, [*qi, *sensitive])
    m = len(qi)
    keys = row_keys(coded.codes[:m], coded.cardinality[:m], coded.rows)
    rows = np.ones(coded.rows, dtype=bool)
    if left_out:
        starred = [
            codes == star for codes, star in zip(coded.codes[:m], coded.suppressed_code[:m], strict=True)
        ]
        rows = ~np.logical_and.reduce(starred)
    _, class_of = np.unique(keys[rows], return_inverse=True)
    found = {}
    for column, codes in zip(sensitive, coded.codes[m:], strict=True):
        used, values = np.unique(codes, return_inverse=True)
        reference = np.bincount(values, minlength=len(used)) / max(len(values), 1)
        figures = diversity(class_of, values[rows], reference=reference).as_dict()
        del figures["t_ordered"]  # the codes are in no order here
        found[column] = figures
    return found


def write_record_risks(batches: Iterable[pa.RecordBatch], qi: Sequence[str], target: TextIO) -> None:
    """One line per record, from 1 in the order of the table: its class size and the risk 1/f; no values."""
    coded = encode(batches, qi)
    keys = row_keys(coded.codes, coded.cardinality, coded.rows)
    _, inverse, sizes = np.unique(keys, return_inverse=True, return_counts=True)
    writer = csv.writer(target)
    writer.writerow(["row", "class_size", "risk"])
    of_row = sizes[inverse]
    writer.writerows(
        zip(range(1, len(of_row) + 1), of_row.tolist(), np.round(1 / of_row, 9).tolist(), strict=True)
    )
