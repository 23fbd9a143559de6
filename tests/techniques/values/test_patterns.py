"""Few values are read by another engine than many: both must read alike."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

from techniques.catalogue.suppression import MaskIdentifierSettings
from techniques.core.operations import Context
from techniques.families.suppression.mask_identifier import MaskIdentifier
from techniques.values import regions
from techniques.values.dates import parse_days
from techniques.values.patterns import FEW
from techniques.values.regions import RegionsReached, region_levels
from tests.techniques.apply import SECRETS

PLACES = (
    *(
        "中国",
        "广东省",
        "广东",
        "北京市",
        "北京",
        "深圳市",
        "南山区",
        "市辖区",
        "路桥区",
        "社区",
        "工业区",
        "12号",
    ),
    *("恩施土家族苗族自治州", "呼伦贝尔盟", "阿荣旗", "省", "市", "县", "\n", " ", "0", "A", "大兴安岭地区"),
)
MOMENTS = (
    *(
        "1990",
        "2",
        "-",
        "/",
        ".",
        "年",
        "月",
        "日",
        "02",
        "12",
        "31",
        " ",
        "T",
        "10:30",
        "\n",
        "19900102",
        "é",
    ),
    *("1990-01-02", "1990年1月2日"),
)


def texts(pieces, count=3000):
    rng = random.Random(7)
    return ["".join(rng.choice(pieces) for _ in range(rng.randint(0, 6))) for _ in range(count)]


def in_parts(read, values):
    """What ``read`` makes of the values, a few at a time."""
    found = []
    for start in range(0, len(values), FEW):
        found += read(pa.array(values[start : start + FEW], pa.string()))
    return found


@pytest.mark.parametrize("unit", ["province", "city", "county"])
def test_addresses(unit):
    def read(values):
        ((labels, valid),) = region_levels(values, (unit,))
        return list(zip(labels.to_pylist(), valid.tolist(), strict=True))

    values = [*texts(PLACES), None]
    assert read(pa.array(values)) == in_parts(read, values)


@pytest.mark.parametrize("most", [0, 1 << 20])
def test_addresses_that_come_part_by_part(most, monkeypatch):
    monkeypatch.setattr(regions, "MOST_HEADS", most)
    units = ("province", "city", "county")
    reached = RegionsReached(units)
    values = [
        *texts(PLACES),
        *(f"广东省深圳市南山区科技路{number}号" for number in range(300)),
        *texts(PLACES),
    ]
    for start in range(0, len(values), 500):
        part = pa.array(values[start : start + 500])
        expected = [valid.tolist() for _labels, valid in region_levels(part, units)]
        assert [valid.tolist() for valid in reached.of(part)] == expected


def test_dates():
    def read(values):
        days, valid = parse_days(values)
        return list(zip(days.tolist(), valid.tolist(), strict=True))

    values = texts(MOMENTS)
    assert sum(valid for _day, valid in read(pa.array(values))) > 50
    assert read(pa.array(values)) == in_parts(read, values)


@pytest.mark.parametrize(("kind", "pieces"), [("date", MOMENTS), ("address", PLACES), ("name", PLACES)])
def test_masks(kind, pieces):
    operation = MaskIdentifier(MaskIdentifierSettings(kind=kind), Context(0, ("c",), 10, SECRETS))

    def read(values):
        return operation.apply(values).values.to_pylist()

    values = texts(pieces)
    assert read(pa.array(values)) == in_parts(read, values)
