"""Dates from text, and the periods that they fall in (GB/T 37964 C.2.7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.values import buffers
from techniques.values.patterns import FEW, compiled, extract

_SEPARATED = r"^(?P<y>[12]\d{3})[-/.年](?P<m>\d{1,2})(?:[-/.月](?P<d>\d{1,2})日?(?:[T ]\d{1,2}[:时].*)?|月)?$"
_COMPACT = r"^(?P<y>[12]\d{3})(?P<m>\d{2})(?P<d>\d{2})(?:\d{6})?$"
_DAYS = np.array([0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], dtype=np.int64)

_FIRST_DAY = int(np.datetime64("1000-01-01").astype(np.int64))
_LAST_DAY = int(np.datetime64("2999-12-31").astype(np.int64))


@dataclass(frozen=True)
class Dates:
    """Year, month and day (0 where none is given) of n texts where ``valid``."""

    year: NDArray[np.int64]
    month: NDArray[np.int64]
    day: NDArray[np.int64]
    valid: NDArray[np.bool_]


def parse_dates(values: Any) -> Dates:
    """Read a string array (no nulls): 2024-03-01, 2024/3/1, 2024.3, 2024年3月1日, 20240301, with or without time.

    A date that does not exist (30 February) is not valid.
    """
    parts, odd = buffers.plain_dates(values)
    year, month, day = parts.T
    if len(odd):
        for part, read in zip((year, month, day), _any_dates(values.take(pa.array(odd))), strict=True):
            part[odd] = read
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    in_year = (month >= 1) & (month <= 12)
    longest = _DAYS[np.where(in_year, month, 0)] - ((month == 2) & ~leap)
    # A day of 0 stands for "no day given"; a written 00 has become -1.
    valid = (year > 0) & in_year & (day >= 0) & (day <= longest)
    return Dates(year, month, day, valid)


def _any_dates(values: Any) -> tuple[NDArray[np.int64], ...]:
    """Year, month and day of texts in any of the notations."""
    text = pc.utf8_trim_whitespace(pc.utf8_normalize(values, "NFKC"))
    read = _parts(text, _SEPARATED)
    take = read[0] == 0
    if not take.any():
        return read
    return tuple(np.where(take, b, a) for a, b in zip(read, _parts(text, _COMPACT), strict=True))


def parse_days(values: Any) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Days since 1970-01-01 of n texts (0 where there is none), and which of them are dates to the day."""
    dates = parse_dates(values)
    whole = dates.valid & (dates.day > 0)
    months = np.where(whole, (dates.year - 1970) * 12 + dates.month - 1, 0).astype("datetime64[M]")
    days = months.astype("datetime64[D]").astype(np.int64) + np.where(whole, dates.day - 1, 0)
    return days, whole


def day_texts(days: NDArray[np.int64]) -> Any:
    """Days since 1970-01-01 as texts such as ``2024-03-01``; what lies outside the years 1000 to 2999 is cut off."""
    bounded = np.clip(days, _FIRST_DAY, _LAST_DAY)
    return pa.array(np.datetime_as_string(bounded.astype("datetime64[D]"), unit="D"), pa.string())


def _parts(text: Any, pattern: str) -> tuple[NDArray[np.int64], ...]:
    """Year, month and day: 0 where none is given, and a day of -1 where 00 is written."""
    if len(text) <= FEW:
        match = compiled(pattern).match
        found = [match(one) for one in text.to_pylist()]
        read = [(0, 0, 0) if one is None else _numbers_in(one) for one in found]
        return tuple(np.array(read, dtype=np.int64).reshape(-1, 3).T)
    numbers = []
    for name, part in zip(("y", "m", "d"), extract(text, pattern, ("y", "m", "d")), strict=True):
        given = pc.not_equal(part, "")
        number = np.array(pc.if_else(given, part, pa.scalar("0")).cast(pa.int64()))
        if name == "d":
            number[np.asarray(given) & (number == 0)] = -1
        numbers.append(number)
    return tuple(numbers)


def _numbers_in(found: Any) -> tuple[int, int, int]:
    day = found["d"]
    return int(found["y"]), int(found["m"] or 0), (int(day) or -1) if day else 0


def period_labels(dates: Dates, unit: str) -> Any:
    """Labels of the periods as a string array: ``2024-03``, ``2024-Q1``, ``2024``, ``2020-2029``."""
    year = pa.array(dates.year).cast(pa.string())
    if unit == "month":
        return pc.binary_join_element_wise(
            year, pc.utf8_lpad(pa.array(dates.month).cast(pa.string()), 2, "0"), "-"
        )
    if unit == "quarter":
        return pc.binary_join_element_wise(year, pa.array((dates.month + 2) // 3).cast(pa.string()), "-Q")
    if unit == "year":
        return year
    first = dates.year // 10 * 10
    return pc.binary_join_element_wise(
        pa.array(first).cast(pa.string()), pa.array(first + 9).cast(pa.string()), "-"
    )
