"""The upper limit of what is suppressed (GB/T 37964 A.3.5)."""

from __future__ import annotations

from techniques.core.messages import EngineError, _


def hold_limit(suppressed: int, rows: int, limit: float, columns: str) -> None:
    """A.3.5: stop when more would be suppressed than the limit allows."""
    if suppressed > limit * rows:
        raise EngineError(
            "suppression_over_limit",
            _(
                "%(columns)s: %(suppressed)d of %(rows)d rows would be suppressed, the limit is %(limit)s %%. "
                "Generalise first, or raise the limit."
            ),
            columns=columns,
            suppressed=suppressed,
            rows=rows,
            limit=f"{100 * limit:g}",
        )
