"""How varied the sensitive attributes are within the classes of the written result (B.1.2, B.1.3).

Reads the written file anew and shares nothing with the search: classes are formed as for k, by all quasi-identifiers
of the result. Works in the worker; rows stay in arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.hierarchies.build import build
from techniques.messages import EngineError, gettext_noop
from techniques.risk.classes import SUPPRESSED, encode, row_keys
from techniques.risk.diversity import diversity
from techniques.tables.dictionary import ColumnEncoder, EncodedColumn, encode_columns
from techniques.values.dates import parse_dates
from techniques.values.numbers import parse_numbers

if TYPE_CHECKING:
    from .case import Table
    from .promises import Promise

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Classes:
    """The classes of n rows: ``of_row`` (n,) numbers them from 0, ``starred`` (n,) are the suppressed rows."""

    of_row: Numbers
    starred: NDArray[np.bool_]

    def without_starred(self) -> Classes:
        """The same without the suppressed rows."""
        _, left = np.unique(self.of_row[~self.starred], return_inverse=True)
        return Classes(left, np.zeros(len(left), dtype=np.bool_))


@dataclass(frozen=True)
class Attribute:
    """A sensitive column: ``values`` (n,) numbers the cells in their order, 0 being a missing value or ``*``;
    ``reference`` (V,) are the shares of all values in the table to compare with, ``texts`` those from 1 on.

    ``strange`` counts cells whose value does not occur in that table at all.
    """

    values: Numbers
    reference: NDArray[np.float64]
    texts: Any
    strange: int

    @property
    def unknown(self) -> int:
        """Rows in which the attribute is missing or suppressed."""
        return int((self.values == 0).sum())

    def of_rows(self, rows: NDArray[np.bool_]) -> Attribute:
        """The attribute of some rows, against the same reference."""
        return Attribute(self.values[rows], self.reference, self.texts, self.strange)


def read(
    table: Table, quasi: Sequence[str], sensitive: Sequence[str], tick: Callable[[int], None]
) -> tuple[Classes, dict[str, EncodedColumn]]:
    """Classes and sensitive columns of ``table`` in one pass; without quasi-identifiers all rows are one class.

    EngineError ``no_rows`` for an empty table.
    """
    encoders = {column: ColumnEncoder() for column in sensitive}

    def passing() -> Any:
        for batch in table.batches():
            for column, encoder in encoders.items():
                encoder.add(batch.column(column))
            yield batch

    coded = encode(passing(), [*quasi] or list(sensitive[:1]), tick)
    if coded.rows == 0:
        raise EngineError("no_rows", gettext_noop("The table has no rows, so there is no risk to measure."))
    columns = {column: encoder.finish() for column, encoder in encoders.items()}
    if not quasi:
        return Classes(np.zeros(coded.rows, np.int64), np.zeros(coded.rows, np.bool_)), columns
    _, of_row = np.unique(row_keys(coded.codes, coded.cardinality, coded.rows), return_inverse=True)
    return Classes(of_row, coded.suppressed_rows()), columns


def reference_columns(table: Table, columns: Sequence[str]) -> dict[str, EncodedColumn]:
    """The sensitive columns as the source has them."""
    return encode_columns(table.batches(), columns) if columns else {}


def attribute_of(column: EncodedColumn, reference: EncodedColumn | None) -> Attribute:
    """The written ``column`` against the distribution of ``reference``, or against its own where there is none."""
    other = column if reference is None else reference
    texts = _known(pa.chunked_array([_texts(column), _texts(other)]).unique())
    texts = texts.take(pa.array(_order(texts)))
    expected = np.bincount(_numbered(other, texts), minlength=len(texts) + 1) / max(len(other), 1)
    values = _numbered(column, texts)
    return Attribute(values, expected, texts, int((expected[values] == 0).sum()))


def _texts(column: EncodedColumn) -> Any:
    return column.values if pa.types.is_string(column.values.type) else column.values.cast(pa.string())


def _known(texts: Any) -> Any:
    return texts.filter(pc.invert(pc.is_in(texts, pa.array(["", SUPPRESSED]))))


def _numbered(column: EncodedColumn, texts: Any) -> Numbers:
    """The number of every cell: 1 more than its place among ``texts``, 0 where it is not among them."""
    place = pc.fill_null(pc.index_in(_texts(column), texts), -1).to_numpy(zero_copy_only=False)
    return np.append(place + 1, 0).astype(np.int64)[column.codes]  # a missing cell has the code -1


def _order(texts: Any) -> Numbers:
    """Numbers by size, dates by time, anything else as text."""
    by_text = np.empty(len(texts), dtype=np.int64)
    by_text[np.asarray(pc.sort_indices(texts))] = np.arange(len(texts))
    if len(texts) == 0:
        return by_text
    numbers = parse_numbers(texts)
    if numbers.valid.all():
        return np.lexsort((by_text, numbers.unscaled))
    dates = parse_dates(texts)
    if dates.valid.all():
        return np.lexsort((by_text, dates.day, dates.month, dates.year))
    return np.argsort(by_text)


def worst(promise: Promise, classes: Classes, attribute: Attribute) -> float:
    """What the worst class holds of ``promise``: least l, or greatest t or r1 / (r_l + … + r_m), infinite without r_l.

    A missing or suppressed cell adds no variety: it counts as the most frequent value of its class. In a distance it is
    a value like the others.
    """
    if promise.measure == "equal":
        return diversity(classes.of_row, attribute.values, reference=attribute.reference).t
    if promise.measure == "ordered":
        return diversity(classes.of_row, attribute.values, reference=attribute.reference).t_ordered
    if promise.measure == "hierarchical":
        return _hierarchical(promise, classes, attribute)
    values = _filled(classes.of_row, attribute.values)
    if promise.measure == "recursive":
        return _recursive(promise.place, classes.of_row, values)
    found = diversity(classes.of_row, values)
    return float(found.distinct) if promise.measure == "distinct" else found.entropy


def _filled(of_row: Numbers, values: Numbers) -> Numbers:
    """The values with each unknown one as the most frequent known one of its class, if it has any."""
    known = values > 0
    if known.all():
        return values
    size = int(values.max()) + 1
    pairs, number = np.unique(of_row[known] * size + values[known], return_counts=True)
    place = pairs // size
    rising = np.lexsort((number, place))
    last = np.append(np.diff(place[rising]) > 0, np.ones(min(len(pairs), 1), np.bool_))
    frequent = np.zeros(int(of_row.max()) + 1, dtype=np.int64)
    frequent[place[rising][last]] = (pairs % size)[rising][last]
    return np.where(known, values, frequent[of_row])


def _recursive(place: int, of_row: Numbers, values: Numbers) -> float:
    """Greatest r1 / (r_l + … + r_m) of any class, its counts r falling."""
    size = int(values.max()) + 1
    pairs, number = np.unique(of_row * size + values, return_counts=True)
    _, of_pair = np.unique(pairs // size, return_inverse=True)
    falling = np.lexsort((-number, of_pair))
    number, of_pair = number[falling], of_pair[falling]
    first = np.flatnonzero(np.append(True, of_pair[1:] != of_pair[:-1]))
    rank = np.arange(len(number)) - first[of_pair]
    tail = np.bincount(of_pair, weights=np.where(rank >= place - 1, number, 0))
    return float("inf") if (tail == 0).any() else float((number[first] / tail).max())


def _hierarchical(promise: Promise, classes: Classes, attribute: Attribute) -> float:
    """Greatest distance of a class from the reference by the tree of values.

    Two values are as far apart as the level at which they meet, of H levels; the earth mover's distance is then the
    mean, over the levels below the root, of half the absolute differences of the shares of their labels.
    """
    hierarchy = build(promise.hierarchy, attribute.texts)
    total = np.zeros(int(classes.of_row.max()) + 1)
    leaves = np.arange(len(attribute.texts))
    for codes in (leaves, *hierarchy.codes[1:-1]):
        # What is missing meets the others at the root only.
        labels = np.append(0, np.asarray(codes, dtype=np.int64) + 1)
        expected: NDArray[Any] = np.bincount(labels, weights=attribute.reference)
        total += _apart(classes.of_row, labels[attribute.values], expected, len(total))
    return float(total.max()) / (hierarchy.levels - 1)


def _apart(of_row: Numbers, values: Numbers, expected: NDArray[np.float64], classes: int) -> Any:
    """Half the absolute differences of the shares in each class from those expected."""
    pairs, number = np.unique(of_row * len(expected) + values, return_counts=True)
    place, value = pairs // len(expected), pairs % len(expected)
    share = number / np.bincount(of_row, minlength=classes)[place]
    covered = np.bincount(place, weights=expected[value], minlength=classes)
    apart = np.bincount(place, weights=np.abs(share - expected[value]), minlength=classes)
    return (apart + 1 - covered) / 2
