"""What a column's values can be read as is counted over every row, the last one too."""

from __future__ import annotations

import pyarrow as pa
import pytest

from techniques.hierarchies.readings import Readings


def readings_of(*batches: list[str | None]) -> dict[str, int]:
    watch = Readings(["c"], sum(map(len, batches)))
    for _batch in watch.watched(pa.record_batch({"c": pa.array(batch, pa.string())}) for batch in batches):
        pass
    return dict(watch.of("c"))


@pytest.mark.parametrize(
    ("reading", "good", "bad"),
    [
        ("number", ["39", "2,174", " 13 ", "-0.5"], ["<=50K", "?", "￥300.50", "20-29", "3岁"]),
        ("date", ["2024-01-02", "2024年1月3日", "20240104", "2024-01-02 08:30"], ["State-gov", "1985", "2024-13-01"]),
        ("county", ["北京市朝阳区建国路1号", "浙江省杭州市西湖区"], ["浙江省", "Private", "310104"]),
        ("city", ["北京市", "浙江省杭州市"], ["浙江省", "私营企业"]),
        ("province", ["浙江省", "浙江省杭州市西湖区", "上海"], ["朝阳区", "United-States"]),
        ("ethnic_group", ["汉族", "回", "其他"], ["Han", "White"]),
    ],
)  # fmt: skip
def test_one_value_far_down_is_counted(reading, good, bad):
    rows = [good[i % len(good)] for i in range(300)]
    assert readings_of(rows, [None, *good])[reading] == 0
    for value in bad:
        assert readings_of(rows, rows, [*rows[:-1], value])[reading] == 1, value
        # Above one in a hundred the reading is given up.
        assert reading not in readings_of(rows, rows, [value] * 10), value


def test_texts_are_read_as_nothing_and_nothing_as_everything():
    assert readings_of([f"diagnosis {i}" for i in range(3000)]) == {}
    assert set(readings_of([None, None])) == {"number", "date", "county", "city", "province", "ethnic_group"}
