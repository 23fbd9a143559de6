"""A bound on the memory that reading a stranger's file may take in this process.

The readers weigh what a file declares and what its pages and members say of themselves; this holds where a
file finds another way to grow: an allocation beyond it fails, the job with it, and the machine goes on.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

from django.conf import settings

MIB = 1024 * 1024


@contextlib.contextmanager
def memory_bound(mebibytes: int | None = None) -> Iterator[None]:
    """Let this process take ``mebibytes`` more memory than it holds, and no more, until the block ends.

    Linux only, by RLIMIT_DATA: private memory that can be written to. Libraries and files that are mapped
    for reading do not count, so that the bound means what is really allocated; address space as such
    (RLIMIT_AS) would count the reserves of compiled libraries as well. It is the process's own soft
    limit and is put back afterwards. ``DEID_READ_MEMORY_MB`` is the default; 0 switches it off.
    """
    mebibytes = settings.DEID_READ_MEMORY_MB if mebibytes is None else mebibytes
    held = _held() if mebibytes and sys.platform == "linux" else None
    if held is None:
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    others = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min([held + mebibytes * MIB, *others]), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _held() -> int | None:
    """Bytes that count against the limit already; None where the kernel does not tell."""
    try:
        with open("/proc/self/status", encoding="ascii") as lines:
            for line in lines:
                if line.startswith("VmData:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return None
