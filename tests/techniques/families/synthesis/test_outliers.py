"""Made-up rows that tell of a real one which stands alone: one income of 9,999,999 among some thousand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import techniques
from techniques.families.synthesis.outliers import outliers_shown
from techniques.recipe.recipe import Recipe

DRAWN = np.random.default_rng(5)
INCOMES = DRAWN.integers(20_000, 90_000, 1500)


def _report(incomes: Any, seed: int = 1) -> dict[str, Any]:
    table = pa.table(
        {
            "sex": [str(one) for one in np.where(np.arange(len(incomes)) % 2, "f", "m")],
            "income": [str(one) for one in incomes],
        }
    )
    step = {"technique": "synthesis.sequential", "columns": ["sex", "income"]}
    done = techniques.run(Recipe.from_data({"recipe": 1, "steps": [step]}), table, seed=seed)
    made = np.array(done.table.column("income").to_pylist(), dtype=float)
    columns: dict[str, Any] = done.report["steps"][0]["result"]["columns"]
    return {"made": made, **columns["income"]}


def test_one_income_of_ten_millions_is_named_and_capped_it_is_not() -> None:
    rich = INCOMES.copy()
    rich[rich.argmax()] = 9_999_999
    shown = 0
    for seed in range(4):
        found = _report(rich, seed)
        beyond = int((found["made"] > 90_000).sum())
        assert found.get("outliers", {}) == ({"rows": 1, "made_up": beyond} if beyond else {})
        shown += beyond
    assert shown, "the trees tell of it"
    assert "outliers" not in _report(INCOMES)


@pytest.mark.parametrize(
    ("real", "made", "few", "whose", "expected"),
    [
        ([*range(20), 100], [1, 2, 19], 5, None, {}),
        ([*range(20), 100], [1, 50, 4, 20], 5, None, {"rows": 1, "made_up": 2}),
        ([-100, *range(20)], [-3, 2], 5, None, {"rows": 1, "made_up": 1}),
        ([*range(20), 100, 101], [80], 2, None, {}),
        ([*range(20), 100, 101], [80], 2, [*range(20), 20, 20], {"rows": 2, "made_up": 1}),
        ([*[7] * 20, 8], [8], 5, None, {"rows": 1, "made_up": 1}),
        ([1, 2, 3, 100], [80], 5, None, {}),
        ([7] * 20, [7], 5, None, {}),
        ([np.nan], [np.nan], 5, None, {}),
    ],
)
def test_alone_is_who_is_twice_as_far_out_as_all_others(
    real: Any, made: Any, few: int, whose: Any, expected: Any
) -> None:
    persons = None if whose is None else np.array(whose, dtype=np.int32)
    assert outliers_shown(np.array(real, float), np.array(made, float), few, persons) == expected
