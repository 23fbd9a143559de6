"""Compiling inner loops: at first use, with the machine code kept on disk where a folder can be written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """``function`` as machine code that lets other threads run."""
    made: Callable[..., Any]
    try:
        made = njit(cache=True, nogil=True)(function)
    except RuntimeError:
        made = njit(nogil=True)(function)
    return made
