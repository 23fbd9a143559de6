"""The privacy loss as an attacker measures it: a million runs on two neighbouring tables, half on each, and an event that tells them apart best.

The lower bound holds but for a chance of 10⁻⁶. It must stay below what is claimed, and near it, or the audit would notice nothing.
"""

from __future__ import annotations

import numpy as np
import pytest

from techniques.models.differential_privacy import noise, reading
from techniques.models.differential_privacy.answer import answer
from techniques.models.differential_privacy.contributions import bounded
from techniques.models.differential_privacy.planning import plan
from techniques.models.differential_privacy.question import Question
from tests.techniques.models.differential_privacy.bounds import at_least, loss_at_least
from tests.techniques.models.differential_privacy.tables import DRAWS, table

RUNS = 500_000
"""On each of the two."""
WITH = table(sex=["m"] * 40 + ["f"] * 3, pay=[20] * 40 + [90, 90, 90])
WITHOUT = table(sex=["m"] * 40, pay=[20] * 40)
ONE_PERSON = np.array([*range(40), 99, 99, 99], np.int32)


def exact(of, whose, question):
    """The one cell of a count or sum without noise."""
    place = reading.cells(of, question).place
    kept = bounded(place, whose, question.groups_per_person, question.rows_per_group, DRAWS)
    return int(kept.sum()) if question.kind == "count" else int(reading.amounts(of, question)[0][kept].sum())


@pytest.mark.parametrize("kind", ["count", "sum"])
@pytest.mark.parametrize("rows", [1, 3])
def test_laplace_noise_keeps_its_epsilon(kind, rows):
    more = {"column": "pay", "lower": 0, "upper": 50, "step": 10} if kind == "sum" else {}
    question = Question(kind=kind, epsilon=1, rows_per_group=rows, **more)
    planned = plan(question, "add_remove")
    here, there = exact(WITH, ONE_PERSON, question), exact(WITHOUT, np.arange(40, dtype=np.int32), question)
    assert here - there == rows * (5 if kind == "sum" else 1)
    scale = planned.scales["sums" if kind == "sum" else "counts"]
    # Difference and scale tell the loss, whatever their unit; it is measured on the smallest and the largest of them.
    assert 0 <= scale - (here - there) < 1e-6
    if (kind, rows) not in {("count", 1), ("sum", 3)}:
        return
    found = loss_at_least(
        noise.laplace(np.full(RUNS, here), scale) >= here, noise.laplace(np.full(RUNS, there), scale) >= here
    )
    assert 0.9 < found <= 1
    # With noise for one row where a person has three the audit finds the fault.
    if rows == 3:
        few, wrong = RUNS // 10, scale / 3
        assert (
            loss_at_least(
                noise.laplace(np.full(few, here), wrong) >= here,
                noise.laplace(np.full(few, there), wrong) >= here,
            )
            > 1
        )


def test_gaussian_noise_keeps_its_epsilon_and_delta():
    question = Question(kind="count", epsilon=1, delta=1e-3, mechanism="gaussian")
    planned = plan(question, "add_remove")
    here, there = 41, 40
    scale = planned.scales["counts"]
    draws = noise.gaussian(np.full(RUNS, here), scale), noise.gaussian(np.full(RUNS, there), scale)
    losses = [
        loss_at_least(draws[0] >= edge, draws[1] >= edge, 1e-3)
        for edge in range(40, 40 + round(3 * scale), 2)
    ]
    assert 0.2 < max(losses) <= 1


def test_a_choice_keeps_its_epsilon():
    question = Question(kind="mode", column="sex", candidates=["m", "f"], epsilon=1)
    scale = plan(question, "add_remove").scales["choice"]
    # Where one candidate has one person more in the one table; the exponential mechanism loses half of its epsilon at most then.
    here, there = np.array([3, 4], np.int64), np.array([3, 3], np.int64)
    # A thousand draws of the very measurement by one call of the library, which costs more than the draw.
    thousand = noise.opendp().c.make_composition([noise.exponential_mechanism(scale)] * 1000)
    chosen = [
        np.array([thousand(scores) for _number in range(RUNS // 1000)]).ravel() for scores in (here, there)
    ]
    assert 0.1 < loss_at_least(chosen[0] == 1, chosen[1] == 1) <= 1


def test_a_released_key_keeps_its_delta():
    question = Question(kind="count", by=[{"column": "sex"}], epsilon=2, delta=0.01)
    planned = plan(question, "add_remove")
    assert planned.threshold is not None
    # Each of these groups is of one person, a run of its own. Without the person the group is never there: its chance is all of the loss.
    runs = 2 * RUNS
    shown = len(noise.released_keys(np.ones(runs, np.int64), planned.scales["keys"], planned.threshold))
    assert shown / runs > 0.01 / 3
    assert at_least(shown, runs, 1e-6) <= 0.01
    assert all(len(answer(planned, WITHOUT, None).cells) < 2 for _number in range(20))
