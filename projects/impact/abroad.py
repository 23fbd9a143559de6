"""Data that go to a recipient abroad: an assessment has to name the country and what permits the transfer (PIPL 38 to 40, 55)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from django.db.models import Exists, OuterRef, Q

from approvals.request_cache import cached_read
from projects.core.models import Project
from projects.core.selectors import reads_along
from projects.releases.agreements.countries import HERE, is_abroad
from projects.releases.models import Agreement
from projects.releases.selectors import agreements_all

from .enums import Outcome, Transfer
from .models import ImpactAssessment

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
    """The countries of recipients abroad that no assessment which holds names, sorted."""
    agreed = {
        str(one.country) for one in agreements_all(project) if one.ended_at is None and is_abroad(one.country)
    }
    return sorted(agreed - _assessed([project.pk]).get(project.pk, frozenset())) if agreed else []


@cached_read
def projects_unassessed(user_id: Any) -> frozenset[uuid.UUID]:
    """The projects whose agreement with ``user_id`` names a country abroad that no assessment which holds names."""
    found = Agreement.objects.filter(_ABROAD, recipient=user_id, ended_at=None)
    agreed = dict(found.values_list("project", "country"))
    assessed = _assessed(agreed)
    return frozenset(pk for pk, country in agreed.items() if country not in assessed.get(pk, ()))


def _assessed(projects: Iterable[uuid.UUID]) -> dict[uuid.UUID, frozenset[str]]:
    """The countries that the assessment which was decided last names for each project, where it was concluded."""
    decided = ImpactAssessment.objects.filter(project__in=list(projects)).exclude(outcome=Outcome.WAITING)
    last = {one.project_id: one for one in decided.order_by("number")}
    return {
        pk: frozenset(one.answers.countries)
        for pk, one in last.items()
        if one.outcome == Outcome.CONCLUDED and one.answers.transfer != Transfer.INSIDE
    }
