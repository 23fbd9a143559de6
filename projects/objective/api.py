"""The target through the API: the same services, rules and reasons as the pages."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from approvals.decisions.models import Decision
from approvals.documents.api import DocumentSerializer
from approvals.governance.person import Person
from projects.core.api import ProjectAPIView, SignedSerializer
from projects.core.enums import SharingType
from projects.core.models import Project

from . import services
from .completeness import missing_items
from .models import PlanVersion
from .plan.prefill import plan_prefill
from .presentation import plan_rows
from .rules import may_decide, may_edit_after_sharing
from .selectors import objective_of, plan_documents, plan_hash, plan_latest, plan_versions
from .surroundings.profile.api import SurroundingsSerializer, surroundings_answer
from .targets.content import Factors, Plan, Scope
from .targets.reading import factors_read, plan_read, risk_read, scope_read, utility_read
from .targets.risk import RiskTargets, risk_defaults
from .targets.utility import utility_defaults


class SharingSerializer(serializers.Serializer[Any]):
    """Step 1. Public sharing needs the confirmation that it can never be recalled."""

    sharing_type = serializers.ChoiceField(choices=SharingType.choices)
    irrevocable_understood = serializers.BooleanField(default=False)


class DecisionSerializer(SignedSerializer):
    """Senior management's decision about the version that was submitted."""

    decision = serializers.ChoiceField(choices=Decision.choices)
    reason = serializers.CharField(max_length=2000)


class MissingSerializer(serializers.Serializer[Any]):
    part = serializers.CharField()
    text = serializers.CharField()


class NoticeNameSerializer(serializers.Serializer[Any]):
    """The privacy notice on file, as the plan names it."""

    name = serializers.CharField()
    sha256 = serializers.CharField()


class SectionSerializer(serializers.Serializer[Any]):
    """A section of the plan as the page shows it; ``under`` names the section that a further part belongs to."""

    key = serializers.CharField()
    value = serializers.CharField()
    under = serializers.CharField(allow_blank=True)


class ObjectiveSerializer(serializers.Serializer[Any]):
    """The target as far as it was determined; a part that was not saved is null.

    ``plan`` is what was saved and is hashed; ``sections`` say it in the reader's language where the portal wrote it.
    """

    sharing_type = serializers.CharField(allow_blank=True)
    scope = serializers.JSONField(allow_null=True)
    factors = serializers.JSONField(allow_null=True)
    risk = serializers.JSONField(allow_null=True)
    utility = serializers.JSONField(allow_null=True)
    plan = serializers.JSONField(allow_null=True)
    sections = SectionSerializer(many=True)
    rests_on = serializers.JSONField(
        allow_null=True, help_text="The versions of laws, standards and policies that the target rests on."
    )
    notice = NoticeNameSerializer(allow_null=True)
    surroundings = SurroundingsSerializer()
    content_hash = serializers.CharField()
    missing = MissingSerializer(many=True)


class PlanVersionSerializer(serializers.ModelSerializer[PlanVersion]):
    """A submitted version, with its documents. ``content`` is what is hashed; ``sections`` say its plan in the reader's language."""

    created_by = serializers.CharField()
    sections = serializers.SerializerMethodField()
    documents = serializers.SerializerMethodField()

    class Meta:
        model = PlanVersion
        fields = (
            "id",
            "number",
            "content",
            "sections",
            "content_hash",
            "created_at",
            "created_by",
            "documents",
        )

    @extend_schema(responses=SectionSerializer(many=True))
    def get_sections(self, version: PlanVersion) -> list[dict[str, str]]:
        return plan_rows(version.content["plan"])

    @extend_schema(responses=DocumentSerializer(many=True))
    def get_documents(self, version: PlanVersion) -> list[dict[str, Any]]:
        return list(DocumentSerializer(plan_documents(version), many=True).data)


class ObjectiveAPIView(ProjectAPIView):
    inside = True

    def answer(self) -> Response:
        project = self.project
        project.refresh_from_db()
        objective = objective_of(project)
        parts = ("scope", "factors", "risk", "utility", "plan")
        data = {
            "sharing_type": project.sharing_type,
            **{name: getattr(objective, name, None) for name in (*parts, "rests_on", "notice")},
            "sections": plan_rows(objective.plan if objective else None),
            "surroundings": surroundings_answer(project),
            "content_hash": plan_hash(project),
            "missing": [{"part": i.part.value, "text": str(i.text)} for i in missing_items(project)],
        }
        return Response(ObjectiveSerializer(data).data)


class ObjectiveDetail(ObjectiveAPIView):
    @extend_schema("objective_retrieve", responses=ObjectiveSerializer)
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Who sees the project: target, hash, and what is missing."""
        return self.answer()


class ObjectiveSharing(ObjectiveAPIView):
    @extend_schema("objective_sharing", request=SharingSerializer, responses=ObjectiveSerializer)
    def put(self, request: Request, project_id: uuid.UUID) -> Response:
        """The planning manager while the target is being determined."""
        sent = self.sent(SharingSerializer)
        services.sharing_choose(self.project, **sent, by=request.user)
        return self.answer()


def _part(
    name: str, asked: Any, save: Callable[[Project, Any, Person], object], what: str = ""
) -> type[ObjectiveAPIView]:
    """What writes one part of the target: a body of the form ``asked``, as ``save`` reads it."""

    class Part(ObjectiveAPIView):
        @extend_schema(
            f"objective_{name}",
            request=asked,
            responses=ObjectiveSerializer,
            description=f"The planning manager while the target is being determined{what}.",
        )
        def put(self, request: Request, project_id: uuid.UUID) -> Response:
            may_edit_after_sharing(request.user, self.project).require()
            save(self.project, request.data, request.user)
            return self.answer()

    return Part


ObjectiveScope = _part(
    "scope", Scope, lambda of, sent, by: services.scope_save(of, scope=scope_read(sent), by=by)
)
ObjectiveFactors = _part(
    "factors",
    Factors,
    lambda of, sent, by: services.factors_save(of, factors=factors_read(sent, of.sharing_type), by=by),
)
ObjectiveRisk = _part(
    "risk",
    RiskTargets,
    lambda of, sent, by: services.risk_save(of, risk=risk_read(sent, of.sharing_type), by=by),
)
ObjectiveUtility = _part(
    "utility",
    OpenApiTypes.ANY,
    lambda of, sent, by: services.utility_save(of, targets=utility_read(sent), by=by),
    ": the whole list of utility targets",
)
ObjectivePlan = _part(
    "plan", Plan, lambda of, sent, by: services.plan_save(of, plan=plan_read(sent, stated=True), by=by)
)


class ObjectiveDefaults(ObjectiveAPIView):
    @extend_schema("objective_defaults", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Who sees the project: what the sharing type suggests, and a draft of the plan."""
        chosen = self.project.sharing_type
        return Response(
            {
                "risk": risk_defaults(chosen).model_dump(mode="json") if chosen else None,
                "utility": utility_defaults(chosen) if chosen else None,
                "plan": plan_prefill(self.project, objective_of(self.project)),
            }
        )


class PlanVersionList(ObjectiveAPIView):
    @extend_schema("objective_versions", responses=PlanVersionSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Who sees the project: the submitted versions, newest first."""
        return Response(PlanVersionSerializer(plan_versions(self.project), many=True).data)


class ObjectiveDecision(ObjectiveAPIView):
    @extend_schema("objective_decide", request=DecisionSerializer, responses=PlanVersionSerializer)
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Senior management while the plan awaits approval."""
        may_decide(request.user, self.project).require()
        sent = self.signed(DecisionSerializer)
        services.objective_decide(self.project, **sent, by=request.user)
        return Response(PlanVersionSerializer(plan_latest(self.project)).data)
