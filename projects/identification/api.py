"""Identification for programs: the same services, rules and reasons as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from projects.core.api import ProjectAPIView
from projects.datasets.tables.api import TABLE, TableAPIView
from projects.jobs.selectors import jobs_about
from projects.objective.enums import Classification

from . import selectors, services
from .enums import ColumnRole, RoundStatus, Severity
from .inventory import inventory_of
from .links.wording import LinksText
from .models import ColumnVerdict, IdentificationRound
from .presentation import rows_of
from .reports import columns_of


class RoundSerializer(serializers.Serializer[Any]):
    """A scan: what it read, where it stands, and the job that runs it."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    status = serializers.ChoiceField(choices=RoundStatus.choices)
    dataset = serializers.UUIDField(source="dataset_id")
    dataset_sha256 = serializers.CharField()
    report_hash = serializers.CharField()
    started_by = serializers.CharField(source="started_by.full_name")
    started_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    job = serializers.SerializerMethodField()

    def get_job(self, round_: IdentificationRound) -> uuid.UUID | None:
        return jobs_about(round_.project, (services.SCAN,)).get(str(round_.pk))


class VerdictSerializer(serializers.Serializer[Any]):
    """A current verdict with what the methods said when it was given; ``severity`` and ``grade`` where somebody said it."""

    column = serializers.CharField()
    position = serializers.IntegerField()
    role = serializers.ChoiceField(choices=ColumnRole.choices)
    kind = serializers.CharField()
    reason = serializers.CharField()
    accepted = serializers.BooleanField()
    overrules = serializers.JSONField()
    provenance = serializers.JSONField()
    decided_by = serializers.CharField(source="decided_by.full_name")
    decided_at = serializers.DateTimeField()

    def to_representation(self, verdict: ColumnVerdict) -> dict[str, Any]:
        said = {"severity": verdict.severity, "grade": verdict.grade}
        return super().to_representation(verdict) | {name: value for name, value in said.items() if value}


class StateSerializer(serializers.Serializer[Any]):
    """The state of the identification: newest finished scan, content hash, columns without a verdict; in ``links`` what the
    scan found of links among the columns, in sentences."""

    round = RoundSerializer(allow_null=True)
    content_hash = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())
    missing = serializers.ListField(child=serializers.CharField())
    links = serializers.ListField(child=serializers.CharField())


class GivenSerializer(serializers.Serializer[Any]):
    """A verdict to be given."""

    column = serializers.CharField(max_length=200)
    role = serializers.ChoiceField(choices=ColumnRole.choices)
    severity = serializers.ChoiceField(
        choices=Severity.choices,
        required=False,
        allow_blank=True,
        default="",
        help_text="Of a sensitive attribute: the harm when it becomes known.",
    )
    grade = serializers.ChoiceField(
        choices=Classification.choices,
        required=False,
        allow_blank=True,
        default="",
        help_text="Where the column is graded otherwise than the data of the project.",
    )
    kind = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")
    reason = serializers.CharField(max_length=2000)


class VerdictsWriteSerializer(serializers.Serializer[Any]):
    """Several verdicts in one act; ``round`` is the scan in whose light they are given."""

    round = serializers.UUIDField()
    verdicts = GivenSerializer(many=True, allow_empty=False)


class AcceptSerializer(serializers.Serializer[Any]):
    """Every sure suggestion, or every verdict from before, with one reason."""

    round = serializers.UUIDField()
    reason = serializers.CharField(max_length=500)
    what = serializers.ChoiceField(choices=["suggestions", "earlier"], default="suggestions")


class InventoryPlaceSerializer(serializers.Serializer[Any]):
    """A column that holds personal information; ``inside``: found by the rules inside the values of something else."""

    table = serializers.CharField()
    column = serializers.CharField()
    role = serializers.ChoiceField(choices=ColumnRole.choices)
    rows = serializers.IntegerField()
    inside = serializers.BooleanField()


class InventoryEntrySerializer(serializers.Serializer[Any]):
    """One kind of personal information; ``named``: the target's words have one of the names known for it."""

    kind = serializers.CharField()
    name = serializers.CharField()
    held = InventoryPlaceSerializer(many=True)
    named = serializers.BooleanField(source="is_named")


class InventorySerializer(serializers.Serializer[Any]):
    """The personal information that was identified, beside what the target says of it; ``open`` columns have no verdict,
    tables that are ``unscanned`` were not searched."""

    target = serializers.CharField()
    open = serializers.IntegerField()
    unscanned = serializers.ListField(child=serializers.CharField())
    entries = InventoryEntrySerializer(many=True)


class InventoryView(ProjectAPIView):
    @extend_schema("identification_inventory", responses=InventorySerializer)
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """The inventory of personal information, by the verdicts of all tables (5.2.3 b)."""
        found = inventory_of(self.project, selectors.rounds_now(self.project))
        return Response(InventorySerializer(found).data)


class State(TableAPIView):
    @extend_schema("identification_state", responses=StateSerializer, parameters=[TABLE])
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """The state of the identification."""
        round_ = selectors.round_now(self.table)
        content = {
            "round": round_,
            "content_hash": selectors.verdicts_hash(self.project),
            "columns": list(columns_of(round_)) if round_ else [],
            "missing": selectors.columns_without_verdict(self.table),
            "links": LinksText(round_, rows_of(self.project, round_)).sentences if round_ else [],
        }
        return Response(StateSerializer(content).data)


class Scans(TableAPIView):
    @extend_schema("identification_scans", responses=RoundSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Every scan, the newest first."""
        rounds = selectors.rounds_of(self.project)
        return Response(RoundSerializer(rounds, many=True).data)

    @extend_schema(
        "identification_scan_start", request=None, responses={202: RoundSerializer}, parameters=[TABLE]
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Start look-up and rules over every row of the current data set, as a job."""
        round_ = services.scan_start(self.table, by=request.user)
        return Response(RoundSerializer(round_).data, status=status.HTTP_202_ACCEPTED)


class Report(ProjectAPIView):
    @extend_schema("identification_report", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, project_id: uuid.UUID, round_id: uuid.UUID) -> Response:
        """What look-up and rules found per column: counts, rates, row numbers; never a value."""
        round_ = selectors.round_get(self.project, round_id)
        return Response(round_.report)


class Verdicts(TableAPIView):
    @extend_schema("identification_verdicts", responses=VerdictSerializer(many=True), parameters=[TABLE])
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """The current verdicts, in the order of the file."""
        given = selectors.verdicts_of(self.table)
        return Response(VerdictSerializer(list(given.values()), many=True).data)

    @extend_schema(
        "identification_verdicts_give",
        request=VerdictsWriteSerializer,
        responses=VerdictSerializer(many=True),
    )
    def put(self, request: Request, project_id: uuid.UUID) -> Response:
        """Give verdicts, all or none; answers with the rows that were written."""
        values = self.sent(VerdictsWriteSerializer)
        round_ = selectors.round_get(self.project, values["round"])
        given = [services.Given(**one) for one in values["verdicts"]]
        return _written(services.verdicts_give(round_, given, by=request.user))


class Accept(ProjectAPIView):
    @extend_schema(
        "identification_verdicts_accept", request=AcceptSerializer, responses=VerdictSerializer(many=True)
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Turn sure suggestions, or verdicts from before, into verdicts of the caller."""
        values = self.sent(AcceptSerializer)
        round_ = selectors.round_get(self.project, values["round"])
        action = services.earlier_confirm if values["what"] == "earlier" else services.suggestions_accept
        return _written(action(round_, reason=values["reason"], by=request.user))


class History(TableAPIView):
    @extend_schema(
        "identification_verdict_history", responses=VerdictSerializer(many=True), parameters=[TABLE]
    )
    def get(self, request: Request, project_id: uuid.UUID, position: int) -> Response:
        """Every verdict ever given about the column at ``position`` (from 0) of the current data set."""
        round_ = selectors.round_now(self.table)
        names = list(columns_of(round_)) if round_ else []
        if position >= len(names):
            return Response(
                {"code": "not_found", "reason": _("Not found.")}, status=status.HTTP_404_NOT_FOUND
            )
        history = selectors.verdict_history(self.table, names[position])
        return Response(VerdictSerializer(history, many=True).data)


def _written(rows: list[ColumnVerdict]) -> Response:
    return Response(VerdictSerializer(rows, many=True).data)
