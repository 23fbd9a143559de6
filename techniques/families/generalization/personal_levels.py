"""Sensitive values as far as each person asks for it (GB/T 37964 A.5.1; Cao et al. 2018, section 3.3.3)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.catalogue.generalization import PersonalLevelsSettings
from techniques.core.operations import Context, StringArray, Unfit, Whole, WholeOperation, WholeOutcome
from techniques.core.subjects import highest_of_persons
from techniques.core.tuples import Codes
from techniques.hierarchies.build import build
from techniques.values.levels import level_of
from techniques.values.unfit import NOT_A_LEVEL

Numbers = NDArray[np.int64]


class PersonalLevels(WholeOperation):
    """Where a row asks for a level (Ppl) above that of its value (Sid), the value's ancestor at that level takes its place.

    What a person asks for holds for all of their rows: the highest counts. A level above the tree's is its top. A row without a level asks for nothing; a cell that is no level stops the run, for
    nobody is to get less than asked for unseen.
    """

    def __init__(self, settings: PersonalLevelsSettings, context: Context) -> None:
        self.settings: PersonalLevelsSettings = settings
        self.columns = context.columns
        self.place = len(context.columns)
        """Of the levels in the table: the column that is read stands behind those of the step."""

    def treat(self, table: Whole, tick: Any) -> WholeOutcome:
        """The columns anew. Unfit where a cell is no level, or a value that is to be generalised is not in the tree."""
        requested = self._requested(table)
        wanted = highest_of_persons(requested, table.subjects)
        dictionaries, codes = list(table.dictionaries[: self.place]), list(table.codes[: self.place])
        report: dict[str, Any] = {
            "levels_requested": {
                str(level): int((requested == level).sum()) for level in np.unique(requested[requested > 0])
            },
            "levels_unrequested": int((requested == 0).sum()),
        }
        for i, column in enumerate(self.columns):
            dictionaries[i], codes[i], changed = self._treated(
                table.dictionaries[i], table.codes[i], wanted, i
            )
            report[column] = {"generalised_as_requested": changed}
        return WholeOutcome(dictionaries, codes, np.zeros(table.rows, dtype=bool), report)

    def _requested(self, table: Whole) -> Numbers:
        """The level that each row itself asks for, 0 for none."""
        dictionary, codes = table.dictionaries[self.place], table.codes[self.place]
        found = [level_of(text) for text in dictionary.to_pylist()]
        wanted: Numbers = np.array([*(-1 if one is None else one for one in found), 0], dtype=np.int64)
        used = np.unique(codes[codes >= 0])
        bad = used[wanted[used] < 0]
        if len(bad):
            raise Unfit(self.place, bad.astype(np.int64), NOT_A_LEVEL)
        return wanted[codes]

    def _treated(
        self, dictionary: StringArray, codes: Codes, wanted: Numbers, column: int
    ) -> tuple[StringArray, Codes, int]:
        """(dictionary, codes, how many cells were generalised) of one column of sensitive values."""
        tree = build(self.settings.tree, dictionary)
        own = np.array(
            [self.settings.levels.get(text, 1) for text in dictionary.to_pylist()] + [0], dtype=np.int64
        )
        rows = np.flatnonzero((codes >= 0) & (wanted > own[codes]))
        unfit = np.unique(codes[rows][tree.unfit[codes[rows]]])
        if len(unfit) and tree.unfit_text is not None:
            raise Unfit(column, unfit.astype(np.int64), tree.unfit_text)
        # The values first, behind them the labels of each level.
        offsets = np.cumsum([len(dictionary), *(len(labels) for labels in tree.labels)])
        new: Numbers = codes.astype(np.int64)
        for level in np.unique(wanted[rows]):
            at = min(int(level), tree.levels) - 1
            here = rows[wanted[rows] == level]
            new[here] = offsets[at] + np.asarray(tree.codes[at])[codes[here]]
        every = pa.concat_arrays(
            [dictionary.cast(pa.string()), *(labels.cast(pa.string()) for labels in tree.labels)]
        )
        texts: Any = every.take(pa.array(new, mask=new < 0)).dictionary_encode()
        return texts.dictionary, np.array(texts.indices.fill_null(-1)).astype(np.int32), len(rows)
