"""Which evidence exists: the stage packages answer, the workflow asks.

A package registers its answers in ``providers.py``::

    @provides(Evidence.DATASET_READY)
    def dataset_ready(project) -> Missing: ...

and the content that its stage's review judges::

    @stage_content(Stage.IDENTIFICATION)
    def content(project) -> Subject | None: ...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from approvals.governance.draft import Subject
from approvals.request_cache import cached_read
from projects.workflow import Evidence, Stage

from .models import Project

# What is missing, in words; an empty list means the evidence exists.
Missing = list[Any]
Provider = Callable[[Project], Missing]

_providers: dict[Evidence, Provider] = {}
_contents: dict[Stage, Callable[[Project], Subject | None]] = {}


@dataclass(frozen=True)
class EvidenceState:
    """One line of a stage page's checklist."""

    evidence: Evidence
    missing: tuple[Any, ...]

    @property
    def met(self) -> bool:
        return not self.missing

    @property
    def label(self) -> Any:
        return self.evidence.label


def provides(evidence: Evidence) -> Callable[[Provider], Provider]:
    def register(provider: Provider) -> Provider:
        _providers[evidence] = provider
        return provider

    return register


def stage_content(
    stage: Stage,
) -> Callable[[Callable[[Project], Subject | None]], Callable[[Project], Subject | None]]:
    def register(function: Callable[[Project], Subject | None]) -> Callable[[Project], Subject | None]:
        _contents[stage] = function
        return function

    return register


@cached_read
def evidence_state(project: Project, evidence: Evidence) -> EvidenceState:
    """Ask the provider. Evidence that nobody provides does not exist: the process fails closed."""
    provider = _providers.get(evidence)
    missing = [evidence.label] if provider is None else provider(project)
    return EvidenceState(evidence, tuple(missing))


@cached_read
def content_of(project: Project, stage: Stage) -> Subject | None:
    """The content (kind, id, hash) that a review of ``stage`` judges, or None while there is none."""
    function = _contents.get(stage)
    return None if function is None else function(project)


def provided() -> set[Evidence]:
    return set(_providers)
