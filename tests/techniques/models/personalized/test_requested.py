"""Which levels are asked for, counted by hand."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from techniques.models.personalized.requested import FEWEST, requested
from techniques.values.levels import level_of

VALUES = ["flu"] * 6 + ["HIV"] * 5 + ["gout"] * 4 + [None]
LEVELS = ["1", "", "2", "2.0", "x", "3"] + ["1"] * 5 + ["2", "2", "", " 4 "] + ["2"]


def batches():
    table = pa.table({"ill": pa.array(VALUES, pa.string()), "asks": pa.array(LEVELS, pa.string())})
    return table.to_batches(max_chunksize=5)


def test_records_by_level_and_by_value() -> None:
    found = requested(batches, "ill", "asks")
    assert (found.records, found.units, found.of_persons) == (16, 16, False)
    assert found.levels == {0: 3, 1: 6, 2: 5, 3: 1, 4: 1}
    assert found.unreadable == 1
    # Fewer than five have gout, so it is not named.
    assert [(one.value, one.records) for one in found.values] == [
        ("flu", {0: 2, 1: 1, 2: 2, 3: 1}),
        ("HIV", {1: 5}),
    ]
    assert VALUES.count("gout") < FEWEST
    assert (found.unnamed, found.others) == (1, {0: 1, 2: 2, 4: 1})
    assert "gout" not in found.model_dump_json()


def test_a_person_counts_once_with_the_highest_level() -> None:
    """Two rows each: levels are those of persons, and a value needs five persons, not five rows."""
    whose = np.array([row // 2 for row in range(16)], dtype=np.int32)
    found = requested(batches, "ill", "asks", whose)
    assert (found.records, found.units, found.of_persons) == (16, 8, True)
    highest = [max(level_of(LEVELS[2 * n]) or 0, level_of(LEVELS[2 * n + 1]) or 0) for n in range(8)]
    assert found.levels == {level: highest.count(level) for level in set(highest)}
    assert found.values == ()
    assert found.unnamed == 3


def test_without_a_column_of_levels_nobody_asks() -> None:
    found = requested(batches, "ill")
    assert (found.levels, found.unreadable) == ({0: 16}, 0)
    assert [one.value for one in found.values] == ["flu", "HIV"]


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("", 0),
        ("  ", 0),
        ("1", 1),
        (" 03 ", 3),
        ("+2", 2),
        ("2.0", 2),
        ("0", None),
        ("2.5", None),
        ("-1", None),
        ("high", None),
    ],
)
def test_levels_as_they_are_written(text, level) -> None:
    assert level_of(text) == level


def test_an_age_or_a_key_is_not_counted_number_by_number() -> None:
    """A column that is none of levels tells nothing of single persons here."""
    table = pa.table({"ill": ["flu"] * 12, "asks": [str(number) for number in range(10, 130, 10)]})
    found = requested(table.to_batches, "ill", "asks")
    assert (found.levels, found.unreadable) == ({0: 10, 10: 1, 20: 1}, 10)
