"""Which columns hold values that mean the same and are written in several ways (GB/T 37964 5.4.2 a): counted over every row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.core.operations import StringArray
from techniques.families.preparation.normalise import DATE_ONLY, NUMBER, UNITS
from techniques.values.characters import Characters, Sort
from techniques.values.dates import parse_dates

_READABLE = 0.99
"""Share of the rows with a value from which a column is one of dates or of numbers."""
_HEAD = 1000
"""So many values of which hardly one is a date, or a number, speak for the whole column."""
_WIDE = "^[ -~！-～\u3000]*[０-９Ａ-Ｚａ-ｚ][ -~！-～\u3000]*$"
"""Full-width letters or digits in a value without any other script: in a text they are a way of writing."""
_HYPHENATED_DATE = r"^[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$"
_PLAIN_NUMBER, _LONG = r"^[+-]?\d{1,12}(?:\.\d{1,4})?$", r"^[+-]?\d{4}"
_SHORT_PART, _FILLED_PART = r"[-/.年月]\d(?:\D|$)", r"[-/.年月]0\d"


class Spellings:
    """Watches the batches of a table on their way to who reads them."""

    def __init__(self, columns: Iterable[str]) -> None:
        self._seen = {column: _Seen() for column in columns}

    def watched(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The batches as they come, each looked at before it is handed on."""
        for batch in batches:
            for column, seen in self._seen.items():
                cells = batch.column(column)
                encoded = cells if pa.types.is_dictionary(cells.type) else cells.dictionary_encode()
                rows = np.bincount(encoded.indices.drop_null().to_numpy(), minlength=len(encoded.dictionary))
                seen.feed(encoded.dictionary.cast(pa.string()), rows)
            yield batch

    def of(self, column: str) -> dict[str, Any]:
        """The settings of the normalisation that brings the column's values into one form; empty where they are in one."""
        return self._seen[column].settings()


class _Seen:
    """What was seen of one column, in rows."""

    def __init__(self) -> None:
        self.rows = self.wide = self.blank = self.capital = self.small = 0
        self.differ_in_case = False
        self.dates: _Part | None = _Part()
        self.numbers: _Part | None = _Part()

    def feed(self, values: StringArray, rows: Any) -> None:
        """The distinct values of a batch and how many ``rows`` have each."""
        used = rows > 0
        if not used.all():
            values, rows = values.filter(pa.array(used)), rows[used]
        if not len(values):
            return
        self.rows += int(rows.sum())
        characters = Characters.of(values)
        if (wide := characters.some(Sort.WIDE)).any():
            some, their_rows = _among(values, rows, wide)
            self.wide += _rows(their_rows, pc.match_substring_regex(some, _WIDE))
        if (blank := characters.blank).any():
            some, their_rows = _among(values, rows, blank)
            self.blank += _rows(their_rows, pc.not_equal(pc.utf8_trim_whitespace(some), some))
        if (cased := characters.cased).any():
            self._look_at_case(*_among(values, rows, cased), characters.at(cased))
        for name, look in (("dates", _dates), ("numbers", _numbers)):
            part: _Part | None = getattr(self, name)
            if part is None:
                continue
            if len(values) > _HEAD and look(values[:_HEAD], rows[:_HEAD]).rows < _READABLE / 2 * int(
                rows[:_HEAD].sum()
            ):
                setattr(self, name, None)
                continue
            part.add(look(values, rows))

    def _look_at_case(self, values: StringArray, rows: Any, characters: Characters) -> None:
        """Of the values that can have letters written large and small: no other is written as one of them is in small letters."""
        bare = pc.utf8_trim_whitespace(values) if characters.blank.any() else values
        if characters.ascii.all():
            cased = np.ones(len(values), np.bool_)
            in_small, in_capital = ~characters.some(Sort.CAPITAL), ~characters.some(Sort.SMALL)
        else:
            small, capital = pc.utf8_lower(bare), pc.utf8_upper(bare)
            cased = _mask(pc.not_equal(small, capital))
            in_small, in_capital = _mask(pc.equal(bare, small)), _mask(pc.equal(bare, capital))
        self.small += int(rows[cased & in_small].sum())
        self.capital += int(rows[cased & in_capital].sum())
        # Values that stay as they are, and those of ASCII in capitals, stay apart in small letters.
        if self.differ_in_case or in_small.all() or (~cased & in_small | in_capital & characters.ascii).all():
            return
        different = pc.count_distinct(pc.utf8_lower(bare)).as_py()
        self.differ_in_case = different < pc.count_distinct(bare).as_py()

    def settings(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if 0 < self.wide < self.rows:
            found["width"] = True
        if 0 < self.blank < self.rows:
            found["blanks"] = "outer"
        if self.differ_in_case:
            found["case"] = "upper" if self.capital >= self.small else "lower"
        if self.dates and self.dates.rows >= _READABLE * self.rows and self._dates_differ(self.dates.forms):
            found["dates"] = True
        elif (
            self.numbers
            and self.numbers.rows >= _READABLE * self.rows
            and (unit := _unit(self.numbers.forms))
        ):
            found["unit"] = unit
        if "dates" in found or "unit" in found:
            # Dates and numbers are read in half width.
            found["width"] = True
        # What is not asked for stays as it is.
        return {"width": False, "blanks": "keep"} | found if found else {}

    @staticmethod
    def _dates_differ(forms: Mapping[str, int]) -> bool:
        return len({*forms} - {"short", "filled"}) > 1 or {"short", "filled"} <= {*forms}


class _Part:
    """Rows that are of a sort, and of them those of each form."""

    def __init__(self) -> None:
        self.rows = 0
        self.forms: dict[str, int] = {}

    def add(self, other: _Part) -> None:
        self.rows += other.rows
        for form, rows in other.forms.items():
            self.count(form, rows)

    def count(self, form: str, rows: int) -> None:
        if rows:
            self.forms[form] = self.forms.get(form, 0) + rows


def _among(values: StringArray, rows: Any, among: NDArray[np.bool_]) -> tuple[StringArray, Any]:
    """The values of a mask, and their rows."""
    return (values, rows) if among.all() else (values.filter(pa.array(among)), rows[among])


def _mask(found: Any) -> NDArray[np.bool_]:
    return np.asarray(pc.fill_null(found, False)).astype(bool)


def _rows(rows: Any, mask: Any) -> int:
    return int(rows[_mask(mask)].sum())


def _dates(values: StringArray, rows: Any) -> _Part:
    """Dates without a time of day, by the signs between their parts, and whether a part of one digit is filled up."""
    found = _Part()
    hyphenated = np.asarray(pc.match_substring_regex(values, _HYPHENATED_DATE)).astype(bool)
    if hyphenated.any():
        found.rows = int(rows[hyphenated].sum())
        found.count("signs --", found.rows)
        found.count("filled", _rows(rows, pc.and_(pa.array(hyphenated), pc.match_substring(values, "-0"))))
        if hyphenated.all():
            return found
        values, rows = values.filter(pa.array(~hyphenated)), rows[~hyphenated]
    alone = np.asarray(pc.match_substring_regex(values, DATE_ONLY)).astype(bool)
    if not alone.any():
        return found
    take = alone & parse_dates(values).valid
    found.rows += int(rows[take].sum())
    signs = pc.replace_substring_regex(values, r"\d+", "")
    for sign in pc.unique(signs.filter(pa.array(take))).to_pylist():
        found.count(f"signs {sign}", int(rows[take & np.asarray(pc.equal(signs, sign)).astype(bool)].sum()))
    for name, pattern in (("short", _SHORT_PART), ("filled", _FILLED_PART)):
        found.count(name, _rows(rows, pc.and_(pa.array(take), pc.match_substring_regex(values, pattern))))
    return found


def _numbers(values: StringArray, rows: Any) -> _Part:
    """Numbers, by the unit behind them or the sign of money before, and whether thousands are set apart."""
    found = _Part()
    plain = np.asarray(pc.match_substring_regex(values, _PLAIN_NUMBER)).astype(bool)
    if plain.any():
        found.rows = int(rows[plain].sum())
        found.count("unit ", found.rows)
        found.count(
            "thousands together",
            _rows(rows, pc.and_(pa.array(plain), pc.match_substring_regex(values, _LONG))),
        )
        if plain.all():
            return found
        values, rows = values.filter(pa.array(~plain)), rows[~plain]
    read = pc.extract_regex(pc.utf8_trim_whitespace(pc.utf8_normalize(values, "NFKC")), NUMBER)
    fits = np.asarray(read.is_valid()).astype(bool)
    if not fits.any():
        return found
    found.rows += int(rows[fits].sum())
    of = {name: pc.fill_null(pc.struct_field(read, name), "") for name in ("currency", "whole", "unit")}
    units = pc.if_else(pc.equal(of["currency"], ""), pc.utf8_lower(of["unit"]), of["currency"])
    for unit in pc.unique(units.filter(pa.array(fits))).to_pylist():
        same = fits & np.asarray(pc.equal(units, unit)).astype(bool)
        found.count(f"unit {unit}", int(rows[same].sum()))
    apart = pc.match_substring(of["whole"], ",")
    long = pc.greater(pc.utf8_length(of["whole"]), 3)
    found.count("thousands apart", _rows(rows, pc.and_(pa.array(fits), apart)))
    found.count("thousands together", _rows(rows, pc.and_(pa.array(fits), pc.and_(long, pc.invert(apart)))))
    return found


def _unit(forms: Mapping[str, int]) -> str:
    """The unit that all of several can be turned into; "" where there is one form only, or where a number without a unit
    could be of another than the chosen one."""
    seen = {form.removeprefix("unit ") for form in forms if form.startswith("unit ")}
    money = seen & {"¥", "$"}
    if seen == {""}:
        return "number" if {"thousands apart", "thousands together"} <= {*forms} else ""
    if len(seen) < 2 or "$" in money:
        return ""
    for name, known in UNITS.items():
        if name == "number" or (money and name != "yuan"):
            continue
        named = {unit: known[unit] for unit in seen - money - {""} if unit in known}
        whole = len(named) == len(seen - money - {""})
        if whole and ("" not in seen or {*named.values()} <= {"1"}):
            return name
    return ""
