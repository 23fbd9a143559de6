"""Who saves target and plan under a name and begins with them, and the only writer of saved plans."""

from __future__ import annotations

import uuid
from collections.abc import Collection

from django.db.models import Q, QuerySet
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Verdict, deny
from projects.core.models import Project
from projects.core.rules import has_role, may_open_project
from projects.core.services import project_lock
from projects.workflow import Role
from techniques.core.canonical import canonical_hash

from ... import events
from ...enums import Part
from ...models import SavedPlan
from ...rules import ObjectiveReason
from ...services import answers_begin
from .answers import Answers, answers_of


def saved_plans(person: Person) -> QuerySet[SavedPlan]:
    """Those that a person may begin with: their own, and those for every planning manager; none for who opens no projects."""
    if not may_open_project(person):
        return SavedPlan.objects.none()
    return SavedPlan.objects.filter(
        Q(saved_by=person.pk) | Q(of_organisation=True), withdrawn_at=None
    ).select_related("saved_by")


def saved_get(saved_id: uuid.UUID, person: Person) -> SavedPlan:
    """Raises ``SavedPlan.DoesNotExist`` for one that the person may not take."""
    return saved_plans(person).get(pk=saved_id)


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
        name = " ".join(name.split())[:120]
        if not name:
            deny(ObjectiveReason.SAVED_NAME_NEEDED).require()
        if SavedPlan.objects.filter(saved_by=by.pk, name=name, withdrawn_at=None).exists():
            deny(ObjectiveReason.SAVED_NAME_TAKEN).require()
        said = answers_of(project)
        assert said is not None  # as the rule requires
        kept = said.with_texts(texts)
        content = kept.as_json()
        saved = SavedPlan.objects.create(
            name=name,
            content=content,
            content_hash=canonical_hash(content),
            of_organisation=of_organisation,
            project=project,
            saved_by=by,
        )
        event.subject = saved.subject
        event.facts["texts"] = len(kept.texts())
        return saved


def may_withdraw(person: Person, saved: SavedPlan) -> Verdict:
    """Who saved it."""
    return ALLOW if saved.saved_by_id == person.pk else deny(ObjectiveReason.SAVED_BY_ANOTHER)


def saved_withdraw(saved: SavedPlan, *, by: Person) -> None:
    """Nobody begins with it any more; projects that did stay as they are."""
    with recording(events.SAVED_PLAN_WITHDRAWN, by=by, project_id=saved.project_id) as event:
        saved = SavedPlan.objects.select_for_update(of=("self",)).get(pk=saved.pk)
        may_withdraw(by, saved).require()
        saved.withdrawn_at = saved.withdrawn_at or timezone.now()
        saved.save()
        event.subject = saved.subject


def saved_take(saved: SavedPlan, project: Project, by: Person) -> None:
    """The project begins with the answers as drafts."""
    with recording(events.PLAN_TAKEN, by=by, about=project, name=saved.name):
        answers_begin(project, answers=Answers.from_json(saved.content), saved=saved, by=by)
