"""Dates to periods (GB/T 37964 C.2.7)."""

from __future__ import annotations

from techniques.catalogue.generalization import DateGeneralizationSettings
from techniques.core.operations import Outcome, StringArray, ValueOperation
from techniques.values.dates import parse_dates, period_labels
from techniques.values.unfit import NOT_A_DATE


class DateGeneralization(ValueOperation):
    """C.2.7: the period that a date falls in."""

    unfit_text = NOT_A_DATE
    settings: DateGeneralizationSettings

    def apply(self, values: StringArray) -> Outcome:
        dates = parse_dates(values)
        return Outcome(period_labels(dates, self.settings.unit), ~dates.valid)
