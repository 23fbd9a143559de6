"""What a run takes is measured on samples and carried over to the whole table."""

from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.engines.forecasts.load import Load, carried_over, load_of, sample_sizes, sample_write
from techniques.engines.parts import Source
from techniques.tables import FileFormat, TableWriter, open_table


def figures(rows, value):
    return Load(rows=rows, seconds=value, processor=value, memory=round(value), space=round(value), result=0)


def source_of(rows, kind="csv"):
    stream, form = io.BytesIO(), FileFormat(kind=kind)
    with TableWriter(stream, form, ["id", "name"], neutralise_formulas=False) as writer:
        cells = [pa.array([str(one) for one in range(rows)]), pa.array([f"=甲,{one}" for one in range(rows)])]
        writer.write(pa.RecordBatch.from_arrays(cells, names=["id", "name"]))
    written = stream.getvalue()
    return Source(lambda: io.BytesIO(written), form, rows, len(written))


@given(st.integers(1, 10**9), st.integers(100, 5_000_000))
def test_samples_are_a_quarter_and_the_whole_of_what_is_wanted(rows, most):
    sizes = sample_sizes(rows, most)
    assert sizes[-1] == min(rows, most)
    assert all(one >= 1 for one in sizes)
    assert list(sizes) == sorted(set(sizes))


@pytest.mark.parametrize("kind", ["csv", "parquet", "xlsx"])
def test_a_sample_has_rows_of_the_source_in_their_order(kind):
    source, stream = source_of(2000, kind), io.BytesIO()
    form = sample_write(source, 300, 7, stream)
    assert form.kind == ("csv" if kind == "xlsx" else kind)
    with open_table(stream, form) as table:
        read = pa.Table.from_batches(list(table.batches()))
    numbers = [int(one) for one in read["id"].to_pylist()]
    assert len(numbers) == len(set(numbers)) == 300
    assert numbers == sorted(numbers)
    assert read["name"].to_pylist() == [f"=甲,{one}" for one in numbers]
    again = io.BytesIO()
    sample_write(source, 300, 7, again)
    assert again.getvalue() == stream.getvalue()


def test_every_row_is_as_likely_to_be_drawn():
    source, seen = source_of(40), np.zeros(40)
    for seed in range(400):
        stream = io.BytesIO()
        form = sample_write(source, 10, seed, stream)
        with open_table(stream, form) as table:
            for batch in table.batches():
                seen[[int(one) for one in batch.column(0).to_pylist()]] += 1
    # 100 expected of each, with a standard deviation of 8.7: six of them.
    assert seen.sum() == 4000
    assert np.abs(seen - 100).max() < 52


@given(st.floats(0, 1000), st.floats(1e-6, 10), st.integers(1, 1000), st.integers(2, 100), st.integers(1, 50))
def test_what_grows_with_the_rows_is_carried_over_exactly(fixed, each, small, factor, more):
    large = small * factor
    found = carried_over([figures(n, fixed + each * n) for n in (small, large)], large * more)
    assert found.seconds == pytest.approx(fixed + each * large * more, rel=1e-6)
    assert found.rows == large * more


@given(
    st.floats(0.1, 1000), st.floats(0, 1000), st.integers(1, 1000), st.integers(2, 100), st.integers(1, 50)
)
def test_nothing_is_said_to_shrink_with_more_rows_and_what_does_not_grow_stays(
    first, second, small, factor, more
):
    large = small * factor
    found = carried_over([figures(small, first), figures(large, second)], large * more)
    if more == 1:
        assert found.seconds == second
    elif second <= first:
        # A time that did not grow says nothing of more rows; memory that did not grow stays.
        assert found.seconds is None
        assert found.memory == round(first)
    else:
        assert found.seconds >= second * 0.999999


def test_the_whole_table_is_what_was_measured():
    measured = [figures(25, 3.0), figures(100, 5.0)]
    assert carried_over(measured, 100) == measured[-1]
    assert carried_over([figures(3, 2.0)], 3) == figures(3, 2.0)
    assert carried_over([figures(3, 2.0)], 30).seconds == 20


def test_what_the_system_does_not_say_is_not_made_up():
    one = figures(10, 1.0).model_copy(update={"memory": None})
    assert carried_over([figures(5, 1.0), one], 100).memory is None


def test_memory_and_processor_of_what_is_done_are_seen():
    def work():
        held = np.ones(16_000_000)  # 128 MB
        for _time in range(5):
            held = held * 1.000001
        return held[0]

    found = load_of(7, work, lambda: (30, 20))
    assert (found.rows, found.space, found.result) == (7, 30, 20)
    assert found.seconds > 0
    assert found.processor > 0
    assert found.memory is None or 100_000_000 < found.memory < 1_000_000_000
