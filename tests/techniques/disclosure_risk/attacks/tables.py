"""Tables of few lines for the tests of attacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from techniques.disclosure_risk.attacks.targets import Tables
from techniques.tables.dictionary import EncodedColumn, dictionary_encode

Rows = Mapping[str, Sequence[object]]


def encoded(columns: Rows) -> dict[str, EncodedColumn]:
    return {
        name: dictionary_encode(pa.array([None if one is None else str(one) for one in cells], pa.string()))
        for name, cells in columns.items()
    }


def tables(
    source: Rows,
    result: Rows,
    who: Sequence[int] | None = None,
    whose: Sequence[int] | None = None,
    *,
    in_order: bool = False,
    made_up: bool = False,
) -> Tables:
    """Source and result; ``in_order``: each record is of the person of the row in its place."""
    rows = len(next(iter(source.values())))
    people = np.arange(rows) if who is None else np.asarray(who, dtype=np.int64)
    records = people if in_order else None if whose is None else np.asarray(whose, dtype=np.int64)
    return Tables.of_columns(encoded(source), encoded(result), people, records, made_up=made_up)


def population(rows: int, seed: int) -> dict[str, list[object]]:
    """Persons of one kind: more are drawn from the same distribution by another seed."""
    chance = np.random.default_rng(seed)
    age = chance.integers(18, 90, rows)
    return {
        "age": age.tolist(),
        "sex": chance.choice(["m", "f"], rows).tolist(),
        "area": chance.integers(100, 160, rows).tolist(),
        "income": (age * 100 + chance.integers(0, 5000, rows)).tolist(),
        "illness": np.where(
            chance.random(rows) < age / 100, "gout", chance.choice(["flu", "hiv", "none"], rows)
        ).tolist(),
    }
