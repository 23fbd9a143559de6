"""Whether rows stand in the order of their source: forwards, backwards, with rows gone, with a few moved, by chance."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from techniques.identification.traces.order import _rising, in_order
from techniques.tables.dictionary import EncodedColumn

ROWS = 200


def column(values: list[str]) -> EncodedColumn:
    encoded = pa.array(values).dictionary_encode()
    return EncodedColumn(np.asarray(encoded.indices).astype(np.int32), encoded.dictionary)


def table(rows: list[int]) -> dict[str, EncodedColumn]:
    return {
        "amount": column([f"{row * 37 % 1009}" for row in rows]),
        "ward": column([f"w{row % 3}" for row in rows]),
    }


SOURCE = list(range(ROWS))
SHUFFLED = np.random.default_rng(1).permutation(ROWS).tolist()


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (SOURCE, True),
        (SOURCE[::-1], True),
        ([ROWS - 1, *SOURCE[:-1]], True),
        (SOURCE[10:], True),
        ([ROWS - 1, *SOURCE[10:-1]], True),
        ([row for row in SOURCE if row % 5], True),
        ([row for row in SOURCE[::-1] if row % 5], True),
        (SHUFFLED, False),
        (SHUFFLED[:120], False),
        (SOURCE[:10], None),
    ],
)
def test_the_order_of_the_source(rows: list[int], found: bool | None) -> None:
    assert in_order(table(SOURCE), table(rows)) is found


def test_the_longest_rising_sequence() -> None:
    draw = np.random.default_rng(2)
    for _ in range(50):
        numbers = draw.permutation(8)
        longest = max(
            len(chosen)
            for mask in range(256)
            if (chosen := [int(n) for i, n in enumerate(numbers) if mask >> i & 1]) == sorted(chosen)
        )
        assert _rising(numbers.astype(np.int64)) == longest
