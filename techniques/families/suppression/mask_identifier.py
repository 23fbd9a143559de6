"""The usual partial mask of a kind of identifier (GB/T 37964 C.2.1 to C.2.5, C.2.7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from techniques.catalogue.suppression import MaskIdentifierSettings
from techniques.core.operations import Outcome, StringArray, ValueOperation
from techniques.families.suppression.hiding import hide
from techniques.values.dates import parse_dates
from techniques.values.patterns import FEW, compiled, extract, matches
from techniques.values.regions import region_levels

_SHAPES = {
    "id_number": r"^(?:\d{17}[0-9Xx]|\d{15})$",
    "phone": r"^(?:\+?86[- ]?)?1[3-9]\d[- ]?\d{4}[- ]?\d{4}$",
    "bank_card": r"^\d{4}[ -]?\d{4}[ -]?\d{4}(?:[ -]?\d{1,4}){0,2}$",
}
_HAN = r"^\p{Han}+$"
_NAME_LENGTHS = (2, 6)
_KEPT = {"id_number": (6, 4), "phone": (3, 4), "bank_card": (6, 4)}
_EMAIL = r"^(?P<first>[^@\s])(?P<rest>[^@\s]*)@(?P<domain>[^@\s]+\.[^@\s.]+)$"
_BLANK = r"[ \t\n\f\r]*"
_DATE_CHINESE = rf"^{_BLANK}(?P<y>\d{{4}}年)\d{{1,2}}月(?P<r>.*)$"
_DATE_SEPARATED = rf"^{_BLANK}(?P<y>\d{{4}}[-/.])\d{{1,2}}(?P<r>[-/.].*)?$"
_DATE_COMPACT = rf"^{_BLANK}(?P<y>\d{{4}})\d{{2}}(?P<r>\d{{2}}(?:\d{{6}})?){_BLANK}$"
_DOUBLES = (
    "欧阳太史端木上官司马东方独孤南宫万俟闻人夏侯诸葛尉迟公羊赫连澹台皇甫宗政濮阳公冶"
    "太叔申屠公孙慕容仲孙钟离长孙宇文司徒鲜于司空闾丘子车亓官司寇巫马公西令狐"
)
_DOUBLE_SURNAMES = [_DOUBLES[i : i + 2] for i in range(0, len(_DOUBLES), 2)]


class MaskIdentifier(ValueOperation):
    """C.2.1–C.2.5: the usual partial mask per kind; what has not the kind's shape is hidden whole."""

    settings: MaskIdentifierSettings

    def apply(self, values: StringArray) -> Outcome:
        """Each identifier with its telling part hidden."""
        kind, character = self.settings.kind, self.settings.character
        own = {"email": self._email, "address": self._address, "date": self._date}
        if kind in own:
            return Outcome(own[kind](values))
        if kind == "name":
            shaped = np.asarray(pc.match_substring_regex(values, _HAN)).astype(bool)
            # Asked for apart: {2,6} of a class of 90,000 characters takes half a millisecond to compile.
            length = np.asarray(pc.utf8_length(values))
            shaped &= (length >= _NAME_LENGTHS[0]) & (length <= _NAME_LENGTHS[1])
            doubled = pc.is_in(pc.utf8_slice_codeunits(values, 0, 2), pa.array(_DOUBLE_SURNAMES))
            left: Any = np.where(np.asarray(doubled) & (length > 2), 2, 1)
            right: Any = 0
        else:
            shaped = matches(values, _SHAPES[kind])
            left, right = _KEPT[kind]
            if kind == "phone":
                # A country code is no part of the network number: it stays visible before it.
                (prefix,) = extract(values, r"^(?P<code>(?:\+?86[- ]?)?)1[3-9]", ("code",))
                left = left + np.asarray(pc.utf8_length(prefix))
        if self.settings.hide_serial:
            right = 0
        return Outcome(hide(values, np.where(shaped, left, 0), np.where(shaped, right, 0), character))

    def _address(self, values: StringArray) -> StringArray:
        """Province, and below it only what kind of division it is: 江西省XX市XX县."""
        found = region_levels(values, ("province", "city", "county"))
        # Few distinct divisions stand for many addresses; no name of a division has a line feed.
        joined = pc.binary_join_element_wise(*(labels for labels, _ in found), "\n").dictionary_encode()
        names = [_hidden_divisions(*text.split("\n")) for text in joined.dictionary.to_pylist()]
        made = pa.array(names, pa.string()).take(joined.indices)
        return pc.if_else(pa.array(found[0][1]), made, hide(values, 0, 0, self.settings.character))

    def _date(self, values: StringArray) -> StringArray:
        """Year and day: 1880年某月1日, 1880-**-01."""
        hidden: Any = pa.array(parse_dates(values).valid)
        stars = self.settings.character * 2
        shown = _without_month(
            values, ((_DATE_CHINESE, "某月"), (_DATE_SEPARATED, stars), (_DATE_COMPACT, stars))
        )
        hidden = pc.and_(hidden, pc.not_equal(shown, values).fill_null(False))
        return pc.if_else(hidden, shown, hide(values, 0, 0, self.settings.character))

    def _email(self, values: StringArray) -> StringArray:
        parts = pc.extract_regex(values, _EMAIL)
        known = pc.is_valid(parts)
        first = pc.struct_field(parts, "first").fill_null("")
        masked = pc.binary_join_element_wise(
            first,
            pa.scalar(self.settings.character * 3),
            pa.scalar("@"),
            pc.struct_field(parts, "domain").fill_null(""),
            "",
        )
        return pc.if_else(known, masked, hide(values, 0, 0, self.settings.character))


def _without_month(values: StringArray, forms: Sequence[tuple[str, str]]) -> StringArray:
    """n dates with a sign in place of the month, by the first of the forms (pattern, sign) that fits; else null."""
    if len(values) <= FEW:
        reading = [(compiled(pattern).match, month) for pattern, month in forms]
        made = []
        for text in values.to_pylist():
            fitting = ((found, month) for match, month in reading if (found := match(text)) is not None)
            found, month = next(fitting, (None, ""))
            made.append(None if found is None else found["y"] + month + (found["r"] or ""))
        return pa.array(made, pa.string())
    shown = pa.nulls(len(values), pa.string())
    for pattern, month in forms:
        year, rest = extract(values, pattern, ("y", "r"))
        made = pc.binary_join_element_wise(year, pa.scalar(month), rest, "")
        shown = pc.if_else(pc.and_(pc.is_null(shown), pc.not_equal(year, "")), made, shown)
        if not shown.null_count:
            break
    return shown


def _hidden_divisions(province: str, city: str, county: str) -> str:
    """The divisions below the province (each label has those above in front), named by their kind alone."""
    parts = [city.removeprefix(province), county.removeprefix(city)]
    return province + "".join("XX" + part[-1] for part in parts if part)
