"""The demonstration's data: visits to a hospital in Guangzhou by persons who do not exist.

Everything that a real table of this sort has, it has: identity numbers with their check character,
birth date and gender inside, addresses of real divisions, common and rare diseases, several visits
of some patients, and a remark column whose first hundred rows are empty and which then hides
identity and telephone numbers. The estates in the addresses do not exist.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import BinaryIO, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from deid_portal.demo.clinic import DEPARTMENTS, REMARKS
from deid_portal.demo.divisions import DIVISIONS
from deid_portal.demo.people import (
    ESTATES,
    ETHNIC_SHARES,
    FAMILY,
    GIVEN_NAMES,
    MOBILE_SEGMENTS,
    ROADS,
    SURNAME_SHARES,
)

COLUMNS = (
    "姓名", "身份证号", "手机号", "住址", "性别", "出生日期", "民族",
    "病历号", "就诊日期", "科室", "诊断", "费用", "备注",
)  # fmt: skip
DEFAULT_SEED = 37964
EMPTY_REMARKS = 100
"""The first rows have no remark: whoever looks at the head alone finds nothing (5.3.3 b)."""

_FIRST_VISIT = np.datetime64("2023-01-01")
_DAYS = 730
_VISITS_A_PATIENT = 1.6
Ints = npt.NDArray[np.int64]


def generate(rows: int = 10_000, seed: int = DEFAULT_SEED) -> pa.Table:
    """``rows`` visits as a table of strings with :data:`COLUMNS`, in order of the visit's date.

    The same ``rows`` and ``seed`` give the same table. Empty cells are null. Memory: about 300
    bytes a row.
    """
    if rows < 1:
        raise ValueError("rows must be at least 1")
    rng = np.random.default_rng(seed)
    patients = max(1, round(rows / _VISITS_A_PATIENT))
    division = rng.choice(len(DIVISIONS), patients, p=_division_shares())
    male = rng.random(patients) < 0.48
    born = _birth_dates(rng, patients)
    people = {
        "姓名": _names(rng, male, born),
        "身份证号": _id_numbers(rng, division, born, male),
        "手机号": _mobile_numbers(rng, patients),
        "住址": _addresses(rng, division),
        "性别": _pick(["女", "男"], male.astype(np.int64)),
        "出生日期": pa.array(born).cast(pa.string()),
        "民族": _ethnic_groups(rng, division),
        "病历号": _record_numbers(rng, patients),
    }
    patient, day = _visits(rng, rows, patients, born)
    age = (day - born[patient]).astype(np.int64) // 365
    department = _departments(rng, age, male[patient])
    columns = {name: values.take(pa.array(patient)) for name, values in people.items()}
    columns["就诊日期"] = pa.array(day).cast(pa.string())
    columns["科室"] = _pick([item.name for item in DEPARTMENTS], department)
    columns["诊断"] = _diagnoses(rng, department)
    columns["费用"] = _fees(rng, department)
    columns["备注"] = _remarks(rng, columns)
    return pa.table({name: columns[name] for name in COLUMNS})


def write_csv(
    table: pa.Table, target: str | Path | BinaryIO, encoding: Literal["utf-8", "gb18030"] = "utf-8"
) -> None:
    """Write ``table`` as CSV with a header; null becomes an empty cell. Streams in blocks."""
    if isinstance(target, str | Path):
        with Path(target).open("wb") as stream:
            write_csv(table, stream, encoding)
        return
    options = pa_csv.WriteOptions(include_header=True, quoting_style="needed")
    for number, batch in enumerate(table.to_batches(max_chunksize=65_536) or [None]):
        block = io.BytesIO()
        options.include_header = number == 0
        pa_csv.write_csv(table.slice(0, 0) if batch is None else batch, block, options)
        data = block.getvalue()
        target.write(data if encoding == "utf-8" else data.decode().encode(encoding))


# -- helpers ------------------------------------------------------------------------------------


def _pick(values: list[str], codes: Ints) -> pa.Array:
    return pa.array(values, pa.string()).take(pa.array(codes))


def _join(*parts: pa.Array | str) -> pa.Array:
    return pc.binary_join_element_wise(*parts, "")


def _text(numbers: Ints, width: int = 0) -> pa.Array:
    texts = pa.array(numbers).cast(pa.string())
    return pc.utf8_lpad(texts, width, "0") if width else texts


def _shares(weights: list[float]) -> npt.NDArray[np.float64]:
    array = np.array(weights, dtype=np.float64)
    shares: npt.NDArray[np.float64] = array / array.sum()
    return shares


# -- persons ------------------------------------------------------------------------------------


def _division_shares() -> npt.NDArray[np.float64]:
    """Most patients live in the city, many in the province, some anywhere."""
    near = [12.0 if d.code.startswith("4401") else 3.0 if d.code.startswith("44") else 0.3 for d in DIVISIONS]
    return _shares([d.population * factor for d, factor in zip(DIVISIONS, near, strict=True)])


def _birth_dates(rng: np.random.Generator, patients: int) -> npt.NDArray[np.datetime64]:
    """Ages at the middle of the period as in a hospital: children, few young adults, many old."""
    low = np.array([0, 15, 30, 45, 60, 75, 90])
    high = np.array([15, 30, 45, 60, 75, 90, 101])
    group = rng.choice(len(low), patients, p=[0.12, 0.12, 0.19, 0.21, 0.23, 0.12, 0.01])
    age = low[group] + rng.random(patients) * (high - low)[group]
    born: npt.NDArray[np.datetime64] = _FIRST_VISIT + (_DAYS // 2 - np.floor(age * 365.25)).astype(
        "timedelta64[D]"
    )
    return born


def _names(
    rng: np.random.Generator, male: npt.NDArray[np.bool_], born: npt.NDArray[np.datetime64]
) -> pa.Array:
    patients = len(male)
    surnames = list(SURNAME_SHARES)
    surname = _pick(surnames, rng.choice(len(surnames), patients, p=_shares(list(SURNAME_SHARES.values()))))
    year = born.astype("datetime64[Y]").astype(np.int64) + 1970
    era = np.digitize(year, [1970, 2000])
    given = np.empty(patients, dtype=np.int64)
    pool: list[str] = []
    for (which, gender), (first, last, single) in GIVEN_NAMES.items():
        here = np.flatnonzero((era == which) & (male == (gender == "男")))
        pairs = [a + b for a in first for b in last if a != b]
        # Popular names are far more common than others, in every generation.
        weights = _shares([1 / (1 + 0.02 * rank) for rank in range(len(pairs))])
        drawn = rng.permutation(len(pairs))[rng.choice(len(pairs), len(here), p=weights)]
        alone = rng.random(len(here)) < 0.14
        drawn = np.where(alone, len(pairs) + rng.integers(0, len(single), len(here)), drawn)
        given[here] = len(pool) + drawn
        pool += [*pairs, *single]
    return _join(surname, _pick(pool, given))


def _id_numbers(
    rng: np.random.Generator, division: Ints, born: npt.NDArray[np.datetime64], male: npt.NDArray[np.bool_]
) -> pa.Array:
    """GB 11643: division, birth date, a sequence number that is odd for men, check character."""
    patients = len(division)
    day = born.astype("datetime64[D]")
    month = day.astype("datetime64[M]")
    year = day.astype("datetime64[Y]").astype(np.int64) + 1970
    date = year * 10000 + (month.astype(np.int64) % 12 + 1) * 100 + (day - month).astype(np.int64) + 1
    codes = np.array([int(d.code) for d in DIVISIONS], dtype=np.int64)[division]
    start = (codes * 10**8 + date) * 1000
    number = start + _sequence(rng, patients, male)
    while len(again := _repeated(number)):
        number[again] = start[again] + _sequence(rng, len(again), male[again])
    digits = (number[:, None] // 10 ** np.arange(16, -1, -1, dtype=np.int64)) % 10
    weights = np.array([7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2], dtype=np.int64)
    check = np.frombuffer(b"10X98765432", dtype=np.uint8)[(digits @ weights) % 11]
    raw = np.concatenate([(digits + 48).astype(np.uint8), check[:, None]], axis=1)
    offsets = np.arange(0, 18 * (patients + 1), 18, dtype=np.int32)
    return pa.StringArray.from_buffers(patients, pa.py_buffer(offsets), pa.py_buffer(raw.tobytes()))


def _sequence(rng: np.random.Generator, number: int, male: npt.NDArray[np.bool_]) -> Ints:
    sequence: Ints = rng.integers(0, 499, number) * 2 + 2 - male.astype(np.int64)
    return sequence


def _repeated(numbers: Ints) -> Ints:
    """Places of the second and later occurrences of a number."""
    order = np.argsort(numbers, kind="stable")
    same = numbers[order][1:] == numbers[order][:-1]
    later: Ints = order[1:][same]
    return later


def _mobile_numbers(rng: np.random.Generator, patients: int) -> pa.Array:
    segments = rng.integers(0, len(MOBILE_SEGMENTS), patients)
    numbers = np.array([int(s) for s in MOBILE_SEGMENTS], dtype=np.int64)[segments] * 10**8
    texts = _text(numbers + rng.integers(0, 10**8, patients))
    return pc.if_else(pa.array(rng.random(patients) < 0.03), pa.scalar(None, pa.string()), texts)


def _addresses(rng: np.random.Generator, division: Ints) -> pa.Array:
    n = len(division)
    head = _pick([d.full_name for d in DIVISIONS], division)
    road = _pick(ROADS, rng.integers(0, len(ROADS), n))
    estate = _pick(ESTATES, rng.integers(0, len(ESTATES), n))
    number, block = rng.integers(1, 400, n), rng.integers(1, 31, n)
    room = rng.integers(1, 33, n) * 100 + rng.integers(1, 7, n)
    return _join(head, road, _text(number), "号", estate, _text(block), "栋", _text(room), "室")


def _ethnic_groups(rng: np.random.Generator, division: Ints) -> pa.Array:
    groups = list(ETHNIC_SHARES)
    drawn = rng.choice(len(groups), len(division), p=_shares(list(ETHNIC_SHARES.values())))
    local = np.array([groups.index(d.local_group) if d.local_group else 0 for d in DIVISIONS])
    share = np.array([d.local_share for d in DIVISIONS])
    here = rng.random(len(division)) < share[division]
    return _pick(groups, np.where(here, local[division], drawn))


def _record_numbers(rng: np.random.Generator, patients: int) -> pa.Array:
    numbers = 10_000_000 + rng.permutation(patients) * 7 + rng.integers(0, 7, patients)
    return _join("SL", _text(numbers))


# -- visits -------------------------------------------------------------------------------------


def _visits(
    rng: np.random.Generator, rows: int, patients: int, born: npt.NDArray[np.datetime64]
) -> tuple[Ints, npt.NDArray[np.datetime64]]:
    """(patient, day) of each visit in order of the days: everyone comes once, the sick often."""
    frailty = rng.gamma(0.4, size=patients)
    patient = np.concatenate(
        [np.arange(patients), rng.choice(patients, max(0, rows - patients), p=frailty / frailty.sum())]
    )[:rows]
    offsets = np.arange(_DAYS)
    weekday = (offsets + 6) % 7  # the first day is a Sunday
    day_shares = np.where(weekday == 6, 0.45, np.where(weekday == 5, 0.7, np.where(weekday == 0, 1.3, 1.0)))
    day = _FIRST_VISIT + rng.choice(_DAYS, rows, p=day_shares / day_shares.sum()).astype("timedelta64[D]")
    day = np.maximum(day, born[patient])
    order = np.argsort(day, kind="stable")
    return patient[order].astype(np.int64), day[order]


def _departments(rng: np.random.Generator, age: Ints, male: npt.NDArray[np.bool_]) -> Ints:
    """Each visit to one of the departments that see patients of this age and gender."""
    shares = np.array([d.share for d in DEPARTMENTS], dtype=np.float64)
    low = np.array([d.ages[0] for d in DEPARTMENTS])
    high = np.array([d.ages[1] for d in DEPARTMENTS])
    men = np.array([d.gender != "女" for d in DEPARTMENTS])
    women = np.array([d.gender != "男" for d in DEPARTMENTS])
    chosen = np.empty(len(age), dtype=np.int64)
    for years in np.unique(age):
        for is_male in (False, True):
            here = np.flatnonzero((age == years) & (male == is_male))
            open_to = shares * ((low <= years) & (years < high)) * (men if is_male else women)
            chosen[here] = rng.choice(len(shares), len(here), p=open_to / open_to.sum())
    return chosen


def _diagnoses(rng: np.random.Generator, department: Ints) -> pa.Array:
    names: list[str] = []
    chosen = np.empty(len(department), dtype=np.int64)
    for number, item in enumerate(DEPARTMENTS):
        here = np.flatnonzero(department == number)
        drawn = rng.choice(len(item.diagnoses), len(here), p=_shares(list(item.diagnoses.values())))
        chosen[here] = len(names) + drawn
        names += list(item.diagnoses)
    return _pick(names, chosen)


def _fees(rng: np.random.Generator, department: Ints) -> pa.Array:
    median = np.array([d.fee for d in DEPARTMENTS])[department]
    cents = np.maximum(100, np.rint(median * np.exp(rng.normal(0.0, 0.8, len(department))) * 100)).astype(
        np.int64
    )
    return _join(_text(cents // 100), ".", _text(cents % 100, 2))


def _remarks(rng: np.random.Generator, columns: dict[str, pa.Array]) -> pa.Array:
    """Mostly nothing, often something harmless, and here and there an identifier in the text."""
    rows = len(columns["姓名"])
    draw = rng.random(rows)
    draw[:EMPTY_REMARKS] = 1.0
    # Of visits after the empty head: 1.5 % own identity number, 0.7 % in full-width digits, …
    choice = np.digitize(draw, [0.015, 0.022, 0.037, 0.047, 0.30])
    phone = _text(
        np.array([int(s) for s in MOBILE_SEGMENTS])[rng.integers(0, 42, rows)] * 10**8
        + rng.integers(0, 10**8, rows)
    )
    family = _pick(FAMILY, rng.integers(0, len(FAMILY), rows))
    relative = _pick(list(SURNAME_SHARES), rng.integers(0, 60, rows))
    relative = _join(relative, _pick(list(GIVEN_NAMES[1, "女"][2]), rng.integers(0, 15, rows)))
    benign = _pick(REMARKS, rng.integers(0, len(REMARKS), rows))
    identity = _join("医保卡丢失，凭身份证", columns["身份证号"], "办理")
    texts = pc.choose(
        pa.array(choice),
        identity,
        _full_width(identity, choice == 1),
        _join(family, "：", relative, "，电话", phone),
        _join(
            "改约请致电",
            pc.utf8_slice_codeunits(phone, 0, 3),
            "-",
            pc.utf8_slice_codeunits(phone, 3, 7),
            "-",
            pc.utf8_slice_codeunits(phone, 7, 11),
        ),
        benign,
        pa.nulls(rows, pa.string()),
    )
    return texts


def _full_width(texts: pa.Array, where: npt.NDArray[np.bool_]) -> pa.Array:
    """``texts`` with full-width digits and X ``where`` asked for (few rows)."""
    table = {ord(c): ord(c) + 0xFEE0 for c in "0123456789X"}
    mask = pa.array(where)
    changed = [text.translate(table) for text in texts.filter(mask).to_pylist()]
    return pc.replace_with_mask(texts, mask, pa.array(changed, pa.string()))
