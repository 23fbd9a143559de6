"""Normalisation before treatment (5.4.2 a): what it unifies, that it does so once and for all, and that it comes first."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.catalogue.preparation import NormaliseSettings
from techniques.core.messages import EngineError
from techniques.families.preparation.normalise import normalised, prepared
from techniques.recipe.recipe import Recipe
from tests.techniques.apply import apply
from tests.techniques.drawn import day, word

KEY = "preparation.normalise"


def spelling(draw: random.Random) -> str:
    return draw.choice(["a", "Ａ", "A ", " a", "Zb", "zB"])


CLAIM_CASES = {
    KEY: [(spelling, 1, {"case": "lower"}), (word, 1, {"case": "lower"}), (day, 1, {"dates": True})]
}
"""By technique how values are drawn, for how many columns, and the settings."""

SETTINGS = st.builds(
    NormaliseSettings,
    width=st.booleans(),
    blanks=st.sampled_from(["keep", "outer", "single", "none"]),
    case=st.sampled_from(["keep", "lower", "upper"]),
    dates=st.booleans(),
    unit=st.sampled_from(["keep", "number", "centimetre", "kilogram", "yuan"]),
)
VALUES = st.one_of(
    st.text(max_size=12),
    st.from_regex(
        r"\A[+-]?[¥￥$]? ?[0-9]{1,3}(,[0-9]{3})?(\.[0-9]{1,5})? ?(m|cm|米|公斤|斤|g|万元|元|分)?\Z"
    ),
    st.from_regex(r"\A20[0-2][0-9][-/.年]?1?[0-9][-/.月]?[0-3]?[0-9]日?( 1[0-9]:00)?\Z"),
)


@given(values=st.lists(VALUES, max_size=6), chosen=SETTINGS)
@settings(max_examples=200, deadline=None)
def test_what_is_in_form_stays_as_it_is(values: list[str], chosen: NormaliseSettings) -> None:
    once = normalised(pa.array(values, pa.string()), chosen)
    assert normalised(once, chosen).to_pylist() == once.to_pylist()
    assert once.null_count == 0, "no value is lost"


@pytest.mark.parametrize(
    ("values", "chosen", "expected"),
    [
        (["　ＡＢＣ　１２３ ", "a  b", ""], {}, ["ABC 123", "a  b", ""]),
        (["ＡＢ c", "É"], {"case": "lower", "blanks": "none"}, ["abc", "é"]),
        (["ＡＢ  c"], {"width": False, "blanks": "single"}, ["ＡＢ c"]),
        (["2024/3/1", "2024年3月1日", "20240301", "２０２４．３"], {"dates": True}, ["2024-03-01"] * 3 + ["2024-03"]),
        (["2024-02-30", "2024-03-01 10:30", "20240301103000", "3"], {"dates": True}, None),
        (["1.75 m", "175CM", "１７５", "1,750 毫米"], {"unit": "centimetre"}, ["175"] * 4),
        (["2 kg", "4斤", "2000g", "2,000 克"], {"unit": "kilogram"}, ["2"] * 4),
        (["1.2万元", "￥12,000.00", "12000"], {"unit": "yuan"}, ["12000"] * 3),
        (["0.0", "-0", "007", "-1,000.50"], {"unit": "number"}, ["0", "0", "7", "-1000.5"]),
        (["12,34", "1e3", "$5", "3 m", "1234567890123", "0.12345"], {"unit": "number"}, None),
    ],
)  # fmt: skip
def test_what_means_the_same_is_written_alike(values, chosen, expected) -> None:
    assert apply(KEY, values, **chosen) == (values if expected is None else expected)


def recipe(*steps: tuple[str, str, dict], **more) -> Recipe:
    made = [{"technique": key, "columns": [column], "parameters": said} for key, column, said in steps]
    return Recipe.from_data({"recipe": 1, **more, "steps": made})


NORMALISED = (KEY, "a", {})
HASHED = ("pseudonymization.keyed_hash", "a", {})


def test_preparation_comes_before_treatment_and_is_none() -> None:
    made = recipe(NORMALISED, HASHED)
    assert made.preparing == [0]
    with pytest.raises(EngineError) as late:
        recipe(HASHED, NORMALISED)
    assert (late.value.params["column"], late.value.params["earlier"]) == ("a", 0)
    with pytest.raises(EngineError):
        recipe(NORMALISED, HASHED, unprepared="nothing to unify")
    with pytest.raises(EngineError, match="says nothing about these columns: a"):
        recipe(NORMALISED).check_columns(["a"])


def test_that_nothing_is_prepared_is_said_with_its_reason() -> None:
    said, unsaid = recipe(HASHED, unprepared="all values stand in one form"), recipe(HASHED)
    assert "unprepared" not in unsaid.model_dump(mode="json"), "recipes of before keep their hash"
    assert said.content_hash() != unsaid.content_hash()
    for blank in ("", "   "):
        with pytest.raises(EngineError):
            recipe(HASHED, unprepared=blank)


def test_a_source_is_compared_as_it_was_prepared() -> None:
    batch = pa.record_batch({"a": [" Ａ", None, "a"], "b": [" Ａ", "x", None]})
    (found,) = prepared([batch], recipe((KEY, "a", {"case": "lower"}), HASHED))
    assert found.to_pydict() == {"a": ["a", None, "a"], "b": [" Ａ", "x", None]}
