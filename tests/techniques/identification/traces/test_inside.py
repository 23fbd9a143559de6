"""Values within longer texts are found wherever they stand, and in no text that is a value itself."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.identification.traces.inside import Sought

TEXTS = st.lists(st.text("ab1é张😀", max_size=8), max_size=8, unique=True)
VALUES = st.lists(st.text("ab1é张😀", min_size=1, max_size=4), max_size=8, unique=True)


@given(TEXTS, VALUES)
def test_every_text_that_holds_a_value_and_more_counts(texts: list[str], values: list[str]) -> None:
    counts = np.arange(1, len(texts) + 1)
    held = [
        number
        for text, number in zip(texts, counts.tolist(), strict=True)
        if any(value in text and value != text for value in values)
    ]
    rows, _expected = Sought(pa.array(values, pa.string())).within(pa.array(texts, pa.string()), counts)
    assert rows == sum(held)


def test_digits_are_met_by_chance_as_often_as_there_are_windows() -> None:
    """Two numbers of three digits; the texts and the sign between them have 5 + 1 + 4 characters, so eight windows."""
    found = Sought(pa.array(["123", "456"])).within(pa.array(["91239", "0000"]), np.array([2, 3]))
    assert found == (2, pytest.approx(2 / 1000 * 8))
