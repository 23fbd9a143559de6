"""API of the rules for tables of statistics: which sets there are, never what they say. They are proposed and decided on the page."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ..models import TableRules
from ..rules import may_read_organisation
from . import rule_sets as services


class TableRulesSerializer(serializers.ModelSerializer[TableRules]):
    made_by = serializers.CharField(source="made_by.username")
    decided_by = serializers.CharField(source="decided_by.username", allow_null=True, default=None)

    class Meta:
        model = TableRules
        fields = (
            "id", "name", "number", "counts", "status", "reason", "made_by", "made_at", "decision_reason", "decided_by",
            "decided_at",
        )  # fmt: skip
        read_only_fields = fields


class TableRulesList(APIView):
    """Every version of every set of rules for tables of statistics, by name; what they say is a secret and not told."""

    @extend_schema("organisation_table_rules", responses=TableRulesSerializer(many=True))
    def get(self, request: Request) -> Response:
        may_read_organisation(request.user).require()
        return Response(TableRulesSerializer(services.versions(), many=True).data)
