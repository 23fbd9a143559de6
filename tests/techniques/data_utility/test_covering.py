"""What a masked value stands for: the source values that fit it, found in a time that the mask's length does not drive."""

from __future__ import annotations

import fnmatch
from unittest import mock

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.data_utility import covering
from techniques.data_utility.covering import coverings, spread
from techniques.data_utility.measure import assess
from techniques.data_utility.targets import TotalVariation

LETTERS = st.text("ab.-张\n", max_size=6)
MASKS = st.text("ab.-张\n*", min_size=1, max_size=6).filter(lambda mask: "*" in mask and mask.strip("*"))


def test_a_long_mask_of_a_long_number_is_read_at_once() -> None:
    # As one pattern of twenty ".*" in a row each of these took seconds, and a column of them hours.
    numbers = [f"62{place:020d}17" for place in range(300)]
    found = spread(pa.array(numbers), pa.array(["62" + "*" * 20 + "17"]), np.array([300]))
    assert found.mass.tolist() == [1.0] * 300
    assert found.unresolved == 0


@given(st.lists(LETTERS, min_size=1, unique=True), MASKS, st.sampled_from([0, 8]))
def test_a_mask_covers_what_fits_it(values: list[str], mask: str, in_a_pattern: int) -> None:
    with mock.patch.object(covering, "_PATTERN_PARTS", in_a_pattern):
        own, foreign = coverings(pa.array(values), pa.array([mask]))
        foreign = list(foreign)
    assert own.tolist() == [-1]
    ((_, covered),) = foreign
    assert {values[place] for place in covered} == {v for v in values if fnmatch.fnmatchcase(v, mask)}


@given(
    st.lists(st.text("ab-*{;}[,)1…张", max_size=5) | st.sampled_from(["1-2", "[1,2)", "a … b", "2024-Q1"]), min_size=1, unique=True),
    st.lists(st.text("ab-*{;}[,)1…张", min_size=1, max_size=4) | st.sampled_from(["a … b", "2023-2024", "2024-Q1", "≥1", "1以上"]), unique=True),
)  # fmt: skip
def test_a_label_covers_the_same_among_others_as_alone(values: list[str], labels: list[str]) -> None:
    labels = [label for label in labels if not label.lstrip("-").isdecimal()]
    own, foreign = coverings(pa.array(values, pa.string()), pa.array(labels, pa.string()))
    together = {labels[place]: covered.tolist() for place, covered in foreign}
    alone = {}
    for label in labels:
        for _, covered in coverings(pa.array(values, pa.string()), pa.array([label], pa.string()))[1]:
            alone[label] = covered.tolist()
    assert together == alone
    assert sorted(together) == sorted(label for label, place in zip(labels, own, strict=True) if place < 0)


@pytest.mark.parametrize("written", [["5.0"] * 90 + ["5"] * 10, ["5"] * 90 + ["5.0"] * 10])
def test_a_number_that_is_written_in_several_ways_is_covered_by_each_as_it_is_written(
    written: list[str],
) -> None:
    """Also where another number of the result is one that the source lacks, as after rounding."""
    before, after = (
        pa.table({"a": pa.array([*written, *others])}).to_batches()
        for others in (["8"] * 20, ["8"] * 19 + ["9"])
    )
    (found,), (compared,) = assess([TotalVariation(column="a", bound=1)], before, after)
    # One cell of 120 is another one, and covers nothing.
    assert found.measured == pytest.approx(1 / 120)
    assert compared.unresolved == 1
