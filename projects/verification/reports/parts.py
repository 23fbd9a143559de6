"""What later packages have to say in the approval report: they register it, because the report does not import them.

Unlike a pointer a part stands in every report about the measurement, the signed one too, whatever state the project is in by then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..models import Verification


@dataclass(frozen=True)
class ReportPart:
    """A heading with rows of label and value."""

    title: str
    rows: list[tuple[str, str]]


Writer = Callable[[Verification], ReportPart | None]
_writers: list[Writer] = []


def reports_along(write: Writer) -> Writer:
    """Register who writes a part; None where there is nothing to say of this measurement."""
    _writers.append(write)
    return write


def parts_of(verification: Verification) -> list[ReportPart]:
    return [part for write in _writers if (part := write(verification)) is not None]
