"""The linkage of an outside table, on data of which the answer is known."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from techniques.disclosure_risk.attacks.outside import outside_linkage


def batches(**columns):
    return [pa.record_batch({name: pa.array(values) for name, values in columns.items()})]


def decade(values):
    return pa.array([f"{one[0]}0s" for one in values.to_pylist()])


def as_is(values):
    return values


def test_unprotected_data_are_found_and_strangers_are_not():
    people = {"a": [str(n) for n in range(100)], "b": ["x"] * 100}
    outside = {"a": [str(n) for n in range(50, 150)], "b": ["x"] * 100}
    found = outside_linkage(
        batches(**people), batches(**people), batches(**outside), {"a": as_is, "b": as_is}
    )
    # Fifty of a hundred are in it; whoever has their like there is recognised.
    assert (found.looked_for, found.known, found.attack.attempts, found.attack.successes) == (100, 50, 50, 50)
    assert (found.single, found.single_right) == (50, 50)


def test_in_classes_of_ten_one_guess_in_ten_is_right():
    source = {"a": [str(n) for n in range(10, 100)]}
    result = {"a": [f"{n // 10}0s" for n in range(10, 100)]}
    found = outside_linkage(batches(**source), batches(**result), batches(**source), {"a": decade})
    assert found.attack.value == pytest.approx(0.1)
    assert found.attack.low < 0.1 < found.attack.high
    assert (found.known, found.single) == (90, 0)


def test_a_guess_about_a_stranger_is_wrong():
    source, result = {"a": ["11", "12"]}, {"a": ["10s", "10s"]}
    found = outside_linkage(batches(**source), batches(**result), batches(a=["11", "19"]), {"a": decade})
    assert (found.attack.attempts, found.attack.successes, found.known) == (2, 0.5, 1)


def test_persons_are_counted_not_rows_and_missing_values_find_nobody():
    source = {"a": ["11", "11", "12"]}
    result = {"a": ["10s", "10s", "10s"]}
    whose = np.array([0, 0, 1], dtype=np.int32)
    found = outside_linkage(
        batches(**source), batches(**result), batches(a=["11", None]), {"a": decade}, whose
    )
    assert (found.looked_for, found.attack.attempts, found.attack.successes) == (1, 1, 0.5)
