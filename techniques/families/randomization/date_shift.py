"""All dates of one subject shifted together (GB/T 37964 C.2.7)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.catalogue.randomization import DateShiftSettings
from techniques.core.canonical import canonical_json
from techniques.core.draws import Reals, Records
from techniques.core.groups import chosen_columns
from techniques.core.operations import Context, StringArray, Unfit, Whole, WholeOperation, WholeOutcome
from techniques.families.pseudonymization.digests import keyed_hashes
from techniques.families.randomization.columns import encoded_numbers
from techniques.values.dates import day_texts, parse_days
from techniques.values.unfit import NOT_A_DAY

Days = NDArray[np.int64]


class DateShift(WholeOperation):
    """One number of days for every subject, which the salt and the subject determine; the time of day is left out.

    Differences between dates of one subject stay exactly, over all columns of the step.
    """

    unfit_text = NOT_A_DAY

    def __init__(self, settings: DateShiftSettings, context: Context) -> None:
        self.settings: DateShiftSettings = settings
        self.context = context
        [self.subject] = chosen_columns("subject", [settings.subject], context.columns)

    def treat(self, table: Whole, tick: Any) -> WholeOutcome:
        subjects = table.codes[self.subject]
        shift = np.append(self._shifts(table.dictionaries[self.subject], table.records), 0)[subjects]
        alone = np.flatnonzero(subjects < 0)
        if len(alone):
            shift[alone] = self._chosen(self._draws_of_rows(alone, table.records))
        dictionaries, codes = list(table.dictionaries), list(table.codes)
        for i in range(len(codes)):
            if i == self.subject:
                continue
            days, valid = parse_days(table.dictionaries[i])
            used = np.unique(codes[i][codes[i] >= 0])
            if self.settings.unfit == "error" and not valid[used].all():
                raise Unfit(i, used[~valid[used]].astype(np.int64), NOT_A_DAY)
            known = np.append(valid, False)[codes[i]]
            dictionaries[i], codes[i] = encoded_numbers(
                np.append(days, 0)[codes[i]] + shift, known, day_texts
            )
        report = {"subjects": len(np.unique(subjects[subjects >= 0])), "rows_without_subject": len(alone)}
        return WholeOutcome(dictionaries, codes, np.zeros(table.rows, dtype=bool), report)

    @property
    def _choices(self) -> int:
        return 2 * (self.settings.maximum - self.settings.minimum + 1)

    def _days(self, choice: Days) -> Days:
        """The numbers of days: half of the choices go back, the others forward."""
        size = self.settings.minimum + choice // 2
        days: Days = np.where(choice % 2 == 0, size, -size)
        return days

    def _chosen(self, draws: Reals) -> Days:
        return self._days((draws * self._choices).astype(np.int64))

    def _draws_of_rows(self, rows: Days, records: Records | None) -> Reals:
        """Of rows of nobody in particular."""
        if records is not None:
            return records.of_rows(rows).rows(f"date shift {self._terms}").uniform()
        return self.context.secrets.uniform(f"step {self.context.step} rows without subject", len(rows))

    @property
    def _terms(self) -> str:
        """What two releases have to have in common for a subject to keep its shift."""
        return canonical_json([self.settings.minimum, self.settings.maximum, self._domain])

    @property
    def _domain(self) -> str:
        return self.settings.domain or self.settings.subject

    def _shifts(self, subjects: StringArray, records: Records | None) -> Days:
        if records is not None:
            label = f"date shift {self._terms}"
            blocks = records.key.named(f"subject {label}", subjects)[:-1]
            return self._chosen(records.key.draws(label, [blocks]).uniform())
        domain = self._domain.encode()
        key = self.context.secrets.shared_key("date shift")
        digests = keyed_hashes("hmac-sm3", key, len(domain).to_bytes(4, "big") + domain, subjects)
        first = np.ascontiguousarray(digests[:, :8]).view(">u8")[:, 0]
        return self._days((first % self._choices).astype(np.int64))
