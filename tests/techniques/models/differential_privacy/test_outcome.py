"""How an answer that leaves is written."""

from __future__ import annotations

from decimal import Decimal

import pytest

from techniques.models.differential_privacy.outcome import times


@pytest.mark.parametrize(
    ("epsilon", "said"),
    [("0", "1"), ("0.0001", "1.000101"), ("0.853045538", "2.35"), ("10", "22100"), ("50", "5.19e+21"), ("1000", "1.98e+434")],
)  # fmt: skip
def test_how_many_times_as_likely_is_never_less_than_the_loss_allows(epsilon: str, said: str) -> None:
    assert times(epsilon) == said
    assert Decimal(said).ln() >= Decimal(epsilon)
