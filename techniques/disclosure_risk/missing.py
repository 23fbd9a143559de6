"""The looser reading of missing values: a cell that is missing may be anything, so its row looks like more others.

Verification holds to the stricter one, in which missing is a value of its own; this measures the difference.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from techniques.disclosure_risk.classes import row_keys
from techniques.disclosure_risk.report import Figures, MissingFigures

_MOST_WORK = 50_000_000
"""Classes times patterns of missing cells; beyond it the figures are left out."""


def matching_anything(
    codes: npt.NDArray[np.int32],
    cardinality: Sequence[int],
    sizes: npt.NDArray[np.int64],
    thresholds: Sequence[float],
) -> MissingFigures | None:
    """Figures over classes given by their ``codes`` (m, c; 0 is missing) and ``sizes`` (c).

    None where nothing is missing, or the patterns are too many. The rows that a row looks like are those that agree
    with it in every column that both have; "looks like" is then no equivalence, so there are no classes.
    """
    m, classes = codes.shape
    missing = codes == 0
    if classes == 0 or m > 62 or not missing.any():
        return None
    mask = (missing.astype(np.int64) << np.arange(m)[:, None]).sum(axis=0)
    patterns, pattern_of = np.unique(mask, return_inverse=True)
    if classes * len(patterns) > _MOST_WORK:
        return None
    alike = np.zeros(classes, dtype=np.int64)
    inside = [np.flatnonzero(pattern_of == number) for number in range(len(patterns))]
    for mine, here in zip(patterns.tolist(), inside, strict=True):
        for theirs, there in zip(patterns.tolist(), inside, strict=True):
            both = [column for column in range(m) if not (mine | theirs) >> column & 1]
            alike[here] += _matches(codes, cardinality, sizes, both, here, there)
    found = Figures.of_matches(sizes, alike, tuple(thresholds))
    return MissingFigures(
        rows_with_missing=int(sizes[missing.any(axis=0)].sum()),
        k=found.k,
        max_risk=found.max_risk,
        average_risk=found.average_risk,
        at_risk=found.at_risk,
        figures=found,
    )


def _matches(
    codes: npt.NDArray[np.int32],
    cardinality: Sequence[int],
    sizes: npt.NDArray[np.int64],
    columns: list[int],
    here: npt.NDArray[np.int64],
    there: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:
    """For each class of ``here`` the rows in those of ``there`` that agree with it in ``columns``."""
    if not columns:
        return np.full(len(here), sizes[there].sum(), dtype=np.int64)
    every = np.concatenate([here, there])
    keys = row_keys([codes[c][every] for c in columns], [cardinality[c] for c in columns], len(every))
    _, number = np.unique(keys, return_inverse=True)
    total = np.bincount(number[len(here) :], weights=sizes[there], minlength=int(number.max()) + 1)
    found: npt.NDArray[np.int64] = total[number[: len(here)]].astype(np.int64)
    return found
