"""The scan of every row: what it finds, where, and that it reads to the end."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from deid_portal.demo.hospital import COLUMNS, generate
from techniques.core.messages import EngineError
from techniques.identification.distinct import DistinctCounter, hash_texts
from techniques.identification.rules import coverage, find_in_text, scan
from techniques.identification.scanner import ColumnScanner
from techniques.tables.dictionary import count_values
from techniques.values.written import normalise


def column_scan(values: list[str | None], batch: int = 7, name: str = "c"):
    table = pa.table({name: pa.array(values, pa.string())})
    return scan(table.to_batches(max_chunksize=batch), [name]).columns[name]


def kinds(values: list[str | None]) -> dict[str, tuple[int, int]]:
    return {f.kind: (f.hits, f.substring_hits) for f in column_scan(values).findings}


def test_empty_head_hides_nothing() -> None:
    """A remark column whose first hundred rows are empty and which then holds identity numbers."""
    values: list[str | None] = [None] * 100 + ["440524188001010014"] * 50
    found = column_scan(values, batch=64).finding("id_number")
    assert found is not None
    assert (found.hits, found.rate, found.first_rows[0]) == (50, 1.0, 101)


def test_single_value_in_the_last_row() -> None:
    values = [f"复查{i}" for i in range(5000)] + ["凭身份证440524188001010014办理"]
    found = column_scan(values, batch=1000).finding("id_number")
    assert found is not None
    assert (found.hits, found.substring_hits, found.first_rows) == (0, 1, (5001,))
    assert found.confidence > 0.9


def test_report_holds_no_values() -> None:
    table = generate(500)
    text = scan(table.to_batches(), COLUMNS).model_dump_json()
    for column in ("姓名", "身份证号", "手机号", "住址", "病历号", "诊断"):
        assert not any(value in text for value in table[column].to_pylist() if value)


def test_counts_agree_with_a_search_value_by_value() -> None:
    table = generate(3000, seed=5)
    report = scan(table.to_batches(max_chunksize=700), ["备注"])
    texts = table["备注"].to_pylist()
    for kind in ("id_number", "phone", "person_name"):
        expected = sum(1 for t in texts if t and kind in {k for k, _, _ in find_in_text(t)})
        found = report.columns["备注"].finding(kind)
        assert found is not None
        assert found.rows == expected > 0


def test_demo_columns() -> None:
    report = scan(generate(2000).to_batches(max_chunksize=300), COLUMNS, total_rows=2000)
    assert report.complete
    top = {c: s.findings[0].kind if s.findings else None for c, s in report.columns.items()}
    assert top["姓名"] == "person_name"
    assert top["身份证号"] == "id_number"
    assert top["手机号"] == "phone"
    assert top["住址"] == "address"
    assert top["性别"] == "gender"
    assert top["民族"] == "ethnic_group"
    assert top["出生日期"] == top["就诊日期"] == "date"
    assert top["病历号"] == "record_key"
    assert top["科室"] is None
    assert all(f.confidence < 0.1 for f in report.columns["诊断"].findings)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([str(i) for i in range(1, 31)], "row_number"),
        ([f"R{i:05d}" for i in range(10, 60)], "row_number"),
        ([str(i) for i in np.random.default_rng(1).permutation(50) + 1], "row_number"),
        ([f"{x:016x}" for x in np.random.default_rng(1).integers(0, 2**60, 60)], "unique_key"),
        ([f"{x:.2f}" for x in np.random.default_rng(1).lognormal(5, 1, 60)], "unique_value"),
    ],
)
def test_keys(values: list[str], expected: str) -> None:
    assert [f.kind for f in column_scan(values).findings] == [expected]


@pytest.mark.parametrize(
    "values",
    [
        ["1", "2", "3"],
        [str(i % 7) for i in range(100)],
        [str(i) for i in range(1, 20)] + [None] + [str(i) for i in range(300, 360)] * 2,
        ["内科", "外科", "康复科", "方便门诊"] * 20,
        ["江西", "安徽", "云南", "江苏", "宁夏", "甘肃"] * 20,
    ],
)
def test_no_keys_and_no_names(values: list[str | None]) -> None:
    assert all(f.confidence < 0.35 for f in column_scan(values).findings)


def test_whole_and_inside_are_told_apart() -> None:
    assert kinds(["13812345678", "电13812345678", "138-1234-5678", "0755-88886666"]) == {"phone": (3, 1)}
    assert kinds(["6222600260001072444"] * 3)["bank_card"] == (3, 0)
    assert kinds(["440524 18800101 0014"]) == {"id_number": (1, 0)}
    assert kinds([" １３８１２３４５６７８ "]) == {"phone": (1, 0)}
    assert kinds(["京A12345", "京AD12345"]) == {"licence_plate": (2, 0)}


def test_address_with_a_telephone() -> None:
    found = kinds(["广东省广州市天河区中山路1号2栋301室 13812345678"])
    assert found == {"address": (1, 0), "phone": (0, 1)}


@pytest.mark.parametrize(("rows", "total"), [(9_999_999, 10_000_000), (10_000_000, 9_999_999)])
def test_one_row_of_ten_millions_is_missing_too(rows: int, total: int) -> None:
    assert coverage(rows, total) < 1.0
    assert coverage(total, total) == 1.0


def test_coverage_and_faults() -> None:
    batch = pa.record_batch({"c": pa.array(["a", None])})
    assert scan([batch], ["c"], total_rows=4).coverage == 0.5
    assert not scan([batch], ["c"], total_rows=4).complete
    assert scan([], ["c"]).rows == 0
    assert scan([], ["c"], total_rows=3).coverage == 0.0
    with pytest.raises(EngineError, match="no column"):
        scan([batch], ["d"])
    ticks: list[int] = []
    scan([batch, batch], ["c"], ticks.append)
    assert ticks == [2, 4]


def test_batches_and_dictionaries_do_not_change_the_result() -> None:
    table = generate(700, seed=3)
    whole = scan(table.to_batches(), COLUMNS)
    assert scan(table.to_batches(max_chunksize=97), COLUMNS) == whole
    encoded = pa.table({c: table[c].combine_chunks().dictionary_encode() for c in COLUMNS})
    assert scan(encoded.to_batches(max_chunksize=400), COLUMNS) == whole


@pytest.mark.parametrize(
    "values",
    [
        [str(number) for number in range(60)],
        [None, *map(str, range(60))],
        [str(number) for number in range(60, 0, -1)],
        ["7"] * 30,
        [None] * 30,
        ["", " "] * 30,
        [f"1391234{number % 90:04}" for number in range(300)],
        ["张三", "李四", "女", "见 13912345678", None] * 20,
    ],
)
def test_counted_values_tell_what_rows_do_but_for_the_first(values: list[str | None]) -> None:
    column = pa.array(values, pa.string())
    whole, counted = ColumnScanner("c"), ColumnScanner("c")
    whole.feed(column)
    [cells] = count_values([pa.record_batch([column], names=["c"])], ["c"]).values()
    counted.feed_counted(cells)
    by_row, by_count = whole.result().model_dump(), counted.result().model_dump()
    for found in (*by_row["findings"], *by_count["findings"]):
        del found["first_rows"]
    assert by_count == by_row


@pytest.mark.parametrize(
    "values",
    [
        [f"S{number % 60:07}" for number in range(120)],
        # A number a row, of one beginning in each batch, but of two in the whole column.
        [f"{'A' if number < 50 else 'B'}{number}" for number in range(100)],
        [str(number) for number in range(100)],
        # Lengths that batches have oftener than the whole column has.
        ["1234567"] * 3 + [f"12345{number:03}" for number in range(97)],
        ["男", "女", *map(str, range(98))] * 3,
        # Categories are looked for among few values alone: there are few in each batch, but many in the whole column.
        ["男" if number % 2 else f"x{number}" for number in range(2400)],
        ["张三", "李四", "女", "见 13912345678", None, " ", "Ａ１２３", "***"] * 20,
        [None] * 100,
    ],
)
def test_what_batches_told_is_judged_by_the_whole_column(values: list[str | None]) -> None:
    column = pa.array(values, pa.string())
    batches = pa.table({"c": column}).to_batches(max_chunksize=50)
    in_batches, counted = ColumnScanner("c"), ColumnScanner("c")
    for batch in batches:
        in_batches.feed(batch.column(0))
    before = in_batches.result()
    [cells] = count_values(batches, ["c"]).values()
    counted.feed_counted(cells)
    by_batch, by_count = in_batches.whole(cells).model_dump(), counted.result().model_dump()
    for found in (*by_batch["findings"], *by_count["findings"]):
        del found["first_rows"]
    assert by_batch == by_count
    assert in_batches.result() == before


def test_distinct_counter_estimates_above_its_cap() -> None:
    counter = DistinctCounter(cap=5000)
    for start in range(0, 100_000, 10_000):
        texts = pa.array([f"v{i}" for i in range(start, start + 10_000)])
        counter.add(texts, np.ones(10_000, dtype=np.int64))
    assert not counter.exact
    assert counter.distinct == pytest.approx(100_000, rel=0.06)
    assert counter.occurring_once == 1.0
    assert len(np.unique(hash_texts(pa.array([f"v{i}" for i in range(100_000)])))) == 100_000


def test_normalise_keeps_places() -> None:
    text = "Ａ１　号abc"
    assert normalise(text) == "A1 号abc"
    assert len(normalise(text)) == len(text)


@pytest.mark.parametrize(
    "names",
    [
        ["张 三", "李 四光", "欧阳 明", "王 芳"],
        ["張偉", "劉德華", "陳慧嫻", "鄭秀文"],
        ["Zhang Wei", "LI Na", "Xiaoming Wang", "Chen, Jing Jing"],
        ["James Smith", "Mary J. Brown", "Robert Miller", "Linda Davis"],
        ["买买提·吐尔逊", "阿不都·热合曼", "卓玛·央金", "扎西·顿珠"],
    ],
)
def test_names_as_they_are_written(names: list[str]) -> None:
    found = kinds([*names * 50])
    assert found["person_name"] == (200, 0)


def test_words_are_no_names() -> None:
    words = ["New York", "Los Angeles", "Married civ", "Some College", "West Lake", "心内科", "A B"]
    assert "person_name" not in kinds([*words * 20])
