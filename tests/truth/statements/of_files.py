"""What of the source's identifiers, values and order the written file still shows."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from techniques.identification.metadata.forms import ValueForm
from tests.techniques.drawn import id_number
from tests.truth.statements import Statement, Tables, says
from tests.truth.tables import D, Judged, O, Row, judged, kept, people, ran, step, written_of

_MASK = step("suppression.mask_identifier", "姓名", kind="name")
_MASK_PHONE = step("suppression.mask", "手机", keep_left=3)
_COLUMNS = ("性别", "年龄", "诊断")


@cache
def _identified() -> list[dict[str, str]]:
    """People with a number of identity."""
    import random

    draw = random.Random(11643)
    return [{**row, "身份证号": id_number(draw)} for row in people(240)]


def _with(
    *steps: Any, rows: Any = (), put: Mapping[str, Callable[[Row], str]] | None = None, **more: Any
) -> Judged:
    """The result with columns put into it."""
    rows = rows or people()
    return judged(rows, written_of(rows, *_COLUMNS, **(put or {})), steps=steps, **more)


def _noted(of: Callable[[int, Row], str], rows: int = 60) -> list[dict[str, str]]:
    """People with a note that a result keeps."""
    return [{**row, "备注": of(number, row)} for number, row in enumerate(people(rows))]


def _notes(of: Callable[[int, Row], str], rows: int = 60, **more: Any) -> Judged:
    return judged(_noted(of, rows), **more)


def _in_two(tens: Callable[[int], object], ones: Callable[[int], object]) -> Judged:
    rows = [{**row, "排": f"{tens(n)}", "座": f"{ones(n)}"} for n, row in enumerate(people())]
    return judged(rows, roles={**_roles(), "排": O, "座": O}, steps=[kept("排", "座")])


def _together(j: Judged) -> list[str]:
    """The two columns of which every row has a combination of its own, that with fewer values first."""
    if "排" not in j.written[0] or len({(row["排"], row["座"]) for row in j.written}) < len(j.written):
        return []
    return sorted(("排", "座"), key=lambda name: len({row[name] for row in j.written}))


def _spread(number: int) -> int:
    return number * 7919 % 9973


def _in_order(rows: Any = (), *, backwards: bool = False, **more: Any) -> Judged:
    source = list(rows or people())
    written = [{name: row[name] for name in _COLUMNS} for row in source]
    return judged(source, written[::-1] if backwards else written, **more)


_PHONES = step("pseudonymization.keyed_hash", "手机", alphabet="digits", length=20)
TABLES: Tables = {
    "safe": judged,
    "two forms of the organisation": lambda: judged(
        case={
            "forms": [ValueForm("own_badge", D, "EMP-[0-9]{6}"), ValueForm("own_ward", O, "W[0-9]{2}")],
            "forms_version": "3",
        }
    ),
    "twenty fewer": lambda: judged(people(40)),
    "altered": lambda: judged(case={"read_sha256": "another"}),
    "name left": lambda: _with(put={"姓名": lambda row: row["姓名"]}),
    "names masked": lambda: _with(_MASK, put={"姓名": lambda row: row["姓名"][0] + "**"}),
    "names masked in name only": lambda: _with(
        _MASK, put={"姓名": lambda row: row["姓名"] if row in people()[:3] else "某人"}
    ),
    "phones in a note": lambda: _notes(lambda n, row: f"请拨{row['手机']}联系" if n in (7, 31) else "复诊"),
    "phones as a note": lambda: _notes(lambda n, row: row["手机"] if n % 2 else "复诊"),
    "foreign phones as a note": lambda: _notes(lambda n, row: f"137{_spread(n):08}"),
    "numbers of the rows": lambda: _notes(lambda n, row: str(n + 1)),
    "notes": lambda: _notes(lambda n, row: ["复诊", "初诊", "住院"][n % 3]),
    "keys of persons": lambda: _notes(lambda n, row: f"{_spread(n // 2):04}KX{_spread(n // 2):04}", 120),
    "measurements": lambda: _notes(lambda n, row: f"{_spread(n) / 7:.4f}"),
    "measurements of some": lambda: _notes(lambda n, row: f"{_spread(n) / 7:.4f}" if n % 2 else ""),
    "a phone heads a column": lambda: judged(
        [{**row, "13912345678": "是"} for row in people()],
        roles={**_roles(), "13912345678": O},
    ),
    "a name heads a column": lambda: _with(put={people()[3]["姓名"]: lambda row: row["性别"]}),
    "a phone names the file": lambda: judged(case={"file_name": "13912345678.csv"}),
    "names in Base64": lambda: _with(
        _MASK,
        put={
            "姓名": lambda row: (
                base64.b64encode(row["姓名"].encode()).decode() if row["性别"] == "男" else "某人"
            )
        },
    ),
    "phones by MD5": lambda: _with(
        _MASK_PHONE,
        put={
            "手机": lambda row: hashlib.md5(row["手机"].encode()).hexdigest() if row["性别"] == "男" else "无"
        },
    ),
    "names backwards": lambda: _with(_MASK, put={"姓名": lambda row: row["姓名"][::-1]}),
    "names with the surname last": lambda: _with(
        _MASK, put={"姓名": lambda row: row["姓名"][1:] + row["姓名"][0]}
    ),
    "rows numbered in two columns": lambda: _in_two(lambda n: n // 10, lambda n: n % 10),
    "six months of ten wards": lambda: _in_two(lambda n: f"病区{n // 6}", lambda n: f"{n % 6 + 1}月"),
    "two columns that number nothing": lambda: _in_two(
        lambda n: _spread(n) % 6, lambda n: _spread(n) // 6 % 10
    ),
    "names elsewhere": lambda: _notes(lambda n, row: row["姓名"] if n < 30 else "无"),
    "names elsewhere, few": lambda: _notes(lambda n, row: row["姓名"] if n < 3 else "无"),
    "names within": lambda: _notes(lambda n, row: f"与{row['姓名']}谈过"),
    "phones but for one digit": lambda: _with(
        _MASK_PHONE, put={"手机": lambda row: row["手机"][:5] + "*" + row["手机"][6:]}
    ),
    "phones but for four digits": lambda: _with(
        _MASK_PHONE, put={"手机": lambda row: row["手机"][:3] + "****" + row["手机"][7:]}
    ),
    "phones as remainders": lambda: _with(
        _MASK_PHONE, rows=people(240), put={"手机": lambda row: f"{int(row['手机']) % 1009}"}
    ),
    "phones by lot": lambda: _with(
        _MASK_PHONE,
        rows=people(240),
        put={"手机": lambda row: f"T{_spread(people(240).index(row) + 1) % 97}"},
    ),
    "notes of two persons each": lambda: _of_persons(2),
    "notes of twenty persons each": lambda: _of_persons(20),
    "notes of two persons each, rows counted": lambda: _of_persons(2, known=False),
    "phones in halves": lambda: judged(
        [{**row, "前": row["手机"][:8], "后": row["手机"][8:]} for row in people(240)],
        roles={**_roles(), "前": O, "后": O},
        steps=[kept("前", "后")],
    ),
    "half of a phone": lambda: judged(
        [{**row, "前": row["手机"][:3]} for row in people()],
        roles={**_roles(), "前": O},
        steps=[kept("前")],
    ),
    "pseudonyms": lambda: ran(people(), _PHONES),
    "pseudonyms, one left over": lambda: _left_over(),
    "made-up numbers": lambda: _made_up(),
    "made-up numbers, two kept": lambda: _made_up(2),
    "encrypted numbers": lambda: ran(
        _identified(), step("encryption.identifier", "身份证号", kind="id_number")
    ),
    "encrypted numbers, two kept": lambda: _made_up(
        2, step("encryption.identifier", "身份证号", kind="id_number")
    ),
    "dictionary": lambda: ran(people(), step("pseudonymization.name_dictionary", "姓名")),
    "dictionary, one foreign": lambda: _dictionary("毛泽民"),
    "dictionary of the source": lambda: _dictionary(),
    "in order": _in_order,
    "in order by choice": lambda: _in_order(order="kept"),
    "backwards": lambda: _in_order(backwards=True),
    "exact birth dates": lambda: _notes(lambda n, row: f"19{60 + n % 37}-{n % 12 + 1:02}-{n % 28 + 1:02}"),
    "exact birth dates, by choice": lambda: _notes(
        lambda n, row: f"19{60 + n % 37}-{n % 12 + 1:02}-{n % 28 + 1:02}",
        case={"exempted": {"备注": "nobody knows them"}},
    ),
    "a rare note": lambda: _notes(lambda n, row: f"罕见病{n}" if n % 12 == 0 else ""),
    "a key of visits": lambda: _visits_key(),
    "few rows": lambda: _notes(lambda n, row: f"{_spread(n) / 7:.4f}", 16),
    "few rows, nothing telling": lambda: judged(people(16), k=4, max_risk=0.25, overall_threshold=0.25),
}


def _roles() -> dict[str, Any]:
    from tests.truth.tables import ROLES

    return dict(ROLES)


def _left_over() -> Judged:
    made = ran(people(), _PHONES)
    written = [dict(row) for row in made.written]
    written[5]["手机"] = "见附件"
    return judged(made.source, written, steps=[_PHONES])


def _of_persons(sharing: int, *, known: bool = True) -> Judged:
    """Eight rows of each of 60 persons, with a note that so many of them share; ``known`` whose the rows are."""
    rows = [
        {**row, "病历号": f"M{n:05}", "备注": f"病区{n // sharing}"}
        for n, row in enumerate(people())
        for _visit in range(8)
    ]
    written = written_of(rows, "病历号", *_COLUMNS, "备注")
    whose = [row.pop("病历号") for row in written]
    return judged(rows, written, whose=whose, key=("病历号",)) if known else judged(rows, written)


_MADE_UP = step("synthesis.identifier", "身份证号", kind="id_number")


def _made_up(kept_values: int = 0, by: Any = _MADE_UP) -> Judged:
    made = ran(_identified(), by)
    written = [dict(row) for row in made.written]
    for number in range(kept_values):
        written[number]["身份证号"] = _identified()[50 + number]["身份证号"]
    return judged(made.source, written, steps=[by])


def _dictionary(foreign: str = "") -> Judged:
    names = [row["姓名"] for row in people()[:30]]
    by = step("pseudonymization.name_dictionary", "姓名", names=names)
    made = ran(people(), by)
    written = [dict(row) for row in made.written]
    if foreign:
        by = step("pseudonymization.name_dictionary", "姓名")
        written = [dict(row) for row in ran(people(), by).written]
        written[3]["姓名"] = foreign
    return judged(made.source, written, steps=[by])


def _visits_key() -> Judged:
    """Ten visits of each of 24 patients, who have a code; no value of it is rare."""
    rows = [{**row, "备注": f"区{_spread(n)}"} for n, row in enumerate(people(24)) for _visit in range(10)]
    return judged(rows)


@cache
def judge(name: str) -> Judged:
    return TABLES[name]()


def _direct(j: Judged) -> list[str]:
    return [name for name in j.source[0] if j.roles[name] is D]


def _rows_with(j: Judged, column: str, of: str, form: Callable[[str], str] = lambda text: text) -> int:
    """Rows of the result whose ``column`` is a value of the source's ``of`` in some form."""
    forms = {form(row[of]) for row in j.source}
    return sum(row.get(column, "") in forms for row in j.written)


def _pairs(
    j: Judged, form: Callable[[str], str], *, own: bool = True, **more: Any
) -> Iterator[Mapping[str, Any]]:
    for about in _direct(j):
        for column in j.written[0]:
            rows = _rows_with(j, column, about, form)
            if rows and (own or column != about):
                yield {"column": column, "about": about, "rows": rows, **more}


def _same(j: Judged) -> Iterator[Mapping[str, Any]]:
    for about in _direct(j):
        made = any(
            one["technique"].startswith(("synthesis", "pseudonymization.name"))
            for one in j.steps
            if about in one["columns"]
        )
        if about in j.written[0] and not made and (rows := _rows_with(j, about, about)):
            yield {"column": about, "rows": rows}


def _within(j: Judged) -> Iterator[Mapping[str, Any]]:
    for about in _direct(j):
        values = {row[about] for row in j.source}
        for column in j.written[0]:
            rows = sum(any(value in cell and value != cell for value in values) for cell in j.column(column))
            if column not in _direct(j) and rows:
                yield {"column": column, "about": about, "rows": rows}


def _left(digits: int) -> dict[str, int]:
    return {"left": 10**digits, "minimum": 2000}


def _rare(j: Judged) -> tuple[int, int]:
    """(values of the note that fewer than k rows have, values)."""
    counts = Counter(cell for cell in j.column("备注") if cell) if "备注" in j.written[0] else Counter()
    least = j.risk.k if len(j.written) >= 20 else 2
    return sum(n for n in counts.values() if n < least), counts.total()


def _telling(j: Judged, *, sparse: bool) -> Any:
    rare, present = _rare(j)
    if not present or rare < present / 2 or sparse is not (present < len(j.written) / 2):
        return []
    return {"column": "备注", "rare": rare, "present": present}


def _telling_persons(j: Judged) -> Any:
    """Values of the note that fewer than k persons share, though so many rows have them."""
    persons, rows = defaultdict(set), Counter(j.column("备注")) if "备注" in j.written[0] else Counter()
    for row, who in zip(j.written, j.whose or (), strict=False):
        persons[row["备注"]].add(who)
    rare = sum(rows[note] for note, those in persons.items() if len(those) < j.risk.k <= rows[note])
    return {"column": "备注", "rare": rare, "present": rows.total()} if rare else []


def _phones(j: Judged) -> list[str]:
    return j.column("手机") if "手机" in j.written[0] else []


def _computed(j: Judged) -> Any:
    """Telephone numbers of which the result has the rest of a division."""
    rests = {f"{int(row['手机']) % 1009}" for row in j.source}
    computed = sum(cell in rests for cell in _phones(j))
    return {"column": "手机", "about": "手机", "rows": computed} if computed else []


def _dealt_out(j: Judged) -> Any:
    """Codes in the place of telephone numbers that neither a key nor a rule made."""
    dealt = sum(cell[0] == "T" for cell in _phones(j))
    return {"column": "手机", "about": "手机", "rows": dealt} if dealt else []


def _tells(j: Judged) -> bool:
    rare, present = _rare(j)
    return bool(present) and rare >= present / 2


def _order(j: Judged) -> bool:
    return j in (judge("in order"), judge("in order by choice"), judge("backwards"))


def _forms(j: Judged, pattern: str) -> int:
    import re

    return (
        sum(bool(re.fullmatch(pattern, cell)) for cell in j.column("备注")) if "备注" in j.written[0] else 0
    )


def _survivors(j: Judged) -> int:
    return len({row["身份证号"] for row in j.written} & {row["身份证号"] for row in j.source})


def _numbers(j: Judged, technique: str) -> dict[str, Any]:
    return {"column": "身份证号", "rows": len(j.written), "technique": technique, "originals": len(j.source)}


def _hits(j: Judged, names: int) -> dict[str, Any]:
    theirs = {row["姓名"] for row in j.source}
    return {
        "column": "姓名", "rows": len(j.written), "names": names, "hits": 100 * sum(name in theirs for name in j.column("姓名")) / len(j.written),
    }  # fmt: skip


_TRACES = "safe | names masked | names masked in name only | names backwards"
STATEMENTS: list[Statement] = [
    says("The SHA-256 of the stored file is", "safe | altered", lambda j: j.case.read_sha256 == j.case.result_sha256),
    says("The stored file is not the one", "safe | altered", lambda j: j.case.read_sha256 != j.case.result_sha256),
    says("Every one of the %(rows)d rows was read", "safe | twenty fewer", lambda j: {"rows": len(j.written)}),
    says("Values were also searched for", "safe | two forms of the organisation", lambda j: [
        {"forms": len(j.case.forms), "version": "3"} for _any in j.case.forms[:1]
    ]),
    says("“%(column)s” was judged a direct identifier", "safe | name left | names masked", lambda j: [
        {"column": name} for name in _direct(j) if name in j.written[0] and not any(
            name in one["columns"] for one in j.steps if one["technique"] != "as_is")
    ]),
    says("“%(column)s” still holds", _TRACES, _same),
    says("“%(column)s” holds values of “%(about)s” written backwards", "safe | names backwards | names masked",
         lambda j: list(_pairs(j, lambda text: text[::-1]))),
    says("“%(column)s” holds values of “%(about)s” with the surname last", "safe | names with the surname last | names backwards",
         lambda j: list(_pairs(j, lambda text: text[1:] + text[0]))),
    says("“%(columns)s” together nearly tell", "safe | rows numbered in two columns | six months of ten wards | two columns that number nothing",
         lambda j: {"columns": ", ".join(_together(j))} if _together(j) else []),
    says("“%(column)s” holds values of “%(about)s” as", "safe | names in Base64 | phones by MD5 | names masked", lambda j: [
        *_pairs(j, lambda text: base64.b64encode(text.encode()).decode(), how="Base64"),
        *_pairs(j, lambda text: hashlib.md5(text.encode()).hexdigest(), how="MD5"),
    ]),
    says("“%(column)s” holds values of “%(about)s” in", "safe | names elsewhere, few | notes",
         lambda j: list(_pairs(j, str, own=False))),
    says("The values of “%(column)s” hold", "safe | names within | notes | names elsewhere", _within),
    says("What “%(column)s” leaves of", "safe | phones but for one digit | phones but for four digits | half of a phone",
         lambda j: [{"column": "手机", "about": "手机", **_left(1)} for name in [1] if j is judge("phones but for one digit")]),
    says("“%(column)s” is computed from", "safe | phones as remainders | phones by lot | phones but for four digits | pseudonyms",
         _computed),
    says("“%(column)s” holds codes that no key made", "safe | phones as remainders | phones by lot | phones but for four digits | pseudonyms",
         _dealt_out),
    says("Together “%(column)s” leave", "safe | phones in halves | half of a phone",
         lambda j: [{"column": "前, 后", "about": "手机", "left": 1, "minimum": 2000}] if "后" in j.written[0] else []),
    says("The texts of “%(column)s” hold", "safe | phones in a note | notes",
         lambda j: {"column": "备注", "rows": 2} if j is judge("phones in a note") else []),
    says("“%(column)s” holds an identifier", "safe | phones as a note | foreign phones as a note | notes", lambda j: [
        {"column": "备注", "rows": n} for n in [_forms(j, r"1[3-9]\d{9}")] if n
    ]),
    says("“%(column)s” numbers the rows", "safe | numbers of the rows | notes",
         lambda j: {"column": "备注"} if "备注" in j.written[0] and {*j.column("备注")} == {str(n) for n in range(1, 61)} else []),
    says("“%(column)s” looks like the key", "notes | keys of persons | measurements",
         lambda j: {"column": "备注"} if _forms(j, r"\d{4}KX\d{4}") else []),
    says("“%(column)s” is different in nearly", "notes | measurements | measurements of some | numbers of the rows",
         lambda j: {"column": "备注"} if _forms(j, r"\d+\.\d{4}") == len(j.written) else []),
    says("Nearly all values of “%(column)s” are different, where", "notes | measurements | measurements of some",
         lambda j: {"column": "备注"} if 0 < _forms(j, r"\d+\.\d{4}") < len(j.written) else []),
    says("The name of a column holds", "safe | a phone heads a column", lambda j: "13912345678" in j.written[0]),
    says("The file's “%(entry)s” holds", "safe | a phone names the file",
         lambda j: {"entry": "file name"} if "139" in j.case.file_name else []),
    says("%(rows)d values of “%(column)s” do not", "pseudonyms | pseudonyms, one left over", lambda j: [
        {"rows": n, "column": "手机"} for n in [sum(len(cell) != 20 or not cell.isdigit() for cell in j.column("手机"))] if n
    ]),
    says("The run made them up by", "made-up numbers | made-up numbers, two kept",
         lambda j: _numbers(j, "Made-up identifiers") if not _survivors(j) else []),
    says("and %(survivors)d of its values are original", "made-up numbers | made-up numbers, two kept | encrypted numbers, two kept", lambda j: [
        _numbers(j, "Made-up identifiers" if "synthesis" in str(j.steps) else "Format-preserving encryption of an identifier")
        | {"survivors": n} for n in [_survivors(j)] if n
    ]),
    says("The run made them by", "encrypted numbers | encrypted numbers, two kept",
         lambda j: _numbers(j, "Format-preserving encryption of an identifier") if not _survivors(j) else []),
    says("every one is of the %(names)d", "dictionary | dictionary, one foreign | dictionary of the source",
         lambda j: _hits(j, 200) | {"chance": 0.0} if j is judge("dictionary") else []),
    says("and in %(foreign)d rows a value that the dictionary", "dictionary | dictionary, one foreign", lambda j: [
        {"column": "姓名", "rows": len(j.written), "foreign": n} for n in [j.column("姓名").count("毛泽民")] if n
    ]),
    says("%(chance).1f %% of the dictionary does", "dictionary | dictionary of the source",
         lambda j: _hits(j, 30) | {"chance": 100.0} if j is judge("dictionary of the source") else []),
    says("The records stand in another order", "safe | in order | in order by choice | backwards", lambda j: not _order(j)),
    says("The records stand in the order of the source, which", "safe | in order | in order by choice",
         lambda j: _order(j) and j.case.recipe.order == "kept"),
    says("The records stand in the order of the source, and", "safe | in order | in order by choice | backwards",
         lambda j: _order(j) and j.case.recipe.order != "kept"),
    says("“%(column)s” nearly tells the rows apart", "notes | exact birth dates | a rare note | few rows", lambda j: _telling(j, sparse=False)),
    says("“%(column)s” nearly tells the persons apart",
         "notes | notes of two persons each | notes of twenty persons each | notes of two persons each, rows counted", _telling_persons),
    says("“%(column)s” is mostly empty", "notes | exact birth dates | a rare note", lambda j: _telling(j, sparse=True)),
    says("Each of the %(distinct)d values", "notes | a key of visits",
         lambda j: {"distinct": 24, "column": "备注"} if j is judge("a key of visits") else []),
    says("%(columns)s nearly tell the records apart", "notes | exact birth dates | exact birth dates, by choice | few rows | rows numbered in two columns | six months of ten wards",
         lambda j: {"columns": " + ".join(_together(j)) or "备注"} if _together(j) or (_tells(j) and not j.case.exempted) else []),
    says("A person said why this may stay", "notes | exact birth dates | exact birth dates, by choice",
         lambda j: {"columns": "备注"} if _tells(j) and j.case.exempted else []),
    says("No column outside the quasi-identifiers holds mostly",
         "notes | exact birth dates | a key of visits | few rows | few rows, nothing telling",
         lambda j: {"alike": 5 if len(j.written) >= 20 else 2} if not _tells(j) and j is not judge("a key of visits") else []),
    says("The name of a column is a value", "safe | a name heads a column", lambda j: [
        {"about": about} for about in _direct(j) for name in j.written[0] if name in {row[about] for row in j.source}]),
]  # fmt: skip
