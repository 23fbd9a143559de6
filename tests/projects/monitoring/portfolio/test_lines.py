"""Long lists: only that is read which is shown, in one order with all."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from projects.monitoring.portfolio.lines import PORTION, Lines, Merged


class Counted(list):
    """Rows that know how many of them were asked for at most."""

    most = 0

    def __getitem__(self, place):
        self.most = max(self.most, place.stop)
        return list(self)[place]


@given(st.lists(st.lists(st.integers()), max_size=4), st.integers(0, 20), st.integers(1, 20))
def test_a_part_of_merged_rows_is_that_part_of_all(queries, start, length):
    rows = [Counted(sorted(one)) for one in queries]
    every = sorted(number for one in rows for number in one)
    found = Merged(rows)
    assert list(found) == every
    assert found[start : start + length] == every[start : start + length]
    assert all(one.most <= start + length for one in rows)


def test_lines_are_read_in_portions_and_a_page_alone():
    read = []

    def lines(rows):
        read.append(len(rows))
        return [-row for row in rows]

    found = Lines(2 * PORTION + 1, list(range(2 * PORTION + 1)), lines)
    assert found[3:5] == [-3, -4]
    assert found[PORTION] == -PORTION
    assert read == [2, 1]
    assert list(found) == [-row for row in range(2 * PORTION + 1)]
    assert read[2:] == [PORTION, PORTION, 1]
    assert len(found) == 2 * PORTION + 1
