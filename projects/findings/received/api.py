"""Samples that recipients check, for programs: the same services and rules as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import given
from projects.core.api import ProjectAPIView
from projects.releases.selectors import release_get

from . import rules, selectors, services
from .enums import DeviationKind, RemedyKind, RemedyState, SampleOutcome
from .forms import LONG
from .inside.services import received_read
from .models import ReceivedSample, RecipientRemedy, SampleDeviation
from .presentation import numbers_of


class RecipientRemedySerializer(serializers.ModelSerializer[RecipientRemedy]):
    """``reason`` is the supervisor's, once they have decided; ``stead_reason`` is the planning manager's, who stated it in the
    recipient's stead, else empty."""

    kind = serializers.ChoiceField(choices=RemedyKind.choices, read_only=True)
    state = serializers.ChoiceField(choices=RemedyState.choices, read_only=True)

    class Meta:
        model = RecipientRemedy
        fields = ("kind", "text", "done_on", "recorded_at", "stead_reason", "state", "reason", "decided_at")
        read_only_fields = fields


class SampleDeviationSerializer(serializers.ModelSerializer[SampleDeviation]):
    """``finding``: the finding of the project that it became."""

    kind = serializers.ChoiceField(choices=DeviationKind.choices, read_only=True)
    finding = serializers.UUIDField(source="ticket_id", read_only=True)
    remedies = RecipientRemedySerializer(many=True, read_only=True)

    class Meta:
        model = SampleDeviation
        fields = ("id", "kind", "text", "finding", "remedies")
        read_only_fields = fields


class ReceivedSampleSerializer(serializers.ModelSerializer[ReceivedSample]):
    """``file`` is the place of the file in the release; ``seed``, ``rows`` and ``size`` give the same draw again. ``inside``: drawn and
    looked at in an enclave, where ``looked`` of them were shown whole so far; ``persons``: among so many, instead of ``rows``, where
    whole persons are drawn, else null; ``is_cut``: not all of what was drawn is shown."""

    recipient = serializers.CharField(source="recipient.username", read_only=True)
    file_name = serializers.CharField(read_only=True)
    outcome = serializers.ChoiceField(choices=SampleOutcome.choices, read_only=True)
    deviations = SampleDeviationSerializer(many=True, read_only=True)

    class Meta:
        model = ReceivedSample
        fields = (
            "id", "release", "number", "recipient", "file", "file_name", "rows", "persons", "size", "seed", "drawn_at", "inside",
            "looked", "is_cut", "outcome", "checked_on", "checked", "reported_at", "deviations",
        )  # fmt: skip
        read_only_fields = fields


class OwnSampleSerializer(ReceivedSampleSerializer):
    """``numbers``: the rows that were drawn, counted from 1 below the head of the file; of whole persons their numbers."""

    numbers = serializers.SerializerMethodField()

    class Meta(ReceivedSampleSerializer.Meta):
        fields = (*ReceivedSampleSerializer.Meta.fields, "numbers")  # type: ignore[assignment]

    def get_numbers(self, sample: ReceivedSample) -> list[int]:
        return numbers_of(sample)


class SampleDrawSerializer(serializers.Serializer[Any]):
    file = serializers.IntegerField(min_value=0, default=0)
    size = serializers.IntegerField(min_value=1, max_value=rules.MOST_ROWS)


class DeviationReportSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=DeviationKind.choices)
    text = serializers.CharField(max_length=LONG)


class SampleReportSerializer(serializers.Serializer[Any]):
    """``deviations``: an empty list says that nothing was found; one of each kind at most."""

    checked_on = serializers.DateField()
    checked = serializers.IntegerField(min_value=1)
    deviations = DeviationReportSerializer(many=True)

    def validate_deviations(self, rows: list[dict[str, Any]]) -> dict[str, str]:
        said = {row["kind"]: row["text"] for row in rows}
        if len(said) < len(rows):
            raise serializers.ValidationError(_("Each kind is stated once."))
        return said


class RemedyRecordSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=RemedyKind.of_recipient())
    text = serializers.CharField(max_length=LONG)
    done_on = serializers.DateField()


class RemedyInSteadSerializer(RemedyRecordSerializer):
    kind = serializers.ChoiceField(choices=RemedyKind.choices)
    stead_reason = serializers.CharField(max_length=500)


class RemedyDecideSerializer(serializers.Serializer[Any]):
    confirm = serializers.BooleanField(help_text="False asks the recipient again.")
    reason = serializers.CharField(max_length=500)


class OwnSamples(APIView):
    """The recipients of a release: their samples of what they fetched, the newest first; and drawing another one."""

    @extend_schema("receive_samples_list", responses=ReceivedSampleSerializer(many=True))
    def get(self, request: Request, release_id: uuid.UUID) -> Response:
        release = release_get(request.user, release_id)
        return Response(ReceivedSampleSerializer(selectors.samples_of(request.user, release), many=True).data)

    @extend_schema("receive_samples_draw", request=SampleDrawSerializer, responses={201: OwnSampleSerializer})
    def post(self, request: Request, release_id: uuid.UUID) -> Response:
        release = release_get(request.user, release_id)
        rules.may_draw(request.user, release).require()
        made = services.sample_draw(
            release, **given(SampleDrawSerializer(data=request.data)), by=request.user
        )
        return Response(OwnSampleSerializer(made).data, status=201)


class OwnSample(APIView):
    """Who had the sample drawn: its rows, the report about them, and what was done since."""

    @extend_schema("receive_samples_read", responses=OwnSampleSerializer)
    def get(self, request: Request, release_id: uuid.UUID, sample_id: uuid.UUID) -> Response:
        release = release_get(request.user, release_id)
        return Response(OwnSampleSerializer(selectors.sample_get(request.user, release, sample_id)).data)

    @extend_schema("receive_samples_report", request=SampleReportSerializer, responses=OwnSampleSerializer)
    def post(self, request: Request, release_id: uuid.UUID, sample_id: uuid.UUID) -> Response:
        release = release_get(request.user, release_id)
        found = selectors.sample_get(request.user, release, sample_id)
        rules.may_report(request.user, found).require()
        services.sample_report(found, **given(SampleReportSerializer(data=request.data)), by=request.user)
        return Response(OwnSampleSerializer(selectors.sample_get(request.user, release, sample_id)).data)


class OwnSampleRead(APIView):
    """Who had the sample drawn in an enclave: have the same rows read again, by the seed; they are looked at on the page."""

    @extend_schema("receive_samples_read_again", request=None, responses=OwnSampleSerializer)
    def post(self, request: Request, release_id: uuid.UUID, sample_id: uuid.UUID) -> Response:
        release = release_get(request.user, release_id)
        found = selectors.sample_get(request.user, release, sample_id)
        received_read(found, by=request.user)
        return Response(OwnSampleSerializer(found).data)


class OwnRemedy(APIView):
    """Who found it: what they did with the data, and when."""

    @extend_schema(
        "receive_samples_remedy", request=RemedyRecordSerializer, responses={201: RecipientRemedySerializer}
    )
    def post(self, request: Request, release_id: uuid.UUID, deviation_id: uuid.UUID) -> Response:
        release = release_get(request.user, release_id)
        deviation = selectors.deviation_get(request.user, release, deviation_id)
        rules.may_remedy(request.user, deviation).require()
        made = services.remedy_record(
            deviation, **given(RemedyRecordSerializer(data=request.data)), by=request.user
        )
        return Response(RecipientRemedySerializer(made).data, status=201)


class ReceivedSamples(ProjectAPIView):
    """Who may see the project: every sample that recipients of its releases had drawn, with what was found and done."""

    @extend_schema("findings_samples", responses=ReceivedSampleSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        return Response(ReceivedSampleSerializer(selectors.samples_in(self.project), many=True).data)


class RemedyDecide(ProjectAPIView):
    """The supervisor: what the recipient did is confirmed, or asked again with a reason."""

    @extend_schema("findings_remedy", request=RemedyDecideSerializer, responses=RecipientRemedySerializer)
    def post(self, request: Request, project_id: uuid.UUID, finding_id: uuid.UUID) -> Response:
        deviation = selectors.deviation_behind(self.project, finding_id)
        rules.may_decide(request.user, deviation).require()
        done = services.remedy_decide(deviation, **self.sent(RemedyDecideSerializer), by=request.user)
        return Response(RecipientRemedySerializer(done).data)


class RemedyInStead(ProjectAPIView):
    """The planning manager: what was done with the data of a recipient who is inactive or no recipient of the project any more."""

    @extend_schema(
        "findings_remedy_in_stead",
        request=RemedyInSteadSerializer,
        responses={201: RecipientRemedySerializer},
    )
    def post(self, request: Request, project_id: uuid.UUID, finding_id: uuid.UUID) -> Response:
        deviation = selectors.deviation_behind(self.project, finding_id)
        rules.may_remedy_in_stead(request.user, deviation).require()
        sent = self.sent(RemedyInSteadSerializer)
        made = services.remedy_record_in_stead(deviation, **sent, by=request.user)
        return Response(RecipientRemedySerializer(made).data, status=201)
