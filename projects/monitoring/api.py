"""Monitoring for programs: reviews, changes, re-assessments and the board, by the same services as the pages."""

from __future__ import annotations

import uuid
from datetime import date
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import PORTION, portion
from approvals.decisions.models import ReviewOutcome
from approvals.decisions.selectors import reviews_of
from projects.core.api import ProjectAPIView
from projects.core.evidence import content_of
from projects.core.models import Project
from projects.workflow import STATES, Stage, State

from . import rules, selectors, services
from .acceptance.rules import may_conclude_so
from .checklists.api import (
    ChecklistAnswersSerializer,
    ChecklistRecordSerializer,
    ChecklistSerializer,
    answers_sent,
)
from .checklists.items import checklist_of
from .enums import ChangeKind, ReassessmentOutcome
from .forms import LONG, ChangeForm, ReviewForm
from .models import Reassessment


class ReviewSerializer(serializers.Serializer[Any]):
    """A stage review with its five fields and the content that it judged."""

    id = serializers.UUIDField()
    stage = serializers.ChoiceField(choices=Stage.choices)
    subject_kind = serializers.CharField()
    subject_id = serializers.CharField()
    subject_hash = serializers.CharField()
    object = serializers.CharField()
    time = serializers.DateTimeField()
    process = serializers.CharField()
    result = serializers.CharField()
    measures = serializers.CharField()
    outcome = serializers.ChoiceField(choices=ReviewOutcome.choices)
    submitted_by = serializers.CharField(source="submitted_by.full_name")
    reviewed_by = serializers.CharField(source="reviewed_by.full_name")
    # Whose deputy reviewed; null where the role was their own.
    in_stead_of = serializers.CharField(source="in_stead_of.full_name", allow_null=True, default=None)
    recorded_at = serializers.DateTimeField()
    # The organisation's checklist as it was answered; null where none was asked.
    checklist = ChecklistRecordSerializer(allow_null=True, default=None)


class FiveFieldsSerializer(serializers.Serializer[Any]):
    """The record of a review; ``content`` is the hash of what was looked at."""

    content = serializers.CharField(max_length=64)
    object = serializers.CharField(max_length=LONG)
    time = serializers.DateTimeField()
    process = serializers.CharField(max_length=LONG)
    result = serializers.CharField(max_length=LONG)
    measures = serializers.CharField(max_length=LONG)


class ReviewWriteSerializer(FiveFieldsSerializer):
    """A review of the stage that is under review; ``content`` is the hash of what was looked at."""

    outcome = serializers.ChoiceField(choices=ReviewOutcome.choices)
    # What passing needs where the stage has a checklist (``checklist`` of what is under review).
    checklist = ChecklistAnswersSerializer(required=False, allow_null=True, default=None)


class ReviewedSerializer(serializers.Serializer[Any]):
    """What is under review now."""

    stage = serializers.ChoiceField(choices=Stage.choices)
    kind = serializers.CharField()
    id = serializers.CharField()
    # "label" would be an attribute of every field of the framework.
    name = serializers.CharField()
    content = serializers.CharField()
    # Null where the organisation asks nothing beside the standard's requirements.
    checklist = ChecklistSerializer(allow_null=True)


class ChangeSerializer(serializers.Serializer[Any]):
    """A change that calls for a re-assessment; ``reported_by`` is empty where the portal noticed it itself."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=ChangeKind.choices)
    description = serializers.CharField(source="said")
    happened_on = serializers.DateField()
    reported_by = serializers.SerializerMethodField()
    reported_at = serializers.DateTimeField()
    reassessment = serializers.UUIDField(source="reassessment.pk")

    def get_reported_by(self, change: Any) -> str:
        return "" if change.reported_by is None else change.reported_by.full_name


class ChangeWriteSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=ChangeKind.choices)
    description = serializers.CharField(max_length=LONG)
    happened_on = serializers.DateField()


class ReassessmentSerializer(serializers.Serializer[Any]):
    """A look back at a release; ``measurement`` has the checks against today's targets, each with what of its yardstick was
    amended."""

    id = serializers.UUIDField()
    project = serializers.UUIDField(source="project_id")
    project_title = serializers.CharField(source="project.title")
    release = serializers.UUIDField(source="release_id")
    change = serializers.UUIDField(source="change_id", allow_null=True)
    # What called for it; empty where it is periodic.
    cause = serializers.SerializerMethodField()
    due_on = serializers.DateField()
    overdue = serializers.BooleanField(source="is_overdue")
    opened_at = serializers.DateTimeField(allow_null=True)
    measured_at = serializers.DateTimeField(allow_null=True)
    measurement = serializers.JSONField()
    # Empty until it is concluded.
    outcome = serializers.ChoiceField(choices=ReassessmentOutcome.choices, allow_blank=True)
    finding = serializers.CharField()
    concluded_at = serializers.DateTimeField(allow_null=True)
    # The day until which senior management accepted that not every target is met as measured last; null where it did not.
    accepted_until = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ChoiceField(choices=ChangeKind.choices, allow_blank=True))
    def get_cause(self, reassessment: Reassessment) -> str:
        return reassessment.change.kind if reassessment.change is not None else ""

    def get_accepted_until(self, reassessment: Reassessment) -> date | None:
        accepted = [
            one for one in reassessment.acceptances.all() if one.measured_at == reassessment.measured_at
        ]
        return accepted[0].until if accepted else None


class ConclusionSerializer(serializers.Serializer[Any]):
    outcome = serializers.ChoiceField(choices=ReassessmentOutcome.choices)
    finding = serializers.CharField(max_length=LONG)


class Reviews(ProjectAPIView):
    @extend_schema("reviews_list", responses=ReviewSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Every stage review, the newest first."""
        found = reviews_of(self.project.pk)
        return Response(ReviewSerializer(found, many=True).data)

    @extend_schema("reviews_record", request=ReviewWriteSerializer, responses={201: ReviewSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Record the review of the stage that is under review; passing and returning move the project."""
        rules.may_review_stage(request.user, self.project).require()
        values = self.sent(ReviewWriteSerializer)
        content = content_of(self.project, self.project.stage)
        assert content is not None  # as the rule requires
        if values["outcome"] == ReviewOutcome.PASSED:
            rules.may_pass_stage(request.user, self.project).require()
        if values["content"] != content.hash:
            raise serializers.ValidationError({"content": [_("The content has changed.")]})
        form_fields = {name: value for name, value in values.items() if name not in ("content", "checklist")}
        answers = answers_sent(values["checklist"])
        ReviewForm.check_time(values["time"])
        made = services.stage_review_record(self.project, **form_fields, answers=answers, by=request.user)
        return Response(ReviewSerializer(made).data, status=status.HTTP_201_CREATED)


class Reviewed(ProjectAPIView):
    @extend_schema("reviews_subject", responses=ReviewedSerializer)
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """What is under review now, with the hash that a review has to name; 404 while nothing is."""
        under_review = STATES[State(self.project.state)].under_review
        content = content_of(self.project, self.project.stage) if under_review else None
        if content is None:
            raise Project.DoesNotExist
        shown: dict[str, Any] = {
            "stage": self.project.stage,
            "kind": content.kind,
            "id": content.id,
            "name": content.label,
        }
        asked = checklist_of(self.project.stage)
        shown |= {"content": content.hash, "checklist": asked if asked.items else None}
        return Response(ReviewedSerializer(shown).data)


class Changes(ProjectAPIView):
    @extend_schema("changes_list", responses=ChangeSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Every change that was reported or noticed, the newest first."""
        found = selectors.changes_of(self.project)
        return Response(ChangeSerializer(found, many=True).data)

    @extend_schema("changes_report", request=ChangeWriteSerializer, responses={201: ReassessmentSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Report a change; answers with the re-assessment that it opens."""
        rules.may_report_change(request.user, self.project).require()
        form = ChangeForm(self.sent(ChangeWriteSerializer))
        if not form.is_valid():
            raise serializers.ValidationError(
                {name: [str(text) for text in texts] for name, texts in form.errors.items()}
            )
        made = services.change_report(self.project, **form.cleaned_data, by=request.user)
        return Response(ReassessmentSerializer(made).data, status=status.HTTP_201_CREATED)


class Reassessments(ProjectAPIView):
    @extend_schema("reassessments_list", responses=ReassessmentSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Every re-assessment by its due date."""
        found = selectors.reassessments_of(self.project)
        return Response(ReassessmentSerializer(found, many=True).data)


class ReassessmentDetail(ProjectAPIView):
    @extend_schema("reassessments_detail", responses=ReassessmentSerializer)
    def get(self, request: Request, project_id: uuid.UUID, reassessment_id: uuid.UUID) -> Response:
        """One re-assessment with what was measured."""
        return Response(
            ReassessmentSerializer(selectors.reassessment_get(self.project, reassessment_id)).data
        )


class ReassessmentOpen(ProjectAPIView):
    @extend_schema("reassessments_open", request=None, responses=ReassessmentSerializer)
    def post(self, request: Request, project_id: uuid.UUID, reassessment_id: uuid.UUID) -> Response:
        """Open a planned re-assessment before its time."""
        found = selectors.reassessment_get(self.project, reassessment_id)
        return Response(ReassessmentSerializer(services.reassessment_open_early(found, by=request.user)).data)


class ReassessmentMeasure(ProjectAPIView):
    @extend_schema("reassessments_measure", request=None, responses={202: ReassessmentSerializer})
    def post(self, request: Request, project_id: uuid.UUID, reassessment_id: uuid.UUID) -> Response:
        """Have the released file measured once more."""
        found = selectors.reassessment_get(self.project, reassessment_id)
        services.reassessment_measure_again(found, by=request.user)
        return Response(ReassessmentSerializer(found).data, status=status.HTTP_202_ACCEPTED)


class ReassessmentConclude(ProjectAPIView):
    @extend_schema("reassessments_conclude", request=ConclusionSerializer, responses=ReassessmentSerializer)
    def post(self, request: Request, project_id: uuid.UUID, reassessment_id: uuid.UUID) -> Response:
        """Conclude: keep the release, or end it and go back to verification or processing."""
        found = selectors.reassessment_get(self.project, reassessment_id)
        rules.may_conclude(request.user, found).require()
        values = self.sent(ConclusionSerializer)
        may_conclude_so(request.user, found, ReassessmentOutcome(values["outcome"])).require()
        made = services.reassessment_conclude(found, **values, by=request.user)
        return Response(ReassessmentSerializer(made).data)


class Board(APIView):
    @extend_schema("monitoring_board", parameters=PORTION, responses=ReassessmentSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The re-assessments not concluded yet in every project that the caller may see, most urgent first."""
        found = selectors.board(request.user).prefetch_related("acceptances")
        return portion(request, found, ReassessmentSerializer)
