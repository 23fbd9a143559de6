"""Noise on dates (GB/T 37964 C.2.7), a draw for every cell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.catalogue.randomization import DateNoiseSettings
from techniques.core.operations import Cells, RowOperation, StringArray
from techniques.families.randomization.columns import encoded_numbers
from techniques.values.dates import day_texts, parse_days
from techniques.values.unfit import NOT_A_DAY


class DateNoise(RowOperation):
    """Every cell is moved by a draw of its own; the time of day is left out."""

    unfit_text = NOT_A_DAY
    settings: DateNoiseSettings

    def facts(self) -> dict[str, Any]:
        """How far dates may have been moved."""
        return {"most_days": self.settings.maximum}

    def unfit(self, values: StringArray) -> NDArray[np.bool_]:
        """What is no date to the day."""
        return ~parse_days(values)[1]

    def treat(self, cells: Cells) -> StringArray:
        """Dates as 2024-03-01."""
        days, valid = parse_days(cells.values)
        most = self.settings.maximum
        moved = (
            np.append(days, 0)[cells.codes]
            + np.floor(cells.draws.uniform() * (2 * most + 1)).astype(np.int64)
            - most
        )
        dictionary, codes = encoded_numbers(moved, np.append(valid, False)[cells.codes], day_texts)
        return dictionary.take(pa.array(codes, mask=codes < 0))
