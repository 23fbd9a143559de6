"""Reading assessments, and whether a project needs one before its release."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from approvals.request_cache import cached_read
from projects.core.enums import SharingType
from projects.core.models import Membership, Project
from projects.core.selectors import members_by_role, reads_along
from projects.objective.enums import Classification
from projects.objective.models import Objective
from projects.objective.selectors import objective_of
from projects.workflow import Role, State
from techniques.core.canonical import canonical_hash

from .enums import Occasion, Outcome, Transfer
from .models import ImpactAssessment


@dataclass(frozen=True)
class House:
    """What the organisation says of a project: whether its rules ``hold`` for it, and whether the grade of its data ``asks``
    for an assessment whatever becomes of them."""

    holds: bool = False
    asks: bool = False


def _nothing(project: Project) -> House:
    return House()


_house: Callable[[Project], House] = _nothing


def set_house_source(source: Callable[[Project], House], *, any_rules: Exists) -> None:
    """Let the organisation's rules decide which projects need an assessment; ``any_rules`` says whether there are any."""
    global _house
    _house = source
    reads_along("impact_rules", any_rules)


reads_along("impact_laid", Exists(ImpactAssessment.objects.filter(project=OuterRef("project"))))


def assessments_of(project: Project) -> QuerySet[ImpactAssessment]:
    """All of them, the newest first."""
    return ImpactAssessment.objects.filter(project=project).select_related("project", "made_by", "decided_by")


def assessment_get(project: Project, assessment_id: uuid.UUID) -> ImpactAssessment:
    return assessments_of(project).get(pk=assessment_id)


def about_hash(project: Project) -> str:
    """Of what an assessment is about: it no longer holds once another way or grade is chosen, nor for another recipient."""
    return _about(project.sharing_type, _grade(project), recipients_now(project))


def recipients_now(project: Project) -> list[str]:
    """The accounts' names of the recipients, sorted."""
    return sorted(person.username for person in members_by_role(project).get(Role.RECIPIENT, []))


def _covers(
    about: str, assessed: Sequence[str] | None, sharing_type: str, grade: str, recipients: Sequence[str]
) -> bool:
    """Whether an assessment is about this way of sharing and this grade, and about all of ``recipients``: who has left is
    missing to nobody."""
    if assessed is None:
        return about == _about(sharing_type, grade, recipients)
    return about == _about(sharing_type, grade, assessed) and set(recipients) <= set(assessed)


def _about(sharing_type: str, grade: str, recipients: Iterable[str]) -> str:
    return canonical_hash([sharing_type, grade, sorted(recipients)])


def _grade(project: Project) -> str:
    objective = objective_of(project)
    return _grade_in(objective.scope if objective else None)


def _grade_in(scope: Mapping[str, Any] | None) -> str:
    return str((scope or {}).get("classification", ""))


# Important data need not hold any sensitive personal information.
_GRADES: dict[str, Occasion] = {
    Classification.SENSITIVE.value: Occasion.SENSITIVE,
    Classification.IMPORTANT.value: Occasion.IMPORTANT,
}
_SHARED: dict[str, Occasion] = {
    SharingType.PUBLIC.value: Occasion.PUBLIC,
    SharingType.CONTROLLED.value: Occasion.PROVIDED,
    SharingType.ENCLAVE.value: Occasion.ENCLAVE,
}


def occasions_of(project: Project) -> list[Occasion]:
    """Why an assessment comes before the release, as far as the project itself shows it."""
    found = []
    if grade := _GRADES.get(_grade(project)):
        found.append(grade)
    if shared := _SHARED.get(project.sharing_type):
        found.append(shared)
    if _house(project).asks:
        found.append(Occasion.POLICY)
    return found


def occasions_with(project: Project, assessment: ImpactAssessment) -> list[Occasion]:
    """The same with what the assessment states."""
    answers = assessment.answers
    found = occasions_of(project) + [Occasion.AUTOMATED] * answers.automated
    return found + [Occasion.ABROAD] * (answers.transfer != Transfer.INSIDE)


def needs_assessment(project: Project) -> bool:
    """Whether the release waits for one: the organisation's rules hold for the project, and there is an occasion."""
    return _house(project).holds and bool(occasions_of(project))


@cached_read
def current_assessment(project: Project) -> ImpactAssessment | None:
    """The newest one, if it was concluded and is about what stands now: one that waits or was turned down takes the place of
    what was concluded before it."""
    found = assessments_of(project).first()
    if found is None or found.outcome != Outcome.CONCLUDED:
        return None
    covers = _covers(
        found.about, found.recipients, project.sharing_type, _grade(project), recipients_now(project)
    )
    return found if covers else None


@cached_read
def decided_last(projects: frozenset[uuid.UUID]) -> dict[uuid.UUID, ImpactAssessment]:
    """Of each project the assessment that was decided last, where it was concluded and is about the way of sharing and the grade
    that hold now, whoever receives. One that waits changes nothing."""
    decided = ImpactAssessment.objects.filter(project__in=projects).exclude(outcome=Outcome.WAITING)
    last = {one.project_id: one for one in decided.select_related("project").order_by("number")}
    concluded = {pk: one for pk, one in last.items() if one.outcome == Outcome.CONCLUDED}
    if not concluded:
        return {}
    scopes = dict(Objective.objects.filter(project__in=concluded).values_list("project", "scope"))

    def holds(one: ImpactAssessment) -> bool:
        # One from before its recipients were kept tells nobody apart: it is about those whom the project has now, or about nobody.
        who = [] if one.recipients is not None else recipients_now(one.project)
        grade = _grade_in(scopes.get(one.project_id))
        return _covers(one.about, one.recipients, one.project.sharing_type, grade, who)

    return {pk: one for pk, one in concluded.items() if holds(one)}


@cached_read
def outdated_for(user_id: Any) -> frozenset[uuid.UUID]:
    """The projects with a release in force, of those that ``user_id`` receives from, that went out after an assessment and have
    none that holds for this person: read together, as a list of releases asks of every row.

    One that waits for its decision stops nobody, so that a new recipient can be assessed; what was decided last counts. A
    release that went out before the organisation's rules asked for an assessment has none, and stays as it is.
    """
    laid = ImpactAssessment.objects.filter(project=OuterRef("pk")).order_by("-number")
    decided = laid.exclude(outcome=Outcome.WAITING)
    mine = Membership.objects.filter(user=user_id, role=Role.RECIPIENT, ended_at=None).values("project")
    projects = Project.objects.filter(pk__in=mine, state=State.MONITORING).annotate(
        outcome=Subquery(decided.values("outcome")[:1]),
        about=Subquery(decided.values("about")[:1]),
        assessed=Subquery(decided.values("recipients")[:1]),
        scope=Subquery(Objective.objects.filter(project=OuterRef("pk")).values("scope")[:1]),
    )
    assessed = list(projects.exclude(outcome=None))
    if not assessed:
        return frozenset()
    me, recipients = "", dict[uuid.UUID, list[str]]()
    concluded = [one.pk for one in assessed if one.outcome == Outcome.CONCLUDED]
    there = Membership.objects.filter(project__in=concluded, role=Role.RECIPIENT, ended_at=None)
    for project_id, person, username in there.values_list("project", "user", "user__username"):
        recipients.setdefault(project_id, []).append(username)
        me = username if person == user_id else me

    def holds(one: Any) -> bool:
        # An assessment from before its recipients were kept is about all of them or about nobody.
        who = [me] if one.assessed is not None else sorted(recipients.get(one.pk, ()))
        return one.outcome == Outcome.CONCLUDED and _covers(
            one.about, one.assessed, one.sharing_type, _grade_in(one.scope), who
        )

    return frozenset(one.pk for one in assessed if not holds(one))
