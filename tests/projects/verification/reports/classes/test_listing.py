"""Which tables are listed, and by what their classes are counted."""

from __future__ import annotations

import uuid
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from django.utils import translation

from projects.datasets.samples import MAX_SHOWN
from projects.processing.runs.findings import AGGREGATION
from projects.verification.gate.case import Table
from projects.verification.gate.measurement import measure
from projects.verification.reports.classes import listing
from projects.verification.reports.classes.enums import WhyUnlisted
from projects.verification.reports.classes.listing import classes_listed
from projects.verification.reports.classes.presentation import said_of
from projects.verification.reports.classes.selectors import Unlisted, page_of
from techniques.core.messages import EngineError
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
    page = page_of(found, 1)
    assert [one.is_below for one in page.rows] == [True, False, False]
    with translation.override("en"):
        assert said_of(page)[-1] == "1 is smaller than 2, the k that the target asks for."


def test_a_table_without_quasi_identifiers_is_not_listed():
    found, _done = listed(replace(clinic(BEFORE, "s\n1\n2\n3\n4\n5\n6\n"), person_key=()))
    assert found == {"why": WhyUnlisted.WITHOUT_RISK}
    with translation.override("en"):
        assert "no risk was measured by quasi-identifiers" in said_of(Unlisted(found["why"]))[0]


class Broken:
    """A table that cannot be read any more."""

    rows = 6

    def columns(self):
        return ["q", "s"]

    def coded(self, columns, tick=None):
        raise EngineError("table.damaged", "The file is damaged.")


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"result": Broken()}, WhyUnlisted.UNREAD),
        ({"person_key": ("id",), "subjects": lambda: np.zeros(2)}, WhyUnlisted.SUBJECTS_UNKNOWN),
        (
            {
                "steps": [
                    {
                        "technique": AGGREGATION,
                        "columns": ["q"],
                        "result": {"cell_sizes": [(1, 6)], "grouped_by": ["q"]},
                    }
                ]
            },
            WhyUnlisted.OF_GROUPS,
        ),
    ],
)
def test_what_cannot_be_listed_says_why(other, why):
    case = replace(clinic(BEFORE, AFTER), person_key=())
    written = SimpleNamespace(table_id="t")
    again = {"": (replace(case, **other), written)}
    assert classes_listed(again, measured(case), lambda share: None) == {"t": {"why": why}}


def test_what_the_measurement_has_kept_is_listed_without_reading_the_file_again():
    case = replace(clinic(BEFORE, AFTER), person_key=())
    wanted, _done = listed(case)
    opened, written = [], case.result
    result = Table(lambda: opened.append(1) or written.open(), written.format, written.rows)
    case = replace(case, result=result)
    found = measure({"": case}, [], lambda _done: None, keep_classes=True)
    opened.clear()
    again = {"": (case, SimpleNamespace(table_id="t"))}
    assert classes_listed(again, found, lambda _done: None) == {"t": wanted}
    assert opened == []


def test_values_that_were_cut_are_seen_to_be_and_never_read_alike():
    long, other = "x" * MAX_SHOWN, "y" * MAX_SHOWN
    texts = [long + "a", long, long + "b", other + "c", long + "a", f"{long[1:]}…", ""]
    assert listing._short(texts) == [
        f"{long}… (1)",
        long,
        f"{long}… (2)",
        f"{other}…",
        f"{long}… (1)",
        f"{long[1:]}…",
        "",
    ]


def test_where_emptied_cells_may_be_anything_the_list_says_how_it_reads_them():
    case = replace(clinic(BEFORE, AFTER), person_key=())
    steps = [
        {"technique": "suppression.rare_combinations", "columns": ["q"], "parameters": {"minimum_count": 2}}
    ]
    case = replace(case, recipe=Recipe.from_data({"recipe": 1, "steps": steps}))
    found, _done = listed(case)
    assert found["looser"]
    with translation.override("en"):
        assert "An emptied cell is a value of its own" in " ".join(said_of(page_of(found, 1)))


def test_where_all_that_are_kept_are_too_small_others_may_be():
    found, _done = listed(replace(clinic(BEFORE, AFTER, k=9), person_key=()))
    page = page_of({**found, "total": 4}, 1)
    with translation.override("en"):
        assert "others may be" in " ".join(said_of(page))
