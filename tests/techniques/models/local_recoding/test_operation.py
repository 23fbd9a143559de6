"""The step of a recipe: combinations are recoded once, and every row becomes what its combination became, in a later process too."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from techniques.models.local_recoding.operation import LocalRecoding
from tests.techniques.apply import operation, through_file
from tests.techniques.models.k_anonymity.test_k_anonymity import LETTERS, tally_of

AGES = ["30", "31", "33", "34", "60", "61", "63", "90", None]
TABLE: dict[str, list[str | None]] = {
    "town": ["a", "b", "a", "b", "c", "d", "c", "d", "a"],
    "age": AGES,
}


def made(**parameters: Any) -> tuple[Any, list[np.ndarray], list[list[str | None]], Any]:
    """(operation, codes of the rows, cells by column, outcome) of the table."""
    given = {"recoding": "local", "hierarchies": {"town": LETTERS, "age": {"kind": "free"}}, **parameters}
    one = operation("model.k_anonymity", given, len(AGES), ("town", "age"))
    assert isinstance(one, LocalRecoding)
    tally, codes = tally_of(list(TABLE.values()))
    dictionaries = one.restore(through_file(one.fit(tally, lambda share: None)))
    outcome = one.apply(codes)
    cells = [
        [None if code < 0 else dictionary[int(code)].as_py() for code in column]
        for dictionary, column in zip(dictionaries, outcome.codes, strict=True)
    ]
    return one, codes, cells, outcome


@pytest.mark.parametrize("treatment", ["remove", "star"])
def test_each_row_becomes_what_its_combination_became(treatment: str) -> None:
    """One row of nine may go: the one whose age is not known, which would make all of a class unknown."""
    one, codes, (towns, ages), outcome = made(k=2, suppression_limit=0.12, suppressed_rows=treatment)
    gone = outcome.suppressed.tolist()
    assert sum(gone) == 1
    assert outcome.removed.tolist() == (gone if treatment == "remove" else [False] * 9)
    (out,) = np.flatnonzero(outcome.suppressed)
    assert (towns[out], ages[out]) == ("*", "*")
    kept = Counter((town, age) for town, age, lost in zip(towns, ages, gone, strict=True) if not lost)
    assert min(kept.values()) >= 2
    above = {"a": {"a", "ab"}, "b": {"b", "ab"}, "c": {"c", "cd"}, "d": {"d", "cd"}}
    for row in np.flatnonzero(~outcome.suppressed):
        assert towns[row] in {*above[TABLE["town"][row] or ""], "*"}
        # An interval that holds the age, or the age itself.
        low, *high = (ages[row] or "").strip("[]").split(",")
        assert int(low) <= int(AGES[row] or 0) <= int((high or [low])[0])
    # Rows in another order, or some of them alone, become the same.
    order = np.array([8, 3, 3, 0])
    again = one.apply([column[order] for column in codes])
    assert [column.tolist() for column in again.codes] == [column[order].tolist() for column in outcome.codes]
    assert again.suppressed.tolist() == outcome.suppressed[order].tolist()


def test_combinations_that_were_not_counted_are_suppressed() -> None:
    """An earlier step has removed their rows."""
    one, codes, _cells, outcome = made(k=2, suppression_limit=1.0)
    towns, ages = codes
    # The town of the first with the age of the last but one occurs nowhere.
    unknown = one.apply([np.append(towns, towns[0]), np.append(ages, ages[7])])
    assert unknown.suppressed.tolist() == [*outcome.suppressed.tolist(), True]
    assert unknown.removed.tolist() == unknown.suppressed.tolist()


def test_levels_that_are_allowed_and_what_a_hierarchy_misses() -> None:
    _one, _codes, (towns, _ages), _outcome = made(
        k=2, suppression_limit=0.0, minimum_levels={"town": 1}, maximum_levels={"town": 1}
    )
    assert set(towns) == {"ab", "cd"}
    _one, _codes, (towns, _ages), outcome = made(
        k=2,
        suppression_limit=0.0,
        unfit="suppress",
        hierarchies={"town": {"kind": "table", "rows": LETTERS["rows"][:3]}, "age": {"kind": "free"}},
    )
    missed = [town for town, before in zip(towns, TABLE["town"], strict=True) if before == "d"]
    assert set(missed) <= {None, "*"}
    assert not outcome.suppressed.any()
