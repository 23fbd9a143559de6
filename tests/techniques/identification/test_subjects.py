"""Tables that look like several rows a person, and those that do not."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from techniques.core.messages import EngineError
from techniques.identification.subjects import (
    ask_whose,
    find_subjects,
    rows_of_persons,
    subject_hints,
)
from techniques.tables.dictionary import dictionary_encode

PHONES = [f"139{n:08}" for n in range(300)]


def hints(**columns: list[str | None]) -> list[tuple[str, str]]:
    table = pa.table({name: pa.array(cells, pa.string()) for name, cells in columns.items()})
    encoded = {name: dictionary_encode(table.column(name)) for name in columns}
    found = subject_hints(encoded)
    for rows in (4, 70):
        assert find_subjects(lambda rows=rows: table.to_batches(max_chunksize=rows), list(columns)) == found
    return [(hint.columns[0], hint.kind) for hint in found]


def drawn(values: list[str], rows: int = 400, seed: int = 1) -> list[str | None]:
    return [values[n] for n in np.random.default_rng(seed).integers(0, len(values), rows)]


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("病历号", [f"{n:06}" for n in range(200)], "medical_record"),
        ("手机号", PHONES[:200], "phone"),
        ("x1", PHONES[:200], "phone"),
        ("学号", [f"2024{n:04}" for n in range(60)], "student_number"),
        ("code", [f"K{n:07}x" for n in range(150)], "record_key"),
        ("code", [f"K{n:07}" for n in range(60)], "record_key"),
    ],
)
def test_repeats_of_what_tells_persons_are_seen(name: str, values: list[str], kind: str) -> None:
    assert hints(**{name: drawn(values)}) == [(name, kind)]


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("病历号", [f"{n:06}" for n in range(400)]),
        ("手机号", [*PHONES, *PHONES[:5]]),
        ("年龄", [str(n % 70) for n in range(400)]),
        ("邮政编码", drawn([f"{100000 + 100 * n}" for n in range(80)])),
        ("出生日期", drawn([f"19{n:02}-01-1{n % 9}" for n in range(99)])),
        ("费用", drawn([f"{n / 7:.2f}" for n in range(200)])),
        ("性别", drawn(["男", "女"])),
    ],
)
def test_other_columns_that_repeat_are_no_key(name: str, cells: list[str | None]) -> None:
    assert hints(**{name: cells}) == []


def test_what_tells_persons_best_comes_first_and_the_question_names_it() -> None:
    phones, records = drawn(PHONES[:200]), drawn([f"{n:06}" for n in range(200)])
    assert hints(电话=phones, 病历号=records) == [("病历号", "medical_record"), ("电话", "phone")]
    table = {"病历号": dictionary_encode(pa.array(records))}
    [hint] = subject_hints(table)
    assert (hint.rows, hint.unknown, hint.persons) == (400, 0, len(set(records)))
    with pytest.raises(EngineError, match="--subject 病历号") as error:
        ask_whose([hint])
    assert error.value.code == "subject_unsaid"
    ask_whose([])


def test_the_histogram_of_rows_a_person() -> None:
    counts = [1] * 5 + [2] * 3 + [7, 60]
    codes = np.concatenate([np.repeat(np.arange(len(counts)), counts), [-1, -1]]).astype(np.int32)
    found = rows_of_persons(codes)
    assert (found.persons, found.rows, found.unknown, found.most) == (10, sum(counts), 2, 60)
    assert found.histogram == ((1, 1, 5), (2, 2, 3), (6, 9, 1), (50, 99, 1))


def persons_of(number: int, rows: int, seed: int = 1) -> dict[str, list[str | None]]:
    """``number`` persons with so many ``rows`` each: a code, their sex, and what is theirs by the visit."""
    draw = np.random.default_rng(seed)
    sexes = ["男" if one else "女" for one in draw.random(number) < 0.5]
    order = draw.permutation(np.repeat(np.arange(number), rows))
    return {
        "编号": [f"P{one:04}" for one in order],
        "性别": [sexes[one] for one in order],
        "科室代码": [f"K{one:02}" for one in draw.integers(0, 30, len(order))],
        "年月": [f"2024-{one:02}" for one in draw.integers(1, 13, len(order))],
    }


def test_few_persons_with_many_rows_each_are_seen_by_what_their_codes_say_of_them() -> None:
    table = persons_of(15, 40)
    assert hints(**table) == [("编号", "record_key")]
    del table["性别"]
    assert hints(**table) == []


def test_what_describes_persons_may_stand_among_the_columns_that_are_no_key() -> None:
    columns = persons_of(15, 40)
    table = pa.table(columns)
    others = [name for name in columns if name != "性别"]
    [hint] = find_subjects(table.to_batches, others, ["性别"])
    assert (hint.columns, hint.persons, hint.rows, hint.most) == (("编号",), 15, 600, 40)
    assert find_subjects(table.to_batches, others) == []


def test_codes_of_wards_and_a_sex_that_nearly_all_have_tell_no_person() -> None:
    table = persons_of(200, 3)
    del table["编号"]
    assert hints(**table) == []
    rows = len(table["性别"])
    assert hints(**(table | {"性别": ["女" if n == 7 else "男" for n in range(rows)]})) == []
