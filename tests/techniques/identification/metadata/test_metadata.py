"""Column names against the metadata table."""

from __future__ import annotations

import pytest

from techniques.core.attributes import AttributeRole
from techniques.core.kinds import DIRECT_IDENTIFIERS_OF_3_7, KINDS
from techniques.identification.metadata.lookup import DEFAULT_METADATA_TABLE, MatchedHow, MetadataRow, lookup


def test_the_table_knows_every_identifier_of_the_standard() -> None:
    kinds = {row.kind for row in DEFAULT_METADATA_TABLE}
    assert len(DIRECT_IDENTIFIERS_OF_3_7) == 18
    assert set(DIRECT_IDENTIFIERS_OF_3_7) <= kinds
    assert {k.code for k in KINDS.values() if k.clause == "3.8"} - {"date"} <= kinds
    for row in DEFAULT_METADATA_TABLE:
        assert row.name
        assert row.meaning
        assert row.format
        assert row.data_types
        assert row.field_names


@pytest.mark.parametrize(
    ("column", "kind", "how"),
    [
        ("姓名", "person_name", MatchedHow.EXACT),
        ("患者姓名(必填)", "person_name", MatchedHow.NORMALISED),
        ("PatientName", "person_name", MatchedHow.NORMALISED),
        ("ID_CARD", "id_number", MatchedHow.NORMALISED),
        ("patientIdCard", "id_number", MatchedHow.CONTAINS),
        ("sfzh", "id_number", MatchedHow.EXACT),
        ("紧急联系人电话", "phone", MatchedHow.CONTAINS),
        ("native-country", "birth_country", MatchedHow.NORMALISED),
        ("就诊日期", "event_date", MatchedHow.EXACT),
        ("诊断", "diagnosis", MatchedHow.EXACT),
        ("备注2", "free_text", MatchedHow.CONTAINS),
        ("ＩＤ＿ＣＡＲＤ", "id_number", MatchedHow.NORMALISED),
    ],
)
def test_lookup(column: str, kind: str, how: MatchedHow) -> None:
    match = lookup([column])[column]
    assert (match.kind, match.how) == (kind, how)


@pytest.mark.parametrize("column", ["hours-per-week", "fnlwgt", "package", "nid", "医院名称", "", "   "])
def test_no_match(column: str) -> None:
    assert lookup([column]) == {}


def test_an_organisations_own_table() -> None:
    table = [MetadataRow("staff_number", "", "", (), ("档口号",), AttributeRole.QUASI_IDENTIFIER)]
    assert lookup(["档口号", "姓名"], table)["档口号"].role == AttributeRole.QUASI_IDENTIFIER
    assert "姓名" not in lookup(["档口号", "姓名"], table)
