"""``deid risk --engine spark``: combinations are counted on a cluster, and measured here by the same code."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from techniques.cli import findings, subjects
from techniques.cli.cluster.running import MASTER, files_of
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


def counted(options: argparse.Namespace) -> Counted:
    """The table that the options name. EngineError, ``identifiers_left`` before anything is counted."""
    from techniques.engines.spark.counting import combinations
    from techniques.engines.spark.run import counted_layout
    from techniques.engines.spark.session import session

    files, header, types = files_of(str(options.input), options)
    require_counted(options)
    columns = quasi_identifiers(options.qi, header)
    sensitive = quasi_identifiers(options.sensitive, header) if options.sensitive else []
    key = subjects.named(options, header)
    accepted = quasi_identifiers(options.accept_findings, header) if options.accept_findings else []
    left = [name for name in header if name not in columns]
    size = sum(os.path.getsize(file.path) for file in files)
    with session(options.master or MASTER) as spark:
        layout, _digests = counted_layout(spark, files, header, types, size)
        found = _searched(spark, layout, left, {*accepted, *key}) if left else []
        findings.require(found)
        known = combinations(spark, layout, [*columns, *sensitive], key)

    def batches() -> Iterator[Any]:
        yield known.batch

    return Counted(header, batches, known.counts, known.subjects, found)


def _searched(spark: Any, layout: Any, columns: list[str], accepted: set[str]) -> list[findings.Finding]:
    from techniques.engines.spark.counting import scanned, telling
    from techniques.identification.keys import ALIKE
    from techniques.identification.residual import residual_of

    scanners = scanned(spark, layout, columns)
    report = residual_of({(name, False): scanners[name] for name in columns}, layout.rows, columns, {})
    return findings.of_scan(
        report, columns, lambda rest: telling(spark, layout, rest, ALIKE), accepted=accepted
    )  # fmt: skip
