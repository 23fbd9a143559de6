"""API of messages: the same services, rules and reasons as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import PORTION, given, portion

from . import rules, selectors, services
from .enums import Pace, RobotKind
from .models import Message, MessageChoice, Robot


class MessageSerializer(serializers.ModelSerializer[Message]):
    """To whom, why, when and with which outcome; ``robot``: the name of the robot by which it went, null for mail."""

    recipient = serializers.CharField(source="recipient.username")
    robot = serializers.CharField(source="robot.name", allow_null=True, default=None)

    class Meta:
        model = Message
        fields = ("id", "recipient", "kind", "made_at", "status", "robot", "problem", "attempts", "ended_at")
        read_only_fields = fields


class RobotSerializer(serializers.ModelSerializer[Robot]):
    """Its address and secret are shown to nobody; ``host`` is what stands open of them."""

    added_by = serializers.CharField(source="added_by.username")

    class Meta:
        model = Robot
        fields = ("id", "name", "kind", "host", "added_by", "added_at")
        read_only_fields = fields


class RobotAddSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=60)
    kind = serializers.ChoiceField(choices=RobotKind.choices)
    url = serializers.CharField(max_length=1000)
    secret = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


class ChoiceSerializer(serializers.ModelSerializer[MessageChoice]):
    robot = serializers.UUIDField(source="robot_id", allow_null=True)

    class Meta:
        model = MessageChoice
        fields = ("pace", "robot")
        read_only_fields = fields


class ChoiceSetSerializer(serializers.Serializer[Any]):
    """``robot``: the id of one; null for mail."""

    pace = serializers.ChoiceField(choices=Pace.choices)
    robot = serializers.UUIDField(required=False, allow_null=True, default=None)


class MessageChannelSerializer(serializers.Serializer[Any]):
    robot = serializers.UUIDField(required=False, allow_null=True, default=None)


class MessagesOfferedSerializer(serializers.Serializer[Any]):
    offered = serializers.IntegerField()


class ChoiceView(APIView):
    """Every signed-in person: when and how they are written to."""

    @extend_schema("messages_choice", responses=ChoiceSerializer)
    def get(self, request: Request) -> Response:
        return Response(ChoiceSerializer(selectors.choice_of(request.user)).data)

    @extend_schema("messages_choose", request=ChoiceSetSerializer, responses=ChoiceSerializer)
    def put(self, request: Request) -> Response:
        sent = given(ChoiceSetSerializer(data=request.data))
        robot = selectors.robot_get(sent["robot"]) if sent["robot"] else None
        made = services.choice_set(pace=Pace(sent["pace"]), robot=robot, by=request.user)
        return Response(ChoiceSerializer(made).data)


class MessageList(APIView):
    """Administrators: what was sent to whom, or was not, the newest first; never what it said."""

    @extend_schema("messages_list", parameters=PORTION, responses=MessageSerializer(many=True))
    def get(self, request: Request) -> Response:
        rules.may_manage(request.user).require()
        return portion(request, selectors.messages_made(), MessageSerializer)


class RobotList(APIView):
    """Administrators: the robots by which messages go; set one up."""

    @extend_schema("messages_robots", responses=RobotSerializer(many=True))
    def get(self, request: Request) -> Response:
        rules.may_manage(request.user).require()
        return Response(RobotSerializer(selectors.robots(), many=True).data)

    @extend_schema("messages_robot_add", request=RobotAddSerializer, responses={201: RobotSerializer})
    def post(self, request: Request) -> Response:
        rules.may_manage(request.user).require()
        sent = given(RobotAddSerializer(data=request.data))
        made = services.robot_add(**sent | {"kind": RobotKind(sent["kind"])}, by=request.user)
        return Response(RobotSerializer(made).data, status=status.HTTP_201_CREATED)


class RobotView(APIView):
    """Administrators: remove a robot."""

    @extend_schema("messages_robot_remove", responses={204: None})
    def delete(self, request: Request, robot_id: uuid.UUID) -> Response:
        rules.may_manage(request.user).require()
        services.robot_remove(selectors.robot_get(robot_id), by=request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class TestView(APIView):
    """Administrators: a test message to oneself, sent before the answer comes."""

    @extend_schema("messages_test", request=MessageChannelSerializer, responses=MessageSerializer)
    def post(self, request: Request) -> Response:
        rules.may_manage(request.user).require()
        sent = given(MessageChannelSerializer(data=request.data))
        robot = selectors.robot_get(sent["robot"]) if sent["robot"] else None
        return Response(MessageSerializer(services.message_test(robot, by=request.user)).data)


class AgainView(APIView):
    """Administrators: have everything sent again that failed, as far as it is still true."""

    @extend_schema("messages_again", request=None, responses=MessagesOfferedSerializer)
    def post(self, request: Request) -> Response:
        rules.may_manage(request.user).require()
        return Response({"offered": services.failed_offer_again(by=request.user)})
