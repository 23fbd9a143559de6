"""What each draw makes of an answer, draw by draw: no draw more and none less is used; and estimates by their formulas."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from statistics import NormalDist

import pytest

from techniques.core.messages import EngineError
from techniques.models.local_privacy import client, estimates
from techniques.models.local_privacy.client import WHOLE, below, flip, noisy, response, scale, truth, unary
from techniques.models.local_privacy.reports import Survey, encoded, findings, statements

ONE = truth(1.0, 4)
OFF = flip(1.0)


def scripted(*draws: int) -> tuple[client.Draw, Iterator[int]]:
    """A source of chance that gives these draws, and what is left of them."""
    left = iter(draws)
    return lambda: next(left), left


def made(call: Callable[[client.Draw], object], *draws: int) -> object:
    draw, left = scripted(*draws)
    found = call(draw)
    assert list(left) == [], "every draw is used"
    return found


def test_probabilities_are_whole_numbers_on_the_side_of_less_loss() -> None:
    """e^ε/(e^ε + 1) is 3/4 for ε = ln 3, with five choices 3/7; 1/4 flips a bit. Eight of 2^53 are given away."""
    third = math.log(3)
    assert truth(third, 2) == pytest.approx(0.75 * WHOLE - 8, abs=3)
    assert truth(third, 5) == pytest.approx(WHOLE * 3 / 7 - 8, abs=3)
    assert flip(third) == pytest.approx(0.25 * WHOLE + 8, abs=3)
    assert WHOLE == 2**53
    assert scale(50, 1.0) == (50, 1)
    assert scale(10, 20.0) == (1, 2)
    assert scale(7, 0.0015) == (14_000, 3)
    assert scale(1, 0.0010009) == (1000, 1)


@pytest.mark.parametrize(
    ("draws", "answer"),
    [
        ((0,), 1), ((ONE - 1,), 1), ((ONE, 0), 0), ((ONE, 1), 2), ((ONE, 2), 3), ((WHOLE - 1, 3), 0),
        # 2^53 = 2 modulo 3: the last two draws would make the first two of three more likely.
        ((ONE, WHOLE - 3), 3), ((ONE, WHOLE - 2, 1), 2), ((ONE, WHOLE - 1, WHOLE - 2, 0), 0),
    ],
)  # fmt: skip
def test_a_response_is_the_truth_or_any_other_choice(draws: tuple[int, ...], answer: int) -> None:
    assert made(lambda draw: response(1, 4, 1.0, draw), *draws) == answer


def test_each_bit_has_a_draw_of_its_own() -> None:
    half = WHOLE // 2
    ask = lambda draw: unary(1, 3, 1.0, draw)  # noqa: E731
    assert made(ask, OFF - 1, half - 1, OFF - 1) == [1, 1, 1]
    assert made(ask, OFF, half, OFF) == [0, 0, 0]
    assert made(ask, OFF - 1, half, OFF) == [1, 0, 0]
    assert made(lambda draw: below(1, draw), 5) == 0
    assert made(lambda draw: below(WHOLE, draw), WHOLE - 1) == WHOLE - 1


# Of a scale of 1 / 2: no part, then one draw of 2 for each further whole, and whether it goes on.
NO_PART, ON, STOP, UP, DOWN = (0, 0), (0, 0, 1), (0, 1), (0,), (1,)


@pytest.mark.parametrize(
    ("value", "draws", "answer"),
    [
        # In tenths 0.33 lies between 3 and 4: three of ten draws go up.
        (0.33, (int(0.29 * WHOLE), *NO_PART, *STOP, *UP), 4),
        (0.33, (int(0.31 * WHOLE), *NO_PART, *STOP, *UP), 3),
        (0.3, (int(0.01 * WHOLE), *NO_PART, *STOP, *UP), 3),
        # Whole numbers of halves: five halves are two, and a nothing below nothing is drawn anew.
        (0.5, (0, *NO_PART, *ON * 5, *STOP, *UP), 7),
        (0.5, (0, *NO_PART, *ON * 5, *STOP, *DOWN), 3),
        (0.5, (0, *NO_PART, *ON * 2, *STOP, *DOWN), 4),
        (0.5, (0, *NO_PART, *ON, *STOP, *DOWN, *NO_PART, *STOP, *UP), 5),
        # What lies outside is clamped, before there is noise.
        (-3.0, (0, *NO_PART, *ON * 4, *STOP, *DOWN), -2),
        (7.0, (0, *NO_PART, *ON * 4, *STOP, *UP), 12),
        (1.0, (0, *NO_PART, *STOP, *UP), 10),
    ],
)  # fmt: skip
def test_noise_is_drawn_as_by_the_algorithm(value: float, draws: tuple[int, ...], answer: int) -> None:
    """Canonne, Kamath and Steinke 2020, algorithms 1 and 2."""
    assert made(lambda draw: noisy(value, 0, 1, 10, 20.0, draw), *draws) == answer


def test_a_part_of_the_scale_survives_as_often_as_its_exponential() -> None:
    """Of a scale of 3: a part of 2 first, which survives where the trials end after an odd number of them."""
    gone = (2, 0, 4)  # 0 < 2 goes on, 4 of 6 does not: an even trial
    kept = (2, 0, 0, 7)  # 0, 0 go on, 7 of 9 does not: an odd one
    ask = lambda draw: noisy(0, 0, 1, 3, 1.0, draw)  # noqa: E731
    assert made(ask, 0, *kept, *STOP, *UP) == 2
    assert made(ask, 0, *gone, *kept, *ON, *STOP, *DOWN) == -5
    assert made(ask, 0, 1, 1, *STOP, *UP) == 1, "1 of 3 is none of those below 1"


@pytest.mark.parametrize(
    ("call", "fits"),
    [
        (lambda: truth(0.001, 2), True), (lambda: truth(0.0009, 2), False), (lambda: truth(20.0, 2), True),
        (lambda: truth(20.01, 2), False), (lambda: truth(1.0, 1), False), (lambda: truth(1.0, 2.5), False),
        (lambda: unary(2, 3, 1.0), True), (lambda: unary(3, 3, 1.0), False), (lambda: unary(0.5, 3, 1.0), False),
        (lambda: noisy(0, 0, 1, 1, 1.0), True), (lambda: noisy(0, 0, 1, 10_000, 1.0), True),
        (lambda: noisy(0, 0, 1, 10_001, 1.0), False), (lambda: noisy(0, 0, 1, 1.5, 1.0), False),
        (lambda: noisy(0, 1, 1, 10, 1.0), False), (lambda: noisy(0, 0, math.inf, 10, 1.0), False),
        (lambda: noisy(0, -math.inf, 0, 10, 1.0), False), (lambda: noisy(0, 0, 1, 10, 21.0), False),
    ],
)  # fmt: skip
def test_what_just_makes_sense_is_taken(call: Callable[[], object], fits: bool) -> None:
    if fits:
        call()
        return
    with pytest.raises(ValueError, match=r"epsilon|choices|steps|bounds|place"):
        call()


def test_a_mean_of_numbers_by_its_formula() -> None:
    """Steps of 0.5 from 10: the noise varies by 2 r/(1 - r)² with r = exp(-1/20), rounding by a quarter."""
    places = [*range(15), *range(5, 20)]
    found = estimates.mean(places, 10, 20, 20, 1.0, confidence=0.9)
    ratio = math.exp(-1 / 20)
    reach = 0.5 * NormalDist().inv_cdf(0.95) * math.sqrt((2 * ratio / (1 - ratio) ** 2 + 0.25) / 30)
    assert found == pytest.approx((10 + 0.5 * 9.5, max(10, 14.75 - reach), min(20, 14.75 + reach)))
    assert 10 < found.low < found.high < 20
    assert estimates.mean([0] * 30, 10, 20, 20, 1.0).low == 10
    assert estimates.mean([20] * 30, 10, 20, 20, 1.0).high == 20


def test_shares_are_carried_over_from_what_was_counted() -> None:
    own, other = truth(1.0, 3) / WHOLE, (1 - truth(1.0, 3) / WHOLE) / 2
    found = estimates.response_shares([5, 3, 2], 1.0)
    assert [one.value for one in found] == pytest.approx(
        [(n / 10 - other) / (own - other) for n in (5, 3, 2)]
    )
    bits = estimates.unary_shares([6, 1], 10, 1.0)
    flipped = flip(1.0) / WHOLE
    assert [one.value for one in bits] == pytest.approx(
        [(n / 10 - flipped) / (0.5 - flipped) for n in (6, 1)]
    )
    # Of one answer nothing is known but that it was given.
    assert [one[1:] for one in estimates.response_shares([1, 0], 20.0, confidence=0.5)] == [
        (pytest.approx(0.25), 1.0),
        (0.0, pytest.approx(0.75)),
    ]
    assert estimates.unary_shares([2, 0], 2, 1.0)[0].high == 1.0


@pytest.mark.parametrize(
    ("counts", "answers", "confidence", "code"),
    [
        ([1, 0], 1, 0.5, None),
        ([0, 0], 0, 0.95, "answers_missing"),
        ([3, 0], 2, 0.95, "answers_missing"),
        ([-1, 0], 2, 0.95, "answers_missing"),
        ([1, 0], 1, 0.49, "confidence_range"),
        ([1, 0], 1, 1.0, "confidence_range"),
    ],
)
def test_what_just_can_be_estimated(
    counts: list[int], answers: int, confidence: float, code: str | None
) -> None:
    if code is None:
        assert len(estimates.unary_shares(counts, answers, 1.0, confidence=confidence)) == 2
        return
    with pytest.raises(EngineError) as refused:
        estimates.unary_shares(counts, answers, 1.0, confidence=confidence)
    assert refused.value.code == code


SURVEY = Survey(kind="response", epsilon=1.5, choices=("a", "b"), confidence=0.9)
NUMBER = Survey(kind="number", epsilon=0.5, low=0, high=10, steps=20)


def test_the_sentences_have_the_figures_of_the_survey() -> None:
    said = {one.code: dict(one.params) for one in statements(findings(["0", "1", "x", "9"], SURVEY))}
    assert said == {
        "randomised": {"epsilon": "1.5"},
        "confidence": {"confidence": "90"},
        # e to the 1.5
        "guarantee": {"factor": "4.482"},
        "beyond": {},
        "unreadable": {"rows": 4, "number": 2},
    }
    for texts, outside in ((["0"] * 9, True), (["1"] * 9, True), (["0", "1"] * 9, False)):
        codes = [one.code for one in statements(findings(texts, SURVEY))]
        assert codes == ["randomised", "confidence", *(["outside"] if outside else [])]
    number = [one.code for one in statements(findings(["-90"] * 30, NUMBER))]
    assert number == ["randomised", "confidence"], "a mean may lie anywhere"


@pytest.mark.parametrize(
    ("text", "reads"),
    [("0", True), ("1", True), ("2", False), ("-1", False), (" 1 ", True), ("", False), ("1.0", False)],
)
def test_an_answer_is_the_place_of_a_choice(text: str, reads: bool) -> None:
    assert findings(["0", text], SURVEY).unreadable == int(not reads)


def test_numbers_of_steps_are_read_as_far_as_they_can_be_meant() -> None:
    thirty = ["1"] * 30
    for far, unreadable in ((2**53, 0), (-(2**53), 0), (2**53 + 1, 1), (-(2**53) - 1, 1)):
        assert findings([*thirty, str(far)], NUMBER).unreadable == unreadable


def test_a_device_sends_the_place_of_its_choice() -> None:
    own = truth(1.5, 2)
    assert made(lambda draw: encoded("b", SURVEY, draw), own - 1) == "1"
    assert made(lambda draw: encoded("b", SURVEY, draw), own, 0) == "0"
    bits = Survey(kind="unary", epsilon=1.0, choices=("a", "b", "c"))
    assert made(lambda draw: encoded("c", bits, draw), OFF, OFF - 1, WHOLE // 2 - 1) == "011"
    assert made(lambda draw: encoded("2.5", Survey(kind="number", epsilon=20.0, low=0, high=10, steps=10), draw),
                int(0.51 * WHOLE), *NO_PART, *STOP, *UP) == "2"  # fmt: skip
