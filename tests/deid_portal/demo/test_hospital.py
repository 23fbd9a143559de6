"""The demonstration's data are what they claim: valid, consistent, skewed, and the same each time."""

from __future__ import annotations

import datetime
import io

import pandas as pd
import pyarrow as pa
import pytest

from deid_portal.demo.divisions import DIVISIONS
from deid_portal.demo.hospital import COLUMNS, EMPTY_REMARKS, generate, write_csv
from deid_portal.demo.people import ESTATES, MOBILE_SEGMENTS
from techniques.identification.checks import is_id_number
from techniques.identification.rules import find_in_text
from techniques.identification.vocabulary import ETHNIC_GROUPS


@pytest.fixture(scope="module")
def visits() -> pd.DataFrame:
    return generate(10_000).to_pandas()


def test_shape(visits: pd.DataFrame) -> None:
    assert list(visits.columns) == list(COLUMNS)
    assert len(visits) == 10_000
    for rows in (1, 2, 99, 1234):
        assert generate(rows).num_rows == rows
    with pytest.raises(ValueError):
        generate(0)


def test_deterministic() -> None:
    assert generate(700, seed=1).equals(generate(700, seed=1))
    assert not generate(700, seed=1).equals(generate(700, seed=2))


def test_divisions_are_many_and_well_formed() -> None:
    codes = [d.code for d in DIVISIONS]
    assert len(set(codes)) == len(codes) >= 40
    assert all(len(c) == 6 and c.isdigit() for c in codes)
    assert all(d.population > 0 and d.full_name for d in DIVISIONS)


def test_identity_numbers_agree_with_the_other_columns(visits: pd.DataFrame) -> None:
    by_code = {d.code: d.full_name for d in DIVISIONS}
    for row in visits.head(2000).itertuples():
        number = row.身份证号
        assert is_id_number(number)
        assert row.住址.startswith(by_code[number[:6]])
        assert datetime.date.fromisoformat(row.出生日期).strftime("%Y%m%d") == number[6:14]
        assert ("男" if int(number[16]) % 2 else "女") == row.性别
        assert row.就诊日期 >= row.出生日期


def test_a_person_is_the_same_in_every_visit(visits: pd.DataFrame) -> None:
    persons = visits.groupby("病历号")
    assert 1.3 < len(visits) / len(persons) < 2
    assert persons.size().max() > 5
    for column in ("姓名", "身份证号", "住址", "性别", "出生日期", "民族"):
        assert (persons[column].nunique() == 1).all()
    assert visits.groupby("身份证号")["病历号"].nunique().max() == 1


def test_nobody_lives_there(visits: pd.DataFrame) -> None:
    assert visits["住址"].str.contains("|".join(ESTATES)).all()


def test_distributions(visits: pd.DataFrame) -> None:
    groups = visits["民族"].value_counts(normalize=True)
    assert groups["汉族"] > 0.85
    assert {g.removesuffix("族") for g in groups.index} <= ETHNIC_GROUPS
    diagnoses = visits["诊断"].value_counts()
    assert diagnoses.iloc[0] > 100 * diagnoses.iloc[-1]
    assert visits.groupby("诊断")["科室"].nunique().max() <= 4
    fees = visits["费用"].astype(float)
    assert visits["费用"].str.fullmatch(r"[0-9]+\.[0-9]{2}").all()
    assert fees.mean() > 1.3 * fees.median()  # skewed to the right
    phones = visits["手机号"].dropna()
    assert phones.str[:3].isin(MOBILE_SEGMENTS).all()
    assert (phones.str.len() == 11).all()
    assert 0.01 < visits["手机号"].isna().mean() < 0.06
    assert not (visits["科室"].eq("妇产科") & visits["性别"].eq("男")).any()
    assert visits["就诊日期"].is_monotonic_increasing


def test_remarks_hide_identifiers_after_an_empty_head(visits: pd.DataFrame) -> None:
    assert EMPTY_REMARKS == 100
    assert visits["备注"].head(EMPTY_REMARKS).isna().all()
    texts = visits["备注"].dropna()
    found = [kind for text in texts for kind, _, _ in find_in_text(text)]
    assert {"id_number", "phone", "person_name"} <= set(found)
    assert texts.str.contains("[０-９]{17}").any()
    with_own_number = visits[visits["备注"].str.contains("身份证", na=False)]
    assert 100 < len(with_own_number) < 1000


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_csv(tmp_path, encoding: str) -> None:
    table = generate(500)
    path = tmp_path / "visits.csv"
    write_csv(table, path, encoding)
    back = pd.read_csv(path, dtype=str, encoding=encoding)
    assert back.equals(table.to_pandas())
    stream = io.BytesIO()
    write_csv(pa.table(table.slice(0, 0)), stream, encoding)
    assert stream.getvalue().decode(encoding).strip().replace('"', "") == ",".join(COLUMNS)
