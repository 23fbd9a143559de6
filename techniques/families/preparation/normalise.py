"""Values that mean the same in one form (GB/T 37964 5.4.2 a)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from techniques.catalogue.preparation import NormaliseSettings
from techniques.core.operations import Outcome, StringArray, ValueOperation
from techniques.values.dates import parse_dates

if TYPE_CHECKING:
    from techniques.recipe.recipe import Recipe

UNITS: dict[str, dict[str, str]] = {
    "number": {},
    "centimetre": {"km": "100000", "千米": "100000", "公里": "100000", "m": "100", "米": "100", "dm": "10", "分米": "10",
                   "cm": "1", "厘米": "1", "公分": "1", "mm": "0.1", "毫米": "0.1"},
    "kilogram": {"t": "1000", "吨": "1000", "kg": "1", "公斤": "1", "千克": "1", "斤": "0.5", "两": "0.05",
                 "g": "0.001", "克": "0.001"},
    "yuan": {"亿元": "100000000", "亿": "100000000", "万元": "10000", "万": "10000", "千元": "1000", "元": "1", "圆": "1",
             "角": "0.1", "分": "0.01", "cny": "1", "rmb": "1"},
}  # fmt: skip
"""Unit → how many of the chosen one it is."""

DATE_ONLY = r"^(?:[12]\d{3}[-/.年]\d{1,2}(?:月|(?:[-/.月]\d{1,2}日?))?|[12]\d{7})$"
NUMBER = r"^(?P<sign>[+-]?)(?P<currency>[¥￥$]?) *(?P<whole>\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?P<part>\.\d{1,4})? *(?P<unit>[^\d ,.+-]*)$"
_FIXED = pa.decimal128(18, 4)
_ROUNDS = 4
"""Case and width are unified so often at most: after that nothing changes any more."""


class Normalise(ValueOperation):
    """Every value is fit: what cannot be read as a date or a number of the unit stays as it is, in width, blanks and case."""

    settings: NormaliseSettings

    def apply(self, values: StringArray) -> Outcome:
        return Outcome(normalised(values, self.settings))


def normalised(values: StringArray, settings: NormaliseSettings) -> StringArray:
    """n texts (null allowed) in one form; the same again for what is in it already."""
    found = _written(values, settings)
    for _round in range(_ROUNDS):
        again = _written(found, settings)
        if again.equals(found):
            break
        found = again
    if settings.dates:
        found = _dates(found, besides_numbers=settings.unit != "keep")
    return found if settings.unit == "keep" else _numbers(found, settings.unit)


def prepared(batches: Iterable[pa.RecordBatch], recipe: Recipe) -> Iterator[pa.RecordBatch]:
    """The batches of a source with the columns that ``recipe`` prepares in the form in which it treats them."""
    steps = [
        (step.columns, step.parameters)
        for step in recipe.steps
        if isinstance(step.parameters, NormaliseSettings)
    ]
    for batch in batches:
        for columns, settings in steps:
            for column in set(columns) & set(batch.schema.names):
                # The work is on the distinct values.
                encoded = batch.column(column).cast(pa.string()).dictionary_encode()
                new = normalised(encoded.dictionary, settings).take(encoded.indices)
                batch = batch.set_column(batch.schema.names.index(column), column, new)
        yield batch


def _written(values: StringArray, settings: NormaliseSettings) -> StringArray:
    found = pc.utf8_normalize(values, "NFKC") if settings.width else values
    if settings.case != "keep":
        found = (pc.utf8_lower if settings.case == "lower" else pc.utf8_upper)(found)
    if settings.blanks == "none":
        return pc.replace_substring_regex(found, r"[\s\p{Z}]+", "")
    if settings.blanks == "single":
        found = pc.replace_substring_regex(found, r"[\s\p{Z}]+", " ")
    return found if settings.blanks == "keep" else pc.utf8_trim_whitespace(found)


def _dates(values: StringArray, *, besides_numbers: bool) -> StringArray:
    """Dates without a time of day as ``2024-03-01``, or ``2024-03`` where no day is given.

    ``besides_numbers``: numbers are brought into one form too, so a text that is a plain number, such as ``2024.3``, is one and
    no date.
    """
    plain = values.fill_null("")
    read = parse_dates(plain)
    # What has a time of day would lose it, and no date is written with letters of another meaning around it.
    alone = pc.match_substring_regex(pc.utf8_trim_whitespace(pc.utf8_normalize(plain, "NFKC")), DATE_ONLY)
    if besides_numbers:
        alone = pc.and_(alone, pc.invert(pc.match_substring_regex(plain, r"^\s*\d+(?:\.\d+)?\s*$")))
    take = read.valid & np.asarray(alone).astype(bool)
    if not take.any():
        return values
    text = pa.array(read.year).cast(pa.string())
    for part in (read.month, read.day):
        two = pc.utf8_lpad(pa.array(part).cast(pa.string()), 2, "0")
        joined = pc.binary_join_element_wise(text, two, "-")
        text = pc.if_else(pa.array(part > 0), joined, text)
    return pc.if_else(pa.array(take), text, values)


def _numbers(values: StringArray, unit: str) -> StringArray:
    """Numbers with one of the known units, or none, as plain numbers of ``unit``."""
    read = pc.extract_regex(pc.utf8_trim_whitespace(values), NUMBER)
    fields = {
        name: pc.struct_field(read, name).fill_null("")
        for name in ("sign", "currency", "whole", "part", "unit")
    }
    given, known = pc.utf8_lower(fields["unit"]), {"": "1", **UNITS[unit]}
    factors = pa.array([Decimal(factor) for factor in known.values()], pa.decimal128(13, 3))
    place = pc.index_in(given, pa.array(list(known), pa.string()))
    fits = pc.and_(pc.not_equal(fields["whole"], ""), pc.is_valid(place))
    # A sign of money is a unit too, and only of money.
    money = pc.not_equal(fields["currency"], "")
    fits = pc.and_(fits, pc.invert(money) if unit != "yuan" else pc.not_equal(fields["currency"], "$"))
    if not pc.any(fits).as_py():
        return values
    whole = pc.if_else(fits, pc.replace_substring(fields["whole"], ",", ""), "0")
    part = pc.if_else(fits, fields["part"], "")
    sign = pc.if_else(pc.and_(fits, pc.equal(fields["sign"], "-")), "-", "")
    exact: Any = pc.binary_join_element_wise(sign, whole, part, "").cast(_FIXED)
    product = pc.multiply(exact, factors.take(place.fill_null(0)))
    text = pc.replace_substring_regex(product.cast(pa.string()), r"\.?0+$", "")
    # Zero, and what is so small that it is written with an exponent.
    text = pc.if_else(pc.equal(product, pa.scalar(Decimal(0), product.type)), "0", text)
    fits = pc.and_(fits, pc.invert(pc.match_substring(text, "E")))
    return pc.if_else(fits, text, values)
