"""Memory that a worker has freed and still holds: given back to the machine, so that one step's peak is not added to the next one's."""

from __future__ import annotations

import ctypes
import sys


def memory_give_back() -> None:
    """Return freed memory of Arrow and of the C library to the system; takes milliseconds, and nothing where neither knows how."""
    arrow = sys.modules.get("pyarrow")
    if arrow is not None:
        arrow.default_memory_pool().release_unused()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)
