"""The shared part of every stage's page: finding the project, the stage bar, what is missing and who has to act."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from approvals.decisions.models import Review
from approvals.decisions.selectors import open_signoff, review_latest, signatures_of, signed_for
from approvals.governance.person import Person
from approvals.governance.verdict import Verdict
from approvals.passages import in_a_row
from projects import workflow
from projects.workflow import MoveRule, Role, Stage, State

from .deadlines import Deadline, deadline_of
from .evidence import EvidenceState, evidence_state
from .help.clauses import clauses
from .help.glossary import terms_of
from .models import Project
from .returns import Return, current_return
from .rules import may_hand_on, may_move
from .selectors import members_by_role, project_get, role_of


def project_view(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Resolve ``project_id`` among the projects that the user may see; 404 otherwise.

    The view gets ``(request, project, **kwargs)``.
    """

    @wraps(view)
    def wrapper(request: HttpRequest, project_id: uuid.UUID, **kwargs: Any) -> HttpResponse:
        project = project_get(request.user, project_id)
        return view(request, project, **kwargs)

    return wrapper


def reason_missing(
    request: HttpRequest, project: Project, form: Form, *, title: str, only: str = "", tone: str = "primary"
) -> HttpResponse:
    """The answer to a dialog whose ``form`` was refused: the form on a page of its own, with what is wrong. ``only`` names the fields that
    are asked for, where it has others."""
    context = {"project": project, "form": form, "title": title, "only": only, "tone": tone}
    return render(request, "core/reason_missing.html", context, status=422)


@dataclass(frozen=True)
class StageStep:
    """One step of the stage bar. ``state``: done, current, next or blocked."""

    stage: Stage
    label: str
    url: str
    state: str


@dataclass(frozen=True)
class ProjectFrame:
    """What stands on top of every page of a project.

    ``viewed`` is the label of the stage to which the page belongs, if it is one's, and ``is_of_work`` whether that is under way; ``holder`` names who has to act in
    ``holder_role``, both empty where nobody has; ``sections`` are label and url.
    """

    stages: list[StageStep]
    viewed: str
    holder: str
    holder_role: str
    is_mine: bool
    judgement_url: str
    is_of_work: bool
    sections: list[dict[str, str]]
    deadline: Deadline | None


@dataclass(frozen=True)
class MoveOffer:
    """A move that could be made from here, with the rule's answer for this user.

    ``url`` makes the move, or leads to the page on which its judgement is recorded.
    """

    rule: MoveRule
    label: str
    verdict: Verdict
    url: str
    # The work comes back as it was returned: the move wants a justification.
    unexplained: bool = False

    @property
    def tone(self) -> str:
        if self.rule.target in (State.REJECTED, State.WITHDRAWN, State.SUSPENDED):
            return "danger"
        return "secondary" if self.rule.needs_reason and not self.rule.judged else "primary"

    @property
    def dialog(self) -> str:
        return f"move-{self.rule.move.value}" if self.rule.needs_reason or self.unexplained else ""


@dataclass(frozen=True)
class Pointer:
    """A sentence on a stage's page about what another stage knows, with the way there."""

    title: str
    text: str
    url: str
    label: str
    tone: str = "warn"


@dataclass(frozen=True)
class Judged:
    """What a review of a stage judges, in words: its title, and a template with what that shows."""

    title: str
    template: str
    context: dict[str, Any]


_judged: dict[Stage, Callable[[Project], Judged]] = {}


def judged_as(stage: Stage) -> Callable[[Callable[[Project], Judged]], Callable[[Project], Judged]]:
    """Register how the content of ``stage`` is shown to who reviews it; asked only while there is content."""

    def register(show: Callable[[Project], Judged]) -> Callable[[Project], Judged]:
        _judged[stage] = show
        return show

    return register


def judged_content(project: Project, stage: Stage) -> Judged:
    return _judged[stage](project)


_pointers: dict[Stage, list[Callable[[Project], Pointer | None]]] = {}


def points_from(stage: Stage) -> Callable[[Callable[[Project], Pointer | None]], Any]:
    """Register a provider of pointers for the page of ``stage``. A later stage speaks to an earlier one so, because
    the earlier one does not import it."""

    def register(pointer: Callable[[Project], Pointer | None]) -> Callable[[Project], Pointer | None]:
        _pointers.setdefault(stage, []).append(pointer)
        return pointer

    return register


def pointers(project: Project, stage: Stage) -> list[Pointer]:
    """The pointers of other stages for the page of ``stage``; none while the project is elsewhere."""
    if project.stage != stage:
        return []
    return [found for pointer in _pointers.get(stage, ()) if (found := pointer(project)) is not None]


_everywhere: list[Callable[[Project], Pointer | None]] = []


def shown_on_every_page(
    pointer: Callable[[Project], Pointer | None],
) -> Callable[[Project], Pointer | None]:
    """Register a provider of what stands on top of every page of a project, whatever stage it is of."""
    if pointer not in _everywhere:
        _everywhere.append(pointer)
    return pointer


def pointers_everywhere(project: Project) -> list[Pointer]:
    return [found for pointer in _everywhere if (found := pointer(project)) is not None]


def stage_url(project: Project, stage: Stage) -> str:
    return reverse(workflow.STAGES[stage].page, kwargs={"project_id": project.pk})


def judgement_url(project: Project) -> str:
    """The page on which the project's current state is judged; empty where nothing is to be judged."""
    page = workflow.STATES[State(project.state)].judgement_page
    return reverse(page, kwargs={"project_id": project.pk}) if page else ""


def stage_bar(project: Project) -> list[StageStep]:
    """The standard's steps; a stage that was not entered yet has no link."""
    order = list(workflow.STAGES)
    position = len(order) if project.stage == Stage.CLOSED else order.index(project.stage)
    if project.state in (State.REJECTED, State.WITHDRAWN):
        position = 0
    steps = []
    for index, stage in enumerate(order):
        state = "done" if index < position else "current" if index == position else "next"
        if project.state == State.SUSPENDED and state == "current":
            state = "blocked"
        reached = index <= position or project.state in workflow.TERMINAL
        steps.append(StageStep(stage, str(stage.label), stage_url(project, stage) if reached else "", state))
    return steps


def signatures_waiting(project: Project) -> list[Person]:
    """Who has signed what others are still to sign, and so has nothing to do."""
    kind = workflow.STATES[State(project.state)].signs
    signoff = open_signoff(project.pk, kind) if kind else None
    return signed_for(signatures_of(signoff)) if signoff is not None else []


def project_frame(project: Project, user: Person, path: str) -> ProjectFrame:
    """The same for who reads the page at ``path``."""
    owner, members = project.owner, members_by_role(project)
    my_role = role_of(user, project)
    signed = signatures_waiting(project)
    is_mine = owner is not None and owner == my_role and not any(user.is_same_person(one) for one in signed)
    viewed = next((stage for stage in workflow.STAGES if path.startswith(stage_url(project, stage))), None)
    among = members.get(owner, []) if owner is not None else []
    holders = [one for one in among if not any(one.is_same_person(person) for person in signed)]
    return ProjectFrame(
        stages=stage_bar(project),
        viewed=str(viewed.label) if viewed is not None else "",
        holder=_(", ").join(map(str, holders)) or (str(owner.label) if owner is not None else ""),
        holder_role=str(owner.label) if owner is not None else "",
        is_mine=is_mine,
        judgement_url=judgement_url(project) if is_mine else "",
        is_of_work=viewed is not None and viewed == project.stage,
        sections=_sections(project, my_role),
        deadline=deadline_of(project),
    )


# The pages beside the stages; the keys are no matter of who signs.
_SECTIONS: tuple[tuple[str, Any], ...] = (
    ("core:project", _("Overview")),
    (workflow.MONITORING_PAGE, _("Monitor and review")),
    ("findings:page", pgettext_lazy("section", "Findings")),
    ("core:members", _("Team")),
    ("vault:page", pgettext_lazy("section", "Keys")),
    ("reversal:page", _("Reversal")),
    ("queries:page", pgettext_lazy("section", "Questions")),
    ("core:history", _("History")),
)


def _sections(project: Project, my_role: Role | None) -> list[dict[str, str]]:
    return [
        {"url": reverse(page, kwargs={"project_id": project.pk}), "label": str(label)}
        for page, label in _SECTIONS
        if page != "vault:page" or my_role != Role.MANAGEMENT
    ]


def project_url(project: Project) -> str:
    """The page on which the work on ``project`` goes on now: its judgement, else its stage, else the overview."""
    if project.state in workflow.TERMINAL or project.state == State.SUSPENDED:
        return reverse("core:project", kwargs={"project_id": project.pk})
    return judgement_url(project) or stage_url(project, project.stage)


_steps: dict[Stage, Callable[[Project], str]] = {}


def goes_on_at(stage: Stage) -> Callable[[Callable[[Project], str]], Callable[[Project], str]]:
    """Register which page the work on ``stage`` goes on at: the first of its steps that is not done."""

    def register(step: Callable[[Project], str]) -> Callable[[Project], str]:
        _steps[stage] = step
        return step

    return register


def next_url(project: Project, user: Person) -> str:
    """Where the work on ``project`` goes on: for whom has to act the very step of a stage, which others may not open; a list of
    projects takes :func:`project_url`."""
    step = _steps.get(project.stage)
    if step is None or project.state != workflow.stage_states(project.stage)[0]:
        return project_url(project)
    if project.owner != role_of(user, project):
        return project_url(project)
    return step(project) or project_url(project)


HANDED_ON = "handed_on"
"""In the address of a page on which somebody has just ended their turn."""


def handed_on(url: str) -> str:
    """The page at ``url``, which says on top who has to act now and what else waits for its reader."""
    return f"{url}?{HANDED_ON}=1"


def onward(project: Project, user: Person) -> str:
    """Where ``user`` goes after an act: to the next step if it is theirs; if somebody else has to act they stay with the stage, and
    find their other tasks there."""
    if project.owner is None:
        return reverse("core:project", kwargs={"project_id": project.pk})
    if project.owner == role_of(user, project):
        return next_url(project, user)
    return handed_on(stage_url(project, project.stage))


def move_offers(project: Project, user: Person) -> list[MoveOffer]:
    """Every move out of the current state that this user's role could make, each with its verdict."""
    role = role_of(user, project)
    judged = judgement_url(project)
    return [
        MoveOffer(
            rule,
            str(rule.move.label),
            may_move(user, project, rule.move),
            judged
            if rule.judged
            else reverse("core:move", kwargs={"project_id": project.pk, "move": rule.move.value}),
            not may_hand_on(project, rule.move),
        )
        for rule in workflow.moves_from(State(project.state))
        if role in rule.roles
    ]


def checklist(project: Project, stage: Stage) -> list[EvidenceState]:
    """The evidence that the forward moves of ``stage`` require, in table order, without the earlier stages' part."""
    return [evidence_state(project, evidence) for evidence in workflow.stage_evidence(stage)]


def checklist_rows(
    states: list[EvidenceState], members: dict[Role, list[Person]], my_role: Role | None
) -> list[dict[str, Any]]:
    """The checklist as the component draws it: what is there, what is not, and who has to act."""
    rows = []
    for state in states:
        role = state.evidence.role
        rows.append(
            {
                "label": state.label,
                "state": "done" if state.met else "todo" if role == my_role else "waiting",
                "role": role.label,
                "who": "" if state.met else _(", ").join(str(person) for person in members.get(role, [])),
                # A provider that has nothing more precise to say repeats the label.
                "hint": in_a_row([str(text) for text in state.missing if str(text) != str(state.label)]),
            }
        )
    return rows


def _answer_rows(
    returned: Return | None, members: dict[Role, list[Person]], my_role: Role | None
) -> list[dict[str, Any]]:
    """That a return wants an answer: the rest of the checklist may all be there as it was when the work came back."""
    owner = None if returned is None else returned.project.owner
    if returned is None or owner is None:
        return []
    answered = returned.justification is not None or not returned.unchanged
    return [
        {
            "label": _("The return is answered, by a change or by a justification"),
            "state": "done" if answered else "todo" if owner == my_role else "waiting",
            "role": owner.label,
            "who": "" if answered else _(", ").join(str(person) for person in members.get(owner, [])),
            "hint": "" if answered else _("The work stands as it was returned."),
        }
    ]


def _passed_review(project: Project, stage: Stage, states: list[EvidenceState]) -> Review | None:
    """The review by which ``stage`` has passed as it stands; read already by who answered about it among ``states``."""
    row = workflow.STAGES.get(stage)
    if row is None or not any(one.met and one.evidence == row.review for one in states):
        return None
    return review_latest(project.pk, stage)


def stage_context(project: Project, user: Person, stage: Stage) -> dict[str, Any]:
    """What ``projects/stage.html`` and the pages of a stage need.

    Keys: project, stage, checklist (EvidenceState), check_rows, owner_role,
    owners, my_role, is_mine, offers, passed_review (the review by which the stage passed, or None), judgement_url, clauses (with their paraphrases), terms, is_current, pointers, returned (the
    return that the work goes back to, or None).
    """
    owner = project.owner
    members = members_by_role(project)
    my_role = role_of(user, project)
    states = checklist(project, stage)
    returned = current_return(project) if project.stage == stage else None
    offers = move_offers(project, user) if project.stage == stage else []
    return {
        "project": project,
        "stage": stage,
        "passed_review": _passed_review(project, stage, states),
        "checklist": states,
        "check_rows": [*_answer_rows(returned, members, my_role), *checklist_rows(states, members, my_role)],
        "owner_role": owner,
        "owners": members.get(owner, []) if owner else [],
        "offers": offers,
        "judgement_url": judgement_url(project) if owner is not None and owner == my_role else "",
        "my_role": my_role,
        "is_mine": owner is not None and owner == my_role,
        "clauses": clauses(workflow.STAGES[stage].clauses if stage in workflow.STAGES else ()),
        "terms": terms_of(stage),
        "is_current": project.stage == stage,
        "pointers": pointers(project, stage),
        "returned": returned,
    }
