"""Data that go to a recipient or tester abroad: an assessment has to name the country and what permits the transfer (PIPL 38 to 40, 55)."""

from __future__ import annotations

import uuid
from typing import Any

from django.db.models import Exists, OuterRef, Q

from approvals.countries import HERE, is_abroad
from approvals.request_cache import cached_read
from projects.core.models import Project
from projects.core.selectors import members_by_role, reads_along
from projects.intrusion.invitations.selectors import countries_of_testers
from projects.releases.models import Agreement
from projects.releases.selectors import agreements_all
from projects.workflow import Role

from .enums import Outcome
from .models import ImpactAssessment
from .selectors import current_assessment, decided_last, outdated_for

_ABROAD = ~Q(country=None) & ~Q(country=HERE)
reads_along(
    "agreed_abroad",
    Exists(
        Agreement.objects.filter(
            _ABROAD, project=OuterRef("project"), recipient=OuterRef("user"), ended_at=None
        )
    ),
)


def countries_unassessed(project: Project) -> list[str]:
    """The countries of present recipients abroad, by agreements whose term runs, that no assessment which holds names; sorted."""
    recipients = {one.pk for one in members_by_role(project).get(Role.RECIPIENT, [])}
    agreed = {
        str(one.country)
        for one in agreements_all(project)
        if is_abroad(one.country) and one.in_force and one.recipient_id in recipients
    }
    return sorted(agreed - named_abroad(current_assessment(project))) if agreed else []


def unassessed_for_testers(project: Project) -> list[str]:
    """The countries abroad of present testers that the assessment by which they are judged does not name; sorted."""
    invited = {one for one in countries_of_testers(project) if is_abroad(one)}
    return sorted(invited - named_to_testers(frozenset([project.pk]))[project.pk]) if invited else []


def named_to_testers(projects: frozenset[uuid.UUID]) -> dict[uuid.UUID, frozenset[str]]:
    """The countries abroad to which the result of each project goes for a test: as for a recipient who has it, the assessment that was
    decided last counts, as long as it is about the way of sharing and the grade that hold now."""
    last = decided_last(projects)
    return {pk: named_abroad(last.get(pk)) for pk in projects}


@cached_read
def projects_unassessed(user_id: Any) -> frozenset[uuid.UUID]:
    """The projects whose agreement with ``user_id`` names a country abroad that no assessment which holds for this person names:
    as for any other receipt, the one that was decided last counts."""
    found = Agreement.objects.filter(_ABROAD, recipient=user_id, ended_at=None)
    agreed = dict(found.values_list("project", "country"))
    decided = ImpactAssessment.objects.filter(project__in=agreed).exclude(outcome=Outcome.WAITING)
    last = {one.project_id: one for one in decided.order_by("number")}
    outdated = outdated_for(user_id)
    return frozenset(
        pk for pk, country in agreed.items() if pk in outdated or country not in named_abroad(last.get(pk))
    )


def named_abroad(assessment: ImpactAssessment | None) -> frozenset[str]:
    """The countries to which a concluded assessment lets data go."""
    if assessment is None or assessment.outcome != Outcome.CONCLUDED:
        return frozenset()
    return frozenset(assessment.answers.countries)
