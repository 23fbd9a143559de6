"""From a hierarchy's definition and the distinct values of a column to lookup tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.core.operations import UnfitText
from techniques.core.tuples import Codes
from techniques.hierarchies import ROOT, definitions
from techniques.hierarchies.intervals import interval_labels
from techniques.values import buffers
from techniques.values.dates import parse_dates, period_labels
from techniques.values.numbers import parse_numbers
from techniques.values.regions import region_codes, region_levels
from techniques.values.unfit import NOT_A_DATE, NOT_A_DIVISION, NOT_A_NUMBER, NOT_IN_HIERARCHY

_MOST_WIDTHS = 12


@dataclass(frozen=True)
class Hierarchy:
    """Lookup tables for n values over L levels, from the value itself to ``*``.

    ``labels[l]`` are the distinct labels of level l, ``codes[l][v]`` says which of them value v falls
    under, ``leaves[l][c]`` how many of the hierarchy's ``size`` leaves lie under label c. ``unfit`` marks
    values that the definition does not cover; they fall under the root at the last level and under a label
    of their own (null) below it.
    """

    labels: list[Any]
    codes: list[Codes]
    leaves: list[NDArray[np.int64]]
    size: int
    unfit: NDArray[np.bool_]
    unfit_text: UnfitText | None

    @property
    def levels(self) -> int:
        """Number of levels, level 0 and the last included."""
        return len(self.labels)


def build(definition: definitions.ModelHierarchy, values: Any) -> Hierarchy:
    """Build the tables for ``values``, a string array of n distinct values without nulls.

    A last level ``*`` is added where the definition has none. The leaves of an explicit table are its rows,
    those of a computed hierarchy the values themselves.
    """
    if isinstance(definition, definitions.Free):
        definition = automatic(values)
    if isinstance(definition, definitions.Table):
        return _from_table(definition, values)
    levels, valid, text = _computed(definition, values)
    return _assemble([values, *levels], ROOT, int(valid.sum()), ~valid, text, None)


def automatic(values: Any) -> definitions.HierarchyDefinition:
    """A hierarchy for a column that has none: intervals of doubling width for numbers, else value and ``*``."""
    numbers = parse_numbers(values)
    if len(values) < 2 or not numbers.valid.all():
        return definitions.Star()
    unscaled = np.sort(np.asarray(numbers.unscaled, dtype=np.float64)) / 10.0**numbers.scale
    width = 10.0 ** np.ceil(np.log10(max(float(np.median(np.diff(unscaled))), 1e-9) * 2)) / 2
    widths = [width]
    while widths[-1] * 2 < unscaled[-1] - unscaled[0] and len(widths) < _MOST_WIDTHS:
        widths.append(widths[-1] * 2)
    return definitions.Intervals(kind="intervals", widths=widths)


@dataclass(frozen=True)
class Level:
    """Labels of n values at one level, which values the definition does not cover, and what to say of them."""

    labels: Any
    unfit: NDArray[np.bool_]
    unfit_text: UnfitText | None


def level_count(definition: definitions.HierarchyDefinition) -> int:
    """Number of levels, level 0 and the last included, whatever the values are."""
    if isinstance(definition, definitions.Table):
        width = len(definition.rows[0])
        rooted = width > 1 and len({row[-1] for row in definition.rows}) == 1
        return width if rooted else width + 1
    if isinstance(definition, definitions.Star):
        return 2
    if isinstance(definition, definitions.Intervals):
        return len(definition.widths) + 2
    return len(definition.characters if isinstance(definition, definitions.Masks) else definition.units) + 2


def build_level(definition: definitions.HierarchyDefinition, values: Any, level: int) -> Level:
    """One level alone, 0 to :func:`level_count` - 1: as :func:`build` has it, without the tables of the others."""
    if isinstance(definition, definitions.Table):
        hierarchy = _from_table(definition, values)
        labels = hierarchy.labels[level].take(pa.array(hierarchy.codes[level]))
        return Level(labels, hierarchy.unfit, hierarchy.unfit_text)
    inner = 1 <= level < level_count(definition) - 1
    levels, valid, text = _computed(definition, values, level - 1 if inner else None)
    if inner:
        labels = levels[level - 1 if len(levels) > 1 else 0]
    else:
        labels = values if level == 0 else pa.repeat(ROOT, len(values))
    return Level(labels, ~valid, text)


def _computed(
    definition: Any, values: Any, only: int | None = None
) -> tuple[list[Any], NDArray[np.bool_], UnfitText | None]:
    """Labels of the levels between the value and ``*``, which values fit, and what to say of the others.

    With ``only`` the labels of the others may be left out.
    """
    valid = np.ones(len(values), dtype=bool)
    levels: list[Any] = []
    if isinstance(definition, definitions.Star):
        return levels, valid, None
    if isinstance(definition, definitions.Intervals):
        for width in definition.widths if only is None else definition.widths[only : only + 1]:
            labels, valid = interval_labels(
                values, width, definition.origin, definition.notation == "inclusive"
            )
            levels.append(labels)
        return levels, valid & parse_numbers(values).valid, NOT_A_NUMBER
    if isinstance(definition, definitions.Dates):
        dates = parse_dates(values)
        units = definition.units if only is None else definition.units[only : only + 1]
        return [period_labels(dates, unit) for unit in units], dates.valid, NOT_A_DATE
    if isinstance(definition, definitions.Masks):
        hidden = definition.characters if only is None else definition.characters[only : only + 1]
        return _masks(definition, values, hidden), valid, None
    assert isinstance(definition, definitions.Regions)
    if definition.form == "code":
        found = [region_codes(values, unit) for unit in definition.units]
    else:
        found = region_levels(values, definition.units)
    for labels, reached in found:
        valid = valid & reached
        levels.append(labels)
    return levels, valid, NOT_A_DIVISION


def _masks(definition: definitions.Masks, values: Any, characters: Sequence[int]) -> list[Any]:
    """Ever more characters hidden from one end; what is left of the value follows from the value alone."""
    length = np.asarray(pc.utf8_length(values)).astype(np.int64)
    nothing = np.zeros(len(values), dtype=np.int64)
    levels = []
    for hidden in characters:
        kept = np.maximum(length - hidden, 0)
        head, tail = (kept, nothing) if definition.side == "right" else (nothing, kept)
        levels.append(buffers.hidden(values, head, tail, definition.character, -1))
    return levels


def _from_table(definition: definitions.Table, values: Any) -> Hierarchy:
    columns = [pa.array(column, pa.string()) for column in zip(*definition.rows, strict=True)]
    rows = len(definition.rows)
    rooted = len(columns) > 1 and len(pc.unique(columns[-1])) == 1
    root = columns.pop()[0].as_py() if rooted else ROOT
    position = pc.index_in(values, columns[0])
    unfit = np.asarray(pc.is_null(position)).astype(bool)
    # Leaves are those of the whole table, whether or not the data hold them.
    counts = [pc.value_counts(column) for column in columns]
    levels = [column.take(position) for column in columns]
    return _assemble(levels, root, rows, unfit, NOT_IN_HIERARCHY, counts)


def _assemble(
    levels: list[Any],
    root: str,
    size: int,
    unfit: NDArray[np.bool_],
    text: UnfitText | None,
    leaf_counts: list[Any] | None,
) -> Hierarchy:
    """Encode the labels of each level, count the leaves under each label, and put the root on top."""
    labels, codes, leaves = [], [], []
    absent = pa.array(unfit) if unfit.any() else None
    for number, level in enumerate(levels):
        if number == 0 and absent is None and leaf_counts is None:
            # The values themselves, each of them once.
            names, level_codes = level, np.arange(len(level), dtype=np.int32)
        else:
            fitting = level if absent is None else pc.if_else(absent, pa.scalar(None, pa.string()), level)
            encoded = fitting.dictionary_encode(null_encoding="encode")
            names = encoded.dictionary
            level_codes = np.array(encoded.indices).astype(np.int32)
        if leaf_counts is None:
            under = np.bincount(level_codes, weights=~unfit, minlength=len(names)).astype(np.int64)
        else:
            found = leaf_counts[number]
            place = pc.index_in(names, found.field("values"))
            under = np.array(found.field("counts").take(place).fill_null(0)).astype(np.int64)
        labels.append(names)
        codes.append(level_codes)
        leaves.append(under)
    labels.append(pa.array([root], pa.string()))
    codes.append(np.zeros(len(unfit), dtype=np.int32))
    leaves.append(np.array([size], dtype=np.int64))
    return Hierarchy(labels, codes, leaves, size, unfit, text)
