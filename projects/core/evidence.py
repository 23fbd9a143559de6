"""Which evidence exists: the stage packages answer, the workflow asks.

A package registers its answers in ``providers.py``::

    @provides(Evidence.DATASET_READY)
    def dataset_ready(project) -> Missing: ...

what somebody else demands beside them::

    @demands(Evidence.RELEASE_READY)
    def within_policy(project) -> Missing: ...

and the content that its stage's review judges::

    @stage_content(Stage.IDENTIFICATION)
    def content(project) -> Subject | None: ...

and of that content what people put in, by which returned work is told from work that was changed::

    @stage_work(Stage.IDENTIFICATION)
    def work(project) -> str: ...

and how content of a kind that was returned differs from what stands now, for who judges it again::

    @since_return("identification")
    def changes(project, returned, at) -> list[tuple[str, str, str]]: ...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from approvals.governance.draft import Subject
from approvals.request_cache import cached_read
from projects.workflow import Evidence, Stage

from .models import Project

# What is missing, in words; an empty list means the evidence exists.
Missing = list[Any]
Provider = Callable[[Project], Missing]
# (label, before, after) of everything that changed since content was returned at a moment.
Changes = list[tuple[str, str, str]]
Since = Callable[[Project, Subject, datetime], Changes]

_providers: dict[Evidence, Provider] = {}
_demands: dict[Evidence, list[Provider]] = {}
_contents: dict[Stage, Callable[[Project], Subject | None]] = {}
_works: dict[Stage, Callable[[Project], str]] = {}
_changes: dict[str, Since] = {}


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


def demands(*evidence: Evidence) -> Callable[[Provider], Provider]:
    """Register what else is missing for ``evidence`` to exist, beside what its provider says."""

    def register(provider: Provider) -> Provider:
        for one in evidence:
            _demands.setdefault(one, []).append(provider)
        return provider

    return register


def stage_content(
    stage: Stage,
) -> Callable[[Callable[[Project], Subject | None]], Callable[[Project], Subject | None]]:
    def register(function: Callable[[Project], Subject | None]) -> Callable[[Project], Subject | None]:
        _contents[stage] = function
        return function

    return register


def stage_work(stage: Stage) -> Callable[[Callable[[Project], str]], Callable[[Project], str]]:
    def register(function: Callable[[Project], str]) -> Callable[[Project], str]:
        _works[stage] = function
        return function

    return register


def since_return(kind: str) -> Callable[[Since], Since]:
    def register(function: Since) -> Since:
        _changes[kind] = function
        return function

    return register


@cached_read
def evidence_state(project: Project, evidence: Evidence) -> EvidenceState:
    """Ask the provider. Evidence that nobody provides does not exist: the process fails closed."""
    provider = _providers.get(evidence)
    missing = [evidence.label] if provider is None else provider(project)
    return EvidenceState(evidence, (*missing, *demanded(project, evidence)))


def demanded(project: Project, evidence: Evidence) -> Missing:
    """What others than its provider say is missing for ``evidence``."""
    return [said for demand in _demands.get(evidence, ()) for said in demand(project)]


@cached_read
def content_of(project: Project, stage: Stage) -> Subject | None:
    """The content (kind, id, hash) that a review of ``stage`` judges, or None while there is none."""
    function = _contents.get(stage)
    return None if function is None else function(project)


@cached_read
def work_of(project: Project, stage: Stage) -> str:
    """SHA-256 of what people have put into ``stage`` as it stands, justifications aside; "" while there is nothing."""
    function = _works.get(stage)
    return "" if function is None else function(project)


def changes_since(project: Project, returned: Subject, at: datetime) -> Changes:
    """What is otherwise now than in content that was returned ``at`` some time."""
    function = _changes.get(returned.kind)
    return [] if function is None else function(project, returned, at)


def provided() -> set[Evidence]:
    return set(_providers)
