"""Characters hidden behind others."""

from __future__ import annotations

from typing import Any

import numpy as np

from techniques.core.operations import StringArray
from techniques.values import buffers

_HIDDEN_WITHOUT_LENGTH = 4


def hide(values: StringArray, left: Any, right: Any, character: str, keep_length: bool = True) -> StringArray:
    """Keep ``left`` and ``right`` characters (numbers or arrays of n) and hide those between.

    A value that would show everything, or all but nothing, is hidden whole.
    """
    shape = (len(values),)
    head, tail = (
        np.ascontiguousarray(np.broadcast_to(np.asarray(side, np.int64), shape)) for side in (left, right)
    )
    return buffers.hidden(values, head, tail, character, -1 if keep_length else _HIDDEN_WITHOUT_LENGTH)
