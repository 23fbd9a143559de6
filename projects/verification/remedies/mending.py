"""What would make a failing risk check pass, the cheapest first; works in the worker, on plain data."""

from __future__ import annotations

from typing import Any

from techniques.core.messages import gettext_noop
from techniques.risk.explain import Target, suggestions
from techniques.risk.report import RiskReport

MOST = 4


def mending(
    found: RiskReport, target: Target, *, removed: int, rows_in: int, limit: float
) -> list[dict[str, Any]]:
    """Texts about ``found`` missing ``target``; empty when it does not.

    ``removed`` of ``rows_in`` records are gone already. Suppressing more than ``limit`` allows would only
    shift the failure to another check, so that way comes last and says so.
    """
    cheap, dear = [], []
    for item in suggestions(found, target):
        if item.code == "generalise_column":
            cheap.append({"message": item.statement.message, "params": item.statement.params})
            continue
        share = (removed + item.records) / rows_in if rows_in else 1.0
        if share <= limit + 1e-12:
            cheap.insert(0, {"message": item.statement.message, "params": item.statement.params})
        else:
            dear.append(
                {
                    "message": gettext_noop(
                        "Suppressing %(records)d more records would be enough, but %(percent).1f %% would then "
                        "be missing; %(limit).1f %% is the limit."
                    ),
                    "params": {"records": item.records, "percent": 100 * share, "limit": 100 * limit},
                }
            )
    return [*cheap[:MOST], *dear]
