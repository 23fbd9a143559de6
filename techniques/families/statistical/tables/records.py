"""A table of statistics from records: which columns span it, what is added up, and who is one contributor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow.compute as pc

from techniques.core.messages import EngineError, _
from techniques.core.subjects import persons
from techniques.data_utility.numbers import PLAIN, values_of
from techniques.families.statistical.tables.table import Dimension, Floats, Integers

if TYPE_CHECKING:
    import pyarrow as pa

Tree = Sequence[Sequence[str]]
"""The rows of a hierarchy: a value, then what stands above it, from the value up."""


def dimension_of(rows: pa.Table, column: str, tree: Tree | None, total: str) -> tuple[Dimension, Integers]:
    """(the dimension, the label of each row), values in order and under one ``total``, or as ``tree`` has them.

    Raises EngineError ``value_not_in_hierarchy``, ``labels_repeat``.
    """
    found = pc.dictionary_encode(pc.fill_null(rows.column(column).cast("string"), "")).combine_chunks()
    texts = found.dictionary.to_pylist()
    dimension, leaf = dimension_over(column, texts, tree, total)
    return dimension, np.array([leaf[text] for text in texts], dtype=np.int64)[found.indices.to_numpy()]


def dimension_over(
    column: str, texts: Sequence[str], tree: Tree | None, total: str
) -> tuple[Dimension, Mapping[str, int]]:
    """(the dimension over the values ``texts``, the label of each of them); raises as :func:`dimension_of`."""
    if tree:
        known = {row[0]: row for row in tree}
        if unknown := [text for text in texts if text not in known]:
            message = _("Column %(column)s holds %(count)d values that its hierarchy does not.")
            raise EngineError("value_not_in_hierarchy", message, column=column, count=len(unknown))
        dimension, leaf = Dimension.of_rows(column, [known[text] for text in sorted(texts)], total)
    else:
        values = sorted(texts)
        dimension = Dimension.flat(column, values, total)
        leaf = {value: place for place, value in enumerate(values, 1)}
    if len(set(dimension.labels)) < len(dimension.labels):
        message = _(
            "Two labels of column %(column)s are the same, or one is that of the totals: name the totals otherwise."
        )
        raise EngineError("labels_repeat", message, column=column)
    return dimension, leaf


def amounts_of(rows: pa.Table, column: str) -> tuple[Floats, int]:
    """(the numbers, the most decimals that one has); a missing one adds nothing. Raises EngineError ``not_a_number``."""
    found = pc.dictionary_encode(pc.fill_null(rows.column(column).cast("string"), "")).combine_chunks()
    texts = found.dictionary.to_pylist()
    plain = pc.match_substring_regex(found.dictionary, PLAIN).to_pylist()
    # An interval has a middle, but a sum of middles would be taken for the sum of what was measured.
    if any(text and not number for text, number in zip(texts, plain, strict=True)):
        message = _("Column %(column)s is to be added up, but it holds what is no number.")
        raise EngineError("not_a_number", message, column=column)
    numbers = values_of(found.dictionary)
    decimals = max((len(text.partition(".")[2]) for text in texts), default=0)
    return np.nan_to_num(numbers)[found.indices.to_numpy()], decimals


def contributors_of(whose: Any, holding: Any, rows: int) -> Integers:
    """Whose each of ``rows`` records is, from 0: of the person ``whose`` (rows,), None where a record is a person; of the
    ``holding`` (rows,) where that is not -1; None where there are no holdings."""
    found: Integers = np.arange(rows) if whose is None else persons(whose)[0].astype(np.int64)
    if holding is not None:
        found = np.where(holding >= 0, holding, found + int(holding.max(initial=-1)) + 1)
    return found
