"""API of findings and spot checks: the same services and rules as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth import get_user_model
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import PORTION, given, portion
from projects.core.api import ProjectAPIView
from projects.workflow import Stage

from . import rules, selectors, services
from .board_views import spot_check_of
from .enums import CheckResult, FindingSeverity, FindingSource, StepKind
from .forms import MOST_STEPS
from .models import CheckedStep, Finding, FindingStep, SpotCheck

_LONG = 4000


class FindingSerializer(serializers.ModelSerializer[Finding]):
    title = serializers.CharField(source="headline", read_only=True)
    project_title = serializers.CharField(source="project.title", read_only=True)
    project_number = serializers.CharField(source="project.number", read_only=True)
    owner = serializers.CharField(source="owner.username", read_only=True)
    raised_by = serializers.CharField(source="raised_by.username", read_only=True)

    class Meta:
        model = Finding
        fields = (
            "id", "project", "project_number", "project_title", "number", "source", "origin_id", "stage", "severity", "title",
            "description", "owner", "due_on", "status", "is_overdue", "raised_by", "raised_at", "closed_at",
        )  # fmt: skip
        read_only_fields = fields


class FindingStepSerializer(serializers.ModelSerializer[FindingStep]):
    kind = serializers.ChoiceField(choices=StepKind.choices, read_only=True)
    by = serializers.CharField(source="by.username", read_only=True)
    owner = serializers.CharField(source="owner.username", read_only=True, default=None)

    class Meta:
        model = FindingStep
        fields = ("kind", "text", "by", "at", "owner", "due_on")
        read_only_fields = fields


class FindingDetailSerializer(FindingSerializer):
    steps = serializers.SerializerMethodField()

    class Meta(FindingSerializer.Meta):
        fields = (*FindingSerializer.Meta.fields, "steps")  # type: ignore[assignment]

    def get_steps(self, finding: Finding) -> list[dict[str, Any]]:
        """What was done about it, the oldest first."""
        return FindingStepSerializer(selectors.steps_of(finding), many=True).data  # type: ignore[return-value]


class _Assigned(serializers.Serializer[Any]):
    owner = serializers.CharField(max_length=150, help_text="Name of an account.")
    due_on = serializers.DateField()

    def validate_owner(self, name: str) -> Any:
        return get_user_model().objects.get(username=name)


class DeviationSerializer(_Assigned):
    severity = serializers.ChoiceField(choices=FindingSeverity.choices)
    title = serializers.CharField(max_length=120)
    description = serializers.CharField(max_length=_LONG)


class FindingRaiseSerializer(DeviationSerializer):
    source = serializers.ChoiceField(choices=FindingSource.choices)  # type: ignore[assignment]
    stage = serializers.ChoiceField(choices=Stage.choices)
    origin_id = serializers.UUIDField(
        required=False, help_text="The row of the source in which it was found."
    )


class FindingAssignSerializer(_Assigned):
    reason = serializers.CharField(max_length=500)


class FindingActSerializer(serializers.Serializer[Any]):
    action = serializers.CharField(max_length=_LONG)


class FindingCheckSerializer(serializers.Serializer[Any]):
    effective = serializers.BooleanField(help_text="False opens the finding again.")
    remark = serializers.CharField(max_length=_LONG)


class SpotCheckSerializer(serializers.ModelSerializer[SpotCheck]):
    drawn_by = serializers.CharField(source="drawn_by.username", read_only=True)

    class Meta:
        model = SpotCheck
        fields = ("id", "number", "seed", "size", "reason", "drawn_by", "drawn_at")
        read_only_fields = fields


class CheckedStepSerializer(serializers.ModelSerializer[CheckedStep]):
    project_number = serializers.CharField(source="project.number", read_only=True)
    checked_by = serializers.CharField(source="checked_by.username", read_only=True, default=None)
    result = serializers.ChoiceField(choices=CheckResult.choices, read_only=True)

    class Meta:
        model = CheckedStep
        fields = (
            "place",
            "project",
            "project_number",
            "stage",
            "result",
            "remark",
            "checked_by",
            "checked_at",
        )
        read_only_fields = fields


class SpotCheckDetailSerializer(SpotCheckSerializer):
    population = serializers.ListField(
        child=serializers.CharField(), help_text="What could have been drawn, as number/step."
    )
    steps = serializers.SerializerMethodField()

    class Meta(SpotCheckSerializer.Meta):
        fields = (*SpotCheckSerializer.Meta.fields, "population", "steps")  # type: ignore[assignment]

    def get_steps(self, found: SpotCheck) -> list[dict[str, Any]]:
        return CheckedStepSerializer(selectors.checked_steps(found), many=True).data  # type: ignore[return-value]


class SpotCheckDrawSerializer(serializers.Serializer[Any]):
    size = serializers.IntegerField(min_value=1, max_value=MOST_STEPS)
    reason = serializers.CharField(max_length=500)


class SoundSerializer(serializers.Serializer[Any]):
    remark = serializers.CharField(max_length=_LONG)


class FindingList(ProjectAPIView):
    """The project's findings, newest first; and raising one."""

    @extend_schema("findings_list", responses=FindingSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        return Response(FindingSerializer(selectors.findings_of(self.project), many=True).data)

    @extend_schema("findings_raise", request=FindingRaiseSerializer, responses={201: FindingSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        rules.may_raise(request.user, self.project).require()
        made = services.finding_raise(self.project, **self.sent(FindingRaiseSerializer), by=request.user)
        return Response(FindingSerializer(made).data, status=201)


class FindingDetail(ProjectAPIView):
    """One finding with what was done about it."""

    @extend_schema("findings_read", responses=FindingDetailSerializer)
    def get(self, request: Request, project_id: uuid.UUID, finding_id: uuid.UUID) -> Response:
        return Response(FindingDetailSerializer(selectors.finding_get(self.project, finding_id)).data)


class FindingAct(ProjectAPIView):
    """Who puts it right: what was done."""

    @extend_schema("findings_act", request=FindingActSerializer, responses=FindingSerializer)
    def post(self, request: Request, project_id: uuid.UUID, finding_id: uuid.UUID) -> Response:
        found = selectors.finding_get(self.project, finding_id)
        rules.may_act(request.user, found).require()
        done = services.finding_act(found, **self.sent(FindingActSerializer), by=request.user)
        return Response(FindingSerializer(done).data)


class FindingCheck(ProjectAPIView):
    """Somebody else checks the effect: closed, or open again."""

    @extend_schema("findings_check", request=FindingCheckSerializer, responses=FindingSerializer)
    def post(self, request: Request, project_id: uuid.UUID, finding_id: uuid.UUID) -> Response:
        found = selectors.finding_get(self.project, finding_id)
        rules.may_check(request.user, found).require()
        done = services.finding_check(found, **self.sent(FindingCheckSerializer), by=request.user)
        return Response(FindingSerializer(done).data)


class FindingAssign(ProjectAPIView):
    """Another owner or another day, with the reason."""

    @extend_schema("findings_assign", request=FindingAssignSerializer, responses=FindingSerializer)
    def post(self, request: Request, project_id: uuid.UUID, finding_id: uuid.UUID) -> Response:
        found = selectors.finding_get(self.project, finding_id)
        rules.may_assign(request.user, found).require()
        done = services.finding_assign(found, **self.sent(FindingAssignSerializer), by=request.user)
        return Response(FindingSerializer(done).data)


class OpenFindingList(APIView):
    """Every signed-in person: the findings that are not closed in the projects that they may see."""

    @extend_schema("findings_open", parameters=PORTION, responses=FindingSerializer(many=True))
    def get(self, request: Request) -> Response:
        return portion(request, selectors.findings_open(request.user), FindingSerializer)


class SpotCheckList(APIView):
    """Who reads all projects: the draws; auditors have another one drawn."""

    @extend_schema("spot_checks_list", parameters=PORTION, responses=SpotCheckSerializer(many=True))
    def get(self, request: Request) -> Response:
        if not request.user.reads_all_projects:
            raise Http404
        return portion(request, selectors.spot_checks(), SpotCheckSerializer)

    @extend_schema(
        "spot_checks_draw", request=SpotCheckDrawSerializer, responses={201: SpotCheckDetailSerializer}
    )
    def post(self, request: Request) -> Response:
        if not request.user.reads_all_projects:
            raise Http404
        rules.may_draw(request.user).require()
        data = given(SpotCheckDrawSerializer(data=request.data))
        made = services.spot_check_draw(**data, by=request.user)
        return Response(SpotCheckDetailSerializer(made).data, status=201)


class SpotCheckDetail(APIView):
    """Who reads all projects: one draw with seed, population and what was found."""

    @extend_schema("spot_checks_read", responses=SpotCheckDetailSerializer)
    def get(self, request: Request, spot_check_id: uuid.UUID) -> Response:
        return Response(SpotCheckDetailSerializer(spot_check_of(request, spot_check_id)).data)


class CheckedStepSound(APIView):
    """Auditors: the records of a step that was drawn are complete and sound."""

    @extend_schema("spot_checks_sound", request=SoundSerializer, responses=CheckedStepSerializer)
    def post(self, request: Request, spot_check_id: uuid.UUID, place: int) -> Response:
        step = selectors.checked_steps(spot_check_of(request, spot_check_id)).get(place=place)
        rules.may_record(request.user, step).require()
        data = given(SoundSerializer(data=request.data))
        return Response(
            CheckedStepSerializer(services.checked_step_record(step, **data, by=request.user)).data
        )


class CheckedStepDeviates(APIView):
    """Auditors: the records of a step that was drawn deviate; a finding is raised."""

    @extend_schema("spot_checks_deviates", request=DeviationSerializer, responses={201: FindingSerializer})
    def post(self, request: Request, spot_check_id: uuid.UUID, place: int) -> Response:
        step = selectors.checked_steps(spot_check_of(request, spot_check_id)).get(place=place)
        rules.may_record(request.user, step).require()
        data = given(DeviationSerializer(data=request.data))
        made = services.checked_step_deviates(step, **data, by=request.user)
        return Response(FindingSerializer(made).data, status=201)
