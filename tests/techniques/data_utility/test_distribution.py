"""Distributions of a column side by side: true counts, and no bar that is about few."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

from techniques.data_utility.distribution import Distribution
from techniques.data_utility.measure import assess


def drawn(source: list[str | None], result: list[str | None], least: int | None = 10) -> Distribution | None:
    tables = [[pa.record_batch({"a": pa.array(values, pa.string())})] for values in (source, result)]
    return assess((), *tables, least=least)[1][0].distribution


def test_numbers_are_counted_in_the_bars_of_the_source_on_both_sides() -> None:
    ages = [str(20 + place % 40) for place in range(400)]
    found = drawn(ages, [f"[{int(age) // 10 * 10},{int(age) // 10 * 10 + 10})" for age in ages])
    assert found is not None
    assert found.sort == "number"
    assert sum(bar.source for bar in found.bars) == sum(bar.result for bar in found.bars) == 400
    # Ages are equally common, so that spreading a decade over its years changes nothing.
    assert all(bar.source == bar.result for bar in found.bars)
    assert (found.bars[0].low, found.bars[-1].high) == (None, None)
    assert found.bars[0].high == found.bars[1].low
    assert drawn(ages, ages, least=None) is None


def test_texts_have_ranks_and_stars_have_a_bar_of_their_own() -> None:
    words = ["x"] * 60 + ["y"] * 30 + ["z"] * 12 + [f"rare {place}" for place in range(15)]
    found = drawn(words, ["*"] * 20 + words[20:])
    assert found is not None
    said = [(bar.part, bar.rank, bar.source, bar.result) for bar in found.bars]
    assert said == [
        ("rank", 1, 60, 40),
        ("rank", 2, 30, 30),
        ("rank", 3, 12, 12),
        ("others", None, 15, 15),
        ("suppressed", None, 0, 20),
    ]
    assert "rare" not in found.model_dump_json()


@pytest.mark.parametrize("seed", range(6))
def test_no_bar_and_no_rest_is_about_few(seed: int) -> None:
    rng = random.Random(seed)
    kinds = {
        "numbers": [str(round(rng.lognormvariate(3, 1))) for _ in range(300)],
        "texts": [f"v{min(int(rng.expovariate(0.3)), 30)}" for _ in range(300)],
        "dates": [f"20{rng.randrange(10, 24)}-{rng.randrange(1, 13):02}-01" for _ in range(300)],
    }
    for values in kinds.values():
        result = [value if rng.random() < 0.8 else rng.choice(["*", "?"]) for value in values]
        found = drawn(values, result, least=30)
        for bar in found.bars if found else ():
            assert {bar.source, bar.result} - {0} <= set(range(30, 301)), bar
        if found:
            hidden = 300 - sum(bar.source for bar in found.bars)
            assert hidden == 0


def test_too_few_rows_are_not_drawn() -> None:
    assert drawn(["x"] * 8 + ["y"] * 9, ["x"] * 8 + ["y"] * 9) is None
    assert drawn(["x"] * 30, ["x"] * 30) is None
