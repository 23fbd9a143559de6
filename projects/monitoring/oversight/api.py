"""Senior management's reviews of records for programs, by the same services and rules as the page."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from approvals.decisions.models import ManagementOutcome
from approvals.decisions.selectors import management_reviews_of
from approvals.documents.selectors import documents_about
from projects.core.api import EvidenceLineSerializer, ProjectAPIView, evidence_lines
from projects.core.evidence import content_of
from projects.core.models import Project
from projects.core.pages import checklist
from projects.findings.api import DeviationSerializer
from projects.workflow import Stage

from ..api import FiveFieldsSerializer
from ..forms import FiveFieldsForm
from .presentation import management_rows
from .rules import may_review_records
from .selectors import of_stage
from .services import records_review
from .views import stage_named

MOST = 50


class ManagementReviewSerializer(serializers.Serializer[Any]):
    """``review``: the supervisor's, by which the stage had passed. ``subject_hash``: the content that was judged; ``is_current``:
    the stage still is that. ``findings``: the ids of those that were raised."""

    id = serializers.UUIDField(source="review.pk")
    stage = serializers.ChoiceField(choices=Stage.choices, source="review.stage")
    review = serializers.UUIDField(source="review.review_id")
    subject_hash = serializers.CharField(source="review.subject_hash")
    is_current = serializers.BooleanField()
    object = serializers.CharField(source="review.object")
    time = serializers.DateTimeField(source="review.time")
    process = serializers.CharField(source="review.process")
    result = serializers.CharField(source="review.result")
    measures = serializers.CharField(source="review.measures")
    outcome = serializers.ChoiceField(choices=ManagementOutcome.choices, source="review.outcome")
    reviewed_by = serializers.CharField(source="review.reviewed_by.full_name")
    recorded_at = serializers.DateTimeField(source="review.recorded_at")
    findings = serializers.SerializerMethodField()

    def get_findings(self, row: Any) -> list[uuid.UUID]:
        return [one.pk for one in row.findings]


class RecordsReviewWriteSerializer(FiveFieldsSerializer):
    """``deviations``: each becomes a finding; none where the records are complete and sound."""

    outcome = serializers.ChoiceField(choices=ManagementOutcome.choices)
    deviations = serializers.ListField(child=DeviationSerializer(), max_length=MOST, default=list)


class StageRecordsSerializer(serializers.Serializer[Any]):
    """The records of a stage as they are now: ``content`` is the hash that a review has to name, "" while there is nothing."""

    stage = serializers.ChoiceField(choices=Stage.choices)
    content = serializers.CharField()
    evidence = EvidenceLineSerializer(many=True)
    documents = serializers.IntegerField(help_text="How many documents are kept of this content.")
    may_review = serializers.BooleanField()
    # Why the caller may not review them; empty where they may.
    reason = serializers.CharField()
    reviews = ManagementReviewSerializer(many=True)


class ManagementReviews(ProjectAPIView):
    @extend_schema("management_reviews_list", responses=ManagementReviewSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Every review of records by senior management, the newest first."""
        found = management_rows(self.project, management_reviews_of(self.project.pk))
        return Response(ManagementReviewSerializer(found, many=True).data)


class StageRecords(ProjectAPIView):
    @extend_schema("management_reviews_subject", responses=StageRecordsSerializer)
    def get(self, request: Request, project_id: uuid.UUID, stage: str) -> Response:
        """The records of a stage with what is missing, and what senior management found in them."""
        return Response(StageRecordsSerializer(_shown(request, self.project, stage_named(stage))).data)

    @extend_schema(
        "management_reviews_record",
        request=RecordsReviewWriteSerializer,
        responses={201: ManagementReviewSerializer},
    )
    def post(self, request: Request, project_id: uuid.UUID, stage: str) -> Response:
        """Record a review of the records of a stage that its supervisor has passed; the project stays where it is."""
        of = stage_named(stage)
        may_review_records(request.user, self.project, of).require()
        values = self.sent(RecordsReviewWriteSerializer)
        FiveFieldsForm.check_time(values["time"])
        made = records_review(self.project, of, **values, by=request.user)
        (row,) = management_rows(self.project, [made])
        return Response(ManagementReviewSerializer(row).data, status=status.HTTP_201_CREATED)


def _shown(request: Request, project: Project, stage: Stage) -> dict[str, Any]:
    content, verdict = content_of(project, stage), may_review_records(request.user, project, stage)
    return {
        "stage": stage,
        "content": content.hash if content else "",
        "evidence": evidence_lines(checklist(project, stage)),
        "documents": documents_about(content).count() if content else 0,
        "may_review": bool(verdict),
        "reason": "" if verdict else verdict.text,
        "reviews": management_rows(project, of_stage(project, stage)),
    }
