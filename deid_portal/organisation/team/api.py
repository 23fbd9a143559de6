"""API of the team for personal information: the same services, rules and reasons as the page."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth import get_user_model
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import PORTION, Portions, given
from deid_portal.records.models import StaffRecord
from projects.workflow.posts import AppointedPost

from . import rules, selectors, services
from .enums import TeamDuty
from .models import TeamSeat


class TeamTrainingSerializer(serializers.ModelSerializer[StaffRecord]):
    class Meta:
        model = StaffRecord
        fields = read_only_fields = ("title", "done_on", "valid_until")


class TeamSeatSerializer(serializers.Serializer[Any]):
    """``taken_at``: since when it counts, null while who is proposed as head has not decided. ``in_office``: whether it counts today.
    ``posts``: those that the person holds today. ``trainings``: those that count today, null for who may not know of them."""

    id = serializers.UUIDField(source="seat.pk")
    duty = serializers.ChoiceField(source="seat.duty", choices=TeamDuty.choices)
    person = serializers.CharField(source="seat.account.username")
    named_by = serializers.CharField(source="seat.named_by.username")
    named_at = serializers.DateTimeField(source="seat.named_at")
    taken_at = serializers.DateTimeField(source="seat.taken_at", allow_null=True)
    in_office = serializers.BooleanField(source="seat.in_office")
    posts = serializers.ListField(child=serializers.ChoiceField(choices=AppointedPost.choices))
    trainings = TeamTrainingSerializer(many=True, allow_null=True)
    ended_by = serializers.CharField(source="seat.ended_by.username", allow_null=True, default=None)
    ended_at = serializers.DateTimeField(source="seat.ended_at", allow_null=True)
    end_reason = serializers.CharField(source="seat.why")


class TeamSerializer(serializers.Serializer[Any]):
    """``head``: who leads the team today; null where nobody does. ``proposed``: who is proposed as head and has not decided."""

    head = serializers.CharField(source="head.account.username", allow_null=True, default=None)
    proposed = serializers.CharField(source="waiting.account.username", allow_null=True, default=None)
    seats = TeamSeatSerializer(source="members", many=True)


class TeamHeadSerializer(serializers.Serializer[Any]):
    person = serializers.SlugRelatedField(
        slug_field="username", queryset=get_user_model().objects.all(), help_text="Name of an account."
    )


class TeamSeatGivenSerializer(TeamHeadSerializer):
    duty = serializers.ChoiceField(choices=TeamDuty.choices)


class TeamSeatEndingSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=500)


def _answer(request: Request, seat: TeamSeat, code: int = status.HTTP_200_OK) -> Response:
    with_trainings = rules.may_read_trainings(request.user)
    (member,) = selectors.shown([selectors.seat_get(seat.pk)], with_trainings=with_trainings)
    return Response(TeamSeatSerializer(member).data, status=code)


class TeamToday(APIView):
    @extend_schema("team_read", responses=TeamSerializer)
    def get(self, request: Request) -> Response:
        """Everybody inside: who leads the team, and who has which duty today."""
        rules.may_read_team(request.user).require()
        now = selectors.team_now(with_trainings=rules.may_read_trainings(request.user))
        return Response(TeamSerializer(now).data)


class TeamEnded(APIView):
    @extend_schema("team_ended_list", parameters=PORTION, responses=TeamSeatSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Everybody inside: duties that have ended, the latest first."""
        rules.may_read_team(request.user).require()
        portions: Any = Portions()
        rows = portions.paginate_queryset(selectors.seats_ended(), request)
        found = selectors.shown(rows, with_trainings=rules.may_read_trainings(request.user))
        answer: Response = portions.get_paginated_response(TeamSeatSerializer(found, many=True).data)
        return answer


class TeamHeadProposal(APIView):
    @extend_schema("team_head_propose", request=TeamHeadSerializer, responses={201: TeamSeatSerializer})
    def post(self, request: Request) -> Response:
        """Administrators: propose somebody of senior management as head; they decide themself."""
        rules.may_propose(request.user).require()
        sent = given(TeamHeadSerializer(data=request.data))
        made = services.head_propose(sent["person"], by=request.user)
        return _answer(request, made, status.HTTP_201_CREATED)


class TeamSeats(APIView):
    @extend_schema("team_seat_give", request=TeamSeatGivenSerializer, responses={201: TeamSeatSerializer})
    def post(self, request: Request) -> Response:
        """The head of the team: give somebody a duty beside the head's."""
        rules.may_name(request.user).require()
        sent = given(TeamSeatGivenSerializer(data=request.data))
        made = services.seat_give(sent["person"], TeamDuty(sent["duty"]), by=request.user)
        return _answer(request, made, status.HTTP_201_CREATED)


class TeamHeadTaking(APIView):
    @extend_schema("team_head_take", request=None, responses=TeamSeatSerializer)
    def post(self, request: Request, seat_id: uuid.UUID) -> Response:
        """Who is proposed as head: take the lead; the seat of whoever had it ends."""
        found = selectors.seat_get(seat_id)
        rules.may_take(request.user, found).require()
        return _answer(request, services.head_take(found, by=request.user))


class TeamSeatEnding(APIView):
    @extend_schema("team_seat_end", request=TeamSeatEndingSerializer, responses=TeamSeatSerializer)
    def post(self, request: Request, seat_id: uuid.UUID) -> Response:
        """Who has the duty, administrators, and of every duty but the head's the head: it is over, with the reason."""
        found = selectors.seat_get(seat_id)
        rules.may_end(request.user, found, leads=selectors.leads(request.user)).require()
        sent = given(TeamSeatEndingSerializer(data=request.data))
        return _answer(request, services.seat_end(found, **sent, by=request.user))
