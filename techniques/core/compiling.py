"""Compiling inner loops: at first use, with the machine code kept on disk where a folder can be written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import config, njit, types
from numba.core import cgutils
from numba.extending import intrinsic


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """``function`` as machine code that lets other threads run. It is for Python and other compiled functions: the code that a
    program in C would call, a tenth of the work of compiling, is left out.

    The cached code is made anew when the function's own file changes, not when a file that it calls does: after a
    change of a function that kernels of other files call, remove the ``__pycache__`` folders.
    """
    return _made(function, no_cfunc_wrapper=True)


def inner(function: Callable[..., Any]) -> Callable[..., Any]:
    """``function`` as machine code for other compiled functions alone. Python cannot call it: the code that turns
    Python's objects into numbers and arrays, often longer than the function itself, is left out."""
    return _made(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def reordered(function: Callable[..., Any]) -> Callable[..., Any]:
    """``function`` as machine code with sums in any order, so that several distances are worked out at a time."""
    return _made(function, fastmath={"reassoc", "contract", "nsz"}, no_cfunc_wrapper=True)


def numba_load() -> None:
    """Load of Numba what the first call of a compiled function loads: 0.3 s and 38 MB, which forked processes then share."""
    _nothing()


def _made(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    made: Callable[..., Any]
    try:
        made = njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:
        made = njit(nogil=True, **options)(function)
    return made


@compiled
def _nothing() -> None:
    return


def _pointer(_context: Any, address: Any) -> Any:
    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], cgutils.voidptr_t)

    return types.voidptr(address), generate


pointer: Any = intrinsic(_pointer)
"""What ``carray`` makes an array from, inside a kernel: the address of an array that somebody else keeps. So kernels choose among
arrays of any number and size; Numba's own lists would be compiled anew by each process."""
READS_ADDRESSES = not config.DISABLE_JIT  # type: ignore[attr-defined]
"""Whether there is machine code, which alone can follow a ``pointer``."""
