"""Types of columns beside text: what a Parquet file said of a column, and whether new texts still fit it.

The engine works on text (:mod:`techniques.tables.canonical`). A column that no step touches is carried in its own type, to the
bit; one that was treated gets its type back where every value of the result is one of that type.
"""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from techniques.tables.canonical import bytes_of, column_text, is_bytes

Types = Mapping[str, pa.DataType]
_WHOLE = r"^-?(?:0|[1-9][0-9]*)$"
_ENDING = r"(\.[0-9]*?)0+$"


def plain_type(kind: pa.DataType) -> pa.DataType:
    """The type in which the cells of a column are worked with: values for a dictionary, which may hold values that no row has
    any more; offsets for a view."""
    if pa.types.is_dictionary(kind):
        return plain_type(kind.value_type)
    if pa.types.is_string_view(kind):
        return pa.string()
    if pa.types.is_binary_view(kind):
        return pa.binary()
    return kind


def possible_types(kind: pa.DataType) -> tuple[pa.DataType, ...]:
    """The types that a treated column may have whose source is a ``kind``, the best first: whole numbers may grow, or become
    fractions."""
    return (kind, pa.int64(), pa.float64()) if pa.types.is_integer(kind) else (kind,)


def fitting(texts: pa.Array, kind: pa.DataType) -> list[int]:
    """Which of the possible types, by their places, can hold all of these distinct ``texts``; none where only text will do."""
    plain = plain_type(kind)
    if pa.types.is_string(plain) or pa.types.is_large_string(plain):
        return [0]
    return [place for place, one in enumerate(possible_types(kind)) if typed(texts, one) is not None]


def typed(texts: pa.Array, kind: pa.DataType) -> pa.Array | None:
    """The n ``texts`` as values of ``kind``, null where missing; None where a text is not exactly one of its values."""
    plain = plain_type(kind)
    if not _parsed(plain):
        return None
    if pa.types.is_integer(plain) and not _all(pc.match_substring_regex(texts, _WHOLE)):
        return None
    try:
        values = _values(texts, plain)
        again = column_text(values)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None
    if again.null_count != texts.null_count:
        return None
    if pa.types.is_decimal(plain) or pa.types.is_floating(plain):
        # Most are spelled alike as they are.
        other = pc.not_equal(again, texts)
        again, texts = _shortened(again.filter(other)), _shortened(texts.filter(other))
    return values if _all(pc.equal(again, texts)) else None


def as_type(column: pa.Array, kind: pa.DataType) -> pa.Array:
    """A column of texts, or of values of ``kind`` (as a dictionary, too), as ``kind``; a dictionary then holds the values of these
    rows alone, none of a row that went.

    Raises ``pa.ArrowInvalid`` for a text that is none of its values; whether it is exactly one, :func:`fitting` has said.
    """
    plain = plain_type(kind)
    if pa.types.is_dictionary(column.type) and plain_type(column.type) == plain:
        column = pc.cast(column, plain)
    if column.type != plain:
        column = _values(column, plain)
    if not pa.types.is_dictionary(kind):
        return column
    coded = column.dictionary_encode()
    return pa.DictionaryArray.from_arrays(pc.cast(coded.indices, pa.int32()), coded.dictionary)


def written_type(kind: pa.DataType) -> pa.DataType:
    """The type of a written column: a dictionary's codes are numbers of 32 bits, however few its values were."""
    if not pa.types.is_dictionary(kind):
        return plain_type(kind)
    return pa.dictionary(pa.int32(), plain_type(kind))


def _values(texts: pa.Array, kind: pa.DataType) -> pa.Array:
    if pa.types.is_duration(kind):
        return pc.cast(pc.cast(texts, pa.int64()), kind)
    if pa.types.is_time(kind):
        on_a_day = pc.binary_join_element_wise("1970-01-01", texts, "T")
        return pc.cast(pc.cast(on_a_day, pa.timestamp(kind.unit)), kind)
    if is_bytes(kind) and not is_bytes(plain_type(texts.type)):
        return pc.cast(bytes_of(pc.cast(texts, pa.string())), kind)
    return pc.cast(texts, kind)


def _parsed(kind: pa.DataType) -> bool:
    """Whether texts can become values of this type at all."""
    types = pa.types
    return bool(
        types.is_integer(kind)
        or types.is_floating(kind)
        or types.is_decimal(kind)
        or types.is_boolean(kind)
        or types.is_date(kind)
        or types.is_time(kind)
        or types.is_timestamp(kind)
        or types.is_duration(kind)
        or types.is_string(kind)
        or types.is_large_string(kind)
        or is_bytes(kind)
    )


def _shortened(texts: pa.Array) -> pa.Array:
    """Numbers without zeros at their end behind the point, and without a point with nothing behind it."""
    return pc.replace_substring_regex(pc.replace_substring_regex(texts, _ENDING, r"\1"), r"\.$", "")


def _all(found: pa.Array) -> bool:
    return bool(pc.all(found, min_count=0).as_py())
