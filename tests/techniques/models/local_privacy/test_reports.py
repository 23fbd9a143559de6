"""Collected answers are read one by one, and what they say is what the estimators say of their counts."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from techniques.core.messages import EngineError
from techniques.models.local_privacy import client
from techniques.models.local_privacy.estimates import mean, response_shares, unary_shares
from techniques.models.local_privacy.reports import encoded, findings, statements
from techniques.models.local_privacy.survey import Survey

RESPONSE = Survey(kind="response", epsilon=1.0, choices=("a", "b", "c"))
UNARY = Survey(kind="unary", epsilon=2.0, choices=("a", "b", "c", "d"))
NUMBER = Survey(kind="number", epsilon=1.0, low=0.0, high=10.0, steps=20)


def drawing(seed=1):
    drawn = random.Random(seed)
    return lambda: drawn.getrandbits(client.BITS)


def test_what_was_encoded_is_found_again() -> None:
    """20,000 persons: each interval of 99.99 % holds the true share or mean, and the estimate is that of the estimators."""
    draw, values = drawing(), ["a"] * 12_000 + ["b"] * 6_000 + ["c"] * 2_000
    for survey, shares in ((RESPONSE, (0.6, 0.3, 0.1)), (UNARY, (0.6, 0.3, 0.1, 0.0))):
        wide = survey.model_copy(update={"confidence": 0.9999})
        texts = [encoded(value, survey, draw) for value in values]
        found = findings(texts, wide)
        assert (found.answers, found.unreadable, found.repeated) == (20_000, 0, 0)
        assert [line.label for line in found.lines] == list(survey.choices)
        for line, share in zip(found.lines, shares, strict=True):
            assert line.low <= share <= line.high
        if survey is RESPONSE:
            counts = Counter(map(int, texts))
            by_hand = response_shares([counts[n] for n in range(3)], 1.0, confidence=0.9999)
        else:
            ones = [sum(int(text[n]) for text in texts) for n in range(4)]
            by_hand = unary_shares(ones, 20_000, 2.0, confidence=0.9999)
        assert [line.value for line in found.lines] == [one.value for one in by_hand]
    texts = [encoded(str(n % 10), NUMBER, draw) for n in range(20_000)]
    (line,) = findings(texts, NUMBER.model_copy(update={"confidence": 0.9999})).lines
    assert line.low <= 4.5 <= line.high
    assert line.value == mean(list(map(int, texts)), 0, 10, 20, 1.0).value


def test_forms_of_answers() -> None:
    given = ["0", " 2 ", "3", "-1", "", None, "x", "1.0"]
    found = findings(given, RESPONSE)
    assert (found.rows, found.answers, found.unreadable) == (8, 2, 6)
    bits = ["0100", "[0, 1, 0, 0]", "010", "0120", "[0, 1, 0, true]", "[0, 1, 0, 2]", "[", "{}", ""]
    assert (findings(bits, UNARY).answers, findings(bits, UNARY).unreadable) == (2, 7)
    steps = [*map(str, range(-15, 35)), "1e3", "9" * 400]
    assert (findings(steps, NUMBER).answers, findings(steps, NUMBER).unreadable) == (50, 2)


def test_the_unit_is_the_person() -> None:
    """The first answer of a person that can be read; a row of rubbish is none."""
    whose = np.array([0, 0, 1, 1, 2], dtype=np.int32)
    found = findings(["x", "0", "1", "2", "2"], RESPONSE, whose)
    alone = findings(["0", "1", "2"], RESPONSE)
    assert found.lines == alone.lines
    assert (found.answers, found.unreadable, found.repeated) == (3, 1, 1)
    said = {one.code: str(one) for one in statements(found)}
    assert said["repeated"] == "Of each person the first answer counts; 1 further one is left out."
    assert said["unreadable"] == "Of 5 rows 1 holds no answer of this form; they are left out."
    assert "at most 2.718 times as likely" in said["guarantee"]
    assert "whose ε add up" in said["beyond"]
    assert {"repeated", "unreadable"}.isdisjoint(one.code for one in statements(alone))


def test_a_share_outside_is_said_only_where_there_is_one() -> None:
    codes = lambda texts: {one.code for one in statements(findings(texts, RESPONSE))}  # noqa: E731
    assert "outside" in codes(["0"] * 50)
    assert "outside" not in codes(["0", "1", "2"] * 50)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"kind": "response", "choices": ("a",)}, "survey_choices"),
        ({"kind": "unary", "choices": ("a", "a")}, "survey_choices"),
        ({"kind": "number"}, "survey_bounds"),
        ({"kind": "number", "low": 2, "high": 1}, "survey_bounds"),
        ({"kind": "number", "low": 0, "high": 1, "choices": ("a", "b")}, "survey_bounds"),
    ],
)
def test_a_survey_that_does_not_fit_together(given, code) -> None:
    with pytest.raises(EngineError) as refused:
        Survey(epsilon=1.0, **given)
    assert refused.value.code == code


def test_nothing_to_estimate_and_nothing_to_encode() -> None:
    for survey in (RESPONSE, UNARY, NUMBER):
        with pytest.raises(EngineError) as refused:
            findings(["x"], survey)
        assert refused.value.code == "answers_missing"
    for value, survey in (("secret", RESPONSE), ("secret", NUMBER)):
        with pytest.raises(EngineError) as refused:
            encoded(value, survey)
        assert refused.value.code == "value_outside"
        assert "secret" not in str(refused.value)
