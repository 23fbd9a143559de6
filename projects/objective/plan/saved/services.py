"""Who saves target and plan under a name and begins with them, and the only writer of saved plans."""

from __future__ import annotations

from collections.abc import Collection

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import Verdict, deny
from projects.core.models import Project
from projects.core.rules import has_role, may_open_project
from projects.core.saved.services import SavedContents
from projects.core.services import project_lock
from projects.workflow import Role

from ... import events
from ...enums import Part
from ...models import SavedPlan
from ...rules import ObjectiveReason
from ...services import answers_begin
from .answers import Answers, answers_of

SAVED_PLANS = SavedContents(
    SavedPlan.objects,
    audience=lambda person: bool(may_open_project(person)),
    withdrawal=events.SAVED_PLAN_WITHDRAWN,
    name_needed=ObjectiveReason.SAVED_NAME_NEEDED,
    name_taken=ObjectiveReason.SAVED_NAME_TAKEN,
    saved_by_another=ObjectiveReason.SAVED_BY_ANOTHER,
)
"""Templates, for who opens projects."""


def may_save(person: Person, project: Project) -> Verdict:
    """The planning manager of the project, at any time, once its target has a sharing type that is not completely public and something
    was written."""
    verdict = has_role(person, project, Role.PLANNER)
    if verdict and answers_of(project) is None:
        return deny(ObjectiveReason.NOTHING_TO_SAVE)
    return verdict


def saved_create(
    project: Project, *, name: str, of_organisation: bool, texts: Collection[tuple[Part, str]], by: Person
) -> SavedPlan:
    """Keep what the target and the plan say, with the picked ``texts`` (step, field) alone, under a name that the person has not given
    yet."""
    with recording(events.PLAN_KEPT, by=by, project_id=project.pk) as event:
        project = project_lock(project)
        may_save(by, project).require()
        said = answers_of(project)
        assert said is not None  # as the rule requires
        kept = said.with_texts(texts)
        saved = SAVED_PLANS.create(
            kept.as_json(), name=name, of_organisation=of_organisation, project=project, by=by
        )
        event.subject = saved.subject
        event.facts["texts"] = len(kept.texts())
        return saved


def saved_take(saved: SavedPlan, project: Project, by: Person) -> None:
    """The project begins with the answers as drafts."""
    with recording(events.PLAN_TAKEN, by=by, about=project, name=saved.name):
        answers_begin(project, answers=Answers.from_json(saved.content), saved=saved, by=by)
