"""Typed cells as text: one spelling per value, whichever format it came from.

Whole numbers have no decimal point, dates are ISO 8601 (a time only when it is not midnight for
all), truth values are ``true`` and ``false``, missing and not-a-number are null. Bytes are the text that they are; those that are
none are their digits behind ``\\x``, and so is a text that begins like that.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from techniques.values.buffers import number_texts

DIGITS = "\\x"
"""What stands before the digits of bytes that are no text."""

_NO_TEXT = pa.scalar(None, pa.string())
_SCALES = (2, 6)
"""Decimals that most columns of numbers have at most: of money, of places on a map."""


def cell_text(value: object) -> str | None:
    """Return the canonical text of one typed cell, or None when it is missing."""
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if math.isnan(value):
            return None
        if abs(value) < 1e15 and value.is_integer():
            return str(int(value))
        # The shortest digits that stand for the float, spelled without an exponent.
        return f"{Decimal(repr(value)).normalize():f}" if math.isfinite(value) else str(value)
    if isinstance(value, Decimal):
        return f"{value:f}" if value.is_finite() else None if value.is_nan() else str(value)
    if isinstance(value, datetime.datetime):
        if value.time() == datetime.time() and value.tzinfo is None:
            return value.date().isoformat()
        return value.isoformat()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value)


def cells_column(values: Sequence[object]) -> pa.Array:
    """Return a ``string`` column of typed cells; a column of texts and decimal numbers takes the fast way."""
    kinds = set(map(type, values)) - {type(None)}
    if not kinds <= {str, float}:
        return pa.array([cell_text(value) for value in values], pa.string())
    if kinds <= {str}:
        return column_text(pa.array(values, pa.string()))
    numbers = column_text(
        pa.array([value if type(value) is float else None for value in values], pa.float64())
    )
    if str not in kinds:
        return numbers
    texts = pa.array([value if type(value) is str else None for value in values], pa.string())
    return pc.coalesce(column_text(texts), numbers)


def is_plain(kind: pa.DataType) -> bool:
    """Whether a column of this Arrow type holds one text, number, date or truth value a cell."""
    if pa.types.is_dictionary(kind):
        return is_plain(kind.value_type)
    return not (pa.types.is_nested(kind) or pa.types.is_union(kind) or isinstance(kind, pa.ExtensionType))


def column_text(column: pa.Array) -> pa.Array:
    """Return an Arrow column of a plain type as canonical text. Raises ``pa.ArrowInvalid``."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        # The distinct values are few: spell them, then gather.
        return column_text(column.dictionary).take(column.indices)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        text = pc.cast(column, pa.string())
        text.validate(full=True)  # a file may call any bytes a text
    elif pa.types.is_floating(kind):
        text = _floats(column)
    elif pa.types.is_timestamp(kind):
        text = _timestamps(column)
    elif pa.types.is_time(kind):
        text = pc.replace_substring_regex(pc.cast(column, pa.string()), r"\.0+$|(\.\d*?[1-9])0+$", r"\1")
    elif is_bytes(kind):
        text = _bytes(column)
    elif pa.types.is_duration(kind):
        text = pc.cast(pc.cast(column, pa.int64()), pa.string())
    else:
        text = pc.cast(column, pa.string())
    empty = pc.fill_null(pc.equal(pc.binary_length(text), 0), False)
    return pc.if_else(empty, _NO_TEXT, text)


def is_bytes(kind: pa.DataType) -> bool:
    """Whether the cells of a column of this type are bytes."""
    types = pa.types
    return bool(
        types.is_binary(kind)
        or types.is_large_binary(kind)
        or types.is_fixed_size_binary(kind)
        or types.is_binary_view(kind)
    )


def _bytes(column: pa.Array) -> pa.Array:
    # A missing cell of a fixed width has its bytes too, zeros that are no text.
    cells = pc.fill_null(pc.cast(column, pa.binary()), b"")
    try:
        text = pc.cast(cells, pa.string())
        if not pc.any(pc.or_(pc.match_substring(text, "\0"), pc.starts_with(text, DIGITS))).as_py():
            return text
    except pa.ArrowInvalid:
        pass  # bytes that are no text
    return pa.array([_bytes_text(cell) for cell in cells.to_pylist()], pa.string())


def _bytes_text(cell: bytes) -> str:
    try:
        text = cell.decode()
    except UnicodeDecodeError:
        text = DIGITS
    return DIGITS + cell.hex() if text.startswith(DIGITS) or "\0" in text else text


def bytes_of(texts: pa.Array) -> pa.Array:
    """The bytes that the spellings of a column stand for. Raises ``pa.ArrowInvalid``."""
    if not pc.any(pc.starts_with(texts, DIGITS)).as_py():
        return pc.cast(texts, pa.binary())
    try:
        cells = [
            bytes.fromhex(text.removeprefix(DIGITS))
            if text and text.startswith(DIGITS)
            else text and text.encode()
            for text in texts.to_pylist()
        ]
    except ValueError:
        raise pa.ArrowInvalid("no digits of bytes") from None
    return pa.array(cells, pa.binary())


def _floats(column: pa.Array) -> pa.Array:
    column = pc.cast(column, pa.float64()) if pa.types.is_float16(column.type) else column
    if pa.types.is_float64(column.type) and (short := _short_decimals(column)) is not None:
        return short
    text = pc.cast(column, pa.string())
    text = pc.if_else(pc.fill_null(pc.is_nan(column), False), _NO_TEXT, text)
    text = pc.if_else(pc.fill_null(pc.equal(text, "-0"), False), "0", text)
    exponent = pc.fill_null(pc.match_substring(text, "e"), False)
    if pc.any(exponent).as_py():
        # Very large or very small numbers: few, so they are spelled one by one.
        spelled = [
            cell_text(value) for value in pc.filter(pc.cast(column, pa.float64()), exponent).to_pylist()
        ]
        text = pc.replace_with_mask(text, exponent, pa.array(spelled, pa.string()))
    return text


def _short_decimals(column: pa.Array) -> pa.Array | None:
    """The texts of doubles none of which has more than six decimals, where all of them together have at most 15 digits; else None.

    A decimal of so few digits is the shortest one for the double next to it: no other of as many digits has the same double.
    """
    values = pc.fill_null(column, 0.0).to_numpy()
    for scale in _SCALES:
        power = 10.0**scale
        with np.errstate(over="ignore", invalid="ignore"):
            unscaled = np.rint(values * power)
            found = bool(np.all((unscaled / power == values) & (np.abs(unscaled) < 1e15)))
        if found:
            try:
                text = number_texts(unscaled.astype(np.int64), scale)
            except OverflowError:  # more than one column holds
                return None
            return text if not column.null_count else pc.if_else(column.is_valid(), text, _NO_TEXT)
    return None


def _timestamps(column: pa.Array) -> pa.Array:
    if column.type.tz is not None:
        text = pc.strftime(column, format="%Y-%m-%dT%H:%M:%S%z")
        zone = r"([+-]\d{2}:?\d{2}|Z)$"
        return pc.replace_substring_regex(text, r"\.0+" + zone, r"\1")
    text = pc.replace_substring(pc.cast(column, pa.string()), " ", "T")
    text = pc.replace_substring_regex(text, r"\.0+$", "")
    text = pc.replace_substring_regex(text, r"(\.\d*?[1-9])0+$", r"\1")
    return pc.replace_substring_regex(text, r"T00:00:00$", "")
