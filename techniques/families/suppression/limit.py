"""The upper limit of what is suppressed (GB/T 37964 A.3.5)."""

from __future__ import annotations

from techniques.core.messages import EngineError, _


def hold_limit(suppressed: int, rows: int, limit: float, columns: str, *, of_cells: bool = False) -> None:
    """A.3.5: stop when more would be suppressed than the limit allows; ``rows`` is a number of cells where these are counted."""
    if suppressed > limit * rows:
        message = _(
            "%(columns)s: %(suppressed)d of %(rows)d rows would be suppressed, the limit is %(limit)s %%. "
            "Generalise first, or raise the limit."
        )
        if of_cells:
            message = _(
                "%(columns)s: %(suppressed)d of %(rows)d cells would be suppressed, the limit is %(limit)s %%. "
                "Generalise first, or raise the limit."
            )
        raise EngineError(
            "suppression_over_limit",
            message,
            columns=columns,
            suppressed=suppressed,
            rows=rows,
            limit=f"{100 * limit:g}",
        )
