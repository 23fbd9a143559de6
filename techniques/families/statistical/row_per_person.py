"""One row for each person, kept or put together from all of its rows (GB/T 37964 chapter 1, 5.4.2 a)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.catalogue.statistical import RowPerPersonSettings
from techniques.core.groups import chosen_columns, group_of_rows
from techniques.core.operations import Context, StringArray, Unfit, Whole, WholeOperation, WholeOutcome
from techniques.core.subjects import persons
from techniques.core.tuples import Codes
from techniques.families.randomization.columns import encoded, reals, texts
from techniques.families.statistical.aggregation import figures
from techniques.values.unfit import NOT_A_NUMBER


class RowPerPerson(WholeOperation):
    """Of each person's rows one stays. Columns that are put together have in it all values of the person or a figure of them.

    Whose the rows are says the recipe's subject; where it names none, the step's columns that are not put together do.
    """

    unfit_text = NOT_A_NUMBER

    def __init__(self, settings: RowPerPersonSettings, context: Context) -> None:
        self.settings: RowPerPersonSettings = settings
        self.columns = context.columns
        self.context = context
        chosen_columns("collected", settings.collected, context.columns, all_of_them=True)

    def treat(self, table: Whole, tick: Any) -> WholeOutcome:
        """All rows, but for one of each person marked as removed; Unfit."""
        collected = [i for i, name in enumerate(self.columns) if name in self.settings.collected]
        if table.subjects is None:
            key = [i for i in range(len(self.columns)) if i not in collected]
            who, count = group_of_rows(table, key)
        else:
            found, count = persons(table.subjects)
            who = found.astype(np.int64)
        kept = np.zeros(table.rows, dtype=bool)
        kept[self._kept(who)] = True
        dictionaries, codes = list(table.dictionaries), list(table.codes)
        for place, i in enumerate(collected):
            dictionaries[i], codes[i] = self._column(table, i, who, count)
            tick((place + 1) / len(collected))
        rows = np.bincount(who, minlength=count)
        report = {"persons": count, "rows": table.rows, "most_rows": int(rows.max(initial=0))}
        return WholeOutcome(dictionaries, codes, ~kept, report)

    def _kept(self, who: NDArray[np.integer]) -> NDArray[np.int64]:
        """The row of each person that stays."""
        if self.settings.keep == "drawn":
            draws = self.context.secrets.uniform(f"step {self.context.step} rows", len(who))
            order = np.lexsort((draws, who))
        elif self.settings.keep == "last":
            order = np.lexsort((-np.arange(len(who)), who))
        else:
            order = np.argsort(who, kind="stable")
        first = np.append(True, who[order][1:] != who[order][:-1])[: len(who)]
        found: NDArray[np.int64] = order[first]
        return found

    def _column(
        self, table: Whole, i: int, who: NDArray[np.integer], count: int
    ) -> tuple[StringArray, Codes]:
        """What stands in every row of a person instead of the cell of one of them."""
        how = self.settings.collected[self.columns[i]]
        dictionary, codes = table.dictionaries[i], table.codes[i]
        known = codes >= 0
        if how == "values":
            return _joined(dictionary, codes[known], who[known], count, self.settings.separator, who)
        if how == "count":
            numbers, valid = np.zeros(len(dictionary)), np.ones(len(dictionary), dtype=bool)
        else:
            numbers, valid = reals(dictionary)
            used = np.unique(codes[known])
            bad = used[~valid[used]]
            if len(bad) and self.settings.unfit == "error":
                raise Unfit(i, bad.astype(np.int64), NOT_A_NUMBER)
        known &= np.append(valid, False)[codes]
        made, present = figures(
            how, np.append(numbers, 0.0)[codes][known], who[known].astype(np.int64), count
        )
        decimals = 0 if how == "count" else self.settings.decimals
        values, numbered = encoded(texts(made, decimals), (present > 0) | (how == "count"))
        return values, numbered[who]


def _joined(
    dictionary: StringArray,
    codes: Codes,
    who: NDArray[np.integer],
    count: int,
    separator: str,
    of_row: NDArray[np.integer],
) -> tuple[StringArray, Codes]:
    """The different values of each person in the order of the texts, as one text."""
    rank = np.empty(len(dictionary), dtype=np.int64)
    order = np.asarray(pc.sort_indices(dictionary))
    rank[order] = np.arange(len(dictionary))
    pairs = np.unique(who.astype(np.int64) * max(len(dictionary), 1) + rank[codes])
    person, value = np.divmod(pairs, max(len(dictionary), 1))
    lists = pa.ListArray.from_arrays(
        pa.array(np.searchsorted(person, np.arange(count + 1)).astype(np.int32)),
        dictionary.take(pa.array(order[value])),
    )
    there = np.bincount(person, minlength=count) > 0
    joined = pc.binary_join(lists, separator).filter(pa.array(there)).dictionary_encode()
    numbered = np.full(count, -1, dtype=np.int32)
    numbered[there] = np.asarray(joined.indices).astype(np.int32)
    return joined.dictionary, numbered[of_row]
