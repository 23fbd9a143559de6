"""Where a project stands by the phases, and what the log holds of each: time, handler, measure and result (clause 12.3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from approvals.audit.registry import reason_text, sentence_for
from approvals.documents.models import Document
from approvals.documents.selectors import documents_made
from projects.workflow import MOVES, PHASES, STATES, Phase, PhaseRow, State

from ..models import Project
from ..selectors import history_of


@dataclass(frozen=True)
class Step:
    """What led from one state to another."""

    at: datetime
    handler: str
    measure: str
    reason: str
    result: State


@dataclass
class Passed:
    """A phase of one project. ``state``: done, current, next, or beside for what runs beside all; ``started`` and ``left`` are the
    first and the last time, ``times`` how often it was begun."""

    row: PhaseRow
    state: str = "next"
    started: datetime | None = None
    left: datetime | None = None
    times: int = 0
    steps: list[Step] = field(default_factory=list)
    documents: list[Document] = field(default_factory=list)


def phases_of(project: Project) -> list[Passed]:
    """Each phase in order, with the moves that were made in it and the documents that were made while it ran."""
    passed = {phase: Passed(row) for phase, row in PHASES.items()}
    spans: list[tuple[datetime, Phase]] = []
    at = Phase.NEEDS
    _begin(passed[at], project.created_at, spans)
    moves = history_of(project).filter(action__in=[rule.audit_action for rule in MOVES.values()])
    for event in moves.order_by("seq"):
        state = State(event.facts["new"])
        sentence = sentence_for(
            event.action, actor=event.actor, subject=event.subject, reason=event.reason, facts=event.facts
        )
        reason = reason_text(event.action, event.reason) if event.reason else ""
        passed[at].steps.append(Step(event.at, event.actor, sentence, reason, state))
        following = STATES[state].phase
        if following == at:
            passed[at].left = None  # resumed, where it was suspended
            continue
        passed[at].left = event.at
        if following is not None:
            at = following
            _begin(passed[at], event.at, spans)
    _placed(project, passed, STATES[State(project.state)].phase)
    for document in documents_made(project.pk):
        running = [phase for since, phase in spans if since <= document.created_at]
        passed[running[-1] if running else Phase.NEEDS].documents.append(document)
    return list(passed.values())


def _begin(phase: Passed, since: datetime, spans: list[tuple[datetime, Phase]]) -> None:
    phase.started = phase.started or since
    phase.left, phase.times = None, phase.times + 1
    spans.append((since, phase.row.phase))


def _placed(project: Project, passed: dict[Phase, Passed], here: Phase | None) -> None:
    """What is done and what is to come, as the project stands now: a phase behind one that runs again is to come again."""
    passed[Phase.MANAGEMENT].state = "beside"
    if here is None and project.state == State.SUSPENDED:
        here = STATES[State(project.suspended_from)].phase
    reached = [phase for phase, row in passed.items() if row.started is not None]
    order = list(passed)
    for phase in reached:
        is_behind = here is None or order.index(phase) < order.index(here)
        passed[phase].state = "current" if phase == here else "done" if is_behind else "next"
