"""``deid risk --engine spark``: combinations are counted on a cluster, and measured here by the same code."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

from techniques.cli import findings, subjects
from techniques.cli.cluster.running import require_place, source
from techniques.cli.tables import Batches, quasi_identifiers
from techniques.core.messages import EngineError, _

_BY_ROW = (
    "population",
    "run_report",
    "per_record",
    "entropy",
    "original",
    "planned",
    "other",
    "on",
    "with_qi",
)
"""What is measured row by row, by the name of its option, or beside a second table."""
_WRITTEN = {"other": "with"}


def require_counted(options: argparse.Namespace) -> None:
    """EngineError where the options ask for what cannot be measured from counted combinations."""
    for name in _BY_ROW:
        if getattr(options, name) is not None:
            text = _("--%(option)s needs every row in one place: leave out --engine spark.")
            raise EngineError("spark_by_row", text, option=_WRITTEN.get(name, name).replace("_", "-"))
    if options.subject is None:
        text = _(
            "On Spark nobody looks whether several rows belong to one person: say whose the rows are with --subject, or --subject rows."
        )
        raise EngineError("spark_persons", text)


@dataclass(frozen=True)
class Counted:
    """A table by its combinations: ``batches`` gives those of the columns to be measured, ``counts`` says how many rows have each,
    ``subjects`` whose these are, ``found`` what was found in the other columns."""

    header: list[str]
    batches: Batches
    counts: Any
    subjects: Any
    found: list[findings.Finding]


@dataclass(frozen=True)
class _Named:
    """Columns by what the options say of them; ``left`` are those that are not measured by."""

    measured: list[str]
    key: list[str]
    accepted: list[str]
    left: list[str]

    @classmethod
    def of(cls, options: argparse.Namespace, header: list[str]) -> Self:
        columns = quasi_identifiers(options.qi, header)
        sensitive = quasi_identifiers(options.sensitive, header) if options.sensitive else []
        accepted = quasi_identifiers(options.accept_findings, header) if options.accept_findings else []
        left = [name for name in header if name not in columns]
        return cls([*columns, *sensitive], subjects.named(options, header), accepted, left)


def counted(options: argparse.Namespace) -> Counted:
    """The table that the options name. EngineError, ``identifiers_left`` before anything is counted."""
    from techniques.engines.spark.counting import combinations
    from techniques.engines.spark.run import counted_layout

    given = str(options.input)
    require_place(given)
    require_counted(options)
    with source(options, given, partial(_Named.of, options)) as (spark, table, named):
        layout, _digests = counted_layout(spark, table)
        found = _searched(spark, layout, named.left, {*named.accepted, *named.key}) if named.left else []
        findings.require(found)
        known = combinations(spark, layout, named.measured, named.key)

    def batches() -> Iterator[Any]:
        yield known.batch

    return Counted(table.columns, batches, known.counts, known.subjects, found)


def _searched(spark: Any, layout: Any, columns: list[str], accepted: set[str]) -> list[findings.Finding]:
    from techniques.engines.spark.counting import scanned, telling
    from techniques.identification.keys import ALIKE
    from techniques.identification.residual import residual_of

    scanners = scanned(spark, layout, columns)
    report = residual_of({(name, False): scanners[name] for name in columns}, layout.rows, columns, {})
    return findings.of_scan(
        report, columns, lambda rest: telling(spark, layout, rest, ALIKE), accepted=accepted
    )  # fmt: skip
