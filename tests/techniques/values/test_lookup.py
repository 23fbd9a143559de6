"""Texts looked up among others: few among many, many among few, repeated ones, and nothing at all."""

from __future__ import annotations

import pyarrow as pa
import pytest

from techniques.values.lookup import is_among, places

MANY = [f"value {n % 40}" for n in range(60)]


@pytest.mark.parametrize(
    ("texts", "among"),
    [
        (["value 7", "value 7", None, "other", "value 39"], MANY),
        (MANY, ["value 3", "value 3", "no", None]),
        (MANY, MANY[::-1]),
        (["a"], MANY),
        ([], MANY),
        (MANY, []),
        (["", None], ["", "x", None]),
    ],
)
def test_the_first_place_of_each_text(texts: list[str | None], among: list[str | None]) -> None:
    found = places(pa.array(texts, pa.string()), pa.array(among, pa.string()))
    wanted = [-1 if text is None or text not in among else among.index(text) for text in texts]
    assert found.tolist() == wanted
    there = is_among(pa.array(texts, pa.string()), pa.array(among, pa.string()))
    assert there.tolist() == [place >= 0 for place in wanted]
