"""Amendments for programs: the same services, rules and reasons as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from projects.core.api import ProjectAPIView, SignedSerializer
from projects.identification.enums import ColumnRole
from projects.objective.surroundings.api import ContextAnswersSerializer
from projects.objective.targets.reading import risk_read

from .. import selectors
from ..enums import AmendmentKind, AmendmentOutcome
from ..models import Amendment, Reassessment
from . import rules, services
from .forms import LONG
from .presentation import changed_rows
from .selectors import amendment_get, amendments_within


class AmendmentRowSerializer(serializers.Serializer[Any]):
    """``direction``: stricter, looser, other (measured in another way), or empty where it is no demand by itself."""

    # "label" would be an attribute of every field of the framework.
    name = serializers.CharField(source="label")
    former = serializers.CharField()
    proposed = serializers.CharField()
    direction = serializers.CharField()


class AmendmentSerializer(serializers.ModelSerializer[Amendment]):
    """An amendment of what a release is measured by; ``rows`` say what it replaces, in words."""

    kind = serializers.ChoiceField(choices=AmendmentKind.choices)
    outcome = serializers.ChoiceField(choices=AmendmentOutcome.choices)
    proposed_by = serializers.CharField(source="proposed_by.full_name")
    reviewed_by = serializers.CharField(source="reviewed_by.full_name", allow_null=True, default=None)
    decided_by = serializers.CharField(source="decided_by.full_name", allow_null=True, default=None)
    rows = serializers.SerializerMethodField()

    class Meta:
        model = Amendment
        fields = (
            "id", "reassessment", "number", "kind", "content", "former", "why", "content_hash", "outcome", "proposed_by",
            "proposed_at", "review", "reviewed_by", "reviewed_at", "decision", "decided_by", "decided_at", "rows",
        )  # fmt: skip
        read_only_fields = fields

    @extend_schema(responses=AmendmentRowSerializer(many=True))
    def get_rows(self, amendment: Amendment) -> list[dict[str, Any]]:
        return list(AmendmentRowSerializer(changed_rows(amendment), many=True).data)


class AmendedColumnSerializer(serializers.Serializer[Any]):
    table = serializers.CharField(max_length=200, allow_blank=True, default="")
    column = serializers.CharField(max_length=200)


class AmendmentProposeSerializer(serializers.Serializer[Any]):
    """One of ``risk``, ``answers`` and ``columns`` by ``kind``; ``role`` with columns."""

    kind = serializers.ChoiceField(choices=AmendmentKind.choices)
    why = serializers.CharField(max_length=LONG)
    risk = serializers.JSONField(required=False)
    answers = ContextAnswersSerializer(required=False)
    columns = AmendedColumnSerializer(many=True, required=False)
    role = serializers.ChoiceField(
        choices=[(one.value, one.label) for one in (ColumnRole.QUASI, ColumnRole.SENSITIVE)], required=False
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        needed = {
            AmendmentKind.TARGETS: ("risk",),
            AmendmentKind.SURROUNDINGS: ("answers",),
            AmendmentKind.COLUMNS: ("columns", "role"),
        }[AmendmentKind(attrs["kind"])]
        missing = {name: [self.error_messages["required"]] for name in needed if name not in attrs}
        if missing:
            raise serializers.ValidationError(missing)
        return attrs


class AmendmentReviewSerializer(serializers.Serializer[Any]):
    passed = serializers.BooleanField()
    review = serializers.CharField(max_length=LONG)
    content_hash = serializers.CharField(max_length=64)


class AmendmentDecisionSerializer(SignedSerializer):
    approve = serializers.BooleanField()
    reason = serializers.CharField(max_length=LONG)
    content_hash = serializers.CharField(max_length=64)


class Amendments(ProjectAPIView):
    @extend_schema("amendments_list", responses=AmendmentSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID, reassessment_id: uuid.UUID) -> Response:
        """What was proposed within a re-assessment."""
        found = selectors.reassessment_get(self.project, reassessment_id)
        return Response(AmendmentSerializer(amendments_within(found), many=True).data)

    @extend_schema(
        "amendments_propose", request=AmendmentProposeSerializer, responses={201: AmendmentSerializer}
    )
    def post(self, request: Request, project_id: uuid.UUID, reassessment_id: uuid.UUID) -> Response:
        """The planning manager proposes other targets, surroundings or columns to measure by."""
        found = selectors.reassessment_get(self.project, reassessment_id)
        rules.may_propose(request.user, found).require()
        made = self._proposed(found, self.sent(AmendmentProposeSerializer))
        return Response(AmendmentSerializer(made).data, status=status.HTTP_201_CREATED)

    def _proposed(self, found: Reassessment, sent: dict[str, Any]) -> Amendment:
        said: dict[str, Any] = {"why": sent["why"], "by": self.request.user}
        if sent["kind"] == AmendmentKind.TARGETS:
            risk = risk_read(sent["risk"], self.project.sharing_type)
            return services.targets_propose(found, risk=risk, **said)
        if sent["kind"] == AmendmentKind.SURROUNDINGS:
            return services.surroundings_propose(found, answers=sent["answers"], **said)
        columns = [(one["table"], one["column"]) for one in sent["columns"]]
        return services.columns_propose(found, columns=columns, role=ColumnRole(sent["role"]), **said)


class AmendmentReview(ProjectAPIView):
    @extend_schema("amendments_review", request=AmendmentReviewSerializer, responses=AmendmentSerializer)
    def post(self, request: Request, project_id: uuid.UUID, amendment_id: uuid.UUID) -> Response:
        """The supervisor passes an amendment on to senior management, or refuses it."""
        found = amendment_get(self.project, amendment_id)
        rules.may_review(request.user, found).require()
        sent = self.sent(AmendmentReviewSerializer)
        seen = sent.pop("content_hash")
        made = services.amendment_review(found, **sent, seen_hash=seen, by=request.user)
        return Response(AmendmentSerializer(made).data)


class AmendmentDecision(ProjectAPIView):
    @extend_schema("amendments_decide", request=AmendmentDecisionSerializer, responses=AmendmentSerializer)
    def post(self, request: Request, project_id: uuid.UUID, amendment_id: uuid.UUID) -> Response:
        """Senior management approves an amendment, by which the release is then measured, or refuses it."""
        found = amendment_get(self.project, amendment_id)
        rules.may_decide(request.user, found).require()
        sent = self.signed(AmendmentDecisionSerializer)
        seen = sent.pop("content_hash")
        made = services.amendment_decide(found, **sent, seen_hash=seen, by=request.user)
        return Response(AmendmentSerializer(made).data)
