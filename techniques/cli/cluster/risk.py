"""``deid risk --engine spark``: combinations are counted on a cluster, and measured here by the same code."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from typing import Any

from techniques.cli import subjects
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


def counted(options: argparse.Namespace) -> tuple[list[str], Batches, Any, Any]:
    """(header, a function that gives the combinations of the columns to be measured, how many rows have each, whose they are or None).
    EngineError."""
    from techniques.engines.spark.counting import combinations
    from techniques.engines.spark.run import counted_layout
    from techniques.engines.spark.session import session

    files, header, types = files_of(str(options.input), options)
    require_counted(options)
    columns = quasi_identifiers(options.qi, header)
    sensitive = quasi_identifiers(options.sensitive, header) if options.sensitive else []
    key = subjects.named(options, header)
    _require_accepted(options, header, {*columns, *sensitive, *key})
    size = sum(os.path.getsize(file.path) for file in files)
    with session(options.master or MASTER) as spark:
        layout, _digests = counted_layout(spark, files, header, types, size)
        found = combinations(spark, layout, [*columns, *sensitive], key)

    def batches() -> Iterator[Any]:
        yield found.batch

    return header, batches, found.counts, found.subjects


def _require_accepted(options: argparse.Namespace, header: Sequence[str], measured: set[str]) -> None:
    accepted = quasi_identifiers(options.accept_findings, list(header)) if options.accept_findings else []
    left = [name for name in header if name not in measured and name not in accepted]
    if left:
        text = _(
            "On Spark nobody looks for identifiers in the columns that are not measured: %(columns)s. Continue with "
            "--accept-findings and their names if that was looked at."
        )
        raise EngineError("spark_unsearched", text, columns=", ".join(left))
