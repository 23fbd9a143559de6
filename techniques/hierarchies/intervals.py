"""Intervals of numbers and how they are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.values.numbers import format_numbers, parse_numbers, places, scaled


def interval_labels(
    values: Any, width: float, origin: float, inclusive: bool
) -> tuple[Any, NDArray[np.bool_]]:
    """``[20,30)`` or, for whole numbers, ``20-29``: the interval of each of n texts, and which could be read."""
    numbers = parse_numbers(values, places(width, origin))
    unit, start = scaled(width, numbers.scale), scaled(origin, numbers.scale)
    found, place = _distinct((numbers.unscaled - start) // unit)
    lower = found * unit + start
    valid = numbers.valid
    if inclusive:
        valid = valid & (numbers.unscaled % 10**numbers.scale == 0)
    return _written(lower, lower + unit, numbers.scale, inclusive).take(pa.array(place)), valid


def _distinct(bins: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct ones of n numbers, rising, and which of them each is; few intervals hold many values."""
    if not len(bins):
        return bins, bins
    lowest = int(bins.min())
    span = int(bins.max()) - lowest + 1
    if span > 4 * len(bins) + 1000:
        found, place = np.unique(bins, return_inverse=True)
        return found, place
    there = np.zeros(span, dtype=np.int64)
    there[bins - lowest] = 1
    return np.flatnonzero(there) + lowest, (np.cumsum(there) - 1)[bins - lowest]


def cut_labels(values: Any, cuts: Sequence[float], inclusive: bool) -> tuple[Any, NDArray[np.bool_]]:
    """The same between given boundaries; the ends are ``<18`` and ``>=65``."""
    numbers = parse_numbers(values, places(*cuts))
    edges = np.array([scaled(cut, numbers.scale) for cut in cuts], dtype=np.int64)
    valid = numbers.valid
    if inclusive:
        valid = valid & (numbers.unscaled % 10**numbers.scale == 0)
    names = _written(edges[:-1], edges[1:], numbers.scale, inclusive).to_pylist()
    ends = format_numbers(edges[[0, -1]], numbers.scale).to_pylist()
    labels = pa.array([f"<{ends[0]}", *names, f">={ends[1]}"], pa.string())
    return labels.take(pa.array(np.searchsorted(edges, numbers.unscaled, side="right"))), valid


def _written(lower: NDArray[np.int64], upper: NDArray[np.int64], scale: int, inclusive: bool) -> Any:
    first = format_numbers(lower, scale)
    if inclusive:
        return pc.binary_join_element_wise(first, format_numbers(upper - 10**scale, scale), "-")
    last = format_numbers(upper, scale)
    inner = pc.binary_join_element_wise(first, last, ",")
    return pc.binary_join_element_wise(pa.scalar("["), inner, pa.scalar(")"), "")
