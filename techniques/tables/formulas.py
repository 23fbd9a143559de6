"""Spreadsheet formula injection: cells that a spreadsheet would execute become plain text.

A cell is dangerous when it begins, after any spaces, with ``= + - @``, their full-width forms, a tab
or a line break. An apostrophe before it makes it text. A plain number with a sign, such as ``-3.5``,
``+86`` or ``-1e-3``, is none: it can only become that number, and stays.
"""

from __future__ import annotations

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
