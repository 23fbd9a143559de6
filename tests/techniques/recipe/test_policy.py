"""What the policy about cryptography asks of a recipe."""

from __future__ import annotations

import pytest

from techniques.recipe.policy import secret_steps
from techniques.recipe.recipe import Recipe


@pytest.mark.parametrize("method", ["nearest", "down", "up", "stochastic"])
def test_rounding_draws_only_where_it_is_stochastic(method):
    recipe = Recipe.from_data(
        {
            "recipe": 1,
            "steps": [
                {"technique": "as_is", "columns": ["sex"], "parameters": {"reason": "needed as it is"}},
                {
                    "technique": "generalization.rounding",
                    "columns": ["fee"],
                    "parameters": {"base": 10, "method": method},
                },
            ],
        }
    )
    assert secret_steps(recipe) == ([1] if method == "stochastic" else [])
