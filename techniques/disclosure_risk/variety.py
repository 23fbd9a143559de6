"""l, t, β and δ of the sensitive columns of a table as it stands (GB/T 37964 B.1.2, B.1.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.core.messages import EngineError, _
from techniques.disclosure_risk.classes import CodedColumns, encode, ranks, row_keys
from techniques.disclosure_risk.diversity import (
    by_class,
    hierarchical,
    measured,
    recursive_bounds,
    recursive_l,
)
from techniques.disclosure_risk.measure import check_subjects
from techniques.disclosure_risk.persons import PersonValues
from techniques.values.dates import parse_dates
from techniques.values.numbers import parse_numbers

FORMULAS = {
    "distinct": "min over classes: number of values with p > 0",
    "entropy": "min over classes: exp(-Σ p·ln p)",
    "recursive": "r1 < c·(r_l + … + r_m) in every class, r in falling order",
    "t": "max over classes: ½·Σ |p - q| + min(u, v)",
    "t_ordered": "max over classes: 1/(m-1)·Σ |Σ (p - q)|",
    "t_hierarchical": "max over classes: 1/H·Σ over levels h < H: ½·Σ |p_h - q_h| + min(u, v)",
    "beta": "max over classes and values: (p - q)/q",
    "delta": "max over classes and values with p > 0: |ln(p/q)|",
    "alpha": "max over classes and values: p",
}
"""p: share of a value in the class, q: in the table; u, v: what unknown cells of the class and those elsewhere can move
(:mod:`techniques.disclosure_risk.diversity`)."""


@dataclass(frozen=True)
class VarietyOptions:
    """What to measure beside what needs no choice: ``ordered`` names columns whose values are in the order of texts
    where they are neither numbers nor dates, ``trees`` holds hierarchies by column, rows of a value and what stands
    above it, ``c`` is that of recursive (c,l)-diversity."""

    ordered: frozenset[str] = frozenset()
    trees: Mapping[str, Sequence[Sequence[str]]] = field(default_factory=dict)
    c: float | None = None


def variety(
    batches: Iterable[pa.RecordBatch],
    qi: Sequence[str],
    sensitive: Sequence[str],
    *,
    left_out: bool,
    options: VarietyOptions | None = None,
    subjects: NDArray[np.integer] | None = None,
    counts: NDArray[np.integer] | None = None,
) -> dict[str, dict[str, Any]]:
    """The figures of each sensitive column over the classes of ``qi``, with their formulas.

    Cells that are missing or ``*`` count by the stricter reading (:mod:`techniques.disclosure_risk.diversity`);
    ``unknown_rows`` says how many there are. The distance is from the whole table; ``t_ordered`` is given for numbers,
    for dates and where it is asked for. ``left_out`` leaves suppressed rows out of the classes. With ``subjects`` (whose each
    row is) classes have persons instead of rows, and one whose rows differ counts as one whose value is unknown
    (:class:`techniques.disclosure_risk.persons.PersonValues`); ``several_values`` says how many do, class by class. ``counts``
    says how many rows each row stands for. Raises EngineError ``value_not_in_hierarchy``.
    """
    options = options or VarietyOptions()
    coded = encode(batches, [*qi, *sensitive])
    if subjects is not None:
        check_subjects(subjects, coded.rows)
    m = len(qi)
    keys = row_keys(coded.codes[:m], coded.cardinality[:m], coded.rows)
    rows = ~coded.suppressed_rows(m) if left_out else np.ones(coded.rows, dtype=bool)
    class_of = ranks(keys if rows.all() else keys[rows], prod(coded.cardinality[:m]))
    del keys
    return {
        column: _of_column(coded, m + number, class_of, rows, options, subjects, counts)
        for number, column in enumerate(sensitive)
    }


def _of_column(
    coded: CodedColumns,
    place: int,
    class_of: NDArray[Any],
    rows: NDArray[np.bool_],
    options: VarietyOptions,
    subjects: NDArray[np.integer] | None,
    weights: NDArray[np.integer] | None,
) -> dict[str, Any]:
    column, codes = coded.columns[place], coded.codes[place]
    unknown = (codes == 0) | (codes == coded.suppressed_code[place])
    seen = np.unique(codes[~unknown])
    texts = coded.texts[place].take(pa.array(seen - 1))
    order, in_order = _order(texts)
    # The unknown value is number 0, before all others.
    number = np.zeros(coded.cardinality[place], dtype=np.int64)
    number[seen[order]] = np.arange(1, len(seen) + 1)
    values = np.where(unknown, 0, number[codes])
    total = len(values) if weights is None else int(weights.sum())
    reference = np.bincount(values, weights, minlength=len(seen) + 1) / max(total, 1)
    figures: dict[str, Any] = dict.fromkeys(("distinct", "entropy"), 0)
    tree = options.trees.get(column)
    levels = _levels(column, texts.take(pa.array(order)), tree) if tree is not None else None
    if not len(class_of):
        figures |= {"recursive": _recursive(None, options.c)}
        figures |= dict.fromkeys(("t", "t_ordered", "t_hierarchical", "beta", "delta", "alpha"), 0.0)
    else:
        if subjects is None:
            counted = None if weights is None else weights[rows]
            found = by_class(class_of, values[rows], counted, reference, 0, total)
        else:
            every = np.full(len(values), -1, dtype=np.int64)
            every[rows] = class_of
            whose = PersonValues.of(every, subjects, values, len(seen) + 1, 0)
            found = by_class(whose.class_of, whose.value, None, whose.reference, 0, whose.total)
            figures["several_values"] = whose.several
        figures |= {"recursive": {}} | measured(found).as_dict()
        figures["recursive"] = _recursive(found, options.c)
        if levels is not None:
            figures["t_hierarchical"] = hierarchical(found, levels)
    if not in_order and column not in options.ordered:
        del figures["t_ordered"]
    if levels is None:
        figures.pop("t_hierarchical", None)
    lost = int(unknown.sum() if weights is None else weights[unknown].sum())
    formulas = {name: FORMULAS[name] for name in figures if name in FORMULAS}
    return {**figures, "unknown_rows": lost, "formulas": formulas}


def _recursive(found: Any, c: float | None) -> dict[str, Any]:
    """For a ``c`` the greatest l; else for each l, as text, what c has to be above."""
    if c is not None:
        return {"c": c, "l": 0 if found is None else recursive_l(found, c)}
    return {} if found is None else {str(least): bound for least, bound in recursive_bounds(found).items()}


def _order(texts: pa.Array) -> tuple[NDArray[np.int64], bool]:
    """The order of the texts as numbers or dates, then as texts; and whether they are numbers or dates."""
    plain = np.array(pc.sort_indices(texts)).astype(np.int64)
    if len(texts) == 0:
        return plain, False
    rank = np.empty(len(texts), dtype=np.int64)
    rank[plain] = np.arange(len(texts))
    numbers = parse_numbers(texts)
    if numbers.valid.all():
        return np.lexsort((rank, numbers.unscaled)), True
    dates = parse_dates(texts)
    if dates.valid.all():
        return np.lexsort((rank, dates.day, dates.month, dates.year)), True
    return plain, False


def _levels(column: str, texts: pa.Array, tree: Sequence[Sequence[str]]) -> list[NDArray[np.int64]]:
    """The node of each value, after the unknown one, at each level below the root."""
    rows = {row[0]: row for row in tree}
    names = texts.to_pylist()
    misses = sum(name not in rows for name in names)
    if misses:
        text = _("Column %(column)s: the hierarchy misses %(count)d of its values.")
        raise EngineError("value_not_in_hierarchy", text, column=column, count=misses)
    width = len(tree[0])
    rooted = width > 1 and len({row[-1] for row in tree}) == 1
    found = []
    for level in range(width - rooted):
        nodes: dict[str, int] = {}
        codes = [nodes.setdefault(rows[name][level], len(nodes) + 1) for name in names]
        found.append(np.array([0, *codes], dtype=np.int64))
    return found
