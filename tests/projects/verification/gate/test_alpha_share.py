"""The greatest share of a value or of a sensitivity level, by search and local recoding and at the gate."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


def test_a_value_without_a_level_stops_the_search():
    with pytest.raises(Unfit):
        solve(
            {"q": ["1", "1"]},
            {"s": ["a", "b"]},
            k=2,
            hierarchies={"q": {"kind": "star"}},
            sensitive={"s": {"alpha": 0.5, "levels": {"a": 1}}},
        )
