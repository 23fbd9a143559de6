"""Values of two tables beside each other, by their distinct values."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from techniques.core.compiling import compiled
from techniques.tables.dictionary import EncodedColumn
from techniques.values.buffers import layout
from techniques.values.lookup import is_among, places
from techniques.values.numbered import NumberedTexts

Mask = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]

_SEPARATORS = r"[\s\p{Z}\p{Cf}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Pd}\p{Mn}\-_.,:;/\\()'’·|、，。；：\x{2700}-\x{27BF}\x{1F000}-\x{1FAFF}]+"
"""Blanks, brackets, quotes, dashes, strokes through a sign, pictures: none of them belongs to a value, and none is a mask."""
_ASCII = pa.array(map(chr, range(128)), pa.string())
_ASCII_SEPARATORS = "[" + "".join(
    re.escape(sign) for sign in _ASCII.filter(pc.match_substring_regex(_ASCII, _SEPARATORS)).to_pylist()
) + "]+"  # fmt: skip
"""Those of them that ASCII has; Chinese characters are none. To read the classes of all signs takes longer than to look
through a thousand values."""
_CAPITAL, _LETTER, _SEPARATOR, _BEYOND_ASCII = 1, 2, 4, 8
_SIGNS = np.zeros(256, np.uint8)
"""What each byte is a sign of."""
_SIGNS[[ord(sign) for sign in _ASCII.filter(pc.match_substring_regex(_ASCII, _SEPARATORS)).to_pylist()]] = (
    _SEPARATOR
)
_SIGNS[ord("A") : ord("Z") + 1] = _CAPITAL | _LETTER
_SIGNS[ord("a") : ord("z") + 1] = _LETTER
_SIGNS[0x80:] = _BEYOND_ASCII
_NEITHER_ASCII_NOR_HAN = r"[^\x00-\x7F\x{3400}-\x{9FFF}]"
_NUMERALS = str.maketrans("〇零一二三四五六七八九壹贰叁肆伍陆柒捌玖", "00" + 2 * "123456789")
_NUMBER_WORDS = {
    word: str(digit)
    for words in (
        "zero one two three four five six seven eight nine",
        "oh one two three four five six seven eight nine",
        "ling yi er san si wu liu qi ba jiu",
        "ling yao er san si wu liu qi ba jiu",
    )
    for digit, word in enumerate(words.split())
}
"""Digits as English and Pinyin spell them, with the o and the yao of telephone numbers."""
_WORDS = "|".join(sorted(_NUMBER_WORDS, key=len, reverse=True))
_OTHER_DIGIT = r"[^\x00-\x7F\P{Nd}]"
_CHINESE_NUMERAL = "[〇零一二三四五六七八九壹贰叁肆伍陆柒捌玖]"
_IN_CHINESE = "^[〇零一二三四五六七八九壹贰叁肆伍陆柒捌玖0-9x]{4,}$"
_MOST_DIGITS = 300
STARS = r"^[*＊×█●]*$"
MORE = 2
"""A value that the result has more than this many times as often as the source is a label of something coarser."""


def texts_of(column: EncodedColumn) -> pa.Array:
    """The distinct values as Arrow strings."""
    values = column.values
    return values if pa.types.is_string(values.type) else values.cast(pa.string())


def plain(texts: pa.Array) -> pa.Array:
    """Texts without what spells one value in several ways: width, case, separators, numerals of other scripts, digits in words."""
    signs = _signs_in(texts)
    if not signs & _BEYOND_ASCII:
        found = pc.ascii_lower(texts) if signs & _CAPITAL else texts
        return _in_digits(_without_separators(found, signs), signs)
    found = pc.utf8_lower(pc.utf8_normalize(texts, form="NFKC"))
    if pc.any(pc.match_substring_regex(found, _NEITHER_ASCII_NOR_HAN)).as_py():
        found = _spelled(found, _OTHER_DIGIT, _with_our_digits)
        found = pc.replace_substring_regex(found, _SEPARATORS, "")
        signs = _signs_in(found)
    else:
        signs = _signs_in(found)
        found = _without_separators(found, signs)
    found = _in_digits(found, signs)
    return _spelled(found, _IN_CHINESE, lambda text: text.translate(_NUMERALS), holding=_CHINESE_NUMERAL)


def _signs_in(texts: pa.Array) -> int:
    """What the texts are made of: which of :data:`_CAPITAL`, :data:`_LETTER`, :data:`_SEPARATOR` and :data:`_BEYOND_ASCII`."""
    bounds, data = layout(texts)
    return int(_all_of(data[bounds[0] : bounds[-1]], _SIGNS))


@compiled
def _all_of(data, signs):  # type: ignore[no-untyped-def]
    found = 0
    for byte in data:
        found |= signs[byte]
    return found


def _without_separators(texts: pa.Array, signs: int) -> pa.Array:
    """Texts of ASCII and Chinese characters, of which is known what is in them."""
    return pc.replace_substring_regex(texts, _ASCII_SEPARATORS, "") if signs & _SEPARATOR else texts


def _in_digits(texts: pa.Array, signs: int) -> pa.Array:
    return _spelled(texts, f"^({_WORDS}){{4,}}$", _from_words) if signs & _LETTER else texts


def _spelled(texts: pa.Array, shape: str, spell: Callable[[str], str], *, holding: str = "") -> pa.Array:
    """Texts (n,) of which those of a ``shape`` (RE2) are spelled anew; only those ``holding`` a sign, if one is given."""
    shaped = pc.match_substring_regex(texts, holding or shape)
    if holding and pc.any(shaped).as_py():
        shaped = pc.and_(shaped, pc.match_substring_regex(texts, shape))
    if not pc.any(shaped).as_py():
        return texts
    return pc.replace_with_mask(
        texts, shaped, pa.array(map(spell, texts.filter(shaped).to_pylist()), pa.string())
    )


def _with_our_digits(text: str) -> str:
    return "".join(str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in text)


def _from_words(text: str) -> str:
    return "".join(_NUMBER_WORDS[word] for word in re.findall(_WORDS, text))


def isin(texts: pa.Array, among: pa.Array | NumberedTexts) -> Mask:
    """Which of ``texts`` (n,) are among others; empty ones and bare masks are not."""
    found = among.numbers(texts) >= 0 if isinstance(among, NumberedTexts) else is_among(texts, among)
    found[found] = ~np.asarray(pc.match_substring_regex(texts.filter(pa.array(found)), STARS)).astype(bool)
    return found


def by_chance(number: int, digits: int) -> float:
    """How often so many ``digits`` are one of a ``number`` of values by chance; never, where no float is as large."""
    return number / 10.0**digits if digits <= _MOST_DIGITS else 0.0


def kept(source: EncodedColumn, result: EncodedColumn) -> Mask:
    """Which distinct values of ``result`` (d,) are the source's own and no label of something coarser.

    A label (a region for an address in it, 10 for all from 5 to 14) may be written like one value of the source; it
    stands in the result many times as often as there.
    """
    after = texts_of(result)
    return kept_at(places(after, texts_of(source)), source.counts(), after, result.counts())


def kept_at(where: npt.NDArray[np.integer], before: Counts, after: pa.Array, counts: Counts) -> Mask:
    """:func:`kept` of values ``after`` (d,) with their ``counts`` that stand at these places of the source's (-1: nowhere), of which
    ``before`` says how often each occurs there."""
    there = np.append(before, 0)[where]
    found: Mask = (where >= 0) & (counts <= MORE * there)
    found[found] = ~np.asarray(pc.match_substring_regex(after.filter(pa.array(found)), STARS)).astype(bool)
    return found


class Shares:
    """Of each column how much of the source the result has kept, counted when it is asked for, and once."""

    def __init__(self, source: Mapping[str, EncodedColumn], result: Mapping[str, EncodedColumn]) -> None:
        self._source, self._result = source, result
        self._known: dict[str, float] = {}

    def of(self, column: str) -> float:
        """:func:`share_kept` of a column that both have."""
        if column not in self._known:
            self._known[column] = share_kept(self._source[column], self._result[column])
        return self._known[column]


def share_kept(source: EncodedColumn, result: EncodedColumn) -> float:
    """Share of the present cells of ``result`` that hold one of the source's own values."""
    counts = result.counts()
    return float(counts[kept(source, result)].sum() / max(int(counts.sum()), 1))
