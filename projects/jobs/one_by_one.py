"""What is destroyed when its time is over: row by row, so that one that cannot be keeps no other alive."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import TypeVar

from approvals.governance.governed import GovernedRecord

log = logging.getLogger(__name__)
Row = TypeVar("Row", bound=GovernedRecord)


def each_by_itself(rows: Iterable[Row], end: Callable[[Row], bool]) -> int:
    """Have ``end`` done for each of ``rows``, whatever befalls the others; for how many it was."""
    ended = 0
    for row in rows:
        try:
            ended += end(row)
        except Exception:  # noqa: BLE001  the next one's time has come too
            # Neither the text nor the place of an error: either might hold a value.
            log.error("%s %s: its time has come, and what is due could not be done", row._meta.label, row.pk)  # noqa: TRY400
    return ended
