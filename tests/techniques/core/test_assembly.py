"""A column put together part by part is the column that it would be at once."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.core import assembly
from techniques.core.assembly import Assembly

values = st.lists(st.none() | st.text(max_size=8), max_size=40)


@given(st.lists(values, max_size=6), st.integers(0, 5))
def test_parts_of_any_size_make_the_whole(parts, cut):
    arrays = [pa.array(part, pa.string()).slice(cut) for part in parts]
    whole = Assembly(sum(map(len, arrays)))
    for array in arrays:
        whole.add(array)
    made = whole.finish()
    made.validate(full=True)
    assert made.to_pylist() == [value for array in arrays for value in array.to_pylist()]


@pytest.mark.parametrize("kind", [pa.large_string(), pa.dictionary(pa.int32(), pa.string())])
def test_texts_of_another_kind_are_texts(kind):
    whole = Assembly(2)
    whole.add(pa.array(["a", "bc", None]).cast(kind).slice(1))
    assert whole.finish().to_pylist() == ["bc", None]


def test_values_that_grow_longer_find_room():
    parts = [["a"] * 10, ["长" * 1000] * 10, [""] * 10]
    whole = Assembly(30)
    for part in parts:
        whole.add(pa.array(part))
    assert whole.finish().to_pylist() == [value for part in parts for value in part]


def test_nothing_but_nulls():
    whole = Assembly(3)
    whole.add(pa.nulls(3))
    assert whole.finish().to_pylist() == [None] * 3


def test_more_text_than_an_array_holds_is_refused(monkeypatch):
    monkeypatch.setattr(assembly, "LARGEST", 10)
    whole = Assembly(2)
    whole.add(pa.array(["0123456789"]))
    with pytest.raises(pa.ArrowInvalid):
        whole.add(pa.array(["0"]))


def test_a_whole_that_lacks_a_part_is_none():
    with pytest.raises(AssertionError):
        Assembly(1).finish()
