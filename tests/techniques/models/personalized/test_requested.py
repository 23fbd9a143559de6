"""Which levels are asked for, counted by hand."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
    # None 3, level 1 6, level 2 5, levels 3 and 4 1 each. Few ask for nothing, for 3 and for 4; the five of level 2 are 2 of flu, 2 of
    # gout and one without a value, so that their number would leave too little to guess.
    assert (found.levels, found.pooled) == ({1: 6}, 10)
    assert found.unreadable == 1
    # No level of flu has five; the five of HIV with level 1 would tell the one of flu.
    assert [(one.value, one.records, one.pooled) for one in found.values] == [("flu", {}, 6), ("HIV", {}, 5)]
    # Fewer than five have gout, so it is not named.
    assert VALUES.count("gout") < FEWEST
    assert (found.unnamed, found.others, found.others_pooled) == (1, {}, 4)
    assert "gout" not in found.model_dump_json()


def test_a_person_counts_once_with_the_highest_level() -> None:
    """Two rows each: levels are those of persons, and a value needs five persons, not five rows."""
    whose = np.array([row // 2 for row in range(16)], dtype=np.int32)
    found = requested(batches, "ill", "asks", whose)
    assert (found.records, found.units, found.of_persons) == (16, 8, True)
    highest = [max(level_of(LEVELS[2 * n]) or 0, level_of(LEVELS[2 * n + 1]) or 0) for n in range(8)]
    assert len(set(highest)) > 1
    assert max(highest.count(level) for level in set(highest)) < FEWEST
    assert (found.levels, found.pooled) == ({}, 8)
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
    assert (found.levels, found.pooled, found.unreadable) == ({}, 12, 10)


CELLS = st.lists(
    st.tuples(st.sampled_from(["flu", "HIV", "gout"]), st.integers(0, 3), st.integers(0, 60)),
    min_size=1,
    max_size=150,
)


@settings(max_examples=60, deadline=None)
@given(CELLS)
def test_no_number_is_of_few_and_none_is_left_over(rows) -> None:
    """By cells counted one by one: what is told is right, of five persons or more, and nothing is what is left of a sum."""
    table = pa.table({
        "ill": [value for value, _level, _who in rows],
        "asks": [str(level or "") for _value, level, _who in rows],
    })  # fmt: skip
    found = requested(
        table.to_batches, "ill", "asks", np.array([who for *_rest, who in rows], dtype=np.int32)
    )
    assert sum(found.levels.values()) + found.pooled == len({who for *_rest, who in rows})
    assert all(number >= FEWEST for number in found.levels.values())
    hidden = defaultdict(list)
    for one in found.values:
        mine = [(level, who) for value, level, who in rows if value == one.value]
        persons = {level: len({who for at, who in mine if at == level}) for level, _who in mine}
        for level, number in one.records.items():
            assert number == sum(at == level for at, _who in mine)
            assert persons[level] >= FEWEST
        gone = persons.keys() - one.records.keys()
        assert one.pooled == sum(level in gone for level, _who in mine)
        for level in gone:
            hidden[level].append(persons[level])
        assert (
            not gone
            or gone == persons.keys()
            or (len(gone) > 1 and sum(persons[one] for one in gone) >= FEWEST)
        )
    if not found.unnamed:
        for level, cells in hidden.items():
            if level in found.levels:
                assert len(cells) > 1
                assert sum(cells) >= FEWEST
