"""The scan of a result fails closed."""

from __future__ import annotations

import hashlib

import pyarrow as pa
import pytest

from deid_portal.demo.hospital import COLUMNS, generate
from techniques.core.attributes import AttributeRole
from techniques.identification.residual import residual_scan
from techniques.identification.rules import redact
from techniques.tables.coding import part_of
from techniques.tables.dictionary import dictionary_encode

HEX = "[0-9a-f]{16}"


def run(data: dict[str, list[str | None]], **options):
    table = pa.table({name: pa.array(values, pa.string()) for name, values in data.items()})
    options.setdefault("roles", {})
    return residual_scan(table.to_batches(max_chunksize=50), list(data), **options)


def pseudonyms(number: int) -> list[str]:
    return [hashlib.sha256(str(i).encode()).hexdigest()[:16] for i in range(number)]


def blocking(report) -> set[tuple[str, str]]:
    return {(f.column, f.kind) for f in report.blocking}


def test_clean_result_passes() -> None:
    report = run(
        {"性别": ["男", "女"] * 30, "年龄段": ["20-29", "30-39", "*"] * 20, "费用": ["12.50", "99.00"] * 30}
    )
    assert report.passed
    assert report.coverage == 1.0


def test_raw_table_is_blocked_everywhere() -> None:
    table = generate(1000)
    report = residual_scan(table.to_batches(), COLUMNS, {})
    assert not report.passed
    assert {c for c, _ in blocking(report)} == {"姓名", "身份证号", "手机号", "住址", "病历号", "备注"}
    assert {f.where for f in report.blocking if f.column == "备注"} == {"free_text"}


def test_one_identifier_in_one_text_blocks() -> None:
    report = run({"备注": ["复查"] * 999 + ["电话13812345678"]})
    assert blocking(report) == {("备注", "phone")}
    assert report.findings[0].first_rows == (1000,)


def test_row_number_and_unique_column_block() -> None:
    report = run({"序号": [str(i) for i in range(1, 101)], "哈希": pseudonyms(100), "甲": ["x"] * 100})
    assert blocking(report) == {("序号", "row_number"), ("哈希", "unique_key")}


def test_declared_pseudonyms_may_be_unique() -> None:
    report = run({"假名": [*pseudonyms(98), None, "*"]}, pseudonymised={"假名": HEX})
    assert report.passed


@pytest.mark.parametrize(
    ("value", "kind"),
    [("440524188001010014", "id_number"), ("13812345678", "phone"), ("完全不同", "unique_key")],
)
def test_raw_value_among_pseudonyms_blocks(value: str, kind: str) -> None:
    report = run({"假名": [*pseudonyms(99), value]}, pseudonymised={"假名": HEX})
    assert blocking(report) == {("假名", kind)}


def test_pseudonyms_that_are_raw_values_block() -> None:
    raw = generate(300)["身份证号"].to_pylist()
    report = run({"假名": raw}, pseudonymised={"假名": "[0-9]{17}[0-9X]"})
    assert blocking(report) == {("假名", "id_number")}
    assert run(
        {"假名": raw}, pseudonymised={"假名": "[0-9]{17}[0-9X]"}, allowed=[("假名", "id_number")]
    ).passed


def test_names_left_over_by_a_mask_block() -> None:
    assert blocking(run({"姓名": ["张*", "李**"] * 100 + ["王建国"]})) == {("姓名", "person_name")}
    assert run({"姓名": ["张*", "李**"] * 100}).passed


def test_column_names_and_metadata() -> None:
    report = run(
        {"13812345678": ["x"] * 5},
        metadata={"file_name": "结果_440524188001010014.csv", "sheet": "Sheet1", "author": "姓名：王芳"},
    )
    found = {(f.where, f.name, f.kind) for f in report.blocking}
    assert found == {
        ("column_name", "", "phone"),
        ("metadata", "file_name", "id_number"),
        ("metadata", "author", "person_name"),
    }
    assert run({"a": ["x"]}, metadata={"file_name": "a.csv"}).passed
    # Half a pair of UTF-16, as an entry in JSON may have it.
    assert run({"a": ["x"]}, metadata={"pandas": "\ud800"}).passed
    halved = run({"a": ["x"]}, metadata={"pandas": "\ud800电话 13812345678"})
    assert {one.kind for one in halved.blocking} == {"phone"}


def test_untreated_direct_identifier_blocks_whatever_it_looks_like() -> None:
    roles = {"代号": AttributeRole.DIRECT_IDENTIFIER}
    assert blocking(run({"代号": ["甲", "乙"]}, roles=roles, treated=[])) == {("代号", "untreated")}
    assert run({"代号": ["甲", "乙"]}, roles=roles, treated=["代号"]).passed


def test_allowed_findings_stay_visible() -> None:
    report = run({"型号": ["E12345678", "G87654321"] * 20}, allowed=[("型号", "passport")])
    assert report.passed
    assert [(f.kind, f.allowed) for f in report.findings] == [("passport", True)]


def test_unread_rows_or_no_rows_never_pass() -> None:
    assert not run({"a": ["x"] * 5}, total_rows=10).passed
    assert not run({"a": []}).passed


def test_measurements_are_a_hint_only() -> None:
    report = run({"费用": [f"{1000 + i * 7}.{i:02d}" for i in range(60)]})
    assert report.passed
    assert [(f.kind, f.blocks) for f in report.findings] == [("unique_value", False)]


def test_redacted_text_passes() -> None:
    texts = [t or "" for t in generate(2000)["备注"].to_pylist()]
    assert run({"备注": redact(texts)}).passed


def test_a_dictionary_may_hold_a_missing_value() -> None:
    cells = pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 2, None]), pa.array(["P00ab", None, "13912345678"])
    )
    batch = pa.RecordBatch.from_arrays([cells], names=["号"])
    found = residual_scan([batch], ["号"], {}, pseudonymised={"号": "P[0-9a-f]{4}"})
    assert blocking(found) == {("号", "phone")}


def test_columns_in_codes_are_scanned_as_their_texts_are() -> None:
    data = {
        "假名": [*pseudonyms(60), None, "*", *pseudonyms(30), "13812345678", "13812345678"],
        "备注": [
            f"电话1381234567{n % 9}" if n % 7 == 0 else None if n % 5 == 0 else "复查" for n in range(94)
        ],
        "序号": [str(n) for n in range(94)],
    }
    columns = {name: dictionary_encode(pa.array(cells, pa.string())) for name, cells in data.items()}
    coded = (
        pa.RecordBatch.from_arrays(
            [part_of(one, slice(start, min(start + 50, 94))) for one in columns.values()], names=[*columns]
        )
        for start in (0, 50)
    )
    found = residual_scan(coded, list(data), {}, pseudonymised={"假名": HEX})
    assert found == run(data, pseudonymised={"假名": HEX})
    assert {column for column, _kind in blocking(found)} == {"假名", "备注", "序号"}
