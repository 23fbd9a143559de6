"""Top and bottom coding (GB/T 37964 A.5.3)."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.catalogue.generalization import TopBottomCodingSettings
from techniques.core.messages import EngineError, _
from techniques.core.operations import Context, Learned, Outcome, StringArray, ValueOperation
from techniques.values.numbers import format_numbers, parse_numbers, places, scaled
from techniques.values.unfit import NOT_A_NUMBER


class TopBottomCoding(ValueOperation):
    """A.5.3: values at or beyond a threshold, fixed or chosen by number of rows, are coded together."""

    unfit_text = NOT_A_NUMBER

    def __init__(self, settings: TopBottomCodingSettings, context: Context) -> None:
        self.settings: TopBottomCodingSettings = settings
        self.column = context.columns[0]
        self.needs_counts = settings.top_rows is not None or settings.bottom_rows is not None
        given = [x for x in (settings.top, settings.bottom) if x is not None]
        self.scale = max(6, places(*given)) if given else 6
        self.top = None if settings.top is None else scaled(settings.top, self.scale)
        self.bottom = None if settings.bottom is None else scaled(settings.bottom, self.scale)

    def fit(self, values: StringArray, counts: NDArray[np.int64]) -> Learned:
        """The highest and lowest thresholds that enough rows reach; EngineError ``threshold_none``."""
        numbers = parse_numbers(values, self.scale)
        order = np.argsort(numbers.unscaled[numbers.valid], kind="stable")
        ordered = numbers.unscaled[numbers.valid][order]
        rows = counts[numbers.valid][order]
        top, bottom = self.top, self.bottom
        if self.settings.top_rows is not None:
            top = self._threshold(ordered[::-1], rows[::-1], self.settings.top_rows)
        if self.settings.bottom_rows is not None:
            bottom = self._threshold(ordered, rows, self.settings.bottom_rows)
        if top is not None and bottom is not None and bottom >= top:
            raise self._too_few(int(rows.sum()))
        report = {
            name: format_numbers(np.array([x]), self.scale)[0].as_py()
            for name, x in (("top", top), ("bottom", bottom))
            if x is not None
        }
        return Learned({}, {"top": top, "bottom": bottom, "report": report})

    def _threshold(self, numbers: NDArray[np.int64], rows: NDArray[np.int64], wanted: int) -> int:
        """First of ``numbers``, coming from outside, at which ``wanted`` rows have been passed."""
        reached = np.flatnonzero(np.cumsum(rows) >= wanted)
        if len(reached) == 0:
            raise self._too_few(int(rows.sum()))
        return int(numbers[reached[0]])

    def _too_few(self, rows: int) -> EngineError:
        text = _("Column %(column)s: its %(rows)d rows are too few for thresholds of this size.")
        return EngineError("threshold_none", text, column=self.column, rows=rows)

    def restore(self, learned: Learned) -> None:
        self.top, self.bottom = learned.facts["top"], learned.facts["bottom"]

    def apply(self, values: StringArray) -> Outcome:
        """Values beyond a threshold become its label; the others stay as they are written."""
        numbers = parse_numbers(values, self.scale)
        result = values
        for threshold, sign in ((self.top, ">="), (self.bottom, "<=")):
            if threshold is None:
                continue
            beyond = numbers.unscaled >= threshold if sign == ">=" else numbers.unscaled <= threshold
            label = format_numbers(np.array([threshold]), self.scale)[0].as_py()
            label = sign + label if self.settings.result == "label" else label
            result = pc.if_else(pa.array(beyond), pa.scalar(label), result)
        return Outcome(result, ~numbers.valid)
