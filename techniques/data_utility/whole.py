"""The table as a whole, original against released: what the classes look like, what the cells still tell, and how well a
model learns from it (GB/T 37964 5.5.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from techniques.core import faults
from techniques.core.messages import EngineError, _
from techniques.core.settings import Frozen
from techniques.core.tuples import TupleKeys
from techniques.tables.dictionary import EncodedColumn

STAR = "*"
_FOLDS = 5


class WholeTable(Frozen):
    """Figures of the whole table; shares are between 0 and 1.

    ``discernibility`` sums over records the size of their class, a suppressed record counting as all of them;
    ``average_class`` is records per class; ``entropy_kept`` is the share of a column's information (in bits) that the
    released column still has, one minus the non-uniform entropy loss.
    """

    rows: int
    suppressed_rows: float
    suppressed_cells: float
    classes: int
    average_class: float
    discernibility: float
    discernibility_share: float
    entropy_kept: dict[str, float]
    cells_kept: dict[str, float]


class ModelUtility(Frozen):
    """Accuracy of a naive Bayes classifier of ``target`` on records that it has not seen, trained on the original and on
    the released columns; ``guessing`` always says the most frequent value."""

    target: str
    original: float
    released: float
    guessing: float


def whole_table(
    original: dict[str, EncodedColumn], released: dict[str, EncodedColumn], qi: Sequence[str]
) -> WholeTable:
    """Compare two tables of the same n rows in the same order by the columns ``qi``. Raises EngineError
    ``rows_differ``, ``no_rows``."""
    n = comparable_rows(original, released, qi)
    after = [released[name] for name in qi]
    keys = TupleKeys([len(column.values) for column in after]).encode([column.codes for column in after])
    stars = np.array([star_of(column) for column in after])
    cells = np.array([column.codes == star for column, star in zip(after, stars, strict=True)])
    gone = cells.all(axis=0)
    _, sizes = np.unique(keys[~gone], return_counts=True)
    lost = float((sizes.astype(np.float64) ** 2).sum()) + float(gone.sum()) * n
    return WholeTable(
        rows=n,
        suppressed_rows=float(gone.mean()),
        suppressed_cells=float(cells.mean()),
        classes=len(sizes),
        average_class=float(sizes.mean()) if len(sizes) else 0.0,
        discernibility=lost,
        discernibility_share=lost / n / n,
        entropy_kept={name: _entropy_kept(original[name].codes, released[name].codes) for name in qi},
        cells_kept={name: _kept(original[name], released[name]) for name in qi},
    )


def model_utility(
    original: dict[str, EncodedColumn],
    released: dict[str, EncodedColumn],
    features: Sequence[str],
    target: str,
) -> ModelUtility:
    """Train on four fifths of the rows and test on the fifth, five times. The rows are dealt out by their number, so the
    same tables give the same figures. Values of a class are taken as categories."""
    n = comparable_rows(original, released, [*features, target])
    if n < _FOLDS:
        raise EngineError("too_few_rows", _("A model needs at least %(rows)d rows."), rows=_FOLDS)
    wanted, labels = np.unique(original[target].codes, return_inverse=True)
    fold = np.arange(n) % _FOLDS
    right = [
        _accuracy([table[name].codes for name in features], labels, len(wanted), fold)
        for table in (original, released)
    ]
    return ModelUtility(
        target=target, original=right[0], released=right[1], guessing=float(np.bincount(labels).max() / n)
    )


def comparable_rows(
    original: Mapping[str, EncodedColumn], released: Mapping[str, EncodedColumn], names: Sequence[str]
) -> int:
    """Rows of two tables that can be compared cell by cell. Raises EngineError ``column_missing``, ``rows_differ``,
    ``source_empty``."""
    for name in names:
        if name not in original or name not in released:
            raise faults.column_missing(name)
    counts = {len(table[name]) for table in (original, released) for name in names}
    if len(counts) != 1:
        raise EngineError(
            "rows_differ", _("Both tables need the same rows in the same order to be compared cell by cell.")
        )
    if counts == {0}:
        raise EngineError("source_empty", _("The source has no rows to compare with."))
    return counts.pop()


def star_of(column: EncodedColumn) -> int:
    """Code of the suppressed cells; -2 where there are none."""
    place = column.values.index(STAR).as_py()
    return place if place >= 0 else -2


def _entropy(codes: npt.NDArray[Any]) -> float:
    _, counts = np.unique(codes, return_counts=True)
    shares = counts / counts.sum()
    return float(-(shares * np.log2(shares)).sum())


def _entropy_kept(before: npt.NDArray[np.int32], after: npt.NDArray[np.int32]) -> float:
    """Mutual information of the two columns / entropy of the first; 1 for a constant column, which tells nothing."""
    whole = _entropy(before)
    if whole == 0:
        return 1.0
    joint = _entropy(before.astype(np.int64) * (int(after.max()) + 2) + after + 1)
    return min(max((whole + _entropy(after) - joint) / whole, 0.0), 1.0)


def _kept(before: EncodedColumn, after: EncodedColumn) -> float:
    """Share of the cells whose value is the same."""
    places = {value: i for i, value in enumerate(before.values.to_pylist())}
    same = np.array([places.get(value, -2) for value in after.values.to_pylist()] + [-1], dtype=np.int64)
    return float((same[after.codes] == before.codes).mean())


def _accuracy(
    columns: Sequence[npt.NDArray[np.int32]], labels: npt.NDArray[Any], classes: int, fold: npt.NDArray[Any]
) -> float:
    """Share of right answers of naive Bayes with Laplace's rule, over all folds."""
    right = 0
    sizes = [int(column.max()) + 2 for column in columns]
    flat = [labels * size + column + 1 for column, size in zip(columns, sizes, strict=True)]
    whole = [np.bincount(one, minlength=classes * size) for one, size in zip(flat, sizes, strict=True)]
    for number in range(_FOLDS):
        test = fold == number
        seen = np.bincount(labels[~test], minlength=classes).astype(np.float64)
        score = np.tile(np.log(seen + 1), (int(test.sum()), 1))
        for column, size, one, total in zip(columns, sizes, flat, whole, strict=True):
            counts = (total - np.bincount(one[test], minlength=classes * size)).reshape(classes, size)
            score += np.log((counts + 1) / (seen[:, None] + size))[:, column[test] + 1].T
        right += int((score.argmax(axis=1) == labels[test]).sum())
    return right / len(labels)
