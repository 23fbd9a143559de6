"""The organisation's review checklists: their only writer, and how they are read."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from approvals.governance.verdict import deny
from approvals.request_cache import cached_read
from projects import workflow
from projects.monitoring.checklists.items import Checklist, Item
from projects.workflow import Stage

from .. import events
from ..models import ReviewChecklist
from ..proposals.models import ProposalStatus
from ..proposals.services import proposal_decide, proposal_lay
from ..rules import OrganisationReason

STAGES = tuple(row.stage for row in workflow.STAGES.values() if row.review is not None)
"""The stages that are reviewed."""
MOST_ITEMS = 40
LONGEST = 300
LONGEST_CLAUSE = 40


def versions(stage: Stage | None = None) -> QuerySet[ReviewChecklist]:
    """Every version, of one stage or of all, the newest first."""
    found = ReviewChecklist.objects.select_related("made_by", "decided_by")
    return found if stage is None else found.filter(stage=stage)


def version_get(version_id: uuid.UUID) -> ReviewChecklist:
    """Raises ``ReviewChecklist.DoesNotExist``."""
    return versions().get(pk=version_id)


@cached_read
def _in_force() -> dict[str, Checklist]:
    found = ReviewChecklist.objects.filter(status=ProposalStatus.IN_FORCE)
    return {one.stage: checklist_from(one) for one in found}


def checklist_now(stage: Stage) -> Checklist:
    """The one in force; none is asked where there is no version, or one without items."""
    return _in_force().get(stage, Checklist())


def checklist_from(version: ReviewChecklist) -> Checklist:
    return Checklist(version.number, version.content_hash, tuple(Item(**one) for one in version.items))


def checklist_propose(stage: Stage, items: Sequence[Item], *, reason: str, by: Person) -> ReviewChecklist:
    """Lay down the next version for ``stage``; it waits for a second person. No items: nothing is asked any more.

    Raises ``ValidationError`` where an item is not whole; ``Refused`` where the person may not, no reason is given, nothing would
    change, or a version is waiting already.
    """
    wrong = [text for place, one in enumerate(items, 1) if (text := _wrong(place, one))]
    if stage not in STAGES:
        wrong.append(_("This stage is not reviewed."))
    if len(items) > MOST_ITEMS:
        wrong.append(_("At most %(most)d items.") % {"most": MOST_ITEMS})
    if wrong:
        raise ValidationError(wrong)
    if checklist_now(stage).items == tuple(items):
        deny(OrganisationReason.NOTHING_CHANGED).require()
    return proposal_lay(
        ReviewChecklist(stage=stage, items=[one.as_json() for one in items], reason=reason),
        versions=ReviewChecklist.objects.filter(stage=stage),
        sentences=events.CHECKLIST,
        facts={"stage": str(stage)},
        by=by,
    )


def _wrong(place: int, item: Item) -> str:
    said = {"number": place, "most": LONGEST}
    if not item.zh.strip() or not item.en.strip() or not item.clause.strip():
        return _("Item %(number)d needs its clause and its text in both languages.") % said
    if max(len(item.zh), len(item.en)) > LONGEST or len(item.clause) > LONGEST_CLAUSE:
        return _("Item %(number)d is too long: at most %(most)d characters.") % said
    return ""


def checklist_decide(version: ReviewChecklist, *, accept: bool, reason: str, by: Person) -> ReviewChecklist:
    """Put a proposed version in force, for every review that is recorded from then on, or turn it down."""
    return proposal_decide(
        version,
        versions=ReviewChecklist.objects.filter(stage=version.stage),
        sentences=events.CHECKLIST,
        accept=accept,
        reason=reason,
        by=by,
    )
