"""The greatest share of a value or of a sensitivity level, by search and local recoding and at the gate."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from techniques.catalogue.models import Conditions
from techniques.cli.main import main
from techniques.core.operations import Unfit
from tests.projects.verification.gate.test_variety import MIXED, case, measured
from tests.techniques.models.k_anonymity.test_diverse_models import DISEASES, TABLES, solve
from tests.techniques.models.k_anonymity.test_k_anonymity import LETTERS, NUMBERS


@settings(max_examples=30, deadline=None)
@given(
    TABLES,
    st.sampled_from(["full_domain", "local"]),
    st.sampled_from([0.5, 0.7]),
    st.sampled_from([{}, {value: 1 + number % 3 for number, value in enumerate(DISEASES) if value}]),
)
def test_no_value_or_level_has_more_than_its_share_of_a_class(rows, recoding, alpha, levels):
    _report, left, _gone = solve(
        {name: [row[i] for row in rows] for i, name in enumerate("abc")},
        {"s": [row[3] for row in rows]},
        k=2,
        suppression_limit=1.0,
        recoding=recoding,
        hierarchies={"a": LETTERS, "b": NUMBERS, "c": {"kind": "star"}},
        sensitive={"s": {"alpha": alpha, "levels": levels}},
    )
    classes = defaultdict(list)
    for row in left:
        classes[row[:3]].append(row[3])
    for values in classes.values():
        counts = Counter(levels.get(value, value) for value in values)
        missing = counts.pop(None, 0)
        assert max(counts.values(), default=0) + missing <= alpha * len(values) + 1e-9


@pytest.mark.parametrize(("alpha", "passed"), [(0.75, True), (0.7, False)])
def test_the_gate_measures_it(alpha, passed):
    for made in (case(MIXED, {"alpha": alpha}), case(MIXED, targets={"alpha": alpha})):
        (check,) = [one for one in measured(made).checks if one.kind == "diversity"]
        assert (check.measured, check.passed) == (0.75, passed)


@pytest.mark.parametrize(
    ("levels", "found"),
    # Of class 2, a and thrice b; of class 1, twice a, b and c. A value that is not listed may be of any level.
    [({"a": 1, "b": 2, "c": 2}, 0.75), ({"a": 1, "b": 1, "c": 2}, 1.0), ({"b": 3, "c": 2}, 1.0)],
)
def test_the_gate_measures_the_share_of_a_level(levels, found):
    (check,) = [
        one
        for one in measured(case(MIXED, {"alpha": 0.8, "levels": levels})).checks
        if one.kind == "diversity"
    ]
    assert (check.measure, check.measured, check.passed) == ("level_share", found, found <= 0.8)


@pytest.mark.parametrize(
    ("rows", "levels", "found"),
    [
        # b is not listed and may be of the level of a, whichever level was listed last.
        (MIXED, {"a": 1, "c": 2}, 1.0),
        (MIXED, {"c": 1, "a": 2}, 1.0),
        # A missing or suppressed cell may be of any level, too: two of a and the one that nobody knows.
        ([("1", v) for v in ("a", "a", "b", "")], {"a": 2, "b": 1}, 0.75),
        ([("1", v) for v in ("a", "a", "b", "*")], {"a": 1, "b": 2}, 0.75),
        ([("1", v) for v in ("a", "b", "", "")], {"a": 1, "b": 2}, 0.75),
    ],
)
def test_of_what_nobody_knows_the_level_it_is_the_worst(rows, levels, found):
    (check,) = [
        one
        for one in measured(case(rows, {"alpha": 0.8, "levels": levels})).checks
        if one.kind == "diversity"
    ]
    assert (check.measured, check.passed) == (found, found <= 0.8)


def test_a_value_without_a_level_stops_the_search():
    with pytest.raises(Unfit):
        solve(
            {"q": ["1", "1"]},
            {"s": ["a", "b"]},
            k=2,
            hierarchies={"q": {"kind": "star"}},
            sensitive={"s": {"alpha": 0.5, "levels": {"a": 1}}},
        )


def test_levels_are_read_from_a_form_and_need_alpha():
    made = Conditions.model_validate({"alpha": 0.5, "levels": {"a": "1", "b": "3"}}, strict=True)
    assert made.levels == {"a": 1, "b": 3}
    assert "levels" not in Conditions(alpha=0.5).model_dump(mode="json")
    for wrong in ({"levels": {"a": 1}, "distinct": 2}, {"alpha": 0.5, "levels": {"a": "x"}}):
        with pytest.raises(ValidationError):
            Conditions.model_validate(wrong, strict=True)


def test_the_command_takes_levels_from_a_file(tmp_path, capsys):
    source, target, levels = tmp_path / "in.csv", tmp_path / "out.csv", tmp_path / "levels.csv"
    rows = [("1", v) for v in "aabb"] + [("2", v) for v in "aabb"] + [("3", v) for v in "abcc"]
    source.write_text("q,s\n" + "".join(f"{q},{s}\n" for q, s in rows), encoding="utf-8")
    levels.write_text("a;1\nb;1\nc;2\n", encoding="utf-8")
    command = ["anonymize", str(source), str(target), "--qi", "q", "--k", "4", "--local", "--subject", "rows"]
    # Of classes 1 and 2 all are of level 1: with class 3 it is ten of twelve.
    assert main([*command, "--sensitive", f"s:alpha=0.9,levels={levels}"]) == 0
    assert len(set(target.read_text(encoding="utf-8").split()[1:])) == 3
    for wrong in (f"s:l=2,levels={levels}", "s:alpha=0.9,levels=nothing.csv"):
        assert main([*command, "--sensitive", wrong]) != 0
    assert "levels" in capsys.readouterr().err
