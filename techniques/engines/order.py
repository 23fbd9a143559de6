"""Rows in an order that the seed alone foretells, whatever their number: each part deals its rows into piles at random, and a
pile at a time is shuffled and written. So no more than a pile is held, and every order of all rows is equally likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.core.secrets import Secrets


def dealt(batch: pa.RecordBatch, secrets: Secrets, part: int, piles: int) -> Iterator[pa.RecordBatch]:
    """The rows of one part in ``piles`` pieces, each row in one of them by chance."""
    rows, ends = _piles(batch.num_rows, secrets, part, piles)
    sorted_rows = batch.take(pa.array(rows))
    for first, last in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        yield sorted_rows.slice(first, last - first)


def bundled(
    batch: pa.RecordBatch, secrets: Secrets, part: int, piles: int, together: int
) -> Iterator[pa.RecordBatch]:
    """The same pieces, ``together`` of them in one batch (at most 256), which says behind its columns of which of these each row is."""
    rows, ends = _piles(batch.num_rows, secrets, part, piles)
    sorted_rows = batch.take(pa.array(rows))
    for first in range(0, piles, together):
        bounds = ends[first : first + together + 1]
        number = np.repeat(np.arange(len(bounds) - 1, dtype=np.uint8), np.diff(bounds))
        bundle = sorted_rows.slice(bounds[0], bounds[-1] - bounds[0])
        yield bundle.append_column(_PILE, pa.array(number))


def gathered(
    parts: Sequence[pa.ipc.RecordBatchFileReader], secrets: Secrets, piles: int, together: int
) -> Iterator[pa.RecordBatch]:
    """All rows of ``parts``, each of which :func:`bundled` has written, a shuffled pile at a time."""
    for number, first in enumerate(range(0, piles, together)):
        bundle = pa.concat_batches([part.get_batch(number) for part in parts])
        pile = bundle.column(bundle.num_columns - 1).to_numpy()
        cells = bundle.select(range(bundle.num_columns - 1))
        # Those of the first part first, as they lie in the bundle.
        rows = np.argsort(pile, kind="stable")
        ends = np.cumsum(np.bincount(pile, minlength=min(together, piles - first)))
        for place, own in enumerate(np.split(rows, ends[:-1])):
            yield cells.take(pa.array(own[_shuffled(len(own), first + place, secrets)]))


def shuffled_pile(pile: pa.RecordBatch, number: int, secrets: Secrets) -> pa.RecordBatch:
    """All rows of one pile, those of the first part first, in the order in which they are written."""
    return pile.take(pa.array(_shuffled(pile.num_rows, number, secrets)))


_PILE = "pile"


def _piles(rows: int, secrets: Secrets, part: int, piles: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows of a part pile by pile, and the places (piles + 1) where each pile of them begins and ends."""
    drawn = secrets.uniform(f"row order part {part}", rows)
    pile = (drawn * piles).astype(np.int64)
    order = np.argsort(pile, kind="stable")
    return order, np.searchsorted(pile[order], np.arange(piles + 1))


def _shuffled(rows: int, number: int, secrets: Secrets) -> NDArray[np.int64]:
    """The places of the rows of a pile in the order in which they are written."""
    return np.argsort(secrets.uniform(f"row order pile {number}", rows), kind="stable")
