"""Leaky results that the gate has to stop, each by the check that names what leaks.

The recipe names every column that is left by some step, so nothing here is stopped for being forgotten.
"""

from __future__ import annotations

import base64
import hashlib
import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.truth import more_leaks
from tests.truth.leaks import (
    ROWS,
    D,
    Leak,
    O,
    Put,
    Q,
    Row,
    S,
    added,
    other,
    people,
    released,
    stopped_by,
    treated,
)
from tests.truth.released import patients, step
from tests.truth.released import released as run_and_released


def drawn(row: Row, purpose: str) -> random.Random:
    return random.Random(f"{row['number']} {purpose}")


def digest(name: str, text: str) -> str:
    return hashlib.new(name, text.encode(), usedforsecurity=False).hexdigest()


def wide(text: str) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text)


def in_words(number: int) -> str:
    return " ".join(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"][int(one)]
        for one in str(number)
    )


def place(row: Row, axis: int) -> float:
    return drawn(row, f"place {axis}").uniform(20, 50)


def time_of(row: Row) -> str:
    draw = drawn(row, "time")
    return f"2024-03-{draw.randrange(1, 29):02} {draw.randrange(24):02}:{draw.randrange(60):02}:{draw.randrange(60):02}"


def birth(row: Row) -> str:
    return f"{row['id'][6:10]}-{row['id'][10:12]}-{row['id'][12:14]}"


def salary(row: Row) -> float:
    return round(drawn(row, "salary").lognormvariate(9, 0.5), 2)


LEAKS: Mapping[str, Leak] = {
    # identifiers by their form
    "names as they are": Leak("residual", {"姓名": Put(D)}),
    "telephone numbers called something else": Leak("residual", other(lambda row: row["phone"])),
    "ID numbers called something else": Leak("residual", other(lambda row: row["id"])),
    "a number of every row": Leak("residual", other(lambda row: str(row["number"]))),
    "an ID number within a text": Leak("residual", other(lambda row: f"家属身份证{row['id']}已登记")),
    "a telephone number in a few texts": Leak(
        "residual", other(lambda row: f"请拨{row['phone']}联系" if row["number"] in (7, 99) else "复诊")
    ),
    # treated is what the file shows: a step names the column, its values are still there
    "ID numbers that a step left as they are": Leak("residual", treated(lambda row: row["id"])),
    "records at level 0 of a hierarchy": Leak("residual", treated(lambda row: row["record"], "病历号")),
    "half of the names mapped, the others kept": Leak(
        "residual", treated(lambda row: row["name"] if row["number"] % 2 else "某人", "姓名")
    ),
    "names of which the rare ones went": Leak(
        "residual", treated(lambda row: row["name"] if row["number"] % 12 == 0 else "", "姓名")
    ),
    "three names that a mapping did not know": Leak(
        "residual", treated(lambda row: row["name"] if row["number"] < 4 else "某人", "姓名")
    ),
    "records permuted within groups": Leak(
        "residual", treated(lambda row: people()[row["number"] * 7 % ROWS]["record"], "病历号")
    ),
    "telephone numbers rounded to ones": Leak("residual", treated(lambda row: row["phone"], "手机")),
    "records in lower case": Leak("residual", treated(lambda row: row["record"].lower(), "病历号")),
    "ID numbers in full width": Leak("residual", treated(lambda row: wide(row["id"]))),
    "ID numbers with dots between": Leak("residual", treated(lambda row: ".".join(row["id"]))),
    "telephone numbers in Chinese digits": Leak(
        "residual", treated(lambda row: row["phone"].translate(str.maketrans("0123456789", "〇一二三四五六七八九")), "手机")
    ),
    "records with zero-width signs": Leak(
        "residual", treated(lambda row: "\u200b".join(row["record"]), "病历号")
    ),
    # too little is hidden
    "a mask over one digit of 18": Leak("residual", treated(lambda row: row["id"][:8] + "*" + row["id"][9:])),
    "a mask over the check digit": Leak("residual", treated(lambda row: row["id"][:17] + "*")),
    "a mask over the last four of an ID number": Leak("residual", treated(lambda row: row["id"][:14] + "****")),
    "a mask over one digit of a telephone number": Leak(
        "residual", treated(lambda row: row["phone"][:5] + "*" + row["phone"][6:], "手机")
    ),
    "a mask over three digits of a telephone number": Leak(
        "residual", treated(lambda row: row["phone"][:4] + "***" + row["phone"][7:], "手机")
    ),
    "a mask that keeps no length, over two digits": Leak(
        "residual", treated(lambda row: row["phone"][:9] + "*", "手机")
    ),
    "a record without its last digit": Leak("residual", treated(lambda row: row["record"][:-1], "病历号")),
    "an ID number without its first digits": Leak("residual", treated(lambda row: row["id"][2:])),
    "telephone numbers rounded to tens": Leak("residual", treated(lambda row: row["phone"][:10] + "0", "手机")),
    # written otherwise, in another column or in its own
    "ID numbers in Base64": Leak("residual", added(lambda row: base64.b64encode(row["id"].encode()).decode())),
    "names in Base64": Leak("residual", treated(lambda row: base64.b64encode(row["name"].encode()).decode(), "姓名")),
    "names in Base64 of another encoding": Leak(
        "residual", added(lambda row: base64.b64encode(row["name"].encode("gb18030")).decode())
    ),
    "telephone numbers in Base32": Leak("residual", added(lambda row: base64.b32encode(row["phone"].encode()).decode())),
    "ID numbers in hex": Leak("residual", added(lambda row: row["id"].encode().hex())),
    "records in hex": Leak("residual", treated(lambda row: "0x" + row["record"].encode().hex(), "病历号")),
    "ID numbers backwards": Leak("residual", added(lambda row: row["id"][::-1])),
    "names without their surnames": Leak("residual", treated(lambda row: "*" + row["name"][1:], "姓名")),
    "names without one sign": Leak("residual", treated(lambda row: f"{row['name'][0]}*{row['name'][2]}", "姓名")),
    "names backwards": Leak("residual", treated(lambda row: row["name"][::-1], "姓名")),
    "ID numbers by MD5": Leak("residual", added(lambda row: digest("md5", row["id"]))),
    "telephone numbers by SHA-1, cut": Leak("residual", added(lambda row: digest("sha1", row["phone"])[:16])),
    "ID numbers by SHA-256 in upper case": Leak("residual", treated(lambda row: digest("sha256", row["id"]).upper())),
    "ID numbers by SM3": Leak("residual", treated(lambda row: digest("sm3", row["id"]))),
    "names by SHA-256 with a salt that all know": Leak("residual", added(lambda row: digest("sha256", "salt" + row["name"]))),
    "records by MD5 with the name of the column": Leak("residual", added(lambda row: digest("md5", "病历号" + row["record"]))),
    "records behind a prefix": Leak("residual", added(lambda row: f"HOSP-{row['record']}-A")),
    "names in a text that no rule knows": Leak("residual", added(lambda row: f"与{row['name']}谈过，情况稳定")),
    "records in two texts": Leak(
        "residual", added(lambda row: f"见{row['record']}号" if row["number"] in (3, 50) else "复诊")
    ),
    # parts that join
    "an ID number in three columns": Leak(
        "residual",
        {f"部分{n}": Put(O, lambda row, n=n: row["id"][6 * n : 6 * n + 6]) for n in range(3)},
    ),
    "a telephone number in two columns": Leak(
        "residual", {f"段{n}": Put(O, lambda row, n=n: row["phone"][6 * n : 6 * n + 6]) for n in range(2)}
    ),
    "surname and given name apart": Leak(
        "residual", {"姓": Put(O, lambda row: row["name"][0]), "名": Put(O, lambda row: row["name"][1:])}
    ),
    "a masked ID number beside the birth date": Leak(
        "residual",
        {
            **treated(lambda row: row["id"][:6] + "*" * 8 + row["id"][14:]),
            "出生日期": Put(Q, birth),
        },
    ),
    # what nearly tells rows apart, called something else
    "exact birth dates": Leak("telling", other(birth)),
    "exact birth dates as sensitive": Leak("telling", other(birth, S)),
    "latitudes to six decimals": Leak("telling", other(lambda row: f"{place(row, 0):.6f}")),
    "places as sensitive": Leak("telling", other(lambda row: f"{place(row, 0):.4f};{place(row, 1):.4f}", S)),
    "salaries to the cent": Leak("telling", other(lambda row: f"{salary(row):.2f}", S)),
    "salaries with a noise of a cent": Leak(
        "telling",
        {"编码": Put(S, lambda row: f"{salary(row):.2f}", lambda row: f"{salary(row) + 0.01:.2f}")},
    ),
    "salaries doubled": Leak(
        "telling", {"编码": Put(S, lambda row: f"{salary(row):.2f}", lambda row: f"{2 * salary(row):.2f}")}
    ),
    "time stamps": Leak("telling", other(time_of)),
    "half an ID number": Leak("telling", other(lambda row: row["id"][9:])),
    "row numbers with a suffix": Leak("telling", other(lambda row: f"{row['number']}号")),
    "row numbers as fractions": Leak("telling", other(lambda row: f"{row['number']}/{ROWS}")),
    "row numbers with thousands separators": Leak("telling", other(lambda row: f"{row['number'] + 4000:,}")),
    "row numbers in scientific notation": Leak("telling", other(lambda row: f"{row['number'] * 1000:.3e}")),
    "row numbers scaled": Leak("telling", other(lambda row: f"{row['number'] * 0.37 + 12:.2f}")),
    "row numbers in words": Leak("telling", other(lambda row: in_words(row["number"]))),
    "row numbers as a float": Leak("telling", other(lambda row: f"{row['number']}.5")),
    "a sparse column of rare values": Leak(
        "telling", other(lambda row: f"罕见病{row['number']}" if row["number"] % 20 == 0 else "")
    ),
    "a date that a few have": Leak("telling", other(lambda row: birth(row) if row["number"] % 15 == 0 else "")),
    "pairs of rows with one code": Leak("telling", other(lambda row: f"批{row['number'] // 2}")),
    # the order of the rows
    "rows in the order of the source": Leak("row_order", {}, {"order": lambda rows: rows}),
    "rows in order, some of them gone": Leak(
        "row_order", {"科室": Put(O, lambda row: f"{drawn(row, 'ward').randrange(12)}科")},
        {"order": lambda rows: [row for row in rows if row["number"] % 25]},
    ),
    "rows in order though every value is another": Leak(
        "row_order",
        {"诊断": Put(S, written=lambda row: f"类{len(row['illness']) + ord(row['illness'][0]) % 7}")},
        {"order": lambda rows: rows},
    ),
    # too few are alike, too many are gone
    "a person alone in a class": Leak("k", {"性别": Put(Q, written=lambda row: "其他" if row["number"] == 1 else row["sex"])}),
    "a class that all have one illness": Leak(
        "diversity",
        {"诊断": Put(S, written=lambda row: "流感" if row["sex"] == "男" else row["illness"])},
        {"l": 2},
    ),
    "more rows gone than may be": Leak(
        "suppression", {}, {"order": lambda rows: random.Random(3).sample(rows, 200), "suppression_limit": 0.05}
    ),
    "rows kept as stars": Leak(
        "starred_rows",
        {name: Put(Q, written=lambda row, of=of: "*" if row["number"] % 6 == 0 else row[of]) for name, of in (("性别", "sex"), ("年龄", "band"))},
        {"suppression_limit": 0.05},
    ),
    "cells emptied": Leak(
        "starred_rows",
        {"年龄": Put(Q, written=lambda row: "" if row["number"] % 6 == 0 else row["band"])},
        {"suppression_limit": 0.05},
    ),
    "a few rows gone, a few starred, a few cells emptied": Leak(
        "starred_rows",
        {name: Put(Q, written=lambda row, of=of, empty=empty: "*" if row["number"] % 40 < 2 else empty if row["number"] % 40 < 4 else row[of])
         for name, of, empty in (("性别", "sex", ""), ("年龄", "band", ""))},
        {"suppression_limit": 0.1, "order": lambda rows: random.Random(3).sample(rows, 230)},
    ),
}  # fmt: skip


def _in(form: Callable[[str], str], column: str) -> list[dict[str, str]]:
    return [{**row, column: form(row[column])} for row in patients()]


def _prepared(
    column: str, treatment: dict[str, Any], form: Callable[[str], str] = str, **settings: Any
) -> Any:
    """A direct identifier that came in a ``form``, was brought into one, and then met a treatment that did nothing."""
    first = step("preparation.normalise", column, **settings)
    return [first, {**treatment, "columns": [column]}], _in(form, column)


_LEVEL_0 = step("generalization.hierarchy", hierarchy={"kind": "star"}, level=0)
_ROUNDED = step("generalization.rounding", base=1.0)
PREPARED: Mapping[str, Any] = {
    "ID numbers normalised, and level 0 of a hierarchy": lambda: _prepared("身份证号", _LEVEL_0),
    "ID numbers that came in full width, and level 0 of a hierarchy": lambda: _prepared(
        "身份证号", _LEVEL_0, wide
    ),
    "records that came in small letters, and level 0 of a hierarchy": lambda: _prepared(
        "病历号", _LEVEL_0, str.lower, case="upper"
    ),
    "names with a blank between, and level 0 of a hierarchy": lambda: _prepared(
        "姓名", _LEVEL_0, " ".join, blanks="none"
    ),
    "telephone numbers in groups, and level 0 of a hierarchy": lambda: _prepared(
        "手机", _LEVEL_0, lambda phone: f"{phone[:3]} {phone[3:7]} {phone[7:]}", blanks="none"
    ),
    "telephone numbers as amounts, rounded to ones": lambda: _prepared(
        "手机", _ROUNDED, lambda phone: f"{phone}元", unit="yuan"
    ),
    "records in small letters, and level 0 of a hierarchy": lambda: _prepared(
        "病历号", _LEVEL_0, case="lower"
    ),
}
"""Preparation is no treatment: what stood in the source before it still counts as left over, in whichever form."""


def test_the_result_without_a_leak_passes():
    found = released()
    assert stopped_by(found) == set(), found.checks


@pytest.mark.parametrize("name", [*LEAKS, *more_leaks.LEAKS, *PREPARED], ids=str)
def test_case(name):
    if name in PREPARED:
        steps, rows = PREPARED[name]()
        found = run_and_released([*steps[0]["columns"], "性别", "诊断"], *steps, rows=rows)
        assert "residual" in stopped_by(found)
        return
    leak = LEAKS.get(name) or more_leaks.LEAKS[name]
    assert leak.check in stopped_by(released(leak.put, **leak.more))
