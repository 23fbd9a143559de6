"""Putting a long column together part by part, so that parts and whole are never held at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

LARGEST = (1 << 31) - 1
"""Bytes of text that an Arrow string array can hold."""
_SPARE = 1.25


class Assembly:
    """A string array of ``length`` values; each part is copied into its place and may be forgotten."""

    def __init__(self, length: int) -> None:
        self._offsets = np.zeros(length + 1, dtype=np.int32)
        self._text = np.empty(0, dtype=np.uint8)
        self._valid: NDArray[np.bool_] | None = None
        self._filled = 0

    def add(self, part: Any) -> None:
        """The next values, a string array, perhaps with nulls. Raises pa.ArrowInvalid beyond :data:`LARGEST`."""
        start, stop = self._filled, self._filled + len(part)
        part = part.cast(pa.string())  # of whatever kind: from here on its own offset counts
        _, offset_buffer, text_buffer = part.buffers()
        if len(part) and offset_buffer is not None:
            offsets = np.frombuffer(offset_buffer, dtype=np.int32)[part.offset : part.offset + len(part) + 1]
            begin, end = int(offsets[0]), int(offsets[-1])
            used = int(self._offsets[start])
            self._reserve(used + end - begin, stop)
            if end > begin:
                self._text[used : used + end - begin] = np.frombuffer(text_buffer, np.uint8)[begin:end]
            self._offsets[start + 1 : stop + 1] = offsets[1:] + np.int32(used - begin)
        if part.null_count:
            if self._valid is None:
                self._valid = np.ones(len(self._offsets) - 1, dtype=np.bool_)
            self._valid[start:stop] = part.is_valid().to_numpy(zero_copy_only=False)
        self._filled = stop

    def _reserve(self, size: int, values: int) -> None:
        """Room for ``size`` bytes: from what the values so far took, what all of them will take."""
        if size > LARGEST:
            raise pa.ArrowInvalid("offset overflow: more than 2 GiB of text in one column")
        if size > len(self._text):
            expected = size * (len(self._offsets) - 1) / values * _SPARE
            # Memory that is never written to is not taken from the machine.
            text = np.empty(max(size, min(int(expected), LARGEST)), dtype=np.uint8)
            used = int(self._offsets[self._filled])
            text[:used] = self._text[:used]
            self._text = text

    def finish(self) -> Any:
        """The whole array, once every part is in."""
        length = len(self._offsets) - 1
        assert self._filled == length, "every part is in"
        valid = None if self._valid is None else pa.array(self._valid).buffers()[1]
        text = pa.py_buffer(self._text[: int(self._offsets[-1])])
        return pa.StringArray.from_buffers(length, pa.py_buffer(self._offsets), text, valid)
