"""How many originals remain for somebody who sees a part of an identifier and knows how such identifiers are made.

A mask, a slice or a rounded number leaves some characters in their places. What fills the others is counted: dates that
exist, codes of divisions, check digits that follow from the rest, signs of the kind that stands there.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from techniques.identification import checks
from techniques.identification.vocabulary import COMPOUND_SURNAMES, SURNAMES, TRADITIONAL_SURNAMES

MINIMUM = 2_000
"""Originals that have to remain. An identity number with its birth date hidden leaves 3,400, a telephone number without four
digits 10,000; one without its last four characters leaves 1,000 in one county, born on one day."""
_DIVISIONS = 3_000
_BORN = 1916, 2026
"""Birth years that are counted; fixed, so that a measurement repeated later finds the same."""
_SURNAMES = 37
"""Surnames that a hidden one counts as. 1,800 are borne and 500 by nearly all, but 王, 李 and 张 by seven in a hundred each: two
persons share theirs as often as if there were 37 of equal number (one by the sum of squared shares, 1.2 billion persons of
Bao, ChineseNames, Chinese Name Database 1930-2008)."""
_GIVEN = 217
"""Signs that a hidden one of a given name counts as, likewise: the fifty most frequent of those born 1970-1979 leave no more, were
all given names of two signs (the same database; 2,614 signs occur)."""
_FOLLOWS = 0.8
"""Share of the values that must pass a check before it is taken for theirs."""
_IN_PLACE = 0.95
"""Share of the rows that must show the signs of an original where it has them, so that a column is taken for a mask."""
_FIRST = frozenset(SURNAMES + TRADITIONAL_SURNAMES)

Known = npt.NDArray[np.bool_]
"""Of shape (values, characters): which characters of each value are known."""


def remaining(values: list[str], known: Known) -> npt.NDArray[np.float64]:
    """For each of n values: how many originals fit what is ``known`` of it; at least 1."""
    if _share(values, _is_id_number) >= _FOLLOWS:
        return np.array([_id_numbers(text, row) for text, row in zip(values, known, strict=True)])
    if _share(values, _is_name) >= _FOLLOWS:
        return np.array([_names(values, text, row) for text, row in zip(values, known, strict=True)])
    found: npt.NDArray[np.float64] = np.array(
        [_signs(values, text, row) for text, row in zip(values, known, strict=True)], dtype=np.float64
    )
    if _share(values, _has_luhn) >= _FOLLOWS:
        found = found / 10
    least: npt.NDArray[np.float64] = np.maximum(found, 1.0)
    return least


def shown(values: list[str], visible: list[tuple[int, int]]) -> Known:
    """Which characters of ``values`` lie in one of the ranges ``visible``; a negative start counts from the end."""
    width = max(map(len, values), default=0)
    found = np.zeros((len(values), width), dtype=bool)
    for row, text in enumerate(values):
        for first, count in visible:
            start = first if first >= 0 else max(0, len(text) + first)
            found[row, start : min(start + count, len(text))] = True
    return found


def _share(values: list[str], holds: Callable[[str], bool]) -> float:
    return sum(map(holds, values)) / max(len(values), 1)


def _is_id_number(text: str) -> bool:
    return len(text) == 18 and text[:17].isdecimal() and checks.is_id_number(text)


def _has_luhn(text: str) -> bool:
    return text.isdecimal() and 12 <= len(text) <= 19 and checks.luhn(text)


def _is_name(text: str) -> bool:
    """A surname and one or two signs, as nearly every Chinese name is."""
    begins = text[:1] in _FIRST or text[:2] in COMPOUND_SURNAMES
    return begins and 2 <= len(text) <= 4 and all("\u3400" <= sign <= "\u9fff" for sign in text)


def _names(values: list[str], text: str, known: npt.NDArray[np.bool_]) -> float:
    """Names: what is hidden counts by how often it is borne; the same surname in all values is known to all."""
    found = 1.0
    for place in range(len(text)):
        if known[place] or _kinds_at(tuple(values), place, "han") == 1.0:
            continue
        if place == 0:
            found *= _SURNAMES
        elif place > 1 or not (known[0] and text[:2] in COMPOUND_SURNAMES):
            # The second sign of a compound surname follows from its first.
            found *= _GIVEN
    return found


def _signs(values: list[str], text: str, known: npt.NDArray[np.bool_]) -> float:
    """Any sign of the kind that stands in each place that is not known; the same in all values is known to all."""
    found = 1.0
    for place, sign in enumerate(text):
        if not known[place]:
            found *= _kinds_at(tuple(values), place, "han" if sign > "\u2e80" else "")
    return found


@lru_cache(maxsize=256)
def _kinds_at(values: tuple[str, ...], place: int, kind: str) -> float:
    here = {text[place] for text in values if len(text) > place}
    if len(here) == 1 and len(values) > 20:
        return 1.0
    if kind == "han":
        return 3000.0
    digits, letters = any(one.isdigit() for one in here), any(one.isalpha() for one in here)
    return 10.0 * digits + 26.0 * letters or 10.0


def _id_numbers(text: str, known: npt.NDArray[np.bool_]) -> float:
    """Identity numbers (GB 11643): a division, a birth date that exists, three digits and what follows from them."""
    if len(text) != 18:
        return 1.0
    region = 6 - int(known[:6].sum())
    divisions = min(10.0**region, _DIVISIONS) if region < 6 else _DIVISIONS
    dates = _dates()
    here = np.frombuffer(text[6:14].encode(), np.uint8)
    fits = (dates == here) | ~known[6:14]
    numbers = 10.0 ** (3 - int(known[14:17].sum()))
    found = divisions * max(int(fits.all(axis=1).sum()), 1) * numbers
    return max(found / 11 if known[17] else found, 1.0)


@lru_cache(maxsize=1)
def _dates() -> npt.NDArray[np.uint8]:
    """The birth dates that are counted, as rows of eight digits."""
    first, last = (datetime.date(year, 1, 1).toordinal() for year in _BORN)
    text = "".join(datetime.date.fromordinal(day).strftime("%Y%m%d") for day in range(first, last))
    return np.frombuffer(text.encode(), np.uint8).reshape(-1, 8)


def visible_in(texts: pa.Array, counts: npt.NDArray[np.int64], length: int) -> list[list[tuple[int, int]]]:
    """The patterns in which masked ``texts`` (d,) leave characters in their places; each as ranges of the original.

    ``length`` is that of the originals. A mask as long as its original leaves every sign that is none in its place; any
    other its beginning and its end. Ways that fewer than one row in a hundred takes are left out.
    """
    patterns: dict[tuple[tuple[int, int], ...], int] = {}
    # What shows depends on where the mask is alone: texts of the same form are as one.
    forms = pc.replace_substring_regex(texts, f"[^{MASKS}]", _SHOWN).dictionary_encode()
    rows = np.zeros(len(forms.dictionary), np.int64)
    np.add.at(rows, forms.indices.to_numpy(), counts)
    for form, number in zip(forms.dictionary.to_pylist(), rows.tolist(), strict=True):
        pattern = _pattern(form, length)
        patterns[pattern] = patterns.get(pattern, 0) + number
    total = sum(patterns.values())
    return [list(pattern) for pattern, number in patterns.items() if pattern and number >= 0.01 * total]


def is_part_of(
    texts: pa.Array, counts: npt.NDArray[np.int64], originals: pa.Array, weights: npt.NDArray[np.int64]
) -> bool:
    """Whether ``texts`` (d,) in ``counts`` rows are ``originals`` (o,) of ``weights`` rows with signs hidden: what each shows
    stands in the same place of originals, and in no more rows than of these. Digits behind a mask that were computed do not."""
    length = int(pc.mode(pc.utf8_length(originals))[0]["mode"].as_py())
    by_pattern: dict[tuple[tuple[int, int], ...], dict[str, int]] = {}
    for text, number in zip(texts.to_pylist(), counts.tolist(), strict=True):
        if any(sign in MASKS for sign in text):
            pattern = _pattern(text, length)
            seen = by_pattern.setdefault(pattern, {})
            signs = _at_places(text, pattern)
            seen[signs] = seen.get(signs, 0) + number
    total = int(counts.sum())
    patterns = {pattern: seen for pattern, seen in by_pattern.items() if sum(seen.values()) >= 0.01 * total}
    fitting, left = 0, list(zip(originals.to_pylist(), weights.tolist(), strict=True)) if patterns else []
    for pattern, seen in patterns.items():
        there = dict.fromkeys(seen, 0)
        for original, number in left:
            signs = _at_places(original, pattern)
            if signs in there:
                there[signs] += number
        fitting += sum(min(number, there[signs]) for signs, number in seen.items())
    return bool(total) and fitting >= _IN_PLACE * total


def _at_places(text: str, ranges: tuple[tuple[int, int], ...]) -> str:
    return "\n".join(text[first : (first + count) or None] for first, count in ranges)


MASKS = "*＊×█●■□#?？~○◆◇"
_SHOWN = "0"
"""Any sign that is no mask."""


def _pattern(text: str, length: int) -> tuple[tuple[int, int], ...]:
    hidden = [place for place, sign in enumerate(text) if sign in MASKS]
    if not hidden:
        return ()
    if len(text) == length:
        runs: list[list[int]] = []
        for place in sorted(set(range(length)) - set(hidden)):
            if runs and runs[-1][0] + runs[-1][1] == place:
                runs[-1][1] += 1
            else:
                runs.append([place, 1])
        return tuple((first, count) for first, count in runs)
    behind = len(text) - 1 - hidden[-1]
    return tuple(one for one in ((0, hidden[0]), (-behind, behind)) if one[1])
