"""Which tables are listed, and by what their classes are counted."""

from __future__ import annotations

import uuid
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
from django.utils import translation

from projects.verification.reports.classes.listing import classes_listed
from projects.verification.reports.classes.presentation import sentences
from projects.verification.reports.classes.services import _page
from techniques.recipe.recipe import Recipe
from tests.projects.verification.gate.checks.test_checks import clinic, measured

BEFORE = "id,q,s\nA,x,1\nA,x,2\nB,x,3\nC,y,4\nD,y,5\nE,,6\n"
AFTER = "q,s\nx,1\nx,2\nx,3\ny,4\ny,5\n,6\n"


def listed(case):
    table, done = uuid.uuid4(), []
    written = SimpleNamespace(table_id=table)
    found = classes_listed({"": (case, written)}, measured(case), done.append)
    return found.get(str(table)), done


def test_rows_are_counted_where_nobody_has_several():
    found, done = listed(replace(clinic(BEFORE, AFTER), person_key=()))
    assert [(size, rows, [*values]) for size, rows, values in found["classes"]] == [
        (1, 1, [""]),
        (2, 2, ["y"]),
        (3, 3, ["x"]),
    ]
    assert (found["persons"], found["k"], found["total"], found["columns"]) == (False, 2, 3, ["q"])
    assert done[-1] == 1.0


def test_persons_are_counted_where_the_gate_counts_them():
    case = clinic(BEFORE, AFTER)
    whose = np.array([0, 0, 1, 2, 3, 4])
    found, _done = listed(replace(case, person_key=("id",), subjects=lambda: whose))
    assert found["persons"]
    assert [(size, rows) for size, rows, _values in found["classes"]] == [(1, 1), (2, 3), (2, 2)]
    page = _page(found, 1)
    assert [one.is_below for one in page.rows] == [True, False, False]
    with translation.override("en"):
        assert sentences(page)[-1] == "1 is smaller than 2, the k that the target asks for."


def test_a_table_without_quasi_identifiers_is_not_listed():
    found, _done = listed(replace(clinic(BEFORE, "s\n1\n2\n3\n4\n5\n6\n"), person_key=()))
    assert found is None
    with translation.override("en"):
        assert sentences(None)[0].startswith("No classes were listed of this table")


def test_where_emptied_cells_may_be_anything_the_list_says_how_it_reads_them():
    case = replace(clinic(BEFORE, AFTER), person_key=())
    steps = [
        {"technique": "suppression.rare_combinations", "columns": ["q"], "parameters": {"minimum_count": 2}}
    ]
    case = replace(case, recipe=Recipe.from_data({"recipe": 1, "steps": steps}))
    found, _done = listed(case)
    assert found["looser"]
    with translation.override("en"):
        assert "An emptied cell is a value of its own" in " ".join(sentences(_page(found, 1)))


def test_where_all_that_are_kept_are_too_small_others_may_be():
    found, _done = listed(replace(clinic(BEFORE, AFTER, k=9), person_key=()))
    page = _page({**found, "total": 4}, 1)
    with translation.override("en"):
        assert "others may be" in " ".join(sentences(page))
