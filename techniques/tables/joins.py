"""Whether the rows of one table find their counterparts in another: counts of keys, never the keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from techniques.tables import FileFormat, open_table

_ROWS = 65_536


@dataclass(frozen=True)
class JoinCounts:
    """Rows with a key, those of them without a counterpart, and the number of different keys on both sides.

    ``repeated`` are rows of the table referred to whose key an earlier row has already.
    """

    rows: int
    orphans: int
    keys: int
    target_keys: int
    repeated: int

    @property
    def joined(self) -> int:
        return self.rows - self.orphans

    @property
    def share(self) -> float:
        """The share of the rows with a key that have a counterpart; 1 where no row has a key."""
        return self.joined / self.rows if self.rows else 1.0

    def as_dict(self) -> dict[str, int]:
        return asdict(self)


def join_counts(source: Iterable[Any], target: Iterable[Any]) -> JoinCounts:
    """Count over two columns, each in parts (Arrow arrays of texts); a missing key refers to nothing."""
    held, parts = 0, []
    for part in target:
        present = part.drop_null()
        held += len(present)
        parts.append(pc.unique(present))
    known = pa.chunked_array(parts, pa.string()).unique()
    rows = orphans = 0
    keys: list[Any] = []
    for part in source:
        present = part.drop_null()
        rows += len(present)
        orphans += int(np.count_nonzero(~np.asarray(pc.is_in(present, known)).astype(bool)))
        keys.append(pc.unique(present))
    distinct = len(pa.chunked_array(keys, pa.string()).unique())
    return JoinCounts(rows, orphans, distinct, len(known), held - len(known))


def column_parts(stream: BinaryIO, table_format: FileFormat, column: str) -> Iterator[Any]:
    """One column of a table file, in parts."""
    with open_table(stream, table_format) as reader:
        place = list(reader.columns).index(column)
        for batch in reader.batches(_ROWS):
            yield batch.column(place)
