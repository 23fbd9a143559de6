"""Numbered texts against Arrow's own looking up."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.values.numbered import NumberedTexts

TEXTS = st.lists(st.text(alphabet="ab张", max_size=4) | st.text(max_size=12), max_size=30)


def arrows(texts: list[str | None], known: list[str]) -> list[int]:
    found = pc.index_in(pa.array(texts, pa.string()), pa.array(known, pa.string()), skip_nulls=True)
    return found.fill_null(-1).to_pylist()  # type: ignore[no-any-return]


@settings(deadline=None)
@given(st.lists(TEXTS, max_size=4), st.lists(st.text(alphabet="ab张", max_size=4) | st.none(), max_size=30))
def test_as_arrow_finds_them(parts: list[list[str]], sought: list[str | None]) -> None:
    """Parts of new texts come one after the other; each is looked up before it is added, as in a run."""
    known: list[str] = []
    numbered = NumberedTexts()
    for part in parts:
        different = pa.array(dict.fromkeys(part), pa.string())
        numbers = numbered.numbers(different)
        assert numbers.tolist() == arrows(different.to_pylist(), known)
        new = different.filter(pa.array(numbers < 0))
        assert numbered.append(new).tolist() == list(range(len(known), len(known) + len(new)))
        known += new.to_pylist()
    assert (len(numbered), numbered.values.to_pylist()) == (len(known), known)
    given_at_once = NumberedTexts(pa.array(known, pa.string()))
    for one in (numbered, given_at_once):
        assert one.numbers(pa.array(sought, pa.string())).tolist() == arrows(sought, known)


def test_many_of_them_and_slices() -> None:
    texts = pa.array([f"地址{number % 977}-{number}" for number in range(50_000)])
    numbered = NumberedTexts(texts.slice(100, 30_000))
    assert numbered.numbers(texts).tolist() == [*[-1] * 100, *range(30_000), *[-1] * 19_900]
    numbered.append(texts.slice(40_000))
    assert numbered.numbers(texts.slice(39_999, 3)).tolist() == [-1, 30_000, 30_001]
    assert numbered.numbers(texts.slice(5, 0)).dtype == np.int32


def test_texts_that_differ_in_one_byte_wherever_it_is() -> None:
    """They are compared eight bytes at a time, and what is left byte by byte."""
    texts = [
        "a" * before + other + "a" * (length - before - 1)
        for length in range(1, 28)
        for before in range(length)
        for other in "bcd"
    ] + ["a" * length for length in range(28)]
    different = list(dict.fromkeys(texts))
    numbered = NumberedTexts(pa.array(different[::2]))
    places = {text: place for place, text in enumerate(different[::2])}
    assert numbered.numbers(pa.array(different)).tolist() == [places.get(text, -1) for text in different]
