"""Values of two tables beside each other, by their distinct values."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from techniques.tables.dictionary import EncodedColumn

Mask = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]

_SEPARATORS = r"[\s\p{Z}\p{Cf}\-_.,:;/\\()'’·|]+"
_NUMERALS = str.maketrans("〇零一二三四五六七八九壹贰叁肆伍陆柒捌玖", "00" + 2 * "123456789")
STARS = r"^[*＊×█●]*$"
MORE = 2
"""A value that the result has more than this many times as often as the source is a label of something coarser."""


def texts_of(column: EncodedColumn) -> pa.Array:
    """The distinct values as Arrow strings."""
    values = column.values
    return values if pa.types.is_string(values.type) else values.cast(pa.string())


def plain(texts: pa.Array) -> pa.Array:
    """Texts without what spells one value in several ways: width, case, separators, Chinese numerals."""
    found = pc.utf8_lower(pc.utf8_normalize(texts, form="NFKC"))
    found = pc.replace_substring_regex(found, _SEPARATORS, "")
    numerals = pc.match_substring_regex(found, "^[〇零一二三四五六七八九壹贰叁肆伍陆柒捌玖0-9x]{4,}$")
    if pc.any(numerals).as_py():
        spelled = [text.translate(_NUMERALS) for text in found.filter(numerals).to_pylist()]
        found = pc.replace_with_mask(found, numerals, pa.array(spelled, pa.string()))
    return found


def isin(texts: pa.Array, among: pa.Array) -> Mask:
    """Which of ``texts`` (n,) are among others; empty ones and bare masks are not."""
    found = pc.and_(pc.is_in(texts, value_set=among), pc.invert(pc.match_substring_regex(texts, STARS)))
    mask: Mask = np.asarray(pc.fill_null(found, False)).astype(bool)
    return mask


def places(texts: pa.Array, among: pa.Array) -> Counts:
    """Where each of ``texts`` (n,) stands among others, -1 where it does not."""
    found: Counts = pc.fill_null(pc.index_in(texts, value_set=among), -1).to_numpy(zero_copy_only=False)
    return found.astype(np.int64)


def kept(source: EncodedColumn, result: EncodedColumn) -> Mask:
    """Which distinct values of ``result`` (d,) are the source's own and no label of something coarser.

    A label (a region for an address in it, 10 for all from 5 to 14) may be written like one value of the source; it
    stands in the result many times as often as there.
    """
    before, after = texts_of(source), texts_of(result)
    where = places(after, before)
    counts = np.append(source.counts(), 0)[where]
    found: Mask = (where >= 0) & (result.counts() <= MORE * counts) & isin(after, before)
    return found


def share_kept(source: EncodedColumn, result: EncodedColumn) -> float:
    """Share of the present cells of ``result`` that hold one of the source's own values."""
    counts = result.counts()
    return float(counts[kept(source, result)].sum() / max(int(counts.sum()), 1))
