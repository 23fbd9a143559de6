"""One value has one plain form, whatever stands beside it."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from techniques.identification.traces.values import isin, plain
from techniques.values.numbered import NumberedTexts

# With it a column is read by the classes of all signs, whatever its other values are.
FOREIGN = "№"
SIGNS = st.one_of(
    st.characters(max_codepoint=127),
    st.characters(min_codepoint=0x3400, max_codepoint=0x9FFF),
    st.characters(exclude_categories=["Cs"]),
)


@given(st.lists(st.text(SIGNS, max_size=12), min_size=1, max_size=5))
def test_a_value_has_the_same_plain_form_beside_any_other(texts):
    alone = plain(pa.array(texts, pa.string())).to_pylist()
    beside = plain(pa.array([*texts, FOREIGN], pa.string())).to_pylist()
    assert beside[:-1] == alone


def test_what_ascii_and_chinese_signs_separate_is_put_together():
    texts = ["138-0013 8000", "(Ab) c/d|e", "张 三", "一三八零", "１３８", "one three eight zero", None]
    assert plain(pa.array(texts)).to_pylist() == [
        "13800138000", "abcde", "张三", "1380", "138", "1380", None
    ]  # fmt: skip


@given(
    st.lists(st.none() | st.text("ab*＊张", max_size=4)), st.lists(st.none() | st.text("ab*＊张", max_size=4))
)
def test_values_are_met_among_others_however_long_they_are(texts, among):
    met = [one in among and one is not None and bool(one.strip("*＊×█●")) for one in texts]
    assert isin(pa.array(texts, pa.string()), pa.array(among, pa.string())).tolist() == met


def test_texts_are_found_among_others_whether_or_not_these_were_entered_before() -> None:
    others = pa.array([f"{number:05d}" for number in range(0, 9000, 3)] + ["", "***", None], pa.string())
    texts = pa.array(["", "***", None, *(f"{number:05d}" for number in range(9000))], pa.string())
    entered = NumberedTexts(others.drop_null().unique())
    assert isin(texts, others).tolist() == [False] * 3 + [number % 3 == 0 for number in range(9000)]
    assert isin(texts.slice(1), entered).tolist() == isin(texts, others).tolist()[1:]
