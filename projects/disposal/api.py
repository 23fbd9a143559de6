"""Disposal for programs: the same services, rules and reasons as the page."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from projects.core.api import ProjectAPIView
from projects.core.models import Project
from projects.datasets.store.holdings import DATA, HeldKind
from projects.workflow import TERMINAL, State

from . import rules, selectors, services
from .enums import DisposalOutcome
from .models import Disposal
from .terms import terms_now


class HeldFileSerializer(serializers.Serializer[Any]):
    """``code`` says what the file is, size and hash are of its content in the clear."""

    id = serializers.UUIDField()
    code = serializers.CharField()
    kind = serializers.ChoiceField(choices=HeldKind.choices)
    name = serializers.CharField()
    size = serializers.IntegerField()
    sha256 = serializers.CharField()


class HeldKeySerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    purpose = serializers.CharField()


class TermSerializer(serializers.Serializer[Any]):
    """``over_on``: the day on which the term of a kind is over, once the project has ended."""

    kind = serializers.ChoiceField(choices=HeldKind.choices)
    days = serializers.IntegerField(allow_null=True)
    over_on = serializers.DateField(allow_null=True)


class HoldingsSerializer(serializers.Serializer[Any]):
    """What lies there of a project's data, and how long each kind is kept; ``allowed``: whether the caller may propose its destruction, with the ``reason`` if not."""

    files = HeldFileSerializer(many=True)
    keys = HeldKeySerializer(many=True)
    terms = TermSerializer(many=True)
    allowed = serializers.BooleanField()
    code = serializers.CharField()
    reason = serializers.CharField()


class DisposalSerializer(serializers.ModelSerializer[Disposal]):
    """``left``: how many encrypted files lie on the disk now; ``measured``: what was found before and after the act."""

    outcome = serializers.ChoiceField(choices=DisposalOutcome.choices)
    kinds = serializers.ListField(child=serializers.CharField())
    files = HeldFileSerializer(many=True)
    keys = HeldKeySerializer(many=True)
    proposed_by = serializers.CharField(source="proposed_by.username")
    decided_by = serializers.CharField(source="decided_by.username", allow_null=True, default=None)
    left = serializers.SerializerMethodField()

    class Meta:
        model = Disposal
        fields = (
            "id", "number", "outcome", "kinds", "files", "keys", "content_hash", "reason", "proposed_by", "proposed_at", "decided_by",
            "decided_at", "decision_reason", "measured", "left", "finished_at",
        )  # fmt: skip
        read_only_fields = fields

    def get_left(self, disposal: Disposal) -> int:
        return len(selectors.still_there(disposal))


class DisposalReasonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=500)


class DisposalProposalSerializer(DisposalReasonSerializer):
    """``kinds``: all of which anything is there, where nothing is said."""

    kinds = serializers.MultipleChoiceField(choices=HeldKind.choices, default={kind.value for kind in DATA})


def _terms(project: Project) -> list[dict[str, Any]]:
    terms, ended = terms_now(), State(project.state) in TERMINAL
    return [
        {
            "kind": kind.value,
            "days": terms.days.get(kind.value),
            "over_on": terms.over_on(project, kind) if ended else None,
        }
        for kind in DATA
    ]


class Holdings(ProjectAPIView):
    inside = True

    @extend_schema("disposal_now", responses=HoldingsSerializer)
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """What lies there now, and whether its destruction may be proposed."""
        verdict = rules.may_propose(request.user, self.project)
        found = selectors.content_now(self.project)
        found["terms"] = _terms(self.project)
        found |= {"allowed": verdict.allowed, "code": verdict.code, "reason": verdict.text}
        return Response(HoldingsSerializer(found).data)


class Disposals(ProjectAPIView):
    inside = True

    @extend_schema("disposal_list", responses=DisposalSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Every disposal, the newest first."""
        return Response(DisposalSerializer(selectors.disposals_of(self.project), many=True).data)

    @extend_schema(
        "disposal_propose", request=DisposalProposalSerializer, responses={201: DisposalSerializer}
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """The planning manager proposes to destroy what lies there of some kinds, or of all, once the project has ended."""
        rules.may_propose(request.user, self.project).require()
        sent = self.sent(DisposalProposalSerializer)
        made = services.disposal_propose(self.project, **sent, by=request.user)
        return Response(DisposalSerializer(made).data, status=201)


class _DisposalAct(ProjectAPIView):
    inside = True

    def found(self, disposal_id: uuid.UUID) -> Disposal:
        return selectors.disposal_get(self.project, disposal_id)


class DisposalCarryOut(_DisposalAct):
    @extend_schema("disposal_carry_out", request=DisposalReasonSerializer, responses=DisposalSerializer)
    def post(self, request: Request, project_id: uuid.UUID, disposal_id: uuid.UUID) -> Response:
        """The supervisor destroys what was proposed: keys at once, encrypted files by a job."""
        found = self.found(disposal_id)
        rules.may_carry_out(request.user, found).require()
        sent = self.sent(DisposalReasonSerializer)
        return Response(DisposalSerializer(services.disposal_carry_out(found, **sent, by=request.user)).data)


class DisposalKeep(_DisposalAct):
    @extend_schema("disposal_keep", request=DisposalReasonSerializer, responses=DisposalSerializer)
    def post(self, request: Request, project_id: uuid.UUID, disposal_id: uuid.UUID) -> Response:
        """The supervisor declines a proposal, or the planning manager takes it back."""
        found = self.found(disposal_id)
        rules.may_keep(request.user, found).require()
        sent = self.sent(DisposalReasonSerializer)
        return Response(DisposalSerializer(services.disposal_keep(found, **sent, by=request.user)).data)


class DisposalResume(_DisposalAct):
    @extend_schema("disposal_resume", request=None, responses=DisposalSerializer)
    def post(self, request: Request, project_id: uuid.UUID, disposal_id: uuid.UUID) -> Response:
        """The supervisor has the removal of the encrypted files go on, where it was interrupted."""
        found = self.found(disposal_id)
        rules.may_resume(request.user, found).require()
        services.disposal_resume(found, by=request.user)
        return Response(DisposalSerializer(found).data)
