"""How varied the sensitive attributes are within the classes of the written result (B.1.2, B.1.3).

Reads the written file anew and shares nothing with the search: classes are formed as for k, by all quasi-identifiers
of the result. Works in the worker; rows stay in arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.core.messages import EngineError, gettext_noop
from techniques.core.tuples import numbered_keys
from techniques.disclosure_risk.classes import SUPPRESSED, row_keys
from techniques.disclosure_risk.diversity import ByClass, by_class
from techniques.disclosure_risk.persons import PersonValues
from techniques.hierarchies.build import build
from techniques.tables import neutralise_column
from techniques.tables.dictionary import EncodedColumn
from techniques.values.dates import parse_dates
from techniques.values.numbers import parse_numbers

if TYPE_CHECKING:
    from techniques.core.subjects import Subjects
    from techniques.hierarchies.definitions import HierarchyDefinition

    from .case import Table

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
    ``reference`` (V,) are the shares of all values in the table to compare with, of ``total`` rows, ``texts`` the
    values from 1 on.

    ``strange`` counts cells whose value does not occur in that table at all. Where persons are counted, ``whose`` (n,) says
    whose each row is, and in ``reference`` each of ``total`` persons weighs one.
    """

    values: Numbers
    reference: NDArray[np.float64]
    total: float
    texts: Any
    strange: int
    whose: Subjects | None = None

    @property
    def unknown(self) -> int:
        """Rows in which the attribute is missing or suppressed."""
        return int((self.values == 0).sum())

    def of_rows(self, rows: NDArray[np.bool_]) -> Attribute:
        """The attribute of some rows, against the same reference."""
        whose = None if self.whose is None else self.whose[rows]
        return replace(self, values=self.values[rows], whose=whose)

    def by_person(self, of_row: Numbers) -> PersonValues | None:
        """The value of each person in each class, unknown where its rows there have several; None where rows are counted."""
        if self.whose is None:
            return None
        return PersonValues.of(of_row, self.whose, self.values, len(self.reference), 0)

    def by_class(self, of_row: Numbers) -> ByClass:
        """How often each value stands in each class, by rows or by persons; what is missing or suppressed is unknown."""
        found = self.by_person(of_row)
        place, values = (of_row, self.values) if found is None else (found.class_of, found.value)
        return by_class(place, values, reference=self.reference, unknown=0, total=self.total)


def read(
    table: Table, quasi: Sequence[str], sensitive: Sequence[str], tick: Callable[[int], None]
) -> tuple[Classes, dict[str, EncodedColumn]]:
    """Classes and sensitive columns of ``table``; without quasi-identifiers all rows are one class.

    EngineError ``no_rows`` for an empty table.
    """
    coded = table.coded([*quasi] or list(sensitive[:1]), tick)
    if coded.rows == 0:
        raise EngineError("no_rows", gettext_noop("The table has no rows, so there is no risk to measure."))
    columns = table.encoded(sensitive)
    if not quasi:
        return Classes(np.zeros(coded.rows, np.int64), np.zeros(coded.rows, np.bool_)), columns
    _, of_row = numbered_keys(row_keys(coded.codes, coded.cardinality, coded.rows))
    return Classes(of_row, coded.suppressed_rows()), columns


def classes_of(columns: Sequence[EncodedColumn]) -> Numbers:
    """The class of each of n rows by ``columns``, from 0; a missing value is one of its own."""
    missing_first = [column.codes + 1 for column in columns]
    keys = row_keys(missing_first, [len(column.values) + 1 for column in columns], len(columns[0]))
    return numbered_keys(keys)[1]


def attribute_of(
    column: EncodedColumn,
    reference: EncodedColumn | None,
    whose: Subjects | None = None,
    whose_reference: Subjects | None = None,
) -> Attribute:
    """The written ``column`` against the distribution of ``reference``, or against its own where there is none; by persons
    where ``whose`` and ``whose_reference`` say whose the rows of both are."""
    other, others = (column, whose) if reference is None else (reference, whose_reference)
    texts = _known(pa.chunked_array([_texts(column), _texts(other)]).unique())
    texts = texts.take(pa.array(_order(texts)))
    expected = np.bincount(_numbered(other, texts), minlength=len(texts) + 1) / max(len(other), 1)
    values = _numbered(column, texts)
    strange, total = int((expected[values] == 0).sum()), float(len(other))
    if others is not None:
        nowhere = np.full(len(other), -1, dtype=np.int64)
        table = PersonValues.of(nowhere, others, _numbered(other, texts), len(texts) + 1, 0)
        expected, total = table.reference, table.total
    return Attribute(values, expected, total, texts, strange, whose)


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
    numbers = parse_numbers(texts)
    if numbers.valid.all():
        return np.lexsort((by_text, numbers.unscaled))
    dates = parse_dates(texts)
    if dates.valid.all():
        return np.lexsort((by_text, dates.day, dates.month, dates.year))
    return np.argsort(by_text)


def levels_of(definition: HierarchyDefinition, attribute: Attribute) -> list[Numbers]:
    """The node of every value at each level below the root; what is missing meets the others at the root only."""
    hierarchy = build(definition, attribute.texts)
    if hierarchy.unfit.any():  # a source that is a result itself has its apostrophes in the hierarchy too
        texts = pc.if_else(pa.array(hierarchy.unfit), neutralise_column(attribute.texts), attribute.texts)
        hierarchy = build(definition, texts)
    leaves = np.arange(len(attribute.texts))
    return [np.append(0, np.asarray(codes, dtype=np.int64) + 1) for codes in (leaves, *hierarchy.codes[1:-1])]


def level_share(levels: Mapping[str, int], classes: ByClass, attribute: Attribute) -> float:
    """The greatest share that one sensitivity level has in a class, where every value without one may be of it."""
    given = pa.array(list(levels), pa.string())
    places = np.unique([0, *levels.values()], return_inverse=True)[1]  # 0: no level
    # A source that is a result itself has its apostrophes in the list too.
    plain, written = (
        pc.fill_null(pc.index_in(texts, given), -1).to_numpy(zero_copy_only=False)
        for texts in (attribute.texts, neutralise_column(attribute.texts))
    )
    at = np.where(plain >= 0, plain, written)
    level = np.append(0, np.where(at >= 0, places[at + 1], 0))
    number = int(places.max()) + 1
    rows = np.zeros((len(classes.rows), number))
    np.add.at(rows, (classes.place, level[classes.value]), classes.number)
    most = rows[:, 0] + rows[:, 1:].max(axis=1)
    return float((most / classes.rows).max())
