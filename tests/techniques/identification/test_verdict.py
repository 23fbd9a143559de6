"""Suggestions from the look-up and the rules together."""

from __future__ import annotations

import pyarrow as pa

from deid_portal.demo.hospital import COLUMNS, generate
from techniques.core.attributes import AttributeRole
from techniques.identification.metadata.lookup import lookup
from techniques.identification.rules import scan
from techniques.identification.verdict import suggest


def suggestion(name: str, values: list[str | None]):
    table = pa.table({name: pa.array(values, pa.string())})
    return suggest([name], lookup([name]), scan(table.to_batches(), [name]))[name]


def test_demo() -> None:
    table = generate(3000)
    found = suggest(COLUMNS, lookup(COLUMNS), scan(table.to_batches(), COLUMNS))
    roles = {column: item.role for column, item in found.items()}
    for column in ("姓名", "身份证号", "手机号", "住址", "病历号", "备注"):
        assert roles[column] == AttributeRole.DIRECT_IDENTIFIER, column
    for column in ("性别", "出生日期", "民族", "就诊日期"):
        assert roles[column] == AttributeRole.QUASI_IDENTIFIER, column
    assert roles["诊断"] == roles["费用"] == AttributeRole.SENSITIVE_ATTRIBUTE
    assert roles["科室"] == AttributeRole.OTHER
    assert found["出生日期"].kind == "birth_date"
    assert found["病历号"].kind == "medical_record"
    assert found["备注"].contains == ("id_number", "person_name", "phone")
    assert {o.method for o in found["姓名"].provenance} == {"lookup", "rules"}


def test_unusual_name_does_not_hide_identity_numbers() -> None:
    found = suggestion("f17", generate(200)["身份证号"].to_pylist())
    assert (found.role, found.kind) == (AttributeRole.DIRECT_IDENTIFIER, "id_number")


def test_chance_hits_do_not_outvote_a_name() -> None:
    diseases = ["高血压", "白内障", "肺炎", "方言障碍", "糖尿病", "脑梗死"] * 50
    found = suggestion("诊断", diseases)
    assert (found.role, found.kind) == (AttributeRole.SENSITIVE_ATTRIBUTE, "diagnosis")


def test_name_without_the_thing_is_worth_less() -> None:
    real = suggestion("身份证号", generate(100)["身份证号"].to_pylist())
    codes = suggestion("身份证号", ["甲", "乙", "丙"] * 40)
    assert codes.kind == "id_number"
    assert codes.confidence < 0.7 < real.confidence


def test_nothing_found() -> None:
    found = suggestion("x", ["a", "b"] * 10)
    assert (found.role, found.kind, found.confidence, found.provenance) == (AttributeRole.OTHER, "", 0.0, ())
