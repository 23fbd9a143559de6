"""Reading what external assessors were asked and have answered."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import JSONObject

from approvals.governance.person import by_reading
from approvals.listed import Listed
from projects.core.assessments.selectors import orders_of
from projects.core.models import Project

from ...models import Verification
from ...selectors import reads_along
from .models import UtilityOpinion


def opinions_of(project: Project) -> QuerySet[UtilityOpinion]:
    """All that was ever asked in the project, the newest first."""
    found = UtilityOpinion.objects.filter(project=project)
    return found.select_related("project", "verification__project", "assessor", "asked_by")


def opinion_get(project: Project, opinion_id: uuid.UUID) -> UtilityOpinion:
    return opinions_of(project).get(pk=opinion_id)


@dataclass(frozen=True)
class Said:
    """What one assessor has said of a result; ``verdict`` and ``reason`` are empty until then."""

    assessor: str
    verdict: str
    reason: str


_ABOUT = UtilityOpinion.objects.filter(verification=OuterRef("pk")).order_by().values("verification")
_ROW = JSONObject(at="asked_at", assessor="assessor__full_name", verdict="verdict", reason="reason")
reads_along("opinions_said", Subquery(_ABOUT.annotate(said=Listed(_ROW)).values("said")))


def opinions_about(verification: Verification) -> list[Said]:
    """What was asked about this very result, the newest question first; nothing more is read where the newest verification was."""
    if hasattr(verification, "opinions_said"):
        rows = sorted(verification.opinions_said or [], key=lambda row: str(row["at"]), reverse=True)
        return [Said(row["assessor"], row["verdict"], row["reason"]) for row in rows]
    found = UtilityOpinion.objects.filter(verification=verification).select_related("assessor")
    return [Said(str(one.assessor), one.verdict, one.reason) for one in found]


def assessors_of(project: Project) -> list[Any]:
    """External assessors who have an order for the project and may be asked today."""
    orders = orders_of(project).filter(ended_at=None).prefetch_related("assessor__appointments")
    held = {one.assessor_id: one.assessor for one in orders if one.is_in_force and one.assessor.is_active}
    return sorted((one for one in held.values() if one.assesses), key=by_reading)
