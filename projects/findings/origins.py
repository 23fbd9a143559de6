"""Where a finding comes from: each package whose acts find something says how its rows are named and where they stand."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass

from projects.core.models import Project
from projects.workflow import Stage

from .enums import FindingSource


@dataclass(frozen=True)
class Origin:
    """The act in which something was found, in words, with its page; ``stage`` is the step that it is about."""

    label: str
    url: str
    stage: Stage


_known: dict[FindingSource, Callable[[Project, uuid.UUID], Origin | None]] = {}


def origin_of(
    source: FindingSource,
) -> Callable[[Callable[[Project, uuid.UUID], Origin | None]], Callable[[Project, uuid.UUID], Origin | None]]:
    """Register who names the rows of ``source``; None for one that is not of the project."""

    def register(
        names: Callable[[Project, uuid.UUID], Origin | None],
    ) -> Callable[[Project, uuid.UUID], Origin | None]:
        _known[source] = names
        return names

    return register


def origin_find(project: Project, source: str, origin_id: uuid.UUID | None) -> Origin | None:
    """The act that is meant, if it is one of the project's."""
    names = _known.get(FindingSource(source)) if source in FindingSource.values else None
    return names(project, origin_id) if names is not None and origin_id is not None else None
