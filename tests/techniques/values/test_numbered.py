"""Numbered texts against Arrow's own looking up."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.values import numbered as module
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


@settings(deadline=None)
@given(
    st.lists(
        st.lists(st.text(alphabet="ab张", max_size=4) | st.none() | st.text(max_size=12), max_size=40),
        max_size=4,
    )
)
def test_whatever_comes_is_numbered_in_the_order_of_its_first_appearance(
    parts: list[list[str | None]],
) -> None:
    numbered, known = NumberedTexts(), dict[str, int]()
    for part in parts:
        wanted = [-1 if text is None else known.setdefault(text, len(known)) for text in part]
        assert numbered.add(pa.array(part, pa.string())).tolist() == wanted
        assert numbered.values.to_pylist() == [*known]
        # What is looked up or appended in between is numbered with it.
        assert numbered.numbers(numbered.values).tolist() == [*range(len(known))]
        more = f"appended {len(known)}"
        assert numbered.append(pa.array([more])).tolist() == [known.setdefault(more, len(known))]


def test_more_than_fit_the_slots_at_once() -> None:
    texts = pa.array([f"{number % 40_000}" for number in range(100_000)]).slice(7)
    numbered = NumberedTexts(pa.array(["x", "39999"]))
    first = numbered.values
    assert numbered.add(texts).tolist() == [
        1 if number % 40_000 == 39_999 else 2 + (number - 7) % 40_000 - (number % 40_000 < 7)
        for number in range(7, 100_000)
    ]
    assert len(numbered) == 40_001
    # What was given out before does not change.
    assert first.to_pylist() == ["x", "39999"]


def test_more_bytes_than_an_array_can_hold_are_refused_and_nothing_is_added(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(module, "LARGEST", 20)
    numbered = NumberedTexts(pa.array(["a" * 15]))
    for add in (numbered.add, numbered.append):
        with pytest.raises(pa.ArrowInvalid, match="overflow"):
            add(pa.array(["b" * 6]))
    assert numbered.numbers(pa.array(["a" * 15, "b" * 6])).tolist() == [0, -1]
    assert numbered.add(pa.array(["b" * 5])).tolist() == [1]


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


def test_slots_that_become_more_and_more() -> None:
    """Whatever is entered in which order, each text is found where it was added."""
    numbered, places = NumberedTexts(), {}
    for part in range(12):
        texts = [f"{number * 7919 % 90_001}号" for number in range(part * 6000, part * 6000 + 8000)]
        expected = [places.setdefault(text, len(places)) for text in texts]
        assert numbered.add(pa.array(texts)).tolist() == expected
    assert len(numbered) == len(places)
    assert numbered.numbers(pa.array([*places, "别处"])).tolist() == [*range(len(places)), -1]
