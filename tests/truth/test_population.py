"""What is said by a population table, which was named, and that none was: each where it is true alone."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from django.utils import translation

from projects.verification.gate.checks.presence import Presence
from projects.verification.gate.population import population_statements
from projects.verification.reports.gate import Measurement
from tests.truth.released import patients, released, step, table_of

_AGES = {"kind": "intervals", "widths": [5, 10, 50]}
_MODEL = step("model.k_anonymity", "性别", "年龄", k=5, hierarchies={"性别": {"kind": "star"}, "年龄": _AGES})
_COLUMNS = ["性别", "年龄", "诊断"]


def register(times: int, columns: tuple[str, ...] = ("性别", "年龄")) -> bytes:
    """Every patient and ``times`` - 1 others who look exactly alike, unaltered."""
    return table_of([{column: row[column] for column in columns} for row in patients() * times])


def said(found: Measurement) -> str:
    with translation.override("en"):
        return " ".join(population_statements(found.report))


def test_without_a_population_table_that_is_said() -> None:
    found = released(_COLUMNS, _MODEL)
    assert found.report.population is None
    assert "No population table was named" in said(found)
    assert "population" not in found.report.as_json()


def test_classes_are_as_large_as_in_the_population_at_the_level_of_the_result() -> None:
    table = register(4)
    found = released(_COLUMNS, _MODEL, population=table)
    risk, beside = found.report.risk, found.report.population
    assert risk is not None
    assert beside is not None
    assert beside.problem is None
    assert beside.sha256 == hashlib.sha256(table).hexdigest()
    assert (beside.rows, beside.columns, beside.lacking) == (1600, ["性别", "年龄"], [])
    assert beside.max_risk == pytest.approx(1 / (4 * risk.k))
    assert beside.average_risk == pytest.approx(risk.average_risk / 4)
    assert beside.delta_max == beside.delta_min == pytest.approx(0.25)
    assert beside.sha256[:12] in said(found)
    assert "No population table" not in said(found)


def test_whoever_is_all_of_the_population_is_known_to_be_in_it() -> None:
    found = released(_COLUMNS, _MODEL, population=register(1), presence=0.9)
    assert found.report.population is not None
    assert found.report.population.delta_max == 1
    assert [check.passed for check in found.checks if check.kind == "presence"] == [False]
    kept = released(_COLUMNS, _MODEL, population=register(4), presence=0.25)
    assert [check.passed for check in kept.checks if check.kind == "presence"] == [True]


def test_presence_counts_persons_and_says_so() -> None:
    rows = [row | {"病历号": f"P{number}"} for number, row in enumerate(patients()) for _visit in range(2)]
    hashed = step("pseudonymization.keyed_hash", "病历号")
    found = released(
        ["病历号", *_COLUMNS],
        hashed,
        _MODEL,
        rows=rows,
        subject="病历号",
        population=register(4),
        presence=0.25,
    )
    assert found.report.population is not None
    assert found.report.population.delta_max == pytest.approx(0.25)
    (result,) = [check for check in found.checks if check.kind == "presence"]
    assert result.passed
    by_persons = Presence().said_of_persons(result)
    assert by_persons is not None
    assert by_persons.signs[0] != Presence.signs[0]
    by_rows = released(_COLUMNS, _MODEL, population=register(4), presence=0.25)
    (result,) = [check for check in by_rows.checks if check.kind == "presence"]
    assert Presence().said_of_persons(result) is None


def test_a_register_with_fewer_columns_is_looked_up_by_those() -> None:
    found = released(_COLUMNS, _MODEL, population=register(2, ("性别",)))
    assert found.report.population is not None
    assert (found.report.population.columns, found.report.population.lacking) == (["性别"], ["年龄"])
    assert found.report.population.max_risk == pytest.approx(1 / 400)
    assert "does not have 年龄" in said(found)


@pytest.mark.parametrize(
    "table", [b"\xe5\x90\x8d\n1\n", b"\xe6\x80\xa7\xe5\x88\xab\n\xe7\x94\xb7\n"], ids=["no column", "not all"]
)
def test_a_register_that_does_not_fit_gives_no_figure_and_no_pass(table: bytes) -> None:
    found = released(_COLUMNS, _MODEL, population=table, presence=1)
    assert found.report.population is not None
    assert found.report.population.problem is not None
    assert "could not be used" in said(found)
    assert [check.passed for check in found.checks if check.kind == "presence"] == [None]


def test_without_a_register_the_target_could_not_be_measured() -> None:
    found = released(_COLUMNS, _MODEL, presence=1)
    assert [check.passed for check in found.checks if check.kind == "presence"] == [None]


_TENS = step("generalization.intervals", "年龄", width=10)


def test_what_the_recipe_does_value_by_value_is_done_to_the_population_too() -> None:
    found = released(_COLUMNS, _TENS, population=register(4))
    risk, beside = found.report.risk, found.report.population
    assert risk is not None
    assert beside is not None
    assert beside.problem is None
    assert beside.max_risk == pytest.approx(1 / (4 * risk.k))
    assert "compared as they are there" not in said(found)


def test_what_a_sample_draws_is_treated_in_the_population_as_after_it() -> None:
    draw = step("statistical.sampling", "性别", "年龄", fraction=0.5)
    found = released(_COLUMNS, draw, _TENS, population=register(1))
    beside = found.report.population
    assert beside is not None
    assert (beside.problem, beside.unrepeated, beside.made) == (None, [], [])
    assert beside.max_risk == pytest.approx(1 / 40)
    assert beside.delta_max < 1


def test_what_rests_on_the_whole_table_is_compared_unrepeatable_and_that_is_said() -> None:
    local = step("model.k_anonymity", "性别", "年龄", recoding="local", **_MODEL["parameters"])
    found = released(_COLUMNS, local, population=register(4))
    beside = found.report.population
    assert beside is not None
    assert beside.unrepeated == ["性别", "年龄"]
    assert beside.problem is not None
    assert "classes of the table with %(records)d records are not in the population" in beside.problem.message
    assert "could not be used" in said(found)


@pytest.mark.parametrize(
    ("treatment", "fits"),
    [
        (step("generalization.top_bottom_coding", "年龄", top_rows=40), False),
        # No age is that rare: each stands in the result as it stands in the register.
        (step("suppression.rare_values", "年龄", minimum_count=2), True),
    ],
    ids=["the oldest", "rare ages"],
)
def test_what_counts_the_values_of_the_table_is_not_repeated(treatment: dict[str, Any], fits: bool) -> None:
    found = released(_COLUMNS, treatment, population=register(4))
    beside = found.report.population
    assert beside is not None
    assert beside.unrepeated == ["年龄"]
    assert (beside.problem is None) is fits
    assert ("What the recipe did to 年龄 depends on the whole table" in said(found)) is fits


def test_nobody_is_looked_for_by_values_that_the_run_drew() -> None:
    noise = step("randomization.noise", "年龄", spread=0.1)
    found = released(_COLUMNS, noise, population=register(4))
    beside = found.report.population
    assert beside is not None
    assert (beside.columns, beside.made) == (["性别"], ["年龄"])
    assert "The run drew or made the values of 年龄" in said(found)
    assert beside.max_risk == pytest.approx(1 / 800)
    alone = released(["年龄", "诊断"], noise, population=register(4))
    assert "could be compared by 年龄 only" in said(alone)
