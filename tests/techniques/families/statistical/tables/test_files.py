"""Tables that were made elsewhere: what is read of them, and what is refused."""

from __future__ import annotations

from io import StringIO

import numpy as np
import pytest

from techniques.core.messages import EngineError
from techniques.families.statistical.tables.files import table_read, table_write
from techniques.families.statistical.tables.release import release
from techniques.families.statistical.tables.sensitivity import SensitivityRules, sensitive_cells
from techniques.families.statistical.tables.table import StatisticalTable
from tests.techniques.families.statistical.tables.tables import random_table, written

COUNTS = "town,sex,value\nA,f,2\nA,m,9\nB,f,8\nB,m,7\n"


def read(text: str, *, counts: bool, ranks: int = 2, **trees: list[list[str]]) -> StatisticalTable:
    return table_read(StringIO(text), counts=counts, trees=trees, total="Total", ranks=ranks)[0]


def test_totals_of_counts_are_added_up():
    table = read(COUNTS, counts=True)
    found = {table.labels(cell): int(table.contributors[cell]) for cell in range(table.cells)}
    assert found["A", "Total"], found["Total", "m"] == (11, 16)
    assert found["Total", "Total"] == 26
    assert table.whole


def test_totals_of_groups_are_added_up_from_below():
    tree = [["A", "N"], ["B", "N"], ["C", "S"]]
    table = read("town,value\nA,2\nB,3\nC,4\n", counts=True, town=tree)
    found = {table.labels(cell)[0]: int(table.values[cell]) for cell in range(table.cells)}
    assert found == {"Total": 9, "N": 5, "S": 4, "A": 2, "B": 3, "C": 4}


@pytest.mark.parametrize("seed", [1, 2, 3, 5, 10])
def test_what_is_read_is_as_what_was_counted_from_records(seed):
    """The same cells are sensitive, at the same distance, and the same contributors are alone."""
    made = random_table(seed)
    trees = {"c": [["x", "N"], ["y", "N"], ["z", "S"]]} if seed % 5 == 0 else {}
    table = read(written(made), counts=False, **trees)
    order = {made.labels(cell): cell for cell in range(made.cells)}
    same = [
        order[tuple("*" if one == "Total" else one for one in table.labels(cell))]
        for cell in range(table.cells)
    ]
    assert np.allclose(table.values, made.values[same])
    assert (table.contributors == made.contributors[same]).all()
    rules = SensitivityRules.model_validate(
        {"p_percent": 15, "dominance": {"n": 2, "k": 75}, "minimum_contributors": 3}
    )
    mine, theirs = sensitive_cells(table, rules, counts=False), sensitive_cells(made, rules, counts=False)
    assert (mine.cells == theirs.cells[same]).all()
    assert np.allclose(mine.distance, theirs.distance[same])
    by_one = [made.alone[place] for place in same]
    for one in range(table.cells):
        for other in range(table.cells):
            if by_one[one] >= 0 and by_one[other] >= 0:
                assert (table.alone[one] == table.alone[other]) == (by_one[one] == by_one[other])


def test_who_is_alone_in_a_total_is_alone_in_its_part():
    rows = "town,value,contributors,largest1,largest2\nA,5,1,5,0\nB,0,0,0,0\nTotal,5,1,5,0\n"
    table = read(rows, counts=False)
    names = {table.labels(cell)[0]: table.alone[cell] for cell in range(table.cells)}
    assert names["A"] == names["Total"] >= 0
    assert names["B"] == -1


FIRST = "town,value,contributors,largest1,largest2\n"


@pytest.mark.parametrize(
    ("text", "counts", "code"),
    [
        ("", True, "cells_columns"),
        ("value\n3\n", True, "cells_columns"),
        ("town,value\nA,3\n", False, "cells_columns"),
        ("town,value\nA\n", True, "cells_columns"),
        ("town,value\nA,3\nA,4\n", True, "cells_twice"),
        ("town,value\nA,many\n", True, "cells_not_numbers"),
        ("town,value\nA,inf\n", True, "cells_not_numbers"),
        ("town,value\nA,2.5\n", True, "cells_impossible"),
        ("town,value\nA,-2\n", True, "cells_impossible"),
        ("town,value\nA,0\n", True, "cells_impossible"),
        ("town,value\nA,3\nTotal,4\n", True, "cells_not_additive"),
        (FIRST + "A,9,2,5,4\n", False, "cells_not_additive"),
        (FIRST + "A,9,2,5,6\nTotal,9,2,5,4\n", False, "cells_impossible"),
        (FIRST + "A,9,1,5,4\nTotal,9,1,5,4\n", False, "cells_impossible"),
        (FIRST + "A,9,0,9,0\nTotal,9,2,9,0\n", False, "cells_impossible"),
        (FIRST + "A,9,3,6,4\nTotal,9,3,5,4\n", False, "cells_impossible"),
        (FIRST + "A,9,3,5,4\nTotal,9,2,5,4\n", False, "cells_impossible"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_table_is_refused(text, counts, code):
    with pytest.raises(EngineError) as refused:
        read(text, counts=counts)
    assert refused.value.code == code


def test_what_goes_out_is_read_back_by_label():
    table = read(COUNTS, counts=True)
    found = release(table, SensitivityRules(minimum_contributors=3), counts=True)
    out = StringIO()
    table_write(out, found, 0)
    lines = out.getvalue().splitlines()
    assert lines[0] == "town,sex,value"
    assert "A,f,x" in lines
    assert sum(line.endswith(",x") for line in lines) == found.hidden.sum()
