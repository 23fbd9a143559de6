"""What a report says beside the gate table: each sentence where its figures are so, with these figures."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.utils import translation

from projects.verification.gate.check import TableSubject
from projects.verification.gate.checks.closeness import Closeness
from projects.verification.gate.checks.presence import Presence
from projects.verification.gate.conditions import Condition, conditions_of, not_in_model
from projects.verification.gate.population import (
    _said_of,
    population_rows,
    population_statements,
    unrepeatable,
)
from projects.verification.gate.sampling import sample_figures, sample_statements
from projects.verification.gate.sensitive import Measure, _formula, _plain
from projects.verification.reports.gate import Population, Report, Risk, TableReport
from projects.verification.reports.stored import text
from techniques.catalogue.models import KAnonymitySettings
from techniques.core.attributes import AttributeRole
from techniques.recipe.recipe import Recipe


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


def about(**found):
    """What is said by a population table of which this was found."""
    plain = {
        "sha256": "0123456789abcdef", "rows": 1600, "columns": ["sex", "age"], "max_risk": 0.125, "average_risk": 0.05,
        "delta_min": 0.1, "delta_max": 0.25,
    }  # fmt: skip
    return population_statements(
        TableReport(risk=Risk(k=5), population=Population.model_validate(plain | found))
    )


def test_the_figures_by_a_population_table_are_said():
    risk, delta = about()
    assert "SHA-256 0123456789ab… (1,600 rows) and the columns sex, age, someone" in risk
    assert "12.5 % (one time in 8), and on average 5 % of the records" in risk
    assert (
        delta
        == "The probability that a person of the population is known to be in the data is 10 % to 25 % (δ)."
    )


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"lacking": ["town"]}, "The population table does not have town:"),
        ({"unrepeated": ["age", "pay"]}, "What the recipe did to age, pay depends on the whole table"),
        ({"made": ["age"]}, "The run drew or made the values of age:"),
    ],
)
def test_what_was_not_compared_is_said_where_there_is_any(found, said):
    assert [one for one in about(**found) if one.startswith(said)] == about(**found)[2:]
    assert len(about(**found)) == 3
    assert len(about(lacking=["a"], unrepeated=["b"], made=["c"])) == 5


def test_a_population_table_that_does_not_fit_has_its_problem_and_no_figure():
    (said,) = about(problem=text("It has none of %(columns)s.", columns="sex"), lacking=["sex"])
    assert said.startswith(
        "The population table with the SHA-256 0123456789ab… (1,600 rows) could not be used."
    )
    assert said.endswith("It has none of sex.")


def test_that_nobody_named_a_population_table_is_said_where_somebody_could_be_looked_for():
    (said,) = population_statements(TableReport(risk=Risk(k=5)))
    assert said.startswith("No population table was named.")
    assert population_statements(TableReport(population=Population(sha256="0"))) == []
    assert population_rows(Report()) == []
    assert [name for name, _said in population_rows(Report(main="a", risk=Risk(k=5)))] == ["a"]


def test_a_column_is_unrepeated_or_made_or_neither():
    treated = {"a": lambda values: values, "b": unrepeatable, "c": None, "d": unrepeatable}
    assert _said_of(treated) == {"unrepeated": ["b", "d"], "made": ["c"]}
    assert _said_of({"a": treated["a"]}) == {}


@pytest.mark.parametrize(
    ("bound", "delta", "passed"),
    [(0.25, 0.25, True), (0.25, 0.2501, False), (0.0, 0.0, True), (1.0, 1.0, True)],
)
def test_presence_is_kept_at_its_bound(bound, delta, passed):
    population = Population(sha256="0", delta_max=delta)
    of = TableSubject(
        SimpleNamespace(risk=SimpleNamespace(presence=bound)),
        TableReport(population=population),
        risk=object(),
    )
    of.persons = SimpleNamespace(result=None)
    (row,) = Presence().measure(of, lambda share: None)
    assert (row.passed, row.measured, row.target, row.measure) == (passed, delta, bound, "")
    of.case.risk.presence = None
    assert Presence().measure(of, lambda share: None) == []


FIGURES = {
    "fraction": 0.25, "journalist": {"max_risk": 0.125}, "marketer": 0.05,
    "population_uniqueness": {"sample_uniques": 3, "share": 0.01, "chosen": "pitman"},
}  # fmt: skip


def sampled(persons=None, **more):
    found = SimpleNamespace(figures=SimpleNamespace(persons=persons), rows=100)
    return {one.code: (str(one), one.params) for one in sample_statements(FIGURES | more, found)}


def test_a_sample_is_said_with_what_it_hides():
    said = sampled()
    assert [*said] == ["sample", "journalist", "population_uniques", "average_hides_uniques"]
    assert said["sample"][0].startswith(
        "The result is a random sample of 25 % of the source; nobody can be sure"
    )
    assert "12.5 % (one time in 8), and on average 5 % of the records" in said["journalist"][0]
    assert said["population_uniques"][1] == {"uniques": 3, "share": "1 %", "model": "pitman"}
    assert sample_statements(None, SimpleNamespace()) == []


def test_a_sample_of_persons_is_said_of_persons():
    said = sampled(persons=50, population_uniqueness={"sample_uniques": 3})
    assert said["sample"][0].startswith("The result is a random sample of 25 % of the persons of the source;")
    assert "5 % of the persons" in said["journalist"][0]
    assert said["population_uniques"][0].startswith("3 classes of the sample hold a single person each;")
    certain = sampled(persons=50, population_uniqueness={"sample_uniques": 3}, chances=[(1.0, 2)])["sample"]
    assert "2 of them were certain to be drawn" in certain[0]


@pytest.mark.parametrize(
    ("chances", "params"),
    [
        ([], {"share": "25 %"}),
        ([(0.5, 4), (0.1, 9)], {"share": "25 %", "chance": "50 %"}),
        ([(0.999, 4)], {"share": "25 %", "chance": "99.9 %"}),
        ([(1.0, 4), (0.1, 9)], {"share": "25 %", "certain": 4}),
        ([(1.0, 4), (1.0, 3), (0.1, 9)], {"share": "25 %", "certain": 7}),
    ],
)
def test_who_was_certain_to_be_drawn_is_counted(chances, params):
    assert sampled(chances=chances)["sample"][1] == params


def test_unique_records_of_a_sample_are_said_as_far_as_they_are_known():
    none = sampled(population_uniqueness={"sample_uniques": 0, "share": 0.0, "chosen": "counted"})
    assert none["population_uniques"][0].startswith("No record is unique in the sample")
    unequal = sampled(population_uniqueness={"sample_uniques": 1}, chances=[(0.5, 1)])["population_uniques"]
    assert "is not estimated, because not all were drawn with the same chance" in unequal[0]


@pytest.mark.parametrize("fraction", [None, 0, 1, 1.5, -0.1])
def test_what_is_no_sample_has_no_figures(fraction):
    assert sample_figures(SimpleNamespace(), fraction) is None


def model(**sensitive):
    settings = {
        "k": 2,
        "suppression_limit": 0.5,
        "hierarchies": {"q": {"kind": "star"}},
        "sensitive": sensitive,
    }
    return {"technique": "model.k_anonymity", "columns": ["q"], "parameters": settings}


def promised(*steps, **targets):
    plain = {"technique": "as_is", "columns": ["q"], "parameters": {"reason": "of this test"}}
    return SimpleNamespace(
        recipe=Recipe.from_data({"recipe": 1, "unlisted": "keep", "steps": [*steps, plain]}),
        risk=SimpleNamespace(conditions=targets),
        result=SimpleNamespace(columns=lambda: ["q", "s", "t"]),
        roles={"q": AttributeRole.QUASI_IDENTIFIER, "s": AttributeRole.SENSITIVE_ATTRIBUTE},
    )


def test_a_condition_that_several_ask_for_stands_once_with_all_of_them():
    case = promised(model(s={"distinct": 2}), model(s={"distinct": 2}, t={"distinct": 3}), distinct=2)
    (first, who), (second, others) = conditions_of(case)
    assert (first.column, first.measure, first.bound) == ("s", "distinct", 2)
    assert [one.params.get("number") for one in who] == [1, 2, None]
    assert (second.column, second.bound, [one.params["number"] for one in others]) == ("t", 3, [2])
    kept = case.recipe.steps[0].parameters
    assert isinstance(kept, KAnonymitySettings)
    assert not_in_model(case, kept) == ["t"]
    assert not_in_model(case, None) == ["s", "t"]
    assert conditions_of(promised()) == []


def test_the_bound_of_a_condition_is_that_of_its_kind():
    said = {"recursive_l": 3, "recursive_c": 1.5, "t": 0.25}
    found = {one.measure: one for one, _who in conditions_of(promised(model(s=said)))}
    assert found["recursive"] == Condition("s", "recursive", 1.5, 3)
    assert found["equal"] == Condition("s", "equal", 0.25)
    (tree,) = [one for one, _who in conditions_of(promised(model(s={"t": 0.25, "distance": "hierarchical"})))]
    assert (tree.measure, tree.bound, tree.hierarchy.kind) == ("hierarchical", 0.25, "star")


def measure_of(sense):
    return Measure("m", "label", "%(column)s", "m", sense, lambda *_: 0.0, (), sign="m")


@pytest.mark.parametrize(
    ("sense", "holding", "breaking", "kept", "broken"),
    [
        ("at_least", (2.0, 2.1, 2 - 1e-10), (1.9, 2 - 1e-8), "m = 2 ≥ 2", "m = 1.9 < 2"),
        ("at_most", (2.0, 1.9, 2 + 1e-10), (2.1, 2 + 1e-8), "m = 2 ≤ 2", "m = 2.1 > 2"),
        ("below", (1.9, 2 - 1e-8), (2.0, 2.1, 2 - 1e-10), "m = 1.9 < 2", "m = 2 ≥ 2"),
    ],
)
def test_a_condition_is_kept_at_its_bound_but_for_rounding(sense, holding, breaking, kept, broken):
    measure, condition = measure_of(sense), Condition("s", "m", 2)
    assert [measure.holds(condition, one) for one in holding] == [True] * len(holding)
    assert [measure.holds(condition, one) for one in breaking] == [False] * len(breaking)
    assert _formula(measure, condition, holding[0], True) == kept
    assert _formula(measure, condition, breaking[0], False) == broken


def test_what_nothing_weighs_up_is_said_as_that():
    condition = Condition("s", "m", 2, place=3)
    assert _plain(measure_of("below"), condition, float("inf")).message.startswith(
        "A class has fewer than %(place)d"
    )
    assert _plain(measure_of("below"), condition, 1.5).params == {
        "column": "s",
        "found": "1.5",
        "bound": "2",
        "place": 3,
    }


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (True, "%(column)s was changed, so it is held against what is written"),
        (False, "Held against the shares"),
    ],
)
def test_what_a_distance_is_held_against_is_said(changed, said):
    (note,) = Closeness().notes(Condition("s", "equal", 0.1), SimpleNamespace(changed=changed))
    assert note.message.startswith(said)
    assert note.params == {"column": "s"}
