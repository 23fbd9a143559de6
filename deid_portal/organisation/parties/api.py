"""API of the register of organisations: the same services, rules and reasons as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import PORTION, given, portion

from . import rules, selectors, services
from .enums import PartyKind
from .models import Party

STATES = ("in_force", "ended")


class PartySerializer(serializers.ModelSerializer[Party]):
    """``agreement_count``: how many agreements it has, of all projects."""

    recorded_by = serializers.CharField(source="recorded_by.username")
    agreement_count = serializers.IntegerField()

    class Meta:
        model = Party
        fields = (
            "id", "name", "kind", "country", "code", "contact", "recorded_by", "recorded_at", "ended_at", "end_reason",
            "agreement_count",
        )  # fmt: skip
        read_only_fields = fields


class PartyAgreementSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    project = serializers.UUIDField(source="project_id")
    organisation = serializers.CharField(help_text="As it was signed.")
    recipient = serializers.CharField(source="recipient.username")
    signed_on = serializers.DateField()
    valid_until = serializers.DateField()
    in_force = serializers.BooleanField()
    ended_at = serializers.DateTimeField(allow_null=True)


class PartyReleaseSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    project = serializers.UUIDField(source="project_id")
    released_at = serializers.DateTimeField()


class PartyCopiesSerializer(serializers.Serializer[Any]):
    """Copies that were fetched under its agreements, of all projects; ``all_destroyed`` is null where nothing was fetched."""

    fetched = serializers.IntegerField(source="copy_count")
    destroyed = serializers.IntegerField()
    overdue = serializers.IntegerField(source="missing")
    all_destroyed = serializers.BooleanField(allow_null=True)


class PartyDetailSerializer(PartySerializer):
    """``agreements`` and ``releases``: the latest of the projects that the reader may see; how many others there are stands beside."""

    agreements = serializers.SerializerMethodField()
    hidden_agreements = serializers.SerializerMethodField()
    releases = serializers.SerializerMethodField()
    hidden_releases = serializers.SerializerMethodField()
    copies = serializers.SerializerMethodField()

    class Meta(PartySerializer.Meta):
        fields = (  # type: ignore[assignment]
            *PartySerializer.Meta.fields, "agreements", "hidden_agreements", "releases", "hidden_releases", "copies",
        )  # fmt: skip

    @property
    def dealings(self) -> selectors.Dealings:
        found: selectors.Dealings = self.context["dealings"]
        return found

    @extend_schema(responses=PartyAgreementSerializer(many=True))
    def get_agreements(self, party: Party) -> list[dict[str, Any]]:
        return list(PartyAgreementSerializer(self.dealings.agreements, many=True).data)

    def get_hidden_agreements(self, party: Party) -> int:
        return self.dealings.hidden_agreements

    @extend_schema(responses=PartyReleaseSerializer(many=True))
    def get_releases(self, party: Party) -> list[dict[str, Any]]:
        """Live releases of projects in which an agreement of it is in force."""
        return list(PartyReleaseSerializer(self.dealings.releases, many=True).data)

    def get_hidden_releases(self, party: Party) -> int:
        return self.dealings.hidden_releases

    @extend_schema(responses=PartyCopiesSerializer)
    def get_copies(self, party: Party) -> dict[str, Any]:
        return dict(PartyCopiesSerializer(self.dealings).data)


class PartyGivenSerializer(serializers.Serializer[Any]):
    """``country``: a code of ISO 3166-1."""

    name = serializers.CharField(max_length=120)
    kind = serializers.ChoiceField(choices=PartyKind.choices)
    country = serializers.CharField(max_length=2)
    code = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")
    contact = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


class PartyChangedSerializer(PartyGivenSerializer):
    """All of it: what is empty is empty from then on."""

    code = serializers.CharField(max_length=40, allow_blank=True)
    contact = serializers.CharField(max_length=200, allow_blank=True)


class PartyReasonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=500)


def _detail(request: Request, party_id: uuid.UUID) -> dict[str, Any]:
    found = selectors.party_get(party_id)
    context = {"dealings": selectors.dealings_of(found, request.user)}
    return dict(PartyDetailSerializer(found, context=context).data)


class PartyList(APIView):
    """The organisations of the register, those in force first; POST enters one."""

    @extend_schema(
        "parties_list",
        parameters=[
            *PORTION,
            OpenApiParameter("kind", enum=PartyKind.values),
            OpenApiParameter("state", enum=STATES),
            OpenApiParameter("q"),
        ],
        responses=PartySerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """Who keeps the register or reads it; ``kind``, ``state`` and ``q`` as on the page."""
        rules.may_read_parties(request.user).require()
        asked = request.query_params
        known = {"kind": PartyKind.values, "state": STATES}
        wrong = {
            name: [_("Choose one of: %(kinds)s.") % {"kinds": ", ".join(words)}]
            for name, words in known.items()
            if asked.get(name, "") not in ("", *words)
        }
        if wrong:
            raise serializers.ValidationError(wrong)
        found = selectors.parties(
            kind=asked.get("kind", ""), state=asked.get("state", ""), wanted=asked.get("q", "").strip()
        )
        return portion(request, found.select_related("recorded_by"), PartySerializer)

    @extend_schema("parties_register", request=PartyGivenSerializer, responses={201: PartyDetailSerializer})
    def post(self, request: Request) -> Response:
        """Planning managers and administrators: an organisation."""
        rules.may_keep(request.user).require()
        sent = given(PartyGivenSerializer(data=request.data))
        made = services.party_register(**sent, by=request.user)
        return Response(_detail(request, made.pk), status=status.HTTP_201_CREATED)


class PartyDetail(APIView):
    @extend_schema("parties_read", responses=PartyDetailSerializer)
    def get(self, request: Request, party_id: uuid.UUID) -> Response:
        """Who keeps the register or reads it: one organisation, with what it has."""
        rules.may_read_parties(request.user).require()
        return Response(_detail(request, party_id))


class PartyChange(APIView):
    @extend_schema("parties_change", request=PartyChangedSerializer, responses=PartyDetailSerializer)
    def post(self, request: Request, party_id: uuid.UUID) -> Response:
        """Planning managers and administrators: what is true of it now; all of it is sent."""
        rules.may_keep(request.user).require()
        sent = given(PartyChangedSerializer(data=request.data))
        services.party_change(selectors.party_get(party_id), **sent, by=request.user)
        return Response(_detail(request, party_id))


class PartyEnd(APIView):
    @extend_schema("parties_end", request=PartyReasonSerializer, responses=PartyDetailSerializer)
    def post(self, request: Request, party_id: uuid.UUID) -> Response:
        """Planning managers and administrators: it is over with it, and no agreement names it any more."""
        rules.may_keep(request.user).require()
        sent = given(PartyReasonSerializer(data=request.data))
        services.party_end(selectors.party_get(party_id), **sent, by=request.user)
        return Response(_detail(request, party_id))
