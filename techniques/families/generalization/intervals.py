"""Numbers to intervals (GB/T 37964 A.5.1, C.2.6)."""

from __future__ import annotations

from techniques.catalogue.generalization import IntervalSettings
from techniques.core.operations import Outcome, StringArray, ValueOperation
from techniques.hierarchies.intervals import cut_labels, interval_labels
from techniques.values.unfit import NOT_A_NUMBER


class IntervalGeneralization(ValueOperation):
    """A.5.1, C.2.6: the interval that a number lies in."""

    unfit_text = NOT_A_NUMBER
    settings: IntervalSettings

    def apply(self, values: StringArray) -> Outcome:
        s = self.settings
        inclusive = s.notation == "inclusive"
        if s.cuts:
            labels, valid = cut_labels(values, s.cuts, inclusive)
        else:
            assert s.width is not None  # the parameters' own validation
            labels, valid = interval_labels(values, s.width, s.origin, inclusive)
        return Outcome(labels, ~valid)
