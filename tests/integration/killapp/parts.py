"""A table of a few seconds' work in many small parts, and a worker in slow motion, so that kills hit all of it."""

from __future__ import annotations

import time
from collections.abc import Callable

PART_ROWS = 4096
# At the start of each item and at every tick (seconds).
PAUSE = 0.15


def small_parts() -> None:
    from techniques.engines import parts

    parts.PART_ROWS = PART_ROWS


def slow_motion(**_kwargs: object) -> None:
    """The engine as it is, but whenever it tells how far it is, it rests a little."""
    from techniques.engines.local import LocalRun

    small_parts()
    at_full_speed = LocalRun.execute

    def execute(run: LocalRun, key: str, tick: Callable[[float], None]) -> None:
        def slowly(share: float) -> None:
            time.sleep(PAUSE)
            tick(share)

        slowly(0.0)
        at_full_speed(run, key, slowly)

    LocalRun.execute = execute
