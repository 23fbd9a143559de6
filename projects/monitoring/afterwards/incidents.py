"""How a conclusion becomes an incident: the package of incidents comes later in the process, and says here how one is reported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from approvals.governance.person import Person

from ..models import LaterReassessment


@dataclass(frozen=True)
class IncidentSource:
    """``kinds`` and ``severities`` to choose from, each (code, label), and ``report``, which writes an incident about a re-assessment
    with a kind, a severity and a description, inside the transaction that concludes it."""

    kinds: Sequence[tuple[str, Any]]
    severities: Sequence[tuple[str, Any]]
    report: Callable[[LaterReassessment, str, str, str, Person], object]


_source: list[IncidentSource] = []


def set_incident_source(source: IncidentSource) -> None:
    """Say who writes incidents: one source."""
    _source[:] = [source]


def incident_source() -> IncidentSource:
    return _source[0]
