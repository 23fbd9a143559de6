"""Inner loops are compiled once for all test processes: who needs one that another is compiling waits for its result."""

from __future__ import annotations

import fcntl
import hashlib
import tempfile
from pathlib import Path
from typing import Any

from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

_held: set[str] = set()


def compile_once() -> None:
    """Lock each function by its place while it is compiled. What the first process keeps on disk the others load, as
    Numba looks there before it compiles."""
    plain = Dispatcher.compile
    folder = Path(tempfile.gettempdir()) / "deid-compiling"
    folder.mkdir(exist_ok=True)

    def compile_one(self: Any, sig: Any) -> Any:
        code = self.py_func.__code__
        place = f"{code.co_filename}:{code.co_firstlineno}:{self.py_func.__qualname__}"
        name = hashlib.sha256(place.encode()).hexdigest()
        with global_compiler_lock:
            if name in _held:  # a function that calls itself
                return plain(self, sig)
            with (folder / name).open("a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                _held.add(name)
                try:
                    return plain(self, sig)
                finally:
                    _held.discard(name)

    Dispatcher.compile = compile_one
