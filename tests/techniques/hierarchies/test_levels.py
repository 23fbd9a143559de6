"""Levels of a hierarchy, built one by one and all at once."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from techniques.hierarchies.build import build, build_level, level_count
from techniques.hierarchies.definitions import Dates, Intervals, Masks, Star, Table


def test_one_level_is_that_of_the_whole_hierarchy() -> None:
    numbers = pa.array(["1", "12", "123", "no", "7", "12.5", "-3"])
    dates = pa.array(["2024-01-31", "2020/2/3", "1999年12月", "no"])
    for definition, values in [
        (Star(), numbers),
        (Intervals(kind="intervals", widths=[5, 10, 50]), numbers),
        (Intervals(kind="intervals", widths=[5], notation="inclusive"), numbers),
        (Masks(kind="mask", characters=[1, 2], side="left"), numbers),
        (Masks(kind="mask", characters=[1, 3]), numbers),
        (Dates(kind="dates", units=["month", "year"]), dates),
        (Table(kind="table", rows=[["1", "low", "*"], ["12", "low", "*"], ["7", "high", "*"]]), numbers),
        (Table(kind="table", rows=[["1", "low"], ["12", "high"]]), numbers),
    ]:
        whole = build(definition, values)
        assert level_count(definition) == whole.levels
        for level in range(whole.levels):
            one = build_level(definition, values, level)
            expected = whole.labels[level].take(pa.array(whole.codes[level])).to_pylist()
            fit = ~whole.unfit
            assert one.unfit.tolist() == whole.unfit.tolist()
            assert np.array(one.labels.to_pylist())[fit].tolist() == np.array(expected)[fit].tolist()
