"""The settings that are suggested run on tables of ten kinds, and what becomes ``*`` throughout is no more than it must be."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from deid_portal.demo.hospital import generate, write_csv
from projects.objective.targets.risk import risk_defaults
from projects.processing.recipes.suggestion import model_settings
from techniques.anonymization.sparing import sparing
from techniques.catalogue.models import KAnonymitySettings
from techniques.core.attributes import AttributeRole
from techniques.hierarchies.readings import Readings
from techniques.identification.metadata.lookup import lookup
from techniques.identification.metadata.table import DEFAULT_METADATA_TABLE
from techniques.identification.rules import scan
from techniques.identification.verdict import suggest
from techniques.tables import detect
from techniques.tables.dictionary import encode_columns
from techniques.tables.readers.reading import open_table

from .test_values import verdict_of

PLACES = ["广东省深圳市南山区", "浙江省杭州市西湖区", "四川省成都市武侯区", "北京市海淀区"]


def _written(columns: dict[str, Callable[[random.Random], str]], rows: int = 3000) -> bytes:
    chance = random.Random(7)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    for _row in range(rows):
        writer.writerow([one(chance) for one in columns.values()])
    return text.getvalue().encode()


def _day(first: int, last: int, form: str = "{}-{:02}-{:02}") -> Callable[[random.Random], str]:
    return lambda c: form.format(c.randint(first, last), c.randint(1, 12), c.randint(1, 28))


def _one_of(*values: str) -> Callable[[random.Random], str]:
    return lambda c: c.choice(values)


def _between(low: int, high: int) -> Callable[[random.Random], str]:
    return lambda c: str(c.randint(low, high))


def _hospital() -> bytes:
    target = io.BytesIO()
    write_csv(generate(4000), target, encoding="utf-8")
    return target.getvalue()


SEX = _one_of("男", "女")
MADE: dict[str, Callable[[], bytes]] = {
    "visits": _hospital,
    "staff": lambda: _written(
        {"姓名": _one_of("王伟", "李娜"), "性别": SEX, "出生日期": _day(1960, 2003), "学历": _one_of("本科", "硕士", "大专"),
         "部门": _one_of("财务", "人事", "研发"), "工资": _between(4000, 60000)}
    ),
    "pupils": lambda: _written(
        {"学号": _between(10**8, 10**9), "性别": SEX, "出生日期": _day(2008, 2016, "{}/{}/{}"), "民族": _one_of("汉族", "回族", "壮族"),
         "成绩": _between(40, 100)}
    ),
    "customers": lambda: _written(
        {"name": _one_of("A. Smith", "B. Jones"), "gender": _one_of("F", "M"), "age": _between(18, 90),
         "city": _one_of("Leeds", "York", "Bath"), "income": _one_of("<=50K", ">50K")}
    ),
    "addresses": lambda: _written(
        {"家庭住址": lambda c: f"{c.choice(PLACES)}{c.randint(1, 300)}号", "年龄": _between(0, 99), "性别": SEX}
    ),
    "mixed dates": lambda: _written(
        {"出生日期": lambda c: _day(1950, 2010, c.choice(["{}-{:02}-{:02}", "{}/{}/{}", "{}年{}月{}日"]))(c), "性别": SEX,
         "婚姻状况": _one_of("未婚", "已婚", "离异")}
    ),
    "gaps": lambda: _written(
        {"年龄": lambda c: c.choice(["", "不详", str(c.randint(20, 80))]), "性别": _one_of("男", "女", ""), "职业": _one_of("", "教师", "工人")}
    ),
    "survey": lambda: _written(
        {"age group": _one_of("18-29", "30-44", "45-64", "65+"), "sex": _one_of("1", "2"), "education": _between(1, 9),
         "occupation": _one_of("clerk", "farmer", "nurse", "driver"), "answer": _between(1, 5)}
    ),
    "trips": lambda: _written(
        {"手机号": lambda c: f"139{c.randrange(10**8):08}", "出发日期": _day(2024, 2025), "出生日期": _day(1950, 2005), "性别": SEX,
         "票价": _between(20, 2000)}
    ),
}  # fmt: skip


def _suggested(content: bytes):
    """The settings of the model, and the columns that it is for, from the table's own scan."""
    stream = io.BytesIO(content)
    found = detect(stream)
    stream.seek(0)
    with open_table(stream, found) as reader:
        batches = list(reader.batches())
    columns = batches[0].schema.names
    watch = Readings(columns, sum(batch.num_rows for batch in batches))
    scanned = scan(watch.watched(batches), columns)
    named = suggest(columns, lookup(columns, DEFAULT_METADATA_TABLE), scanned)
    quasi = [
        verdict_of(one.kind, name, **watch.of(name))
        for name, one in named.items()
        if one.kind and one.role == AttributeRole.QUASI_IDENTIFIER
    ]
    settings = KAnonymitySettings.model_validate(model_settings(risk_defaults("controlled"), quasi, []))
    return settings, encode_columns(batches, [verdict.column for verdict in quasi])


def _check(content: bytes) -> None:
    settings, quasi = _suggested(content)
    assert quasi
    found = sparing(quasi, {}, settings)
    assert found is not None, "the suggestion runs"
    rows = len(next(iter(quasi.values())))
    assert found.suppressed <= settings.suppression_limit * rows
    # What the best solution empties beyond that is named on the page of solutions, with the way round it.
    assert found.proved
    assert len(found.emptied) <= len(found.best)
    # Dates and places have a bound below it: they are never "*" throughout.
    assert not {*settings.maximum_levels} & {*found.best}


@pytest.mark.parametrize("name", MADE)
def test_the_suggestion_runs_on_tables_of_many_kinds(name: str) -> None:
    _check(MADE[name]())


def test_the_suggestion_runs_on_the_census_table(real_data_dir: Path) -> None:
    _check((real_data_dir / "adult_full.csv").read_bytes())
