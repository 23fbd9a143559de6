"""Many distinct values are given to a technique a part at a time: nothing comes out otherwise for it."""

from __future__ import annotations

import pyarrow as pa
import pytest

from techniques.core import operations
from tests.techniques.apply import operation

CASES = [
    ("encryption.format_preserving", {}),
    ("encryption.deterministic", {}),
    ("pseudonymization.keyed_hash", {}),
    ("suppression.mask_identifier", {"kind": "phone"}),
    ("generalization.rounding", {"base": 10.0}),
    ("generalization.top_bottom_coding", {"top": 13_900_000_000.0}),
    ("generalization.hierarchy", {"hierarchy": {"kind": "mask", "characters": [2, 4]}, "level": 1}),
]


@pytest.mark.parametrize(("key", "parameters"), CASES)
def test_parts_are_the_whole(key: str, parameters: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    values = pa.array([f"138{i * 7919 % 10**8:08}" for i in range(1000)] + ["no number", "七"])
    made = operation(key, parameters, rows=len(values))
    whole = made.apply(values)
    monkeypatch.setattr(operations, "AT_ONCE", 300)
    parts = made.apply_in_parts(values)
    assert parts.values.equals(whole.values)
    assert (parts.unfit is None) == (whole.unfit is None)
    if whole.unfit is not None:
        assert parts.unfit.tolist() == whole.unfit.tolist()
