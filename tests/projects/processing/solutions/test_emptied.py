"""What the page says of columns that are ``*`` in every row, each sentence on a table of which it is true."""

from __future__ import annotations

import random

from django.utils import translation

from projects.processing.solutions.pages import emptied_text
from techniques.anonymization import sparing as sparing_module
from techniques.anonymization.sparing import sparing
from tests.techniques.anonymization.test_sparing import asked, table

MEANINGS = {"a": {0: "as it is", 1: "intervals of 2", 2: "*"}}


def said(rows: list[tuple[int, int, int]], k: int, limit: float) -> str:
    found = sparing(table(rows), {}, asked(k, limit))
    assert found is not None
    with translation.override("en"):
        return emptied_text(found.as_dict(), MEANINGS)


def test_of_a_table_of_which_every_row_has_its_like():
    assert said([(1, 1, 1), (4, 2, 2)] * 10, 2, 0.0) == "In the best solution no column is “*” in every row."


def test_of_a_column_that_nobody_else_has_a_value_of(monkeypatch):
    rows = [(1, place, 1) for place in range(20)]
    named = "The best solution makes these columns “*” in every row: b."
    assert (
        said(rows, 2, 0.0)
        == f"{named} No solution with fewer such columns keeps the conditions: all were tried."
    )
    monkeypatch.setattr(sparing_module, "MOST_SEARCHES", 0)
    assert said(rows, 2, 0.0) == f"{named} No solution with fewer such columns was found; not all were tried."


def test_of_a_table_with_another_solution_that_empties_fewer():
    rows = _rows_of_seed(20)
    assert said(rows, 2, 0.3) == (
        "The best solution makes these columns “*” in every row: a. Another one keeps the conditions with fewer such columns: "
        "a: intervals of 2; b: 0; c: 0."
    )


def _rows_of_seed(seed: int) -> list[tuple[int, int, int]]:
    chance = random.Random(seed)
    size = chance.choice([12, 20, 30])
    return [(chance.randint(0, 5), chance.randint(0, 2), chance.randint(0, 2)) for _ in range(size)]


def test_of_a_list_from_before_it_was_tried():
    assert emptied_text(None, MEANINGS) == ""
