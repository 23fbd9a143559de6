"""The values that a column may have, as private synthesis knows them: by the recipe, or by noisy counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.catalogue.synthesis import PrivateSynthesisSettings, domain_of
from techniques.core.messages import EngineError, _
from techniques.core.operations import StringArray
from techniques.core.secrets import Secrets
from techniques.core.tuples import Codes
from techniques.families.randomization.columns import encoded_numbers
from techniques.values.dates import day_texts, parse_days
from techniques.values.numbers import format_numbers, parse_numbers

Whole = NDArray[np.int64]


@dataclass(frozen=True)
class MadeUp:
    """One made-up column; ``line`` are its places as numbers in the learned unit, None for categories."""

    dictionary: StringArray
    codes: Codes
    line: Any = None


@dataclass(frozen=True)
class Domain:
    """``size`` cells: 0 for what is missing or in none, then values or intervals.

    ``of_code`` has the cell of each of d codes and, at the end, that of a missing value.
    """

    name: str
    kind: str
    size: int
    of_code: Whole
    values: Any = None
    """The values of a category, for cells 1 …"""
    bounds: tuple[int, int] = (0, 0)
    """First and last unit of a range: days, or units of 10^-``scale``."""
    scale: int = 0

    def written(self, cells: Whole, secrets: Secrets, label: str) -> MadeUp:
        """The value of each row's cell, spread evenly over an interval."""
        if self.kind == "values":
            codes = (cells - 1).astype(np.int32)
            return MadeUp(self.values, codes)
        first, last = self.bounds
        edges = _edges(first, last, self.size - 1)
        place = np.maximum(cells - 1, 0)
        low, width = edges[place], (edges[place + 1] - edges[place])
        drawn = low + (secrets.uniform(label, len(cells)) * width).astype(np.int64)
        known = cells > 0
        if self.kind == "dates":
            dictionary, codes = encoded_numbers(drawn, known, day_texts)
            return MadeUp(dictionary, codes, np.where(known, drawn, np.nan))
        dictionary, codes = encoded_numbers(drawn, known, lambda x: format_numbers(x, self.scale))
        return MadeUp(dictionary, codes, np.where(known, drawn / 10.0**self.scale, np.nan))


def _edges(first: int, last: int, intervals: int) -> Whole:
    """The begin of each interval and the end of the last, in whole units; each interval has one at least."""
    return first + (np.arange(intervals + 1, dtype=np.int64) * (last + 1 - first)) // intervals


def known_domain(name: str, dictionary: StringArray, settings: PrivateSynthesisSettings) -> Domain:
    """The domain that the recipe states; it does not depend on the data."""
    kind, given = domain_of(settings.domains[name])
    if kind == "values":
        values = pa.array(given, pa.string())
        place = np.asarray(pc.index_in(dictionary, values).fill_null(-1)).astype(np.int64) + 1
        return Domain(name, kind, len(given) + 1, np.append(place, 0), values)
    if kind == "dates":
        scale = 0
        first, last = (int(np.datetime64(day).astype("datetime64[D]").astype(np.int64)) for day in given)
        numbers, valid = parse_days(dictionary)
    else:
        scale = settings.decimals
        first, last = (round(bound * 10**scale) for bound in given)
        parsed = parse_numbers(dictionary)
        numbers, valid = parsed.unscaled // 10 ** (parsed.scale - scale), parsed.valid
    intervals = min(settings.intervals, last + 1 - first)
    edges = _edges(first, last, intervals)
    bounded = np.clip(numbers, first, last)
    cell = np.searchsorted(edges, bounded, side="right")
    of_code = np.append(np.where(valid, np.minimum(cell, intervals), 0), 0).astype(np.int64)
    return Domain(name, kind, intervals + 1, of_code, None, (first, last), scale)


def open_domain(
    name: str, dictionary: StringArray, there: Whole, noisy: Whole, least: int, most: int
) -> tuple[Domain, Whole]:
    """Values found in the data whose noisy count reaches ``least``, the most frequent of them; and their counts.

    EngineError ``domain_empty`` where there is none.
    """
    order = np.argsort(-noisy, kind="stable")[:most]
    kept = np.sort(order[noisy[order] >= least])
    if not len(kept):
        text = _(
            "Column %(column)s: no value has so many rows that noise leaves it. State the column's possible "
            "values, or generalise it in an earlier step."
        )
        raise EngineError("domain_empty", text, column=name)
    of_code = np.zeros(len(dictionary) + 1, dtype=np.int64)
    of_code[there[kept]] = np.arange(1, len(kept) + 1)
    values = dictionary.take(pa.array(there[kept]))
    return Domain(name, "values", len(kept) + 1, of_code, values), noisy[kept]
