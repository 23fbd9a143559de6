"""Whose rows they are: codes from the columns of a key, and the persons of combinations."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from techniques.core.subjects import Persons, persons
from techniques.tables.subjects import read_subjects


def test_a_key_of_two_columns_tells_persons_and_only_a_row_without_any_of_it_is_nobodys() -> None:
    table = pa.table({"name": ["王", "王", "李", None, None, None], "born": ["1", "2", "1", "1", None, None]})
    codes = read_subjects(table.to_batches(max_chunksize=2), ["name", "born"])
    assert codes is not None
    assert len(set(codes[:4].tolist())) == 4
    assert codes[4] == codes[5] == -1
    assert read_subjects(table.to_batches(), []) is None


def test_rows_without_a_person_are_persons_of_their_own() -> None:
    who, number = persons(np.array([7, -1, 7, 3, -1]))
    assert number == 4
    assert who[0] == who[2]
    assert len(set(who.tolist())) == 4
    assert persons(np.array([5, 0, 5]))[1] == 2


def test_each_person_stands_once_at_each_combination() -> None:
    place, whose = np.array([1, 0, 1, 1, 0, 2]), np.array([4, 4, 4, 9, 4, -1])
    found = Persons.of(place, whose, 4)
    at = [set(found.person[found.start[i] : found.start[i + 1]].tolist()) for i in range(4)]
    assert [len(one) for one in at] == [1, 2, 1, 0]
    assert at[0] < at[1]
    assert not at[2] & at[1]
    assert found.number == 3
