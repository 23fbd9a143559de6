"""What the clock does to many rows: row by row, so that one to which it cannot be done keeps no other waiting."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import TypeVar

from approvals.governance.governed import GovernedRecord

log = logging.getLogger(__name__)
Row = TypeVar("Row", bound=GovernedRecord)


def each_by_itself(rows: Iterable[Row], act: Callable[[Row], bool]) -> int:
    """Have ``act`` done to each of ``rows``, whatever befalls the others; to how many it was."""
    done = 0
    for row in rows:
        try:
            done += act(row)
        except Exception:  # noqa: BLE001  the next one's time has come too
            # Neither the text nor the place of an error: either might hold a value.
            log.error("%s %s: its time has come, and what is due could not be done", row._meta.label, row.pk)  # noqa: TRY400
    return done
