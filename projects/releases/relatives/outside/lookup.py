"""What the register answers for a target of releases that were made outside the portal (5.2.2 f)."""

from __future__ import annotations

from approvals.governance.person import Person
from projects.core.models import Project
from projects.objective.targets.register.content import FoundRelease
from projects.objective.targets.register.selectors import RegisterQuestion, finds_releases

from ..selectors import LEAST_COLUMNS
from .kinship import Known, compared, grounds_of
from .models import OutsideRelease


@finds_releases
def outside_releases(user: Person, project: Project, asked: RegisterQuestion) -> list[FoundRelease]:
    """One line for each entry that counts, the youngest first, by whichever reason holds for what is known of it. Only a planning
    manager looks the register up, and may read them all."""
    known = Known(
        columns=compared(asked.columns),
        files=asked.files,
        source=asked.question.source,
        subject=frozenset(compared(asked.question.subject)),
    )
    found = []
    for entry in OutsideRelease.objects.filter(withdrawn_at=None):
        kin = grounds_of(entry, known, least=LEAST_COLUMNS)
        if kin.grounds:
            found.append(
                FoundRelease(
                    number=entry.mark,
                    title=entry.name,
                    is_hidden=False,
                    is_outside=True,
                    by=list(kin.grounds),
                    columns=list(kin.columns),
                    releases=1,
                    is_live=entry.in_force,
                    sharing_type=entry.sharing_type,
                )
            )
    return found
