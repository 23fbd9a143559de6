"""A table of statistics counted or added up from its data; works in the job and loads the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, BinaryIO

from projects.datasets.selectors import dataset_format, dataset_open
from projects.processing.runs.selectors import result_format, result_open, result_subjects

from .definition import Definition
from .models import Tabulation

if TYPE_CHECKING:
    from techniques.tables.formats import FileFormat


def tabulated(
    row: Tabulation, ranks: int, tick: Callable[[float], None], definition: Definition | None = None
) -> tuple[Any, int]:
    """(the table that is counted or added up from the data of ``row``, by another ``definition`` if one is given; decimals of its values)."""
    import numpy as np
    import pyarrow as pa

    from techniques.families.statistical.tables.records import amounts_of, contributors_of, dimension_of
    from techniques.families.statistical.tables.table import tabulate
    from techniques.tables import open_table
    from techniques.tables.subjects import read_subjects

    defined, parts = definition or row.defined, []
    # Whose each released row is was written down by the run; the key itself is not released.
    key = [] if row.run_table else row.person_key
    wanted = list(dict.fromkeys([*defined.columns, *key]))
    stream, form = _rows_of(row)
    with stream, open_table(stream, form) as reader:
        for batch in reader.batches():
            parts.append(batch.select(wanted))
            tick(0.1)
    schema = pa.schema([(name, pa.string()) for name in wanted])
    rows = pa.Table.from_batches(parts) if parts else schema.empty_table()
    holding = read_subjects(parts, [defined.holding]) if defined.holding else None
    contributors = contributors_of(
        result_subjects(row.run_table) if row.run_table else read_subjects(parts, key), holding, rows.num_rows
    )
    amounts, decimals = None, 0
    if defined.kind == "sum":
        amounts, decimals = amounts_of(rows, defined.column)
    elif defined.kind == "rows":
        amounts = np.ones(rows.num_rows)
    pairs = [dimension_of(rows, one.column, one.tree or None, defined.total) for one in defined.spans]
    table = tabulate(
        [one for one, _codes in pairs], [codes for _one, codes in pairs], amounts, contributors, ranks=ranks
    )
    return table, decimals


def _rows_of(row: Tabulation) -> tuple[BinaryIO, FileFormat]:
    """The rows that are counted: the released ones where a recipient asked, else those of the source."""
    if row.run_table is not None:
        return result_open(row.run_table), result_format(row.run_table)
    assert row.dataset is not None
    return dataset_open(row.dataset), dataset_format(row.dataset)
