"""What the result of a run may be called now. Later stages add what they know: what was measured, and who is bound."""

from __future__ import annotations

from collections.abc import Callable

from ...enums import RunStatus
from ...models import Run
from .evidence import evidence_of_run
from .rule import STRONGER, Designation, Evidence, Found, designated

Addition = Callable[[Run, Evidence], Evidence]
_additions: list[Addition] = []
_doubts: list[Addition] = []


def adds_evidence(addition: Addition) -> Addition:
    """Register what a later stage knows of a run's result; called in the order of the process."""
    _additions.append(addition)
    return addition


def doubts(doubt: Addition) -> Addition:
    """Register what a later stage knows against a stronger word; asked only where one would be claimed."""
    _doubts.append(doubt)
    return doubt


def designation_of(run: Run) -> Found | None:
    """What may be claimed of the result of ``run``, with what is known of it now; None while there is none."""
    if run.status != RunStatus.SUCCEEDED:
        return None
    evidence = evidence_of_run(run)
    for addition in _additions:
        evidence = addition(run, evidence)
    found = designated(evidence)
    if found.designation not in STRONGER:
        return found
    for doubt in _doubts:
        evidence = doubt(run, evidence)
    return designated(evidence)


__all__ = ["Designation", "Found", "adds_evidence", "designation_of", "doubts"]
