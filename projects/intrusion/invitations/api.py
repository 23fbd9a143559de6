"""Invitations for programs, of who conducts a test and of who is invited: the same services, rules and reasons as the pages."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import OpenedOnRecord, given
from projects.core.api import ProjectAPIView
from projects.processing.models import RunTable
from projects.processing.runs.selectors import tables_of_run

from ..enums import Certainty, ClaimVerdict
from ..forms import LONG
from ..models import IntruderClaim, Invitation
from ..selectors import intruder_test_get
from . import rules, selectors, services
from .forms import MOST_RECORD
from .presentation import why_not
from .workspace import file_fetched


class _Open(serializers.Serializer[Any]):
    """Whether the tester can still try it, and why not though the invitation lasts; made by :func:`_shown`."""

    open = serializers.SerializerMethodField()
    why_not = serializers.SerializerMethodField()

    def get_open(self, invitation: Invitation) -> bool:
        return bool(self.context["verdicts"][invitation.pk])

    def get_why_not(self, invitation: Invitation) -> str:
        return why_not(self.context["verdicts"][invitation.pk])


def _shown(made_by: type[_Open], invitations: Sequence[Invitation]) -> list[dict[str, Any]]:
    """Each invitation, all of them asked at once whether they are open."""
    context = {"verdicts": rules.are_open(invitations)}
    return made_by(invitations, many=True, context=context).data  # type: ignore[return-value]


class InvitationSerializer(_Open):
    """``open``: whether the tester can still try it; ``why_not``: why they cannot though it lasts, such as that the result may not go where they are; ``country``: by its code in ISO 3166-1, null where none is stated; ``views`` and ``fetches``: how often the tester looked at rows, and fetched a file; ``looked_at``: when last."""

    id = serializers.UUIDField()
    tester = serializers.CharField(source="tester.full_name")
    country = serializers.CharField(allow_null=True)
    task = serializers.CharField()
    until = serializers.DateField()
    gets_file = serializers.BooleanField()
    shows_verdicts = serializers.BooleanField()
    invited_by = serializers.CharField(source="invited_by.full_name")
    invited_at = serializers.DateTimeField()
    views = serializers.IntegerField()
    fetches = serializers.IntegerField()
    looked_at = serializers.DateTimeField(allow_null=True)
    ended_by = serializers.CharField(source="ended_by.full_name", default=None, allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    end_reason = serializers.CharField(allow_blank=True)


class InvitationWriteSerializer(serializers.Serializer[Any]):
    """``tester``: the user name of an account for invited testers; ``country``: where they look at the result, by its code in ISO 3166-1; ``until``: the last day on which they see the result."""

    tester = serializers.CharField(max_length=150)
    country = serializers.CharField(max_length=2)
    task = serializers.CharField(max_length=LONG)
    until = serializers.DateField()
    gets_file = serializers.BooleanField(default=False)
    shows_verdicts = serializers.BooleanField(default=False)


class InvitationEndSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=500)


class Invitations(ProjectAPIView):
    inside = True

    @extend_schema("intrusion_invitations", responses=InvitationSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID, test_id: uuid.UUID) -> Response:
        """Who was invited to the test, the newest first."""
        found = selectors.invitations_of(intruder_test_get(self.project, test_id))
        return Response(_shown(InvitationSerializer, found))

    @extend_schema(
        "intrusion_invite", request=InvitationWriteSerializer, responses={201: InvitationSerializer}
    )
    def post(self, request: Request, project_id: uuid.UUID, test_id: uuid.UUID) -> Response:
        """The supervisor: invite an outsider."""
        test = intruder_test_get(self.project, test_id)
        rules.may_invite(request.user, test).require()
        sent = dict(self.sent(InvitationWriteSerializer))
        named = sent.pop("tester")
        tester = next((one for one in selectors.testers() if one.get_username() == named), None)
        if tester is None:
            reason = str(rules.InvitationReason.NOT_A_TESTER.label) % {"person": named}
            raise serializers.ValidationError({"tester": [reason]})
        made = services.invitation_make(test, tester=tester, by=request.user, **sent)
        return Response(_shown(InvitationSerializer, [made])[0], status=status.HTTP_201_CREATED)


class InvitationEnd(ProjectAPIView):
    inside = True

    @extend_schema(
        "intrusion_invitation_end", request=InvitationEndSerializer, responses=InvitationSerializer
    )
    def post(
        self, request: Request, project_id: uuid.UUID, test_id: uuid.UUID, invitation_id: uuid.UUID
    ) -> Response:
        """The supervisor: withdraw an invitation."""
        found = selectors.invitation_of(intruder_test_get(self.project, test_id), invitation_id)
        rules.may_end(request.user, found).require()
        done = services.invitation_end(found, **self.sent(InvitationEndSerializer), by=request.user)
        return Response(_shown(InvitationSerializer, [done])[0])


class OwnTestSerializer(_Open):
    """What a tester is told of a test. ``open``: whether they can still try it; one that is not open says no more than ``why_not``, where it still lasts."""

    id = serializers.UUIDField()
    test = serializers.CharField()
    until = serializers.DateField()
    task = serializers.SerializerMethodField()
    scope = serializers.SerializerMethodField()
    auxiliary = serializers.SerializerMethodField()
    gets_file = serializers.BooleanField()

    def get_task(self, invitation: Invitation) -> str:
        return invitation.task if self.get_open(invitation) else ""

    def get_scope(self, invitation: Invitation) -> str:
        return invitation.test.scope if self.get_open(invitation) else ""

    def get_auxiliary(self, invitation: Invitation) -> str:
        return invitation.test.auxiliary if self.get_open(invitation) else ""


class OwnTableSerializer(serializers.Serializer[Any]):
    """A table of the result under test; the name is empty where it has one alone."""

    name = serializers.CharField()
    rows = serializers.IntegerField(source="result_rows")
    columns = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_columns(self, written: RunTable) -> list[str]:
        return list(written.report.get("columns_out", ()))


class OwnTestDetailSerializer(OwnTestSerializer):
    """Rows are shown on the page alone, under its watermark; programs fetch the file where ``gets_file`` says so."""

    tables = serializers.SerializerMethodField()

    @extend_schema_field(OwnTableSerializer(many=True))
    def get_tables(self, invitation: Invitation) -> list[dict[str, Any]]:
        tables = tables_of_run(invitation.test.run).values()
        return OwnTableSerializer(tables, many=True).data  # type: ignore[return-value]


class OwnClaimSerializer(serializers.Serializer[Any]):
    """``right`` is null unless the tester is told so."""

    table = serializers.CharField(source="of_table")
    record = serializers.IntegerField()
    reference = serializers.CharField()
    grounds = serializers.CharField()
    certainty = serializers.ChoiceField(choices=Certainty.choices)
    made_at = serializers.DateTimeField()
    checked = serializers.SerializerMethodField()
    right = serializers.SerializerMethodField()

    def get_checked(self, claim: IntruderClaim) -> bool:
        return claim.verdict != ClaimVerdict.WAITING

    @extend_schema_field(serializers.BooleanField(allow_null=True))
    def get_right(self, claim: IntruderClaim) -> bool | None:
        if not self.context["verdicts"] or claim.verdict == ClaimVerdict.WAITING:
            return None
        return claim.verdict == ClaimVerdict.RIGHT


class OwnClaimWriteSerializer(serializers.Serializer[Any]):
    """``reference``: where it says who that is, never who it is."""

    table = serializers.CharField(max_length=200, default="", allow_blank=True)
    record = serializers.IntegerField(min_value=1, max_value=MOST_RECORD)
    reference = serializers.CharField(max_length=100)
    grounds = serializers.CharField(max_length=LONG)
    certainty = serializers.ChoiceField(choices=Certainty.choices)


class OwnTests(APIView):
    @extend_schema("tester_list", responses=OwnTestSerializer(many=True))
    def get(self, request: Request) -> Response:
        """An invited tester: the tests to which they were invited, the newest first."""
        return Response(_shown(OwnTestSerializer, list(selectors.invitations_to(request.user))))


class OwnTestDetail(APIView):
    @extend_schema("tester_detail", responses=OwnTestDetailSerializer)
    def get(self, request: Request, invitation_id: uuid.UUID) -> Response:
        """An invited tester, while it lasts: what is to be tried, and the tables of the result with their columns."""
        invitation = selectors.invitation_get(request.user, invitation_id)
        rules.may_look(request.user, invitation).require()
        return Response(_shown(OwnTestDetailSerializer, [invitation])[0])


class OwnFile(OpenedOnRecord, APIView):
    @extend_schema(
        "tester_file",
        parameters=[
            OpenApiParameter("table", str, description="Which table of the result, where it has several")
        ],
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, invitation_id: uuid.UUID) -> Any:
        """An invited tester who is to have it, while it lasts: the file of the result, on the record."""
        invitation = selectors.invitation_get(request.user, invitation_id)
        return file_fetched(invitation, table=request.query_params.get("table", ""), by=request.user)


class OwnClaims(APIView):
    def _shown(self, invitation: Invitation, code: int = status.HTTP_200_OK) -> Response:
        context = {"verdicts": invitation.shows_verdicts}
        claims = selectors.claims_by(invitation)
        return Response(OwnClaimSerializer(claims, many=True, context=context).data, status=code)

    @extend_schema("tester_claims", responses=OwnClaimSerializer(many=True))
    def get(self, request: Request, invitation_id: uuid.UUID) -> Response:
        """An invited tester: what they have claimed so far."""
        invitation = selectors.invitation_get(request.user, invitation_id)
        rules.may_look(request.user, invitation).require()
        return self._shown(invitation)

    @extend_schema(
        "tester_claim", request=OwnClaimWriteSerializer, responses={201: OwnClaimSerializer(many=True)}
    )
    def post(self, request: Request, invitation_id: uuid.UUID) -> Response:
        """An invited tester: claim to know whose a record is."""
        invitation = selectors.invitation_get(request.user, invitation_id)
        rules.may_look(request.user, invitation).require()
        sent = given(OwnClaimWriteSerializer(data=request.data))
        services.invited_claim(invitation, **sent, by=request.user)
        return self._shown(invitation, status.HTTP_201_CREATED)
