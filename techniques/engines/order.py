"""Rows in an order that the seed alone foretells, whatever their number: each part deals its rows into piles at random, and a
pile at a time is shuffled and written. So no more than a pile is held, and every order of all rows is equally likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from techniques.core.secrets import Secrets


def dealt(batch: pa.RecordBatch, secrets: Secrets, part: int, piles: int) -> Iterator[pa.RecordBatch]:
    """The rows of one part in ``piles`` pieces, each row in one of them by chance."""
    drawn = secrets.uniform(f"row order part {part}", batch.num_rows)
    pile = (drawn * piles).astype(np.int64)
    order = np.argsort(pile, kind="stable")
    ends = np.searchsorted(pile[order], np.arange(piles + 1))
    sorted_rows = batch.take(pa.array(order))
    for first, last in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        yield sorted_rows.slice(first, last - first)


def gathered(parts: Sequence[pa.ipc.RecordBatchFileReader], secrets: Secrets) -> Iterator[pa.RecordBatch]:
    """All rows of ``parts``, each written in equally many pieces, a shuffled pile at a time."""
    for number in range(parts[0].num_record_batches if parts else 0):
        pile = pa.concat_batches([part.get_batch(number) for part in parts])
        yield shuffled_pile(pile, number, secrets)


def shuffled_pile(pile: pa.RecordBatch, number: int, secrets: Secrets) -> pa.RecordBatch:
    """All rows of one pile, those of the first part first, in the order in which they are written."""
    drawn = secrets.uniform(f"row order pile {number}", pile.num_rows)
    return pile.take(pa.array(np.argsort(drawn, kind="stable")))
