"""GB/T 37964 A.5: rounding, top and bottom coding, intervals, dates, divisions, hierarchies."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.core.messages import EngineError
from techniques.core.secrets import Secrets
from tests.techniques.apply import apply, branches

ROUND = "generalization.rounding"
CODING = "generalization.top_bottom_coding"


def test_stochastic_rounding_of_the_standard() -> None:
    """A.5.2: 7 to base 10 becomes 10 with probability 0.7 and 0 with probability 0.3."""
    assert branches(ROUND, ["7"], base=10, method="stochastic") == [("0", "10", pytest.approx(0.7))]


@given(
    st.decimals(-10_000, 10_000, places=3, allow_nan=False, allow_infinity=False),
    st.sampled_from([0.05, 0.1, 0.25, 1, 3, 10, 1000]),
)
def test_stochastic_rounding_is_unbiased(value: Decimal, base: float) -> None:
    [(low, high, probability)] = branches(ROUND, [str(value)], base=base, method="stochastic")
    expectation = float(low) * (1 - probability) + float(high) * probability
    assert expectation == pytest.approx(float(value), abs=1e-6)
    assert 0 <= probability < 1


def test_draws_follow_the_probability_and_the_seed() -> None:
    draws = Secrets(b"", 1).uniform("a", 100_000)
    assert abs((draws < 0.7).mean() - 0.7) < 0.005
    assert (draws == Secrets(b"", 1).uniform("a", 100_000)).all()
    assert (draws != Secrets(b"", 2).uniform("a", 100_000)).any()
    assert (draws != Secrets(b"", 1).uniform("b", 100_000)).any()


@given(
    st.decimals(-10_000, 10_000, places=3, allow_nan=False, allow_infinity=False),
    st.sampled_from([0.05, 0.1, 0.25, 1, 3, 10, 1000]),
)
def test_nearest_agrees_with_decimal_arithmetic(value: Decimal, base: float) -> None:
    exact = Decimal(str(base))
    expected = (value / exact).quantize(Decimal(1), ROUND_HALF_UP) * exact
    assert Decimal(str(apply(ROUND, [str(value)], base=base)[0])) == expected


@pytest.mark.parametrize(("method", "expected"), [("down", ["0", "10", "-10"]), ("up", ["10", "10", "0"])])
def test_down_and_up(method: str, expected: list[str]) -> None:
    assert apply(ROUND, ["7", "10", "-3"], base=10, method=method) == expected


def test_numbers_as_people_write_them() -> None:
    values = ["1,234.5", " 12 ", "１２", "+7", "007", "abc", "1e3", "1,23", "-"]
    assert apply(ROUND, values, base=1) == ["1235", "12", "12", "7", "7", "!", "!", "!", "!"]


def test_coding_at_fixed_thresholds() -> None:
    values = ["17", "18", "45", "89.5", "90", "101", "x"]
    assert apply(CODING, values, top=90, bottom=18) == ["<=18", "<=18", "45", "89.5", ">=90", ">=90", "!"]
    assert apply(CODING, ["101"], top=90, result="threshold") == ["90"]


def test_coding_so_that_enough_rows_lie_beyond() -> None:
    values = [str(i) for i in range(1, 11)] + ["10"]
    coded = apply(CODING, values, top_rows=3, bottom_rows=2)
    assert coded == ["<=2", "<=2", *map(str, range(3, 9)), ">=9", ">=9", ">=9"]
    with pytest.raises(EngineError) as error:
        apply(CODING, ["1", "2"], top_rows=3)
    assert error.value.code == "threshold_none"


@given(st.lists(st.integers(-50, 50), min_size=10, max_size=200), st.integers(2, 5))
def test_at_least_the_wanted_rows_are_coded_and_no_more_than_needed(values: list[int], rows: int) -> None:
    coded = apply(CODING, [str(x) for x in values], top_rows=rows)
    beyond = [x for x, label in zip(values, coded, strict=True) if str(label).startswith(">=")]
    assert len(beyond) >= rows
    lowest = min(beyond)
    assert all((x >= lowest) == str(label).startswith(">=") for x, label in zip(values, coded, strict=True))
    assert sum(x > lowest for x in values) < rows


def test_intervals() -> None:
    key = "generalization.intervals"
    assert apply(key, ["0", "3", "4", "-1", "2.5"], width=4) == ["[0,4)", "[0,4)", "[4,8)", "[-4,0)", "[0,4)"]
    assert apply(key, ["0", "3", "2.5"], width=4, notation="inclusive") == ["0-3", "0-3", "!"]
    assert apply(key, ["0.15", "0.3"], width=0.15) == ["[0.15,0.3)", "[0.3,0.45)"]
    assert apply(key, ["17", "18", "65"], cuts=[18, 65]) == ["<18", "[18,65)", ">=65"]
    assert apply(key, ["17", "64", "65"], cuts=[18, 65], notation="inclusive") == ["<18", "18-64", ">=65"]


def test_salary_example() -> None:
    """A.3.6 b: pay in steps of 5000, years of service 0-3 and 4-6."""
    key = "generalization.intervals"
    assert apply(key, ["5000", "9999.5", "15000"], width=5000) == [
        "[5000,10000)", "[5000,10000)", "[15000,20000)",
    ]  # fmt: skip
    assert apply(key, ["0", "3", "4", "6"], cuts=[0, 4, 7], notation="inclusive") == [
        "0-3",
        "0-3",
        "4-6",
        "4-6",
    ]


@pytest.mark.parametrize(
    ("unit", "label"),
    [("month", "1985-11"), ("quarter", "1985-Q4"), ("year", "1985"), ("decade", "1980-1989")],
)
def test_dates(unit: str, label: str) -> None:
    written = ["1985-11-03", "1985/11/3", "1985年11月3日", "19851103", "1985-11-03 08:00:00", "1985.11"]
    assert apply("generalization.date", written, unit=unit) == [label] * len(written)


def test_days_that_do_not_exist() -> None:
    wrong = ["2023-02-29", "2024-02-30", "2024-13-01", "2024-00-10", "2024-01-00", "24-01-01", ""]
    assert apply("generalization.date", [*wrong, "2024-02-29"]) == ["!"] * len(wrong) + ["2024"]


@pytest.mark.parametrize(
    ("address", "county", "city"),
    [
        ("江西省南昌市东湖区八一路1号", "江西省南昌市东湖区", "江西省南昌市"),
        ("北京市海淀区中关村大街", "北京市海淀区", "北京市"),
        ("北京市北京市朝阳区", "北京市朝阳区", "北京市"),
        ("内蒙古呼和浩特市新城区", "内蒙古自治区呼和浩特市新城区", "内蒙古自治区呼和浩特市"),
        ("广东省 深圳市 南山区科技园", "广东省深圳市南山区", "广东省深圳市"),
        ("海南省陵水黎族自治县", "海南省陵水黎族自治县", "海南省陵水黎族自治县"),
        ("广东东莞市", "广东省东莞市", "广东省东莞市"),
        ("广东省东莞市长江路106号示意新村5栋", "广东省东莞市", "广东省东莞市"),
        ("广东省东莞市虎门镇博涌社区", "广东省东莞市", "广东省东莞市"),
        ("山东省青岛市市北区友谊路246号", "山东省青岛市市北区", "山东省青岛市"),
        ("河北省唐山市路北区", "河北省唐山市路北区", "河北省唐山市"),
        ("河南省新乡市卫滨区", "河南省新乡市卫滨区", "河南省新乡市"),
        ("江西省景德镇市珠山区", "江西省景德镇市珠山区", "江西省景德镇市"),
        ("湖北省神农架林区木鱼镇", "湖北省神农架林区", "湖北省神农架林区"),
        (
            "甘肃省临夏回族自治州积石山保安族东乡族撒拉族自治县",
            "甘肃省临夏回族自治州积石山保安族东乡族撒拉族自治县",
            "甘肃省临夏回族自治州",
        ),
        ("内蒙古自治区兴安盟科尔沁右翼前旗", "内蒙古自治区兴安盟科尔沁右翼前旗", "内蒙古自治区兴安盟"),
        ("上海市浦东新区世纪大道1号", "上海市浦东新区", "上海市"),
        ("上海市浦东新区世纪大道２号\n广东省深圳市", "上海市浦东新区", "上海市"),
        ("3号广东省广州市天河区", "!", "!"),
        ("某地", "!", "!"),
        ("江西省", "!", "!"),
    ],
)
def test_regions(address: str, county: str, city: str) -> None:
    assert apply("generalization.region", [address], unit="county") == [county]
    assert apply("generalization.region", [address], unit="city") == [city]


def test_region_codes() -> None:
    codes = ["360102", "360102001001", "12"]
    assert apply("generalization.region", codes, unit="city", form="code") == ["360100", "360100", "!"]
    assert apply("generalization.region", codes, unit="province", form="code") == ["360000", "360000", "!"]


def test_levels_of_hierarchies() -> None:
    key = "generalization.hierarchy"
    ages = {"kind": "intervals", "widths": [5, 10]}
    assert apply(key, ["7", "x"], hierarchy=ages, level=0) == ["7", "!"]
    assert apply(key, ["7", "12"], hierarchy=ages, level=2) == ["[0,10)", "[10,20)"]
    assert apply(key, ["7", "12"], hierarchy=ages, level=3) == ["*", "*"]
    masked = {"kind": "mask", "characters": [1, 3]}
    assert apply(key, ["12345", "1"], hierarchy=masked, level=1) == ["1234*", "*"]
    assert apply(key, ["12345"], hierarchy={**masked, "side": "left"}, level=2) == ["***45"]
    table = {"kind": "table", "rows": [["a", "vowel"], ["b", "consonant"], ["c", "consonant"]]}
    assert apply(key, ["c", "a", "z"], hierarchy=table, level=1) == ["consonant", "vowel", "!"]
    assert apply(key, ["c"], hierarchy=table, level=2) == ["*"]
    with pytest.raises(EngineError) as error:
        apply(key, ["c"], hierarchy=table, level=3)
    assert error.value.params["highest"] == 2


def test_mapping() -> None:
    key = "generalization.mapping"
    assert apply(key, ["a", "b"], mapping={"a": "1"}) == ["1", "!"]
    assert apply(key, ["a", "b"], mapping={"a": "1"}, others="keep") == ["1", "b"]
