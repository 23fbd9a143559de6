"""What suppression took, counted by hand: removed records, starred ones, emptied cells, persons without a record."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from projects.verification.gate.check import TableSubject
from projects.verification.gate.suppressed import Suppressed, _only_generalised, suppressed_of
from techniques.core.attributes import AttributeRole
from techniques.recipe.recipe import Recipe
from tests.projects.verification.gate.checks.test_checks import clinic

QUASI = dict.fromkeys("ab", AttributeRole.QUASI_IDENTIFIER)
KEPT = {"technique": "as_is", "columns": ["s"], "parameters": {"reason": "of this test"}}


def model(*columns, stays="remove", kind="star"):
    settings = {
        "k": 2,
        "suppression_limit": 0.5,
        "suppressed_rows": stays,
        "hierarchies": {name: {"kind": kind} for name in columns},
    }
    return {"technique": "model.k_anonymity", "columns": list(columns), "parameters": settings}


def hidden(*columns):
    return {"technique": "suppression.mask", "columns": list(columns), "parameters": {"keep_left": 0}}


def of(before, after, *steps, starred=0, persons=None):
    """Source and result as rows of two letters, a space for an empty cell; a and b are the quasi-identifiers."""

    def table(rows):
        return "a,b,s\n" + "".join(f"{a.strip()},{b.strip()},x\n" for a, b in rows)

    case = replace(clinic(table(before), table(after)), roles=QUASI)
    case = replace(case, recipe=Recipe.from_data({"recipe": 1, "unlisted": "keep", "steps": [*steps, KEPT]}))
    made = TableSubject(case)
    made.risk = SimpleNamespace(suppressed_rows=starred, figures=SimpleNamespace(persons=persons))
    made.persons = SimpleNamespace(result=None, persons=0)
    return made


@pytest.mark.parametrize(
    ("before", "after", "steps", "starred", "wanted"),
    [
        # Four of six are left, and none is changed.
        (["xx"] * 6, ["xx"] * 4, [], 0, Suppressed(6, 2, 0, 0, 2)),
        (["xx"] * 4, ["xx"] * 6, [], 0, Suppressed(4, 0, 0, 0, 2)),
        # A star beside a value is an emptied cell, a star in both a starred record.
        (["xx"] * 6, ["*x", "x*", "**", *["xx"] * 3], [], 1, Suppressed(6, 0, 1, 2, 2)),
        # Those of the source are none that were emptied.
        (["*x", *["xx"] * 5], ["*x", "*x", *["xx"] * 4], [], 0, Suppressed(6, 0, 0, 1, 2)),
        (["*x", *["xx"] * 5], ["xx"] * 6, [], 0, Suppressed(6, 0, 0, 0, 2)),
        # Empty cells: two of six were, of four it would be 4/3; three are nearly two more.
        ([" x", " x", *["xx"] * 4], [" x", " x", " x", "xx"], [], 0, Suppressed(6, 2, 0, 2, 2)),
        # One of four was, of two it would be a half, which is no cell.
        ([" x", "xx", "xx", "xx"], [" x", "xx"], [], 0, Suppressed(4, 2, 0, 0, 2)),
        ([" x", "xx", "xx", "xx"], ["xx", "xx"], [], 0, Suppressed(4, 2, 0, 0, 2)),
        # A column that is hidden throughout is gone as a column, whatever hides it.
        (["xx"] * 4, ["*x", "*x", " x", " x"], [], 0, Suppressed(4, 0, 0, 0, 2)),
        (["xx"] * 4, ["*x", "*x", " x", "xx"], [], 0, Suppressed(4, 0, 0, 3, 2)),
        # A star that a hierarchy ends in is a label; an empty cell is none.
        (["xx"] * 4, ["*x", " x", "xx", "x*"], [model("a")], 0, Suppressed(4, 0, 0, 2, 2)),
        (["xx"] * 4, ["*x", " x", "xx", "x*"], [model("a", "b")], 0, Suppressed(4, 0, 0, 1, 2)),
        # The model removes what it suppresses: records that are all stars were generalised so, unless they stay.
        (["xx"] * 4, ["**", "xx", "xx"], [model("a", "b")], 1, Suppressed(4, 1, 0, 0, 2)),
        (["xx"] * 4, ["**", "xx", "xx"], [model("a", "b", stays="star")], 1, Suppressed(4, 1, 1, 0, 2)),
        (["xx"] * 4, ["**", "xx", "xx"], [model("a")], 1, Suppressed(4, 1, 1, 0, 2)),
    ],
)  # fmt: skip
def test_records_and_cells_that_suppression_took(before, after, steps, starred, wanted):
    assert suppressed_of(of(before, after, *steps, starred=starred)) == wanted


@pytest.mark.parametrize(
    ("steps", "only"),
    [
        ([model("a", "b")], True),
        ([model("a", "b"), KEPT], True),
        ([model("a", "b", stays="star")], False),
        ([model("a")], False),
        ([], False),
        ([hidden("b"), model("a", "b")], False),
        ([hidden("s"), model("a", "b")], True),
    ],
)
def test_every_star_is_a_label_where_the_model_alone_treats_what_it_removes(steps, only):
    assert _only_generalised(of(["xx"] * 2, ["xx"] * 2, *steps).case) is only


def test_a_risk_that_was_not_measured_tells_of_no_starred_record():
    made = of(["xx"] * 6, ["**", *["xx"] * 5], starred=1)
    made.risk = None
    assert suppressed_of(made) == Suppressed(6, 0, 0, 2, 2)


@pytest.mark.parametrize(
    ("whose", "drawn_away", "starred", "removed", "hidden_too"),
    [
        # Of five persons the result has records of 0, 1 and 2; those of 2 are all stars, of 1 one is none.
        ([0, 1, 1, 2], 0, 2, 2, 3),
        # A sample drew four of them.
        ([0, 1, 1, 2], 1, 2, 1, 2),
        # Where no record counts as starred nobody is hidden.
        ([0, 1, 1, 2], 0, 0, 2, 2),
        ([0, 0, 0, 0], 0, 2, 4, 4),
        # Records of nobody known are persons of their own.
        ([0, 1, -1, -1], 0, 2, 1, 3),
        ([0, 1, 2, 3], 2, 2, 0, 1),
    ],
)
def test_persons_without_a_record_that_tells_something(whose, drawn_away, starred, removed, hidden_too):
    made = of(["xx"] * 6, ["xx", "xx", "**", "**"], starred=starred, persons=3)
    made.case = replace(made.case, persons_not_drawn=drawn_away)
    made.persons = SimpleNamespace(result=np.array(whose, np.int32), persons=5)
    found = suppressed_of(made)
    assert (found.persons, found.persons_removed, found.persons_hidden) == (
        5 - drawn_away, removed, hidden_too,
    )  # fmt: skip
    made.persons.result = None
    assert suppressed_of(made).persons is None
