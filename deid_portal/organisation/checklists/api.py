"""API of the review checklists."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from approvals.governance.person import Person
from projects.monitoring.checklists.items import Item
from projects.workflow import Stage

from ..models import ReviewChecklist
from ..proposals.api import (
    VERSION_FIELDS,
    ReasonedSerializer,
    VersionDecision,
    VersionList,
    VersionSerializer,
    described,
    described_decision,
)
from . import lists as services
from .lists import LONGEST, LONGEST_CLAUSE, MOST_ITEMS


class ReviewChecklistItemSerializer(serializers.Serializer[Any]):
    """One item: its text in both languages, its clause, and whether a stage passes only when it holds or is not applicable."""

    zh = serializers.CharField(max_length=LONGEST)
    en = serializers.CharField(max_length=LONGEST)
    clause = serializers.CharField(max_length=LONGEST_CLAUSE)
    obligatory = serializers.BooleanField()


class ReviewChecklistSerializer(VersionSerializer[ReviewChecklist]):
    items = ReviewChecklistItemSerializer(many=True)

    class Meta:
        model = ReviewChecklist
        fields = read_only_fields = (*VERSION_FIELDS, "stage", "items")


class ReviewChecklistProposalSerializer(ReasonedSerializer):
    """``items`` empty: nothing is asked of the stage beside the standard's requirements."""

    stage = serializers.ChoiceField(choices=[(one.value, one.label) for one in services.STAGES])
    items: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=ReviewChecklistItemSerializer(), allow_empty=True, max_length=MOST_ITEMS
    )


@described(
    "organisation_checklists",
    ReviewChecklistSerializer,
    ReviewChecklistProposalSerializer,
    "Every version of the checklist of every stage, by stage, the newest first.",
)
class ChecklistList(VersionList[ReviewChecklist]):
    shown, sent = ReviewChecklistSerializer, ReviewChecklistProposalSerializer
    versions = staticmethod(services.versions)

    def propose(self, sent: dict[str, Any], by: Person) -> ReviewChecklist:
        """The items of one stage."""
        items = [Item(**one) for one in sent["items"]]
        return services.checklist_propose(Stage(sent["stage"]), items, reason=sent["reason"], by=by)


@described_decision("organisation_checklists", ReviewChecklistSerializer)
class ChecklistDecision(VersionDecision[ReviewChecklist]):
    shown = ReviewChecklistSerializer
    version, decide = staticmethod(services.version_get), staticmethod(services.checklist_decide)
