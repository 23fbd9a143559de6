"""Beyond reasonable effort on one ground that is met in full (T/ISC 0078 5.1 c 1), and on nothing less."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.core.messages import EngineError
from techniques.disclosure_risk.scales.recovery import RECOVERY, recovery

CODES = [item.code for item in RECOVERY]


def test_the_three_grounds_of_the_clause_are_asked_and_the_third_has_three_parts() -> None:
    assert CODES == ["information", "means", "time", "effort", "resources"]


@pytest.mark.parametrize("code", CODES)
def test_each_ground_is_enough_by_itself(code: str) -> None:
    found = recovery(dict.fromkeys(CODES, 0.0) | {code: 1.0})
    assert found.beyond
    assert found.grounds == (code,)


def test_in_part_is_not_enough_however_often() -> None:
    found = recovery(dict.fromkeys(CODES, 0.5))
    assert not found.beyond
    assert found.grounds == ()


@given(st.fixed_dictionaries({code: st.sampled_from([0.0, 0.5, 1.0]) for code in CODES}))
def test_a_better_answer_never_makes_recovery_easier(answers: dict[str, float]) -> None:
    found = recovery(answers)
    assert found.grounds == tuple(code for code in CODES if answers[code] == 1)
    for code in CODES:
        assert set(recovery(answers | {code: 1.0}).grounds) == {*found.grounds, code}


@pytest.mark.parametrize(
    "wrong", [{}, {"time": 1.0}, dict.fromkeys(CODES, 2.0), dict.fromkeys([*CODES, "luck"], 1.0)]
)
def test_a_question_without_an_answer_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(EngineError) as error:
        recovery(wrong)
    assert error.value.code == "checklist_incomplete"
