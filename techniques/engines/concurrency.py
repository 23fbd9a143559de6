"""Items of a run done by several processes of one machine at the same time.

Treating a part is a pure function of recipe, secrets and what earlier items left in the workspace, so that it does not matter which
process does it, nor when: the result is the same to the byte.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from techniques.core.messages import EngineError, _

Work = Callable[[str], float]
"""Does one item by its key and says how many seconds it took."""
PATIENCE = 0.5
"""Seconds after which whoever waits is asked whether the work is still wanted."""


def done_apart(
    links: Sequence[Connection], keys: Sequence[str], tick: Callable[[float], None]
) -> Iterator[tuple[str, float]]:
    """(key, seconds) of each item as it is done, in whatever order, by the processes behind ``links``.

    ``tick`` gets the share done and may raise to stop. What an item raises as an EngineError, OSError or MemoryError is raised here;
    EngineError ``process_ended`` where a process is gone.
    """
    waiting, done = iter(keys), 0
    busy = [link for link in links if _handed(link, waiting)]
    while busy:
        tick(done / len(keys))
        for link in wait(busy, PATIENCE):
            assert isinstance(link, Connection)
            yield _answer(link)
            done += 1
            if not _handed(link, waiting):
                busy.remove(link)


@contextmanager
def started(make: Callable[[], Work], number: int) -> Iterator[list[Connection]]:
    """Links to so many processes, which end with the block. ``make``, which is pickled, gives the work in each of them anew, at once:
    before there is something to do, so that nobody waits for it then.
    """
    # A fresh interpreter: a copy of this one would hold locks of threads that it does not have.
    context = get_context("spawn")
    links, running = [], []
    try:
        for _process in range(number):
            here, there = context.Pipe()
            process = context.Process(target=_work, args=(make, there), daemon=True)
            with _without_interruption():
                process.start()
            # The other end is the process's alone, so that each of both notices when the other is gone.
            there.close()
            links.append(here)
            running.append(process)
        yield links
    finally:
        for link in links:
            link.close()
        for process in running:
            process.terminate()
        for process in running:
            process.join()


@contextmanager
def _without_interruption() -> Iterator[None]:
    """A process that is started here does not notice an interruption from the keyboard, not even before its work begins."""
    before = signal.getsignal(signal.SIGINT)
    # Other threads cannot change what becomes of it, and what is no business of Python's cannot be put back.
    if before is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _handed(link: Connection, waiting: Iterator[str]) -> bool:
    """Whether there was one more item for a process."""
    key = next(waiting, None)
    if key is not None:
        # One that is gone is noticed where its answer is read.
        with suppress(BrokenPipeError):
            link.send(key)
    return key is not None


def _answer(link: Connection) -> tuple[str, float]:
    try:
        key, seconds, error = link.recv()
    except (EOFError, ConnectionResetError):
        text = _(
            "A process of the run has ended before its work was done. Where memory was short, run it with fewer processes."
        )
        raise EngineError("process_ended", text) from None
    if isinstance(error, _Said):
        raise EngineError(error.code, error.message, **error.params)
    if error is not None:
        raise error
    return key, seconds


def _work(make: Callable[[], Work], link: Connection) -> None:
    """What a process does until nobody hands it anything any more."""
    # An interruption from the keyboard is the business of the process that started this one; an end by it leaves no half of a file.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    work = make()
    with suppress(EOFError, BrokenPipeError):
        while True:
            key = link.recv()
            link.send(_outcome(work, key))


class _Said(NamedTuple):
    """An EngineError on its way: pickled, it would lose its parameters."""

    code: str
    message: str
    params: dict[str, Any]


def _outcome(work: Work, key: str) -> tuple[str, float, _Said | OSError | MemoryError | None]:
    try:
        return key, work(key), None
    except EngineError as error:
        return key, 0.0, _Said(error.code, error.message, error.params)
    except (OSError, MemoryError) as error:
        return key, 0.0, error
