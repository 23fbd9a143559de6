"""l and t are measured on the written file by code that shares nothing with the search, and fail closed."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from projects.objective.forms import RiskForm
from projects.objective.presentation import risk_rows
from projects.objective.targets.risk import RiskTargets
from projects.processing.recipes.suggestion import conditions_of, model_for
from projects.verification.gate.case import Case, Table
from projects.verification.gate.conditions import not_in_model
from projects.verification.gate.measurement import measure
from projects.verification.presentation import gate_rows
from projects.verification.reports.gate import Measurement
from projects.verification.reports.stored import Text
from projects.verification.wording import translated
from techniques.catalogue.models import Conditions
from techniques.core.attributes import AttributeRole
from techniques.data_utility.targets import TotalVariation
from techniques.hierarchies.build import build
from techniques.hierarchies.definitions import Regions
from techniques.models.k_anonymity.reading import sensitive_of
from techniques.models.k_anonymity.sensitive import Formed
from techniques.recipe.recipe import Recipe
from techniques.tables import detect
from techniques.tables.dictionary import dictionary_encode

RISK = {"k": 2, "measure": "max", "max_risk": 0.5, "overall_threshold": 0.5, "suppression_limit": 1.0}
TREE = {"kind": "table", "rows": [[v, "x" if v in "abc" else "y", "*"] for v in "abcdef"]}


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


def table(text: str) -> Table:
    content = text.encode()
    return Table(lambda: io.BytesIO(content), detect(io.BytesIO(content)), text.count("\n") - 1)


def written(rows: list[tuple[str, str]]) -> str:
    return "q,s\n" + "".join(f"{q},{s}\n" for q, s in rows)


def case(rows: list[tuple[str, str]], conditions: Any = None, *, before: Any = None, **more: Any) -> Case:
    """The result ``rows`` of a step over q that promises ``conditions`` about s; the source is ``before``."""
    step: dict[str, Any] = {"technique": "model.k_anonymity", "columns": ["q"]}
    step["parameters"] = {"k": 2, "suppression_limit": 1.0, "hierarchies": {"q": {"kind": "star"}}}
    if conditions:
        step["parameters"]["sensitive"] = {"s": conditions}
    source = written(rows if before is None else before)
    return Case(
        source=table(source),
        result=table(written(rows)),
        recipe=Recipe.from_data(
            {"recipe": 1, "unlisted": "keep", "steps": [*more.pop("first", []), step, *more.pop("then", [])]}
        ),
        roles={"q": AttributeRole.QUASI_IDENTIFIER, "s": AttributeRole.SENSITIVE_ATTRIBUTE},
        risk=RiskTargets(**RISK, **more.pop("targets", {})),
        utility=[],
        file_name="t.csv",
        result_sha256="same",
        rows_in=source.count("\n") - 1,
        sharing_type="controlled",
        **more,
    )


def measured(case: Case) -> Measurement:
    return measure({"": replace(case, read_sha256="same")}, [], lambda share: None)


def variety(case: Case) -> list[dict[str, Any]]:
    found_all = measured(case)
    rows = gate_rows(found_all.checks, found_all.report)  # every check has its words and its formula
    checks = found_all.as_json()["checks"]
    found = [check for check in checks if check["kind"] in ("diversity", "closeness")]
    assert len([row for row in rows if row.kind in ("diversity", "closeness")]) == len(found)
    return found


def outcome(*args: Any, **more: Any) -> tuple[Any, Any]:
    (check,) = variety(case(*args, **more))
    return check["passed"], check["measured"] and pytest.approx(check["measured"])


MIXED = [("1", v) for v in "aabc"] + [("2", v) for v in "abbb"]


@pytest.mark.parametrize(
    ("conditions", "passed", "figure"),
    [
        ({"distinct": 2}, True, 2),
        ({"distinct": 3}, False, 2),
        ({"entropy": 1.5}, True, np.exp(-(0.25 * np.log(0.25) + 0.75 * np.log(0.75)))),
        ({"entropy": 2.0}, False, np.exp(-(0.25 * np.log(0.25) + 0.75 * np.log(0.75)))),
        ({"recursive_l": 2, "recursive_c": 3.5}, True, 3.0),
        ({"recursive_l": 2, "recursive_c": 3.0}, False, 3.0),  # less than, not just as much
        ({"recursive_l": 3, "recursive_c": 9.0}, False, None),  # the second class has no third value
        ({"t": 0.25}, True, 0.25),
        ({"t": 0.2}, False, 0.25),
        ({"t": 0.1, "distance": "ordered"}, False, 0.125),
        ({"t": 0.1, "distance": "hierarchical", "hierarchy": TREE}, False, 0.125),
    ],
)
def test_what_a_step_promises_is_measured_on_the_file(conditions: Any, passed: bool, figure: Any) -> None:
    assert outcome(MIXED, conditions) == (passed, figure)


def test_nothing_promised_is_nothing_checked() -> None:
    assert variety(case(MIXED)) == []


def test_a_failing_check_says_so_in_words_with_a_formula_and_a_fix() -> None:
    made = case(MIXED, {"distinct": 3})
    found = measured(made)
    row = next(row for row in gate_rows(found.checks, found.report) if row.kind == "diversity")
    assert "2 different values of s" in row.plain
    assert (row.target, row.measured, row.clause) == ("≥ 3", "2", "B.1.2")
    assert row.formula is not None
    assert row.formula.substituted == "l = 2 < 3"
    assert row.remedies
    assert any("step 1" in detail for detail in row.details)


def test_missing_and_suppressed_cells_add_no_variety() -> None:
    rows = [("1", v) for v in ("a", "", "*")] + [("2", v) for v in "abc"]
    assert outcome(rows, {"distinct": 2}) == (False, 1)
    lean = [("1", ""), ("1", "*"), ("2", "a"), ("2", "b")]
    assert outcome(lean, {"distinct": 2}) == (False, 1)
    assert outcome(lean, {"recursive_l": 2, "recursive_c": 9.0}) == (False, None)
    # Two unknown cells beside a, a, b count as a: four against one.
    some = [("1", v) for v in ("a", "a", "b", "", "*")]
    assert outcome(some, {"recursive_l": 2, "recursive_c": 3.9}) == (False, 4.0)
    assert outcome(some, {"entropy": 1.7}) == (False, np.exp(-0.8 * np.log(0.8) - 0.2 * np.log(0.2)))
    nothing = [("1", ""), ("1", "*")]
    assert outcome(nothing, {"distinct": 2}) == (False, 1)


def test_the_reference_of_t_is_the_source_with_what_was_suppressed() -> None:
    rows = [("1", v) for v in "aabb"]
    assert outcome(rows, {"t": 0.1}) == (True, 0)
    assert outcome(rows, {"t": 0.1}, before=[*rows, *[("9", "a")] * 4]) == (False, 0.25)


def test_all_quasi_identifiers_of_the_result_form_the_classes() -> None:
    """The step knew of q alone; by q and r together the classes are finer."""
    made = case(MIXED, {"distinct": 2})
    text = "q,r,s\n1,1,a\n1,1,a\n1,2,b\n1,2,c\n"
    made = replace(made, result=table(text), source=table(text), rows_in=4)
    assert [check["passed"] for check in variety(made)] == [True]
    roles = {**made.roles, "r": AttributeRole.QUASI_IDENTIFIER}
    assert [check["measured"] for check in variety(replace(made, roles=roles))] == [1]


def test_a_column_that_is_gone_could_not_be_checked() -> None:
    gone = [{"technique": "suppression.remove_column", "columns": ["s"]}]
    made = case(MIXED, {"distinct": 2}, then=gone)
    (check,) = variety(replace(made, result=table("q,z\n" + "1,1\n" * 4)))
    assert check["passed"] is None
    assert check["fixes"]


def test_a_column_that_was_changed_is_held_against_the_result_as_far_as_that_tells() -> None:
    first = [
        {
            "technique": "generalization.hierarchy",
            "columns": ["s"],
            "parameters": {"hierarchy": TREE, "level": 1},
        }
    ]
    raw = [("1", v) for v in "abde"] + [("2", v) for v in "abde"]
    rows = [(q, "x" if v in "abc" else "y") for q, v in raw]
    assert outcome(rows, {"distinct": 2}, before=raw, first=first) == (True, 2)
    assert outcome(rows, {"t": 0.1}, before=raw, first=first) == (True, 0)
    # A tenth of the rows is gone, whatever it held: 0.1 is the most that it can add.
    long = [*raw * 9, *[("3", "a")] * 8]
    assert outcome(rows * 9, {"t": 0.1}, before=long, first=first) == (True, 0.1)
    assert outcome(rows * 9, {"t": 0.05}, before=long, first=first)[0] is None
    far = [("1", "x")] * 4 + [("2", "y")] * 4
    assert outcome(far * 9, {"t": 0.05}, before=long, first=first)[0] is False


def test_the_suppressed_records_are_a_class_and_the_way_out_is_said() -> None:
    rows = [*[("1", v) for v in "abab"], ("*", "a"), ("*", "a")]
    (check,) = variety(case(rows, {"distinct": 2}))
    assert (check["passed"], check["measured"]) == (False, 1)
    assert check["fixes"][0]["params"] == {"rows": 2}


@pytest.mark.parametrize(
    ("later", "named"),
    [
        ([("suppression.mask", "q")], "q"),
        ([("suppression.mask", "z")], None),
        ([("suppression.mask", "z"), ("suppression.mask", "q")], "q"),
        ([("as_is", "q")], None),
        ([("suppression.remove_column", "q")], "q"),
        ([], None),
    ],
)
def test_what_is_treated_after_the_model_is_named_as_far_as_the_model_had_it(later: Any, named: Any) -> None:
    given = {"as_is": {"reason": "of this test"}}
    then = [
        {"technique": one, "columns": [column], "parameters": given.get(one, {})} for one, column in later
    ]
    made = case(MIXED, {"distinct": 2}, then=then)
    (check,) = variety(made)
    said = [one["params"] for one in check["details"] if "after the model" in one["message"]]
    assert said == ([{"columns": named}] if named else [])
    if named:
        # A column that is gone is not in the file that was measured.
        (check,) = variety(replace(made, result=table("z,s\n" + "1,a\n1,b\n" * 4)))
        assert not [one for one in check["details"] if "after the model" in one["message"]]


def test_the_targets_bind_every_sensitive_attribute_of_the_result() -> None:
    checks = variety(case(MIXED, targets={"l": 3, "t": 0.3}))
    assert [(check["measure"], check["passed"]) for check in checks] == [("distinct", False), ("equal", True)]
    # The same promise by recipe and target is one check.
    (check,) = variety(case(MIXED, {"distinct": 3}, targets={"l": 3}))
    assert len([d for d in check["details"] if "equired" in d["message"] or "romised" in d["message"]]) == 2


def test_targets_without_l_and_t_are_written_as_they_always_were() -> None:
    assert not {"l", "l_kind", "t", "t_distance"} & set(RiskTargets(**RISK).model_dump(mode="json"))
    dumped = RiskTargets(**RISK, l=2.5, l_kind="entropy", t=0.2).model_dump(mode="json")
    assert (dumped["l"], dumped["l_kind"], dumped["t"], dumped["t_distance"]) == (
        2.5,
        "entropy",
        0.2,
        "equal",
    )
    assert RiskTargets(**dumped) == RiskTargets(**RISK, l=2.5, l_kind="entropy", t=0.2)
    with pytest.raises(ValueError, match="whole number"):
        RiskTargets(**RISK, l=2.5)


CONDITIONS = [
    {"distinct": 2},
    {"entropy": 1.8},
    {"recursive_l": 2, "recursive_c": 1.5},
    {"t": 0.3},
    {"t": 0.2, "distance": "ordered"},
    {"t": 0.2, "distance": "hierarchical", "hierarchy": TREE},
]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("123"), st.sampled_from("abcdef")), min_size=4, max_size=30),
    st.sampled_from(CONDITIONS),
)
def test_it_judges_as_the_search_judges_where_no_value_is_missing(rows: Any, conditions: Any) -> None:
    rows = sorted(rows)
    values = dictionary_encode(pa.array([s for _q, s in rows], pa.string()))
    starts = np.append(np.unique([q for q, _s in rows], return_index=True)[1], len(rows)).astype(np.int64)
    one = sensitive_of(
        Conditions(**conditions), values.values, values.codes, np.ones(len(rows), np.int64),
        np.arange(len(rows) + 1), "s", False,
    )  # fmt: skip
    kept = np.ones(len(starts) - 1, dtype=np.bool_)
    formed = Formed(np.repeat(np.arange(len(kept), dtype=np.int32), np.diff(starts)), np.diff(starts))
    one.judge(formed, 1, kept, np.zeros(len(kept), np.int64))
    assert outcome(rows, conditions)[0] is bool(kept.all())


def test_the_first_recipe_holds_what_the_targets_ask_of_sensitive_attributes() -> None:
    plain, bounded = RiskTargets(**RISK), RiskTargets(**RISK, l=3, t=0.4, t_distance="ordered")
    assert (conditions_of(plain, ["s"]), model_for(plain)) == ({}, "model.k_anonymity")
    parameters = {"k": 2, "hierarchies": {"q": {"kind": "star"}}, **conditions_of(bounded, ["s"])}
    step = {"technique": model_for(bounded), "columns": ["q"], "parameters": parameters}
    made = Recipe.from_data({"recipe": 1, "unlisted": "keep", "steps": [step]})
    checked = replace(case(MIXED), recipe=made, risk=bounded)
    # Target and recipe ask for the same, so each is one check.
    assert [check["measure"] for check in variety(checked)] == ["distinct", "ordered"]
    assert not_in_model(checked, made.steps[0].parameters) == []  # type: ignore[arg-type]
    assert not_in_model(replace(case(MIXED), risk=bounded), None) == ["s"]


def test_the_form_of_the_targets_asks_for_l_and_t() -> None:
    said = {**RISK, "strict_cap": 0.5, "context_risk": 1, "reassess_months": 12, "why": "for this test"}
    empty = RiskForm({**said, "l": "", "t": ""}, sharing_type="controlled")
    assert empty.is_valid(), empty.errors
    assert (empty.content.l, empty.content.t) == (None, None)
    full = RiskForm({**said, "l": "2.5", "l_kind": "entropy", "t": "0.3"}, sharing_type="controlled")
    assert full.is_valid(), full.errors
    assert [row["key"] for row in risk_rows(full.content, "controlled") if row["key"] in ("l", "t")] == [
        "l",
        "t",
    ]
    wrong = RiskForm({**said, "l": "2.5"}, sharing_type="controlled")
    assert not wrong.is_valid()
    assert "l" in wrong.errors


def test_the_formula_of_k_has_the_smallest_class_in_it() -> None:
    for least, said in ((2, "min f = 4 ≥ 2"), (5, "min f = 4 < 5")):
        found = measured(replace(case(MIXED), risk=RiskTargets(**RISK | {"k": least})))
        row = next(row for row in gate_rows(found.checks, found.report) if row.kind == "k")
        assert row.formula is not None
        assert row.formula.substituted == said


def test_columns_are_joined_as_the_reader_joins_them() -> None:
    stored = Text.model_validate({"message": "%(columns)s", "params": {"columns": "a, b"}})
    assert translated(stored) == "a, b"
    with translation.override("zh-hans"):
        assert translated(stored) == "a、b"


def test_what_a_spreadsheet_would_run_is_the_same_value_and_the_same_column() -> None:
    """Laboratory results such as + stand in the file with an apostrophe, and so does a column called @q."""
    raw = [("1", v) for v in "+-+-"] + [("2", v) for v in "+-+-"]
    tree = {"kind": "table", "rows": [["+", "x", "*"], ["-", "y", "*"]]}
    marked = [(q, f"'{v}") for q, v in raw]
    assert outcome(marked, {"t": 0.1}, before=raw) == (True, 0)
    assert outcome(marked, {"t": 0.1, "distance": "hierarchical", "hierarchy": tree}, before=raw) == (True, 0)
    # A source that came out of another run has the apostrophes itself, in its hierarchies too.
    own = {**tree, "rows": [[f"'{v}", *above] for v, *above in tree["rows"]]}
    far = [("1", "'+")] * 4 + [("2", "'-")] * 4
    assert outcome(far, {"t": 0.1, "distance": "hierarchical", "hierarchy": own}, before=far) == (False, 0.5)
    made = case(MIXED)
    content = written(MIXED)
    named = replace(
        made, source=table(content.replace("q,", "@q,", 1)), roles={"@q": AttributeRole.QUASI_IDENTIFIER},
        result=replace(table(content.replace("q,", "'@q,", 1)), names=["@q", "s"]),
    )  # fmt: skip
    assert measured(named).as_json()["report"]["risk"]["columns"] == ["@q"]
    again = replace(
        named, roles={"'@q": AttributeRole.QUASI_IDENTIFIER}, result=replace(named.result, names=["'@q"])
    )
    assert measured(again).as_json()["report"]["risk"]["columns"] == ["'@q"]


def test_usefulness_knows_what_the_labels_of_the_recipe_stand_for() -> None:
    """The model generalises q by a table of its own, another step c by division codes."""
    tree = {"kind": "table", "rows": [["1", "low", "*"], ["2", "low", "*"], ["3", "high", "*"]]}
    model = {"technique": "model.k_anonymity", "columns": ["q"]}
    model["parameters"] = {"k": 2, "suppression_limit": 1.0, "hierarchies": {"q": tree}}
    regions = {"kind": "regions", "units": ["county", "city"], "form": "code"}
    by_level = {
        "technique": "generalization.hierarchy",
        "columns": ["c"],
        "parameters": {"hierarchy": regions, "level": 1},
    }
    recipe = Recipe.from_data({"recipe": 1, "unlisted": "keep", "steps": [by_level, model]})
    before = "q,c\n" + "1,110101\n2,110105\n3,310101\n" * 2
    codes = build(Regions(**regions), pa.array(["110101", "110105", "310101"]))
    first, second, third = codes.labels[1].take(pa.array(codes.codes[1])).to_pylist()
    after = "q,c\n" + f"low,{first}\nlow,{second}\nhigh,{third}\n" * 2
    targets = [TotalVariation(column=name, bound=0.1) for name in "qc"]
    made = replace(
        case(MIXED), source=table(before), result=table(after), recipe=recipe, utility=targets, rows_in=6
    )
    found = measured(made)
    assert [row.unresolved for row in found.report.columns] == [0, 0]
    assert [one.measured for one in found.checks if one.kind == "utility"] == pytest.approx([0, 0])
