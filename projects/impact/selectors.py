"""Reading assessments, and whether a project needs one before its release."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import QuerySet

from approvals.request_cache import cached_read
from projects.core.enums import SharingType
from projects.core.models import Project
from projects.core.selectors import members_by_role
from projects.objective.enums import Classification
from projects.objective.selectors import objective_of
from projects.workflow import Role
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


def set_house_source(source: Callable[[Project], House]) -> None:
    """Let the organisation's rules decide which projects need an assessment."""
    global _house
    _house = source


def assessments_of(project: Project) -> QuerySet[ImpactAssessment]:
    """All of them, the newest first."""
    return ImpactAssessment.objects.filter(project=project).select_related("project", "made_by", "decided_by")


def assessment_get(project: Project, assessment_id: uuid.UUID) -> ImpactAssessment:
    return assessments_of(project).get(pk=assessment_id)


def about_hash(project: Project) -> str:
    """Of what an assessment is about: it no longer holds once another way, grade or recipient is chosen."""
    recipients = sorted(person.username for person in members_by_role(project).get(Role.RECIPIENT, []))
    return canonical_hash([project.sharing_type, _grade(project), recipients])


def _grade(project: Project) -> str:
    objective = objective_of(project)
    return str(((objective.scope if objective else None) or {}).get("classification", ""))


# Important data need not hold any sensitive personal information.
_GRADES: dict[str, Occasion] = {
    Classification.SENSITIVE.value: Occasion.SENSITIVE,
    Classification.IMPORTANT.value: Occasion.IMPORTANT,
}
_WAYS: dict[str, Occasion] = {
    SharingType.PUBLIC.value: Occasion.PUBLIC,
    SharingType.CONTROLLED.value: Occasion.PROVIDED,
    SharingType.ENCLAVE.value: Occasion.ENCLAVE,
}


def occasions_of(project: Project) -> list[Occasion]:
    """Why an assessment comes before the release, as far as the project itself shows it."""
    found = []
    if grade := _GRADES.get(_grade(project)):
        found.append(grade)
    if way := _WAYS.get(project.sharing_type):
        found.append(way)
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
    """The newest concluded one, if it is about what stands now."""
    found = assessments_of(project).filter(outcome=Outcome.CONCLUDED).first()
    return found if found is not None and found.about == about_hash(project) else None
