"""API of leavers: the same services, rules and reasons as the pages."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import given
from deid_portal.organisation.team.enums import TeamDuty
from deid_portal.organisation.team.selectors import seats_of
from projects.core.api import MembershipSerializer
from projects.core.models import Membership
from projects.core.succession.api import HandOverSerializer
from projects.core.succession.services import planning_hand_over
from projects.objective.enums import Classification
from projects.workflow import Role

from .. import rules as account_rules
from ..models import Leaving, User
from . import rules, selectors, services


class InHandSerializer(serializers.Serializer[Any]):
    project = serializers.CharField(source="project_number")
    role = serializers.ChoiceField(source="membership.role", choices=Role.choices)
    waits = serializers.CharField()
    open_findings = serializers.IntegerField(source="findings")
    keys = serializers.IntegerField()
    shared = serializers.BooleanField()


class LeavingSerializer(serializers.Serializer[Any]):
    """``level``: the highest grade of the data of all their projects. ``team``: what they have to see to in the team for personal
    information. ``left_at``: null while the person has not left."""

    in_hand = InHandSerializer(many=True)
    team = serializers.ListField(child=serializers.ChoiceField(choices=TeamDuty.choices))
    level = serializers.ChoiceField(choices=Classification.choices, allow_null=True)
    left_at = serializers.DateTimeField(allow_null=True)


class LeavingRecordSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=500)
    agreed = serializers.CharField(max_length=1000)
    # End access although a project loses its only planning manager.
    at_once = serializers.BooleanField(default=False)


def _answer(account: User) -> Response:
    left = Leaving.objects.filter(account=account).first()
    found = {
        "in_hand": selectors.in_hand(account),
        "team": [seat.duty for seat in seats_of(account)],
        "level": selectors.level_of(account),
        "left_at": left.recorded_at if left else None,
    }
    return Response(LeavingSerializer(found).data)


class LeavingView(APIView):
    """Administrators: what somebody has in hand; record that they leave, which ends their access at once."""

    @extend_schema("account_leaving", responses=LeavingSerializer)
    def get(self, request: Request, user_id: int) -> Response:
        account_rules.may_administer(request.user).require()
        return _answer(User.objects.get(pk=user_id))

    @extend_schema("account_leaving_record", request=LeavingRecordSerializer, responses=LeavingSerializer)
    def post(self, request: Request, user_id: int) -> Response:
        account = User.objects.get(pk=user_id)
        rules.may_record_leaving(request.user, account).require()
        services.leaving_record(account, **given(LeavingRecordSerializer(data=request.data)), by=request.user)
        return _answer(account)


class LeavingPlanningView(APIView):
    """Administrators: hand the planning of one project of theirs over to a holder of the post."""

    @extend_schema(
        "account_leaving_planning", request=HandOverSerializer, responses={201: MembershipSerializer}
    )
    def post(self, request: Request, user_id: int, number: str) -> Response:
        account_rules.may_administer(request.user).require()
        held = Membership.objects.select_related("project").get(
            user=user_id, project__number=number, role=Role.PLANNER, ended_at=None
        )
        sent = given(HandOverSerializer(data=request.data))
        to = get_user_model().objects.get(username=sent["username"])
        made = planning_hand_over(held.project, to=to, reason=sent["reason"], by=request.user)
        return Response(MembershipSerializer(made).data, status=status.HTTP_201_CREATED)
