"""What the report of a run says of groups and of made-up rows, as rows of the gate: each sentence for its own figures."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import get_args

import pytest

from projects.processing.runs.findings import AGGREGATION
from projects.verification.gate.check import TableSubject, WholeSubject
from projects.verification.gate.checks.leaks.dominance import Dominance
from projects.verification.gate.checks.leaks.made_up_rows import MadeUpRows
from projects.verification.gate.checks.leaks.residual import _remedy
from projects.verification.gate.checks.privacy_budget import PrivacyBudgetOfTables
from projects.verification.gate.rows import Cells, cells_of
from projects.verification.reports.gate import Report
from techniques.core.attributes import AttributeRole
from techniques.identification.metadata.forms import ValueForm
from techniques.identification.residual import ResidualFinding, Where
from tests.projects.verification.gate.checks.test_checks import clinic, measured


def subject(steps, columns=("ward", "pay"), **risk):
    case = SimpleNamespace(
        steps=steps, result=SimpleNamespace(columns=lambda: [*columns]), made_up_columns={"pay"},
        risk=SimpleNamespace(**{"membership": None, "epsilon": None} | risk),
    )  # fmt: skip
    return TableSubject(case)


def aggregated(**more):
    return {"technique": AGGREGATION, "columns": ["pay"], "result": {"persons": 3} | more}


DOMINATED = {"statistic": "sum", "cells": 9, "dominated": 2, "largest_share": 0.95}
HELD = {"statistic": "maximum", "cells": 9, "held_by_few": 4}


@pytest.mark.parametrize(
    ("figures", "words", "by_persons", "bad", "formula"),
    [
        ({"statistic": "count", "cells": 9}, "are counts", "are counts", 0, ""),
        ({"statistic": "median", "cells": 9}, "are medians", "are medians", 0, ""),
        (
            {"statistic": "median", "cells": 9, "one_sided": 2},
            "fewer than three records on one side",
            "fewer than three persons on one side",
            2,
            "",
        ),
        (DOMINATED, "dominated by one or two records", "dominated by one or two persons", 2, "max x₁/X = 0.95"),
        (DOMINATED | {"dominated": 0}, "dominated by one or two records", "dominated by one or two persons", 0, "max x₁/X = 0.95"),
        (HELD, "exact value of a few records only", "exact value of a few persons only", 4, ""),
        (HELD | {"held_by_few": 1}, "exact value of a few records only", "exact value of a few persons only", 1, ""),
        (HELD | {"held_by_few": 0}, "exact value of a few records only", "exact value of a few persons only", 0, ""),
    ],
)  # fmt: skip
def test_a_figure_of_a_group_is_said_by_what_it_is(figures, words, by_persons, bad, formula):
    """Persons are counted where the step says how many there are."""
    for result, said in (
        ({"figures": {"pay": figures}}, words),
        ({"persons": 9, "figures": {"pay": figures}}, by_persons),
    ):
        step = {"technique": AGGREGATION, "columns": ["pay"], "result": result}
        (row,) = Dominance().measure(subject([step]), lambda share: None)
        assert said in row.plain.message
        assert (row.plain.params["cells"], row.plain.params["column"], row.plain.params["bad"]) == (
            9,
            "pay",
            bad,
        )
        assert (row.measured, row.target, row.passed, row.formula) == (bad, 0, bad == 0, formula)
        assert [one.params for one in row.remedies] == ([{"column": "pay"}] if bad else [])
        assert row.label.columns == "pay"


def test_only_columns_of_the_result_have_a_row():
    step = aggregated(figures={"pay": DOMINATED, "gone": DOMINATED, "ward": HELD})
    rows = Dominance().measure(subject([step, aggregated(figures={}), aggregated()]), lambda share: None)
    assert [row.label.columns for row in rows] == ["pay", "ward"]
    assert Dominance().measure(subject([{**step, "technique": "as_is"}]), lambda share: None) == []


@pytest.mark.parametrize(
    ("rows", "sizes", "wanted"),
    [
        (3, [(5, 2), (7, 1)], 17),
        (2, [(5, 2), (7, 1)], None),
        (4, [(5, 2), (7, 1)], None),
        (0, [], None),
        (3, None, None),
    ],
)
def test_rows_are_groups_where_there_are_as_many(rows, sizes, wanted):
    result = {"grouped_by": ["ward"]} | ({} if sizes is None else {"cell_sizes": sizes})
    found = cells_of([{"technique": AGGREGATION, "result": result}], rows)
    assert (found and found.rows) == wanted
    if found:
        assert (found.number, [*found.columns], found.smallest) == (3, ["ward"], None)
        more = {
            "technique": AGGREGATION,
            "result": result | {"rows_in_cells": 40, "smallest_cells": [(5, 9)]},
        }
        other = cells_of([{"technique": AGGREGATION, "result": {"cell_sizes": [(1, 9)]}}, more], rows)
        assert other == Cells(["ward"], sizes, 40, [(5, 9)])


def test_only_steps_that_put_figures_of_groups_in_the_place_of_values_make_groups():
    result = {"cell_sizes": [(5, 3)]}
    assert cells_of([{"technique": "as_is", "result": result}], 3) is None
    assert cells_of([{"technique": AGGREGATION, "result": None}, {"technique": AGGREGATION}], 3) is None
    assert cells_of(
        [{"technique": AGGREGATION, "result": None}, {"technique": AGGREGATION, "result": result}], 3
    )


def made(**closeness):
    found = {
        "nearer_than_held_out": 0.5, "membership": 0.625, "exact_match_share": 0.02, "exact_match_share_held_out": 0.01,
        "too_close": False, "limit": 0.75,
    }  # fmt: skip
    return {
        "technique": "synthesis.sequential",
        "columns": ["pay", "age"],
        "result": {"closeness": found | closeness},
    }


@pytest.mark.parametrize(
    ("closeness", "bound", "passed", "target"),
    [
        ({}, None, True, 0.75),
        ({"too_close": True}, None, False, 0.75),
        ({}, 0.625, True, 0.625),
        ({}, 0.62, False, 0.62),
        ({}, 0.8, True, 0.75),
        ({"too_close": True}, 0.8, False, 0.75),
        ({"limit": None}, None, True, None),
    ],
)
def test_made_up_rows_are_held_against_the_limit_and_the_target(closeness, bound, passed, target):
    (row,) = MadeUpRows().measure(subject([made(**closeness)], membership=bound), lambda share: None)
    assert (row.passed, row.target, row.measured) == (passed, target, 0.625)
    assert row.formula == "max(0.5, 0.625)"
    assert row.plain.params == {"nearer": "50 %", "member": "62.5 %", "exact": "2 %", "expected": "1 %"}
    assert row.label.columns == "pay, age"
    assert bool(row.remedies) is not passed
    assert row.details[-1].params == {"columns": "ward"}


@pytest.mark.parametrize("lacking", ["nearer_than_held_out", "membership"])
def test_rows_of_which_nothing_was_measured_are_no_pass(lacking):
    (row,) = MadeUpRows().measure(subject([made(**{lacking: None})]), lambda share: None)
    assert (row.passed, row.measured) == (None, None)
    assert row.plain.message.startswith("The run measured no membership test")


def test_where_all_columns_are_made_up_none_is_said_to_be_real():
    (row,) = MadeUpRows().measure(subject([made()], columns=("pay",)), lambda share: None)
    assert [one.message[:12] for one in row.details] == ["No guarantee"]


def test_what_passes_is_within_its_target_and_what_fails_is_beyond_it_or_says_why():
    """Where few rows show it a chance above 0.6 may be chance, and its limit says so."""
    (row,) = MadeUpRows().measure(subject([made(judged=0.61, limit=0.66)]), lambda share: None)
    assert (row.passed, row.measured, row.target) == (True, 0.61, 0.66)
    copies = made(judged=0.61, limit=0.66, too_close=True)
    (row,) = MadeUpRows().measure(subject([copies]), lambda share: None)
    assert (row.passed, row.details[0].message[:31]) == (False, "More of the made-up rows equal ")


@pytest.mark.parametrize(
    ("tables", "bound", "measured", "passed", "by_person"),
    [
        ([[1.0], [0.5]], 1.5, 1.5, True, False),
        ([[1.0], [0.5]], 1.4, 1.5, False, False),
        ([[0.1, 0.1], [0.1], []], 0.3, 0.3, True, True),
        ([[1.0], [0.5]], None, None, None, False),
        ([[1.0], []], 2.0, None, None, False),
        ([[]], 2.0, None, None, False),
    ],
)
def test_budgets_of_several_tables_add_up(tables, bound, measured, passed, by_person):
    """B.2: who is in both has the sum."""
    result = {"rows_of_person": 2} if by_person else {}
    cases = {
        f"t{number}": SimpleNamespace(
            risk=SimpleNamespace(epsilon=bound),
            steps=[
                {"technique": "synthesis.private", "columns": ["q"], "result": {"epsilon": one, **result}} for one in spent
            ],
        )
        for number, spent in enumerate(tables)
    }  # fmt: skip
    rows = PrivacyBudgetOfTables().measure(WholeSubject(cases, [], Report()), lambda share: None)
    if passed is None:
        assert rows == []
        return
    (row,) = rows
    assert (row.measured, row.passed, row.target) == (pytest.approx(measured), passed, bound)
    assert ("A person who is in all" in row.plain.message) is by_person
    if not by_person:
        assert row.formula == "1 + 0.5 = 1.5"
        assert row.plain.params == {"spent": "1.5", "bound": f"{bound}", "columns": "t0 1, t1 0.5"}


@pytest.mark.parametrize("where", get_args(Where))
def test_free_text_is_redacted_and_anything_else_removed_masked_or_replaced(where):
    found = ResidualFinding.model_construct(column="c", name="n", where=where)
    assert ("free text" in _remedy(found).message) is (where == "free_text")
    assert _remedy(found).params == {"column": "c"}
    assert _remedy(found.model_copy(update={"column": ""})).params == {"column": "n"}


def test_what_has_a_form_of_the_organisation_may_not_be_left():
    """One badge among 200 notes: found with the organisation's rule, and said to have been looked for where none is left."""

    notes = "q,s\n" + "a,well\n" * 199
    badge = ValueForm("own_badge", AttributeRole.DIRECT_IDENTIFIER, "EMP-[0-9]{6}")

    def row_of(last, forms):
        case = clinic(notes + last, notes + last)
        (row,) = [
            one
            for one in measured(replace(case, forms=forms, forms_version="4")).checks
            if one.kind == "residual"
        ]
        return row

    left = row_of("a,EMP-000017\n", [badge])
    assert (left.passed, left.measured) == (False, 1)
    assert [dict(one.params) for one in left.details] == [
        {"column": "s", "rows": 1},
        {"forms": 1, "version": "4"},
    ]
    assert len(left.remedies) == 1
    assert row_of("a,EMP-000017\n", []).passed, "nobody said what it is"
    none = row_of("a,well\n", [badge])
    assert none.passed
    assert [dict(one.params) for one in none.details] == [{"forms": 1, "version": "4"}]
    assert row_of("a,well\n", []).details == []
