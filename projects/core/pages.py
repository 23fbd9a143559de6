"""What the pages of every stage share: finding the project, the stage bar, what is missing and who has to act."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import NoReverseMatch, reverse

from approvals.governance import Verdict
from projects.workflow import (
    CLAUSES,
    MOVES,
    OWNERS,
    STAGES,
    TERMINAL,
    Evidence,
    Move,
    MoveRule,
    Stage,
    State,
    moves_from,
)

from .evidence import EvidenceState, evidence_state
from .models import Project
from .rules import may_move
from .selectors import members_by_role, project_get, role_of

STAGE_URLS: dict[Stage, str] = {
    Stage.OBJECTIVE: "objective:page",
    Stage.IDENTIFICATION: "identification:page",
    Stage.PROCESSING: "processing:page",
    Stage.VERIFICATION: "verification:page",
    Stage.RELEASE: "releases:page",
}


class ProjectRequest(HttpRequest):
    """A request whose project was found among those that the user may see."""

    project: Project


def project_view(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Resolve ``project_id`` among the projects that the user may see; 404 otherwise.

    The view gets ``(request, project, **kwargs)``.
    """

    @wraps(view)
    def wrapper(request: HttpRequest, project_id: uuid.UUID, **kwargs: Any) -> HttpResponse:
        project = project_get(request.user, project_id)
        request.project = project  # type: ignore[attr-defined]
        return view(request, project, **kwargs)

    return wrapper


@dataclass(frozen=True)
class StageStep:
    """One step of the stage bar. ``state``: done, current, next or blocked."""

    stage: Stage
    label: str
    url: str
    state: str


@dataclass(frozen=True)
class MoveOffer:
    """A move that could be made from here, with the rule's answer for this user."""

    rule: MoveRule
    label: str
    verdict: Verdict
    url: str


def stage_bar(project: Project, shown: Stage | None = None) -> list[StageStep]:
    """The standard's steps; a stage that was not entered yet has no link."""
    position = len(STAGES) if project.stage == Stage.CLOSED else STAGES.index(project.stage)
    if project.state in (State.REJECTED, State.WITHDRAWN):
        position = 0
    steps = []
    for index, stage in enumerate(STAGES):
        state = "done" if index < position else "current" if index == position else "next"
        if project.state == State.SUSPENDED and state == "current":
            state = "blocked"
        reached = index <= position or project.state in TERMINAL
        try:
            url = reverse(STAGE_URLS[stage], kwargs={"project_id": project.pk}) if reached else ""
        except NoReverseMatch:
            url = ""
        steps.append(StageStep(stage, str(stage.label), url, state))
    return steps


def move_offers(project: Project, user: Any) -> list[MoveOffer]:
    """Every move out of the current state that this user's role could make, each with its verdict."""
    role = role_of(user, project)
    return [
        MoveOffer(
            rule,
            str(rule.move.label),
            may_move(user, project, rule.move),
            reverse("core:move", kwargs={"project_id": project.pk, "move": rule.move.value}),
        )
        for rule in moves_from(State(project.state))
        if role in rule.roles
    ]


def checklist(project: Project, stage: Stage) -> list[EvidenceState]:
    """The evidence that the forward moves of ``stage`` require, in table order, without the earlier stages' part."""
    submit = {
        Stage.OBJECTIVE: (Move.SUBMIT_OBJECTIVE, Move.APPROVE_PLAN),
        Stage.IDENTIFICATION: (Move.SUBMIT_IDENTIFICATION, Move.PASS_IDENTIFICATION),
        Stage.PROCESSING: (Move.SUBMIT_PROCESSING, Move.PASS_PROCESSING),
        Stage.VERIFICATION: (Move.SUBMIT_VERIFICATION, Move.APPROVE_RELEASE),
        Stage.RELEASE: (Move.RELEASE, Move.CLOSE),
    }
    order = list(submit)
    if stage not in submit:
        return []
    earlier: set[Evidence] = set()
    for before in order[: order.index(stage)]:
        for move in submit[before]:
            earlier.update(MOVES[move].requires)
    wanted: list[Evidence] = []
    for move in submit[stage]:
        wanted += [e for e in MOVES[move].requires if e not in earlier and e not in wanted]
    return [evidence_state(project, e) for e in wanted]


def stage_context(project: Project, user: Any, stage: Stage) -> dict[str, Any]:
    """Context for a stage page: ``project, stage, stage_bar, checklist, owner_role, owners, offers, my_role, clauses, is_current``."""
    owner = OWNERS[State(project.state)]
    return {
        "project": project,
        "stage": stage,
        "stage_bar": stage_bar(project, stage),
        "checklist": checklist(project, stage),
        "owner_role": owner,
        "owners": members_by_role(project).get(owner, []) if owner else [],
        "offers": move_offers(project, user) if project.stage == stage else [],
        "my_role": role_of(user, project),
        "clauses": CLAUSES.get(stage, ()),
        "is_current": project.stage == stage,
    }
