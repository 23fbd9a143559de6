"""Chinese administrative divisions out of codes and addresses (GB/T 37964 C.2.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.values import buffers
from techniques.values.numbered import NumberedTexts
from techniques.values.patterns import FEW, compiled, extract, replaced

_SHORT = {
    **dict.fromkeys(("北京", "天津", "上海", "重庆"), "市"),
    **dict.fromkeys(
        (
            *("河北", "山西", "辽宁", "吉林", "黑龙江", "江苏", "浙江", "安徽", "福建", "江西", "山东"),
            *("河南", "湖北", "湖南", "广东", "海南", "四川", "贵州", "云南", "陕西", "甘肃", "青海", "台湾"),
        ),
        "省",
    ),
    "内蒙古": "自治区",
    "广西": "壮族自治区",
    "西藏": "自治区",
    "宁夏": "回族自治区",
    "新疆": "维吾尔自治区",
    "香港": "特别行政区",
    "澳门": "特别行政区",
}
PROVINCES: dict[str, str] = {short: short + suffix for short, suffix in _SHORT.items()}
"""The 34 divisions of the first level: short name to full name."""
_CITY_STATES = ("北京", "天津", "上海", "重庆", "香港", "澳门")

_PROVINCE = (
    "^(?:中国|中华人民共和国)?(?P<p>"
    + "|".join(_SHORT)
    + ")(?:省|市|(?:壮族|回族|维吾尔)?自治区|特别行政区)?(?P<r>.*)$"
)
# Not divisions although they end like one: cut off before the search, so that none is taken for a county.
_NOT_DIVISIONS = "社区|小区|园区|校区|厂区|院区|景区|营区|工业区|住宅区|生活区|超市|菜市|夜市|集市"
_CUT = "0"
_CITY = r"^(?P<c>[^省市区县旗路号0-9]{1,12}?(?:自治州|地区|盟|市))(?P<r>.*)$"
# 路 and 道 begin the names of some counties (路桥区, 道里区) but stand inside none; inside they are roads.
_COUNTY = (
    r"^(?P<k>市?[^市区县旗号街0-9][^市区县旗号街路道0-9]{0,5}?(?:区|县|旗|市)"
    r"|[^市区县旗号街路道0-9]{2,14}?(?:自治县|自治旗))"
)
_REPEATED = "^(?:市辖区|北京市|天津市|上海市|重庆市)"
_BETWEEN = r"[ \t\n\f\r,，、/\-]+"
_CODE = r"^[1-9]\d{5}(?:\d{6})?$"


def region_codes(values: Any, unit: str) -> tuple[Any, NDArray[np.bool_]]:
    """Division codes of 6 or 12 digits → the 6-digit code of the division they lie in, and which are valid."""
    text = pc.utf8_trim_whitespace(pc.utf8_normalize(values, "NFKC"))
    valid = np.asarray(pc.match_substring_regex(text, _CODE)).astype(bool)
    kept = {"county": 6, "city": 4, "province": 2}[unit]
    labels = pc.utf8_rpad(pc.utf8_slice_codeunits(text, 0, kept), 6, "0")
    return labels, valid


MOST_HEADS = 8 << 20
"""Bytes of what stands before house numbers that are kept: of texts that are no addresses it hardly comes again."""
Names = tuple[Any, NDArray[np.bool_]]
"""Full names of divisions, and which values name one that fine."""


def region_names(values: Any, unit: str) -> Names:
    """Addresses → full name down to the division kept, and which values name a division that far.

    A municipality counts as its own city. Where an address names nothing that fine (a city without
    districts, a county directly under its province) its finest division stands. An address that does not
    begin with a province is not valid: what stands before its city may be anything, a name for instance.
    """
    return region_levels(values, (unit,))[0]


def region_levels(values: Any, units: Sequence[str]) -> list[Names]:
    """:func:`region_names` for several units (``province``, ``city``, ``county``) out of one reading."""
    # No division has a digit in its name, so nothing behind the first one is ever read.
    heads = buffers.before_digits(values)
    if values.null_count:
        heads = pc.if_else(values.is_valid(), heads, pa.scalar(None, pa.string()))
    if len(values) <= FEW:
        return _levels_of_few(pc.utf8_normalize(heads, "NFKC").to_pylist(), units)
    # House and room numbers make every address another; in front of them there are far fewer.
    heads = heads.dictionary_encode()
    place = np.array(heads.indices.fill_null(-1))
    return [
        (labels.take(heads.indices), np.append(valid, False)[place])
        for labels, valid in _names_of(heads.dictionary, units)
    ]


class RegionsReached:
    """Which addresses name a division down to each of the ``units``, for addresses that come part by part."""

    def __init__(self, units: Sequence[str]) -> None:
        self._units = units
        self._forget()

    def _forget(self) -> None:
        self._heads = NumberedTexts()
        self._reached = [np.empty(0, np.bool_) for _ in self._units]

    def of(self, values: Any) -> list[NDArray[np.bool_]]:
        """As :func:`region_levels` of n texts (no nulls), without the names (n,) each: what comes again before the house numbers is
        read once."""
        known = len(self._heads)
        numbers = self._heads.add(buffers.before_digits(values))
        if len(self._heads) > known:
            read = region_levels(self._heads.values.slice(known), self._units)
            self._reached = [
                np.append(before, valid) for before, (_names, valid) in zip(self._reached, read, strict=True)
            ]
        found = [valid[numbers] for valid in self._reached]
        if self._heads.values.nbytes > MOST_HEADS:
            self._forget()
        return found


def _names_of(values: Any, units: Sequence[str]) -> list[Names]:
    """:func:`region_levels` of distinct values."""
    text = replaced(pc.utf8_normalize(values, "NFKC"), _BETWEEN, "")
    short, rest = extract(text, _PROVINCE, ("p", "r"))
    names = pa.array(list(PROVINCES))
    full = pa.array(list(PROVINCES.values()))
    province = full.take(pc.index_in(short, names)).fill_null("")
    valid = np.asarray(pc.not_equal(short, "")).astype(bool)
    found: dict[str, Names] = {"province": (province, valid)}
    if set(units) <= set(found):
        return [found[unit] for unit in units]
    rest = replaced(rest, _NOT_DIVISIONS, _CUT)
    own_city = pc.is_in(short, pa.array(_CITY_STATES))
    # A municipality's address may repeat it or say "city area" between it and the district.
    rest = pc.if_else(own_city, replaced(rest, _REPEATED, ""), rest)
    named, behind = extract(rest, _CITY, ("c", "r"))
    city = pc.if_else(own_city, pa.scalar(""), named)
    after = pc.if_else(pc.or_(own_city, pc.equal(named, "")), rest, behind)
    (county,) = extract(after, _COUNTY, ("k",))
    # A county directly under its province (Hainan, Hubei …) is as fine as a city would be.
    below = pc.if_else(pc.and_(pc.equal(city, ""), pc.invert(own_city)), county, city)
    reached = pc.or_(own_city, pc.not_equal(below, ""))
    found["city"] = (
        pc.binary_join_element_wise(province, below, ""),
        valid & np.asarray(reached).astype(bool),
    )
    tail = pc.if_else(pc.equal(below, county), pa.scalar(""), county)
    reached = pc.or_(pc.not_equal(county, ""), pc.not_equal(city, ""))
    found["county"] = (
        pc.binary_join_element_wise(province, below, tail, ""),
        valid & np.asarray(reached).astype(bool),
    )
    return [found[unit] for unit in units]


def _levels_of_few(texts: Sequence[str | None], units: Sequence[str]) -> list[Names]:
    """:func:`_names_of` one by one: Arrow's three dozen calls take longer than a few texts do."""
    read = [None if text is None else _names_in(text) for text in texts]
    labels = [
        pa.array([None if one is None else one[unit][0] for one in read], pa.string()) for unit in units
    ]
    valid = [np.array([one is not None and one[unit][1] for one in read], dtype=np.bool_) for unit in units]
    return list(zip(labels, valid, strict=True))


_NOTHING = dict.fromkeys(("province", "city", "county"), ("", False))


def _names_in(text: str) -> dict[str, tuple[str, bool]]:
    """Unit → the name that one address gives, and whether it goes down that far; as :func:`_names_of`."""
    match = compiled(_PROVINCE).match(compiled(_BETWEEN).sub("", text))
    if match is None:
        return _NOTHING
    short, rest = match["p"], compiled(_NOT_DIVISIONS).sub(_CUT, match["r"])
    own_city = short in _CITY_STATES
    city = ""
    if own_city:
        rest = compiled(_REPEATED).sub("", rest)
    elif (named := compiled(_CITY).match(rest)) is not None:
        city, rest = named["c"], named["r"]
    found = compiled(_COUNTY).match(rest)
    county = "" if found is None else found["k"]
    below = county if not city and not own_city else city
    tail = "" if below == county else county
    province = PROVINCES[short]
    return {
        "province": (province, True),
        "city": (province + below, own_city or below != ""),
        "county": (province + below + tail, county != "" or city != ""),
    }
