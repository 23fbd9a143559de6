"""What a result still tells of direct identifiers: values that stayed, that stand elsewhere or are written otherwise, and
parts of them that together leave too few originals."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pydantic import BaseModel

from techniques.core.messages import _
from techniques.identification.keys import ALIKE, MOSTLY_RARE
from techniques.identification.traces import candidates, codes, encodings
from techniques.identification.traces.inside import Sought
from techniques.identification.traces.telling import enough, rare_share
from techniques.identification.traces.values import (
    Counts,
    Mask,
    Shares,
    by_chance,
    isin,
    kept_at,
    plain,
    texts_of,
)
from techniques.tables.dictionary import MISSING, EncodedColumn
from techniques.values.dates import parse_dates
from techniques.values.numbered import NumberedTexts

Tables = Mapping[str, EncodedColumn]
_LEFT = 0.5
"""Share of a column from which values that chance could give are taken for the source's."""
_ELSEWHERE = 0.2
"""Share of another column from which short values that it shares with an identifier are taken for it."""
_CHANCE = 10
"""Times as many hits as chance gives that digits must reach."""
_LEAST_TELLING = 3
"""Characters of a value that nobody meets by chance, at least: so many Chinese ones."""
_TELLING_IN_ASCII = "[0-9a-z@+]{8}"
"""What every such value of ASCII alone holds."""
_COMPARED = 100
"""Rows of the source on which slices are looked for."""
_ALIGNED = 0.9
_CODE = rf"^[^\s\p{{Ps}}\p{{Pe}}，。；！,;{candidates.MASKS}]+$"
"""What a code looks like, of whatever signs; a mask is judged by what it leaves, a text by what was taken out of it."""
_LONGEST_CODE = 256
"""Its characters, at most; an expression that counts them takes twenty times as long."""


class _Column:
    """A column with its distinct values as they are written, and in the forms that each original is compared with."""

    def __init__(self, cells: EncodedColumn) -> None:
        self.cells = cells
        self.texts = texts_of(cells)

    @cached_property
    def counts(self) -> Counts:
        return self.cells.counts()

    @cached_property
    def folded(self) -> pa.Array:
        return plain(self.texts)

    @cached_property
    def entered(self) -> NumberedTexts:
        """Its values in their plain form, to look up those of other columns among them."""
        return NumberedTexts(self.folded)

    @cached_property
    def digest_like(self) -> encodings.DigestLike:
        return encodings.DigestLike(self.texts)

    @cached_property
    def _of_telling(self) -> tuple[int, bool]:
        """Characters that each of its :attr:`telling` values has at least, and whether all its values are of ASCII."""
        sizes = pc.utf8_length(self.folded)
        least = pc.min(sizes.filter(pc.greater_equal(sizes, _LEAST_TELLING))).as_py()
        return least or _LEAST_TELLING, pc.all(pc.string_is_ascii(self.folded)).as_py()

    def can_stand_in(self, texts: pa.Array) -> bool:
        """Whether one of ``texts`` (n,) in their plain form is long enough, and has the signs, to hold a :attr:`telling` value and more;
        to look for none takes far less than to enter all of them."""
        least, is_ascii = self._of_telling
        longer = texts.filter(pc.greater(pc.utf8_length(texts), least))
        if is_ascii and len(longer):
            return bool(pc.any(pc.match_substring_regex(longer, _TELLING_IN_ASCII)).as_py())
        return len(longer) > 0

    @cached_property
    def telling(self) -> Sought:
        """Those of its values in their plain form that nobody meets by chance."""
        return Sought(self.folded.filter(pa.array(_telling(self.folded))))


class Trace(BaseModel, frozen=True):
    """A column of the result that leads back to the direct identifier ``about``; never a value."""

    column: str
    about: str
    kind: Literal["kept", "elsewhere", "written_otherwise", "within", "too_few", "code"]
    rows: int
    message: str
    params: dict[str, str | int | float]


def traces(
    source: Tables,
    result: Tables,
    direct: Collection[str],
    made: Collection[str] = (),
    made_up: Collection[str] = (),
    shares: Shares | None = None,
) -> list[Trace]:
    """Compare every column of ``result``, and its name, with the columns ``direct`` of ``source``.

    ``made``: columns whose values the run makes, so that a few may be real ones by chance; of those of ``made_up`` identifiers
    that is judged elsewhere. ``shares`` are those of both, where they are wanted of others too.
    """
    identifiers = [name for name in dict.fromkeys(direct) if name in source]
    found = _by_value(source, result, identifiers, made, made_up)
    known = {trace.column for trace in found}
    shares = shares or Shares(source, result)
    for about in identifiers:
        found += _too_few(source, {k: v for k, v in result.items() if k not in known}, about, made, shares)
    known = {trace.column for trace in found}
    held: dict[str, dict[int, int]] = {}
    for about in identifiers:
        left = {name: cells for name, cells in result.items() if name not in known and name not in made_up}
        coded = list(_codes(source, left, about, made, held, shares))
        known |= {trace.column for trace in coded}
        found += coded
    return found


def _by_value(
    source: Tables,
    result: Tables,
    identifiers: Collection[str],
    made: Collection[str],
    made_up: Collection[str],
) -> list[Trace]:
    """Columns that hold values of the ``identifiers`` or are called by one, by the identifier."""
    originals = {name: _Column(source[name]) for name in identifiers}
    digests = {name: encodings.Digests(original.texts, name) for name, original in originals.items()}
    chances = {name: _Chance(original.folded) for name, original in originals.items()}
    back: dict[str, list[Trace]] = {about: [] for about in originals}
    for column, cells in result.items():
        # The forms of one column at a time are held.
        written = _Column(cells)
        traced: dict[str, Trace] = {}
        if column in originals and column not in made_up:
            least = _ELSEWHERE if column in made else 0.0
            if (trace := _kept(column, originals[column], written, least)) is not None:
                traced[column] = trace
        left = {about: original for about, original in originals.items() if about not in traced}
        traced |= _otherwise(column, written, left, digests, chances)
        for about, original in originals.items():
            trace = traced.get(about)
            if trace is None and column != about and column not in made:
                trace = _elsewhere(column, about, written, original, chances[about])
            if trace is not None:
                back[about].append(trace)
    return [
        trace
        for about, original in originals.items()
        for trace in (*_headings(result, about, original.entered), *back[about])
    ]


def _codes(
    source: Tables,
    result: Tables,
    about: str,
    made: Collection[str],
    held: dict[str, dict[int, int]],
    shares: Shares,
) -> Iterator[Trace]:
    """Columns that are computed from ``about`` without a key, with as many codes as it has values or with fewer.

    What a code leaves is counted as of a mask; besides, too few records must not share one. An identifier that is openly shown
    in part is no code, and what it leaves was counted by :func:`_too_few`. ``held`` keeps what was read of columns as codes.
    """
    rows = codes.compared_rows(source[about])
    if len(rows) == 0:
        return
    texts = texts_of(source[about])
    names = _at(texts, source[about], rows)
    weights = source[about].counts()
    for column, cells in result.items():
        number = len(cells) - cells.missing
        params = _params(column, about, number)
        beside = column != about and column in source and shares.of(column) >= _LEFT
        found = codes.beside(names, _at(texts_of(source[column]), source[column], rows)) if beside else None
        if not beside:
            if column not in held:
                held[column] = codes.held(cells)
            found = codes.among(texts, weights, held[column])
        if found is not None and column == about and column not in made:
            shown = candidates.is_part_of(texts_of(cells), cells.counts(), texts, weights)
            found = None if shown else found
        if found is not None:
            values = [text or "" for text in names]
            left = float(np.median(candidates.remaining(values, candidates.shown(values, [])))) / found.values
            if _is_rare(cells) or left < candidates.MINIMUM:
                text = _(
                    "“%(column)s” is computed from “%(about)s” without a key, in %(rows)d rows: whoever knows an original "
                    "computes its code."
                )
                yield Trace(column=column, about=about, kind="code", rows=number, message=text, params=params)
        elif column == about and column not in made and _is_rare(cells) and _are_codes(cells):
            text = _(
                "“%(column)s” holds codes that no key made, most of them shared by too few records to hide anybody: "
                "%(rows)d rows."
            )
            yield Trace(column=column, about=about, kind="code", rows=number, message=text, params=params)


def _is_rare(cells: EncodedColumn) -> bool:
    """Whether too few rows share most of the values."""
    return rare_share(cells.counts(), enough(ALIKE, len(cells))) >= MOSTLY_RARE


def _are_codes(cells: EncodedColumn) -> bool:
    texts = texts_of(cells)
    shaped = np.asarray(pc.match_substring_regex(texts, _CODE)).astype(bool)
    shaped &= np.asarray(pc.utf8_length(texts)) <= _LONGEST_CODE
    return int(cells.counts()[shaped].sum()) >= _ALIGNED * int(cells.counts().sum())


class _Chance:
    """How often a number of some digits is a value of the source by chance, by how many of these there are."""

    def __init__(self, folded: pa.Array) -> None:
        digits = folded.filter(pc.match_substring_regex(folded, "^[0-9]+$"))
        lengths, counts = np.unique(pc.utf8_length(digits).to_numpy(), return_counts=True)
        self._share = {
            int(n): min(1.0, by_chance(int(c), int(n))) for n, c in zip(lengths, counts, strict=True)
        }

    def of(self, text: str) -> float:
        return self._share.get(len(text), 0.0) if text.isdecimal() else 0.0


def _telling(texts: pa.Array) -> Mask:
    """Values that nobody meets by chance: nine digits, eight letters and digits, three Chinese characters."""
    shape = r"^[0-9]{9,}$|^[0-9a-z@+]*[a-z@][0-9a-z@+]*$|\p{Han}.*\p{Han}.*\p{Han}"
    fits = np.asarray(pc.fill_null(pc.match_substring_regex(texts, shape), False)).astype(bool)
    lengths = np.asarray(pc.fill_null(pc.utf8_length(texts), 0))
    latin = np.asarray(pc.fill_null(pc.string_is_ascii(texts), False)).astype(bool)
    mask: Mask = fits & (~latin | (lengths >= 8))
    return mask


def _headings(result: Tables, about: str, values: NumberedTexts) -> Iterator[Trace]:
    """Columns that are called by a value of ``about``, as a table has them that was turned by it."""
    names = pa.array(list(result), pa.string())
    called = plain(names)
    hits = isin(called, values) & _telling(called)
    for column in names.filter(pa.array(hits)).to_pylist():
        text = _("The name of a column is a value of “%(about)s”.")
        yield Trace(
            column=column, about=about, kind="elsewhere", rows=len(result[column]), message=text, params={"about": about}
        )  # fmt: skip


def _kept(about: str, source: _Column, result: _Column, least: float) -> Trace | None:
    """Values that are still there, whatever step names the column, in more than the share ``least`` of the rows."""
    after, counts = result.folded, result.counts
    same = kept_at(source.entered.numbers(after), source.counts, after, counts)
    rows, present = int(counts[same].sum()), int(counts.sum())
    digits = np.asarray(pc.match_substring_regex(after, "^[0-9]{1,8}$")).astype(bool)
    if rows > least * present and ((same & ~digits).any() or rows >= _LEFT * present):
        text = _(
            "“%(column)s” still holds %(rows)d values of the source, whatever step names it: treated is what the file "
            "shows changed."
        )
        return Trace(
            column=about,
            about=about,
            kind="kept",
            rows=rows,
            message=text,
            params=_params(about, about, rows),
        )
    return None


def _otherwise(
    column: str,
    written: _Column,
    originals: Mapping[str, _Column],
    digests: Mapping[str, encodings.Digests],
    chances: Mapping[str, _Chance],
) -> dict[str, Trace]:
    """Values of some of the ``originals`` in a form that anybody can turn back, or as digests without a key, by the original."""
    counts, found = written.counts, dict[str, Trace]()
    # One form at a time is held: it is as large as the column.
    for how, turned in encodings.readings(written.texts, written.folded):
        for about in originals.keys() - found.keys():
            hits = isin(turned, originals[about].entered)
            if how in ("reversed", "turned") and hits.any():
                hits &= ~isin(written.folded, originals[about].entered)
            if how == "turned" and counts[hits].sum() < _ELSEWHERE * counts.sum():
                # A few other names may be made of the same signs.
                continue
            if hits.any() and _beyond_chance(turned, hits, counts, chances[about]):
                found[about] = _written_otherwise(column, about, how, int(counts[hits].sum()))
        del turned
        if len(found) == len(originals):
            break
    for about in originals.keys() - found.keys():
        how, digested = digests[about].among(written.digest_like)
        if rows := int(counts[digested].sum()):
            found[about] = _written_otherwise(column, about, how, rows)
    return found


def _written_otherwise(column: str, about: str, how: str, rows: int) -> Trace:
    if how == "reversed":
        text = _("“%(column)s” holds values of “%(about)s” written backwards, in %(rows)d rows.")
    elif how == "turned":
        text = _("“%(column)s” holds values of “%(about)s” with the surname last, in %(rows)d rows.")
    else:
        text = _("“%(column)s” holds values of “%(about)s” as %(how)s, which needs no key, in %(rows)d rows.")
    params = _params(column, about, rows) | {"how": how}
    return Trace(column=column, about=about, kind="written_otherwise", rows=rows, message=text, params=params)


def _elsewhere(column: str, about: str, written: _Column, original: _Column, chance: _Chance) -> Trace | None:
    """Values of ``about`` in another column, whole or within longer texts."""
    texts, counts = written.folded, written.counts
    hits = isin(texts, original.entered)
    if hits.any() and _beyond_chance(texts, hits, counts, chance):
        rows = int(counts[hits].sum())
        text = _("“%(column)s” holds values of “%(about)s” in %(rows)d rows.")
        return Trace(
            column=column,
            about=about,
            kind="elsewhere",
            rows=rows,
            message=text,
            params=_params(column, about, rows),
        )
    if not original.can_stand_in(texts):
        return None
    inside, expected = original.telling.within(texts, counts)
    if inside > _CHANCE * expected:
        text = _("The values of “%(column)s” hold values of “%(about)s” in %(rows)d rows.")
        params = _params(column, about, inside)
        return Trace(column=column, about=about, kind="within", rows=inside, message=text, params=params)
    return None


def _beyond_chance(texts: pa.Array, hits: Mask, counts: Counts, chance: _Chance) -> bool:
    """Whether hits among distinct ``texts`` (d,) say more than that both columns draw from the same few values."""
    here = texts.filter(pa.array(hits)).to_pylist()
    number, present = int(counts[hits].sum()), max(int(counts.sum()), 1)
    likely = max(map(chance.of, here), default=0.0)
    if bool(_telling(texts)[hits].any()):
        return number > _CHANCE * likely * present
    # Few different values of a category, or short numbers, are met in any column.
    return len(here) >= 5 and number >= max(_ELSEWHERE, _CHANCE * likely) * present


def _too_few(
    source: Tables, result: Tables, about: str, made: Collection[str], shares: Shares
) -> Iterator[Trace]:
    """Parts of ``about`` that together leave fewer originals than :data:`.candidates.MINIMUM`."""
    rows = _rows_with(source[about])
    if len(rows) == 0:
        return
    values = [text or "" for text in _in_plain(source[about], rows)]
    known = candidates.shown(values, [])
    pieces: list[str] = []
    for column in result:
        if column == about or column not in source:
            continue
        part = _slice_of(values, source[column], rows)
        if part is not None and shares.of(column) >= _LEFT:
            known |= part
            pieces.append(column)
    patterns = [known]
    if about in result and about not in made:
        ranges = _left_of(source[about], result[about], values)
        patterns = [known | candidates.shown(values, one) for one in ranges] or patterns
        pieces += [about] if ranges else []
    if not pieces:
        return
    left = min(float(np.median(candidates.remaining(values, pattern))) for pattern in patterns)
    if about in result and about not in made:
        # Many originals under one coarse value remain, however they are written.
        left = max(left, len(source[about].values) / max(len(result[about].values), 1))
    if left >= candidates.MINIMUM:
        return
    columns = ", ".join(pieces)
    text = _(
        "What “%(column)s” leaves of “%(about)s” is too little to hide it: %(left)d originals remain where at least "
        "%(minimum)d have to."
    )
    if len(pieces) > 1:
        text = _(
            "Together “%(column)s” leave too little of “%(about)s” hidden: %(left)d originals remain where at least "
            "%(minimum)d have to."
        )
    number = len(result[pieces[-1]]) - result[pieces[-1]].missing
    params: dict[str, Any] = {"left": int(left), "minimum": candidates.MINIMUM}
    params |= _params(columns, about, number)
    yield Trace(column=pieces[-1], about=about, kind="too_few", rows=number, message=text, params=params)


def _rows_with(column: EncodedColumn) -> Counts:
    """Some rows of the source, evenly over the table, in which there is a value."""
    present = np.flatnonzero(column.codes != MISSING)
    chosen: Counts = present[np.linspace(0, len(present) - 1, min(_COMPARED, len(present))).astype(np.int64)]
    return chosen


def _at(texts: pa.Array, column: EncodedColumn, rows: Counts) -> list[str | None]:
    found: list[str | None] = _taken(texts, column, rows).to_pylist()
    return found


def _taken(texts: pa.Array, column: EncodedColumn, rows: Counts) -> pa.Array:
    codes = column.codes[rows]
    return texts.take(pa.array(codes, mask=codes == MISSING))


def _in_plain(column: EncodedColumn, rows: Counts) -> list[str | None]:
    """The values at ``rows`` in their plain form."""
    found: list[str | None] = plain(_taken(texts_of(column), column, rows)).to_pylist()
    return found


def _slice_of(values: list[str], column: EncodedColumn, rows: Counts) -> candidates.Known | None:
    """The characters of ``values`` that a column of the same rows holds, always in the same place; None where it does not."""
    texts = _taken(texts_of(column), column, rows)
    dates = parse_dates(pc.fill_null(texts, ""))
    days = [f"{y:04}{m:02}{d:02}" if ok else None for y, m, d, ok in zip(
        dates.year.tolist(), dates.month.tolist(), dates.day.tolist(), dates.valid.tolist(), strict=True
    )]  # fmt: skip
    for parts in (plain(texts).to_pylist(), days):
        pairs = [(value, part) for value, part in zip(values, parts, strict=True) if part]
        if len(pairs) < len(values) / 2 or len({part for _value, part in pairs}) < 2:
            continue
        longest = max(map(len, values))
        # So many of them need not fit.
        most = sum(_ALIGNED * len(pairs) <= fits for fits in range(len(pairs)))
        for first in range(longest):
            unfit = (pair for pair in pairs if not pair[0].startswith(pair[1], first))
            if next(islice(unfit, most, None), None) is None:
                found = np.zeros((len(values), longest), dtype=bool)
                for row, part in enumerate(parts):
                    found[row, first : first + len(part or "")] = True
                return found
    return None


def _left_of(source: EncodedColumn, result: EncodedColumn, values: list[str]) -> list[list[tuple[int, int]]]:
    """The patterns in which values of a column are written in part: masked, cut, or with other signs at their end."""
    folded, counts = plain(texts_of(result)), result.counts()
    if len(folded) == 0:
        return []
    some = np.linspace(0, len(folded) - 1, min(len(folded), 20_000)).astype(np.int64)
    folded, counts = folded.take(pa.array(some)), counts[some]
    lengths = [len(value) for value in values]
    length = max(set(lengths), key=lengths.count)
    masked = np.asarray(pc.match_substring_regex(folded, f"[{candidates.MASKS}]")).astype(bool)
    if masked.any():
        return candidates.visible_in(folded.filter(pa.array(masked)), counts[masked], length)
    return _cut(plain(texts_of(source)), folded, length)


def _cut(before: pa.Array, after: pa.Array, length: int) -> list[list[tuple[int, int]]]:
    """The longest beginning or end of the originals that values of the result have, alone or before other signs."""
    width = int(np.median(pc.utf8_length(after).to_numpy()))
    for size in range(min(width, length), 0, -1):
        ahead = isin(pc.utf8_slice_codeunits(after, 0, size), pc.utf8_slice_codeunits(before, 0, size))
        if ahead.mean() >= _ALIGNED:
            return [[(0, size)]]
        behind = isin(pc.utf8_slice_codeunits(after, -size), pc.utf8_slice_codeunits(before, -size))
        if behind.mean() >= _ALIGNED:
            return [[(-size, size)]]
    return []


def _params(column: str, about: str, rows: int) -> dict[str, str | int | float]:
    return {"column": column, "about": about, "rows": rows}
