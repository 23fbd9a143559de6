"""Guessing sensitive attributes beside the scales: of each one, whatever is promised, per table, without a verdict."""

from __future__ import annotations

import pytest
from django.utils import translation

from projects.verification.gate.measurement import measure
from projects.verification.gate.scales import inference
from projects.verification.gate.scales.inference import inference_rows
from projects.verification.gate.scales.presentation import scale_rows
from tests.truth.statements.of_classes import _by_person, _visits
from tests.truth.statements.of_inference import _alike
from tests.truth.tables import ROLES, judged, people, ran, step, written_of


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


def test_it_is_measured_where_nothing_is_promised():
    found = _alike()
    assert not found.case.risk.conditions
    (row,) = inference_rows(found.found.report)
    assert row.label == "Guessing 诊断"
    # Two classes of 15 have the flu only, the other two each of the five illnesses three times.
    assert (row.value, row.formula.substituted) == ("60 %", "P = 36 / 60 = 0.6")
    assert scale_rows(found.found.report)[-1].has_threshold is False


def test_the_gate_does_not_go_by_it():
    assert [row.passed for row in _alike().found.checks] == [row.passed for row in judged().found.checks]


def test_persons_are_counted_where_rows_are_several():
    (row,) = inference_rows(_by_person(_visits()).found.report)
    assert "of persons" in row.plain
    assert row.formula.substituted.endswith(f"/ 24 = {row.formula.substituted.rsplit('= ')[-1]}")


def test_a_cell_that_is_suppressed_counts_as_guessed():
    rows = written_of([{**row, "诊断": "*"} for row in people()])
    (row,) = inference_rows(judged(people(), rows).found.report)
    assert row.value == "up to 100 %"


def test_each_table_and_each_attribute_has_its_own(monkeypatch):
    costs = [{**row, "费用": str(number % 4)} for number, row in enumerate(people())]
    one, other = judged(costs, written_of(costs)), judged()

    def labels():
        report = measure({"a": one.case, "b": other.case}, [], lambda share: None).report
        return [(row.label, row.value) for row in inference_rows(report)]

    together = labels()
    assert [label for label, _value in together] == [
        "a: Guessing 诊断",
        "a: Guessing 费用",
        "b: Guessing 诊断",
    ]
    monkeypatch.setattr(inference, "_AT_ONCE", 1)
    assert labels() == together


def test_what_the_checks_have_read_is_the_same():
    """A promised condition has the column read already."""
    found = judged(l=2)
    assert found.case.risk.conditions
    assert inference_rows(found.found.report) == inference_rows(judged().found.report)


def test_groups_and_made_up_rows_have_none():
    fees = [{**row, "费用": str(number)} for number, row in enumerate(people(80))]
    figures = step("statistical.aggregation", "性别", "费用", statistics={"费用": "mean"})
    grouped = ran(fees, figures, step("suppression.remove_column", "年龄", "诊断"))
    assert "费用" in grouped.written[0]
    assert inference_rows(grouped.found.report) == []
    made_up = ran(people(80), step("synthesis.sequential", "性别", "年龄", "诊断", leaf_rows=20))
    assert inference_rows(made_up.found.report) == []


def test_what_cannot_be_measured_says_why():
    (row,) = inference_rows(judged(key=("姓名",)).found.report)
    assert (row.value, row.formula) == ("not determined", None)
    assert "persons cannot be counted" in row.plain


def test_columns_without_a_role_have_none():
    found = judged(roles=ROLES | {"诊断": ROLES["备注"]})
    assert inference_rows(found.found.report) == []
