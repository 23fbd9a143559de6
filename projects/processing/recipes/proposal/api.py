"""The tried suggestion for programs."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from approvals.api import PORTION, portion
from projects.datasets.tables.api import TABLE, TableAPIView

from ...models import Proposal
from . import pages, services
from .selectors import proposals_of


class ProposalSerializer(serializers.ModelSerializer[Any]):
    table = serializers.UUIDField(source="dataset.table_id")
    requested_by = serializers.CharField(source="requested_by.full_name")
    said = serializers.SerializerMethodField(
        help_text="What came of it, in sentences; empty until it was tried."
    )
    result = serializers.JSONField(
        help_text="attempts: each way that was tried, with error, emptied columns, smallest class and suppressed rows as "
        "counted in what it wrote; taken: the way that is proposed; settings: those of its model."
    )

    class Meta:
        model = Proposal
        fields = (
            "id", "number", "table", "said", "result", "content_hash", "requested_by", "requested_at", "measured_at",
            "ended_at", "job_id",
        )  # fmt: skip
        read_only_fields = fields

    def get_said(self, found: Proposal) -> list[str]:
        return list(pages.said(found)["texts"]) if found.measured_at else []


class Proposals(TableAPIView):
    @extend_schema("processing_proposal_list", parameters=PORTION, responses=ProposalSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """All suggestions that were tried on the data, the newest first."""
        return portion(request, proposals_of(self.project), ProposalSerializer)

    @extend_schema(
        "processing_propose", request=None, responses={202: ProposalSerializer}, parameters=[TABLE]
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Have the suggested recipe of a table tried on its data, as a job; afterwards ``suggestion/`` gives what came of it."""
        found, _job = services.proposal_start(self.table, by=request.user)
        return Response(ProposalSerializer(found).data, status=status.HTTP_202_ACCEPTED)
