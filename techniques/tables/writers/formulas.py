"""Spreadsheet formula injection: cells that a spreadsheet would execute become plain text.

A cell is dangerous when it begins, after any spaces, with ``= + - @``, their full-width forms, a tab
or a line break. An apostrophe before it makes it text. A plain number with a sign, such as ``-3.5``,
``+86`` or ``-1e-3``, is none: it can only become that number, and stays.

Who compares a written file with what it was made of has to read both without those apostrophes, or ``+`` and ``'+`` are
two values and a column of another name is another column.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc

_DANGEROUS = r"^(?:[ \x{00A0}\x{3000}\x{FEFF}\x{200B}]*[=+\-@＝＋－＠]|[ ]*[\t\r\n])"
_SIGNED_NUMBER = r"^[+-](?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?%?\z"


def neutralise_column(column: pa.Array) -> pa.Array:
    """Return the text column with an apostrophe before every cell that could run as a formula."""
    dangerous = pc.match_substring_regex(column, _DANGEROUS)
    if not pc.any(dangerous).as_py():
        return column
    dangerous = pc.and_(dangerous, pc.invert(pc.match_substring_regex(column, _SIGNED_NUMBER)))
    marked = pc.binary_join_element_wise("'", column, "")
    return pc.if_else(pc.fill_null(dangerous, False), marked, column)


def neutralise_name(name: str) -> str:
    """Return a column name that no spreadsheet executes."""
    return str(neutralise_column(pa.array([name], pa.string()))[0].as_py())


def plain_column(column: pa.Array) -> pa.Array:
    """Return the text column without the apostrophes of :func:`neutralise_column`."""
    marked = pc.starts_with(column, "'")
    if not pc.any(marked).as_py():
        return column
    unquoted = pc.utf8_slice_codeunits(column, 1)
    return pc.if_else(pc.fill_null(pc.equal(neutralise_column(unquoted), column), False), unquoted, column)


def plain_names(names: Sequence[str], known: Container[str]) -> list[str]:
    """Return column names as ``known`` has them: without the apostrophe of :func:`neutralise_name` where only that is
    known."""
    unquoted: list[str] = plain_column(pa.array(names, pa.string())).to_pylist()
    return [b if b in known and name not in known else name for name, b in zip(names, unquoted, strict=True)]


def plain_batches(batches: Iterable[pa.RecordBatch], known: Container[str]) -> Iterator[pa.RecordBatch]:
    """Batches of text columns without the apostrophes, in cells and, as :func:`plain_names` has it, in names."""
    for batch in batches:
        yield pa.RecordBatch.from_arrays(
            [plain_column(column) for column in batch.columns], names=plain_names(batch.schema.names, known)
        )
