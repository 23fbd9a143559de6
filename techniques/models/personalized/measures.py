"""What a release loses and what can be recognised in it (Cao et al. 2018, section 3.4), and what its classes hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from techniques.core.tuples import Codes
from techniques.models.k_anonymity.grouping import looked_up
from techniques.models.local_recoding.costs import covering
from techniques.models.local_recoding.shapes import Shape, costs_of
from techniques.models.personalized.sensitivity import Numbers, Sensitivity


class Held(NamedTuple):
    """What the worst class has: ``k`` rows, ``l`` different values, ``alpha`` the share of one sensitivity level."""

    k: int
    l: int  # noqa: E741 - the model's own letter
    alpha: float


def held(class_of: NDArray[np.integer], values: Numbers, sensitivity: Sensitivity) -> Held:
    """Counted from the rows, by the definitions; ``class_of`` (n,) numbers at least one class, -1 for rows of none."""
    kept = class_of >= 0
    _classes, place = np.unique(class_of[kept], return_inverse=True)
    sizes = np.bincount(place)
    of_values = _table(place, values[kept], len(sizes), len(sensitivity.values))
    of_levels = _table(place, sensitivity.levels[values[kept]], len(sizes), sensitivity.height + 1)
    share = of_levels.max(axis=1) / sizes
    return Held(int(sizes.min()), int((of_values > 0).sum(axis=1).min()), float(share.max()))


def recognition_rate(class_of: NDArray[np.integer], written: Numbers, under: Numbers) -> float:
    """ARR (definitions 9 to 11): mean over classes of the mean over their rows of |(s, M)| / (|M| · |f(s)|).

    ``written`` (n,) are nodes, ``under`` the leaves under each. Rows of class -1 are in none.
    """
    kept = class_of >= 0
    _classes, place = np.unique(class_of[kept], return_inverse=True)
    sizes = np.bincount(place)
    same = _table(place, written[kept], len(sizes), len(under)).astype(np.float64)
    return float(((same**2 / under).sum(axis=1) / sizes.astype(np.float64) ** 2).mean())


def quasi_loss(shapes: Sequence[Shape], codes: Sequence[Codes], class_of: NDArray[np.int32]) -> float:
    """NCP (definitions 7, 8) of n rows in their quasi-identifiers, summed over rows and columns; 1 for a cell of no class."""
    classes = int(class_of.max(initial=-1)) + 1
    cells = np.column_stack(
        [looked_up(shape.place, column) for shape, column in zip(shapes, codes, strict=True)]
    )
    columns = costs_of(shapes, [1.0] * len(shapes), True).columns
    extents = covering(columns, cells.astype(np.uint32), class_of.astype(np.int32), classes)
    rows = np.bincount(class_of[class_of >= 0], minlength=classes)
    used = np.flatnonzero(rows)
    lost = float((class_of < 0).sum() * len(shapes))
    for number, shape in enumerate(shapes):
        first, last = extents.first[used, number], extents.last[used, number]
        lost += float(shape.penalty(first, last) @ rows[used])
    return lost


def sensitive_loss(written: Numbers, under: Numbers, leaves: int) -> float:
    """NCP of the rows in their sensitive attribute of so many ``leaves``, summed; 0 for a value that is kept."""
    each = under[written]
    return float(np.where(each > 1, each / leaves, 0.0).sum())


def _table(place: NDArray[np.integer], values: Numbers, classes: int, size: int) -> NDArray[np.int64]:
    """Rows by class and value."""
    found = np.bincount(place.astype(np.int64) * size + values, minlength=classes * size)
    return found.reshape(classes, size)
