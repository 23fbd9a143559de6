"""Rows in an order that the seed alone foretells, whatever their number: each part deals its rows into piles at random, and a
pile at a time is shuffled and written. So no more than a pile is held, and every order of all rows is equally likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.core.secrets import Secrets

BUNDLE_BYTES = 32 * 1024 * 1024
"""What the pieces of all parts that are held at once may take."""
MAX_BUNDLE = 64
"""Piles whose pieces are held at once, at most."""


def dealt(batch: pa.RecordBatch, secrets: Secrets, part: int, piles: int) -> Iterator[pa.RecordBatch]:
    """The rows of one part in ``piles`` pieces, each row in one of them by chance."""
    rows, ends = _piles(batch.num_rows, secrets, part, piles)
    sorted_rows = batch.take(pa.array(rows))
    for first, last in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        yield sorted_rows.slice(first, last - first)


def bundled(batch: pa.RecordBatch, secrets: Secrets, part: int, piles: int) -> Iterator[pa.RecordBatch]:
    """The same pieces, as many of them in one batch as may be held, which says behind its columns of which of these each row is; how
    many they are is in the schema."""
    together = max(1, min(MAX_BUNDLE, BUNDLE_BYTES // max(1, batch.nbytes)))
    rows, ends = _piles(batch.num_rows, secrets, part, piles)
    sorted_rows = batch.take(pa.array(rows)).replace_schema_metadata({_TOGETHER: str(together)})
    for first in range(0, piles, together):
        bounds = ends[first : first + together + 1]
        number = np.repeat(np.arange(len(bounds) - 1, dtype=np.uint8), np.diff(bounds))
        bundle = sorted_rows.slice(bounds[0], bounds[-1] - bounds[0])
        yield bundle.append_column(_PILE, pa.array(number))


def gathered(
    parts: Sequence[pa.ipc.RecordBatchFileReader], secrets: Secrets, piles: int
) -> Iterator[pa.RecordBatch]:
    """All rows of ``parts``, each of which :func:`bundled` has written, a shuffled pile at a time."""
    bundles = [_Bundles(part) for part in parts]
    for number in range(piles):
        pile = pa.concat_batches([one.piece(number) for one in bundles])
        yield shuffled_pile(pile, number, secrets)


class _Bundles:
    """The pieces of one part in their order; one bundle of them is held."""

    def __init__(self, part: pa.ipc.RecordBatchFileReader) -> None:
        self._part = part
        self._together = int(part.schema.metadata[_TOGETHER])
        self._number = -1

    def piece(self, pile: int) -> pa.RecordBatch:
        number, place = divmod(pile, self._together)
        if number != self._number:
            held = self._part.get_batch(number)
            last = held.num_columns - 1
            self._number, self._cells = number, held.select(range(last))
            of_rows = held.column(last).to_numpy()
            self._ends = np.searchsorted(of_rows, np.arange(self._together + 1)).tolist()
        first, end = self._ends[place : place + 2]
        return self._cells.slice(first, end - first)


def shuffled_pile(pile: pa.RecordBatch, number: int, secrets: Secrets) -> pa.RecordBatch:
    """All rows of one pile, those of the first part first, in the order in which they are written."""
    return pile.take(pa.array(_shuffled(pile.num_rows, number, secrets)))


_PILE = "pile"
_TOGETHER = b"piles"


def _piles(rows: int, secrets: Secrets, part: int, piles: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows of a part pile by pile, and the places (piles + 1) where each pile of them begins and ends."""
    drawn = secrets.uniform(f"row order part {part}", rows)
    pile = (drawn * piles).astype(np.int64)
    # Numbers of few digits are sorted digit by digit.
    order = np.argsort(pile.astype(np.min_scalar_type(piles)), kind="stable")
    return order, np.searchsorted(pile[order], np.arange(piles + 1))


def _shuffled(rows: int, number: int, secrets: Secrets) -> NDArray[np.int64]:
    """The places of the rows of a pile in the order in which they are written."""
    drawn = secrets.uniform(f"row order pile {number}", rows)
    order = np.argsort(drawn)
    ordered = drawn[order]
    if (ordered[1:] == ordered[:-1]).any():
        # Faster sorting leaves the order of equal draws open.
        return np.argsort(drawn, kind="stable")
    return order
