"""The step of a recipe: combinations are recoded once, and every row becomes what its combination became, in a later process too."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from techniques.hierarchies.build import build
from techniques.hierarchies.definitions import Table
from techniques.models.local_recoding.operation import LocalRecoding, given_up, local_report
from techniques.models.local_recoding.recoding import Recoded
from techniques.models.local_recoding.shapes import free, of_hierarchy
from tests.techniques.apply import operation, through_file
from tests.techniques.models.k_anonymity.test_k_anonymity import LETTERS, tally_of
from tests.techniques.searches import search

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


def recoded(shares: list[float], codes: list[list[int]], suppressed: list[bool]) -> Recoded:
    """Six rows that count once, twice and so on, in two classes."""
    return Recoded(
        dictionaries=[], codes=[np.array(one, np.int32) for one in codes], class_of=np.array([0, 0, 1, 1, 1, -1], np.int32),
        suppressed=np.array(suppressed), suppressed_rows=6, classes=2, smallest=3, shares=np.array(shares), ncp=0.25,
        average_risk=2 / 15,
    )  # fmt: skip


def test_a_value_that_is_given_up_because_no_hierarchy_has_it_is_lost() -> None:
    """Not one that is part of a class that is written otherwise, nor one of a suppressed row, nor what is missing anyway."""
    values = pa.array([*"abcd"])
    known = build(Table(kind="table", rows=LETTERS["rows"][:3]), values)
    shapes = [of_hierarchy(known, True, "town"), free(pa.array(["1", "2"]), True)]
    towns = np.array([3, 3, 0, -1, 3, 3], np.int32)
    ages = np.array([-1, 0, 1, -1, 0, 1], np.int32)
    found = recoded([0.3, 0.5], [[-1, 0, -1, -1, -1, -1], [-1, 0, 1, -1, 0, 1]], [False] * 5 + [True])
    leaves = shapes[0].leaves
    counts = np.arange(1, 7)
    # Rows 1 and 5 lose their town, which count once and five times, of twenty-one.
    after = given_up(found, shapes, [towns, ages], counts)
    assert after.shares.tolist() == pytest.approx([0.3 + 6 / 21 * (1 - 1 / leaves), 0.5])
    assert after.ncp == pytest.approx(0.25 + 6 / 21 / 2)
    after = given_up(found, shapes, [towns, ages], None)
    assert after.shares.tolist() == pytest.approx([0.3 + 2 / 6 * (1 - 1 / leaves), 0.5])
    assert after.ncp == pytest.approx(0.25 + 2 / 6 / 2)
    assert found.shares.tolist() == [0.3, 0.5]


def test_the_report_is_counted_from_the_shares() -> None:
    """Of four values, of two and of one: what a column loses is its share beyond one value, of what it can lose."""
    shapes = [free(pa.array(values), False) for values in (["1", "2", "3", "4"], ["x", "y"], ["z"])]
    columns = ["a", "b", "c"]
    given = search(3, {}, 0.3, None, True, columns=columns)
    found = recoded([0.4, 0.75, 1.0], [[0] * 6] * 3, [False] * 5 + [True])
    report = local_report(given, columns, shapes, found, [], np.arange(1, 7))
    lost = [(0.4 - 0.25) / 0.75, (0.75 - 0.5) / 0.5, 0.0]
    assert report == {
        "mode": "local", "k": 3, "levels": {"a": None, "b": None, "c": None}, "suppressed": 6, "suppression_limit": 0.3,
        "suppressed_rows": given.suppressed_rows, "classes": 2, "min_class": 3,
        "granularity": pytest.approx(1 - (0.15 + 0.25) / (0.75 + 0.5)), "ncp": 0.25,
        "loss": pytest.approx((1.2 * 1.5) ** (1 / 3) - 1), "loss_by_column": pytest.approx(dict(zip(columns, lost, strict=True))),
        "average_class_size": 15 / 2, "average_risk": 2 / 15, "proved_optimal": False,
    }  # fmt: skip
    assert local_report(given, columns, shapes, found, [])["average_class_size"] == 0.0
    alone = local_report(given, columns[2:], shapes[2:], replace(found, shares=np.ones(1), classes=0), [])
    assert (alone["granularity"], alone["loss"], alone["average_class_size"]) == (1.0, 0.0, 0.0)
