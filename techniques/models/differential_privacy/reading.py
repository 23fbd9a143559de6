"""The cell and the number of each row, by what the question states: nothing that the data hold can stop an answer or change its form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.data_utility.numbers import PLAIN
from techniques.models.differential_privacy.question import Dimension, Question

Whole = NDArray[np.int64]


class Cells(NamedTuple):
    """The cell (n,) of each row, -1 where it is in none, and the labels of each cell (one for each dimension)."""

    place: Whole
    labels: list[tuple[str, ...]]


def texts(table: pa.Table, column: str) -> pa.Array:
    """A column as texts; null where there is no value."""
    found = table.column(column)
    if pa.types.is_dictionary(found.type):
        found = found.cast(found.type.value_type)
    found = found.cast(pa.string()).combine_chunks()
    found = found if isinstance(found, pa.Array) else pa.concat_arrays(found.chunks)
    return pc.if_else(pc.equal(found, ""), None, found)


def numbers(table: pa.Table, column: str) -> NDArray[np.float64]:
    """A column as numbers (n,), NaN where a text is none: intervals and words count as missing."""
    given = texts(table, column)
    plain = pc.fill_null(pc.match_substring_regex(given, PLAIN), False).to_numpy(zero_copy_only=False)
    found = np.full(len(given), np.nan)
    if plain.any():
        found[plain] = (
            pc.utf8_ltrim(given.filter(pa.array(plain)), "+")
            .cast(pa.float64())
            .to_numpy(zero_copy_only=False)
        )
    return found


def positions(table: pa.Table, column: str, values: Sequence[str]) -> Whole:
    """The place (n,) of each row's value among ``values``, -1 for others."""
    found = pc.index_in(texts(table, column), value_set=pa.array(values, pa.string()))
    places: Whole = pc.fill_null(found, -1).to_numpy(zero_copy_only=False).astype(np.int64)
    return places


def looked_at(table: pa.Table, question: Question) -> NDArray[np.bool_]:
    """The rows (n,) that the question's conditions let through."""
    found = np.ones(table.num_rows, np.bool_)
    for column, values in question.where.items():
        found &= positions(table, column, values) >= 0
    return found


def cells(table: pa.Table, question: Question) -> Cells:
    """The cell of each row. Where groups are not stated these are the ones that occur: for the threshold alone, never for an answer."""
    if question.finds_keys:
        return _occurring(table, question)
    place = np.where(looked_at(table, question), 0, -1).astype(np.int64)
    labels: list[tuple[str, ...]] = [()]
    for one in question.by:
        names = one.labels or []
        here = _place(table, one)
        place = np.where((place < 0) | (here < 0), -1, place * len(names) + here)
        labels = [(*before, name) for before in labels for name in names]
    return Cells(place, labels)


def _place(table: pa.Table, dimension: Dimension) -> Whole:
    if dimension.edges is None:
        return positions(table, dimension.column, dimension.values or [])
    values = numbers(table, dimension.column)
    edges = np.array(dimension.edges)
    found = np.searchsorted(edges, values, side="right") - 1
    found = np.where(values == edges[-1], len(edges) - 2, found)
    return np.where((values >= edges[0]) & (values <= edges[-1]), found, -1).astype(np.int64)


def _occurring(table: pa.Table, question: Question) -> Cells:
    place = np.where(looked_at(table, question), 0, -1).astype(np.int64)
    labels: list[tuple[str, ...]] = [()]
    for one in question.by:
        if one.labels is None:
            coded = pc.dictionary_encode(texts(table, one.column))
            names = coded.dictionary.to_pylist()
            here = pc.fill_null(coded.indices, -1).to_numpy(zero_copy_only=False).astype(np.int64)
        else:
            names, here = one.labels, _place(table, one)
        whole = np.where((place < 0) | (here < 0), -1, place * max(len(names), 1) + here)
        used, number = np.unique(whole[whole >= 0], return_inverse=True)
        place = np.full(len(whole), -1, np.int64)
        place[whole >= 0] = number.reshape(-1)
        labels = [
            (*labels[one_used // len(names)], names[one_used % len(names)]) for one_used in used.tolist()
        ]
    return Cells(place, labels)


def amounts(table: pa.Table, question: Question) -> tuple[Whole, NDArray[np.bool_]]:
    """(the values (n,) clamped to the bounds and rounded to steps, which rows have one)."""
    assert question.column is not None
    found = numbers(table, question.column)
    low, high = question.steps
    there = ~np.isnan(found)
    clamped = np.clip(np.round(np.where(there, found, 0.0) / question.width), low, high)
    return clamped.astype(np.int64), there
