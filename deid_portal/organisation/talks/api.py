"""API of the record of talks: the same services, rules and reasons as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth import get_user_model
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import PORTION, given, portion
from projects.core.models import Project
from projects.core.selectors import visible_projects
from projects.core.texts import SHA256_PATTERN

from ..policies.models import Policy
from . import rules, selectors, services
from .enums import CounterpartKind
from .forms import LONG
from .models import FollowUp, Talk, TalkCorrection


class TalkSerializer(serializers.ModelSerializer[Talk]):
    """``open_count``: how many of its follow-ups are open."""

    recorded_by = serializers.CharField(source="recorded_by.username")
    policy = serializers.UUIDField(source="policy_id", allow_null=True)
    open_count = serializers.IntegerField()

    class Meta:
        model = Talk
        fields = (
            "id", "kind", "counterpart", "held_on", "topic", "policy", "kept_at", "document_hash", "recorded_by", "recorded_at",
            "open_count",
        )  # fmt: skip
        read_only_fields = fields


class FollowUpSerializer(serializers.ModelSerializer[FollowUp]):
    owner = serializers.CharField(source="owner.username")
    closed_by = serializers.CharField(source="closed_by.username", allow_null=True, default=None)

    class Meta:
        model = FollowUp
        fields = ("id", "what", "owner", "due_on", "is_overdue", "closed_by", "closed_at", "result")
        read_only_fields = fields


class TalkCorrectionSerializer(serializers.ModelSerializer[TalkCorrection]):
    by = serializers.CharField(source="by.username")

    class Meta:
        model = TalkCorrection
        fields = read_only_fields = ("text", "reason", "by", "at")


class TalkDetailSerializer(TalkSerializer):
    """``projects``: of those that it concerns, the ones that the reader may know of."""

    people = serializers.SerializerMethodField()
    projects = serializers.SerializerMethodField()
    corrections = TalkCorrectionSerializer(many=True)
    follow_ups = serializers.SerializerMethodField()

    class Meta(TalkSerializer.Meta):
        fields = (  # type: ignore[assignment]
            *TalkSerializer.Meta.fields, "outcome", "people", "projects", "corrections", "follow_ups",
        )  # fmt: skip

    @extend_schema(responses={"type": "array", "items": {"type": "string"}})
    def get_people(self, talk: Talk) -> list[str]:
        """Names of the accounts of who took part from our side."""
        return [one.account.username for one in talk.participants.select_related("account")]

    @extend_schema(responses={"type": "array", "items": {"type": "string", "format": "uuid"}})
    def get_projects(self, talk: Talk) -> list[str]:
        return [str(one.pk) for one in selectors.projects_seen(talk, self.context["user"])]

    @extend_schema(responses=FollowUpSerializer(many=True))
    def get_follow_ups(self, talk: Talk) -> list[dict[str, Any]]:
        rows = talk.follow_ups.select_related("owner", "closed_by")
        return list(FollowUpSerializer(rows, many=True).data)


class FollowUpGivenSerializer(serializers.Serializer[Any]):
    what = serializers.CharField(max_length=500)
    owner = serializers.SlugRelatedField(
        slug_field="username", queryset=get_user_model().objects.all(), help_text="Name of an account."
    )
    due_on = serializers.DateField()


class ProjectField(serializers.PrimaryKeyRelatedField[Project]):
    """A project that the caller may know of: a hidden one is answered as one that does not exist."""

    def get_queryset(self) -> Any:
        return visible_projects(self.context["request"].user)


class TalkRecordSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=CounterpartKind.choices)
    counterpart = serializers.CharField(max_length=120)
    held_on = serializers.DateField()
    people = serializers.SlugRelatedField(
        many=True,
        slug_field="username",
        queryset=get_user_model().objects.all(),
        allow_empty=False,
        help_text="Names of accounts.",
    )
    topic = serializers.CharField(max_length=120)
    outcome = serializers.CharField(max_length=LONG)
    projects = ProjectField(many=True, queryset=Project.objects.none(), required=False, default=list)
    policy = serializers.PrimaryKeyRelatedField(
        queryset=Policy.objects.all(), required=False, allow_null=True, default=None
    )
    kept_at = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    document_hash = serializers.RegexField(SHA256_PATTERN, required=False, allow_blank=True, default="")
    follow_up = FollowUpGivenSerializer(required=False, allow_null=True, default=None)


class TalkCorrectingSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(max_length=LONG)
    reason = serializers.CharField(max_length=500)


class FollowUpClosingSerializer(serializers.Serializer[Any]):
    result = serializers.CharField(max_length=LONG)


def _detail(request: Request, talk: Talk) -> dict[str, Any]:
    found = selectors.talk_get(talk.pk)
    return dict(TalkDetailSerializer(found, context={"user": request.user}).data)


class TalkList(APIView):
    """The talks, the latest first; POST writes one down."""

    @extend_schema(
        "talks_list",
        parameters=[*PORTION, OpenApiParameter("kind", enum=CounterpartKind.values), OpenApiParameter("q")],
        responses=TalkSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """Planning managers, senior management and auditors; ``kind`` and ``q`` as on the page."""
        rules.may_read_talks(request.user).require()
        asked = request.query_params
        if asked.get("kind", "") not in ("", *CounterpartKind.values):
            raise serializers.ValidationError(
                {"kind": [_("Choose one of: %(kinds)s.") % {"kinds": ", ".join(CounterpartKind.values)}]}
            )
        found = selectors.talks(kind=asked.get("kind", ""), wanted=asked.get("q", "").strip())
        return portion(request, found, TalkSerializer)

    @extend_schema("talks_record", request=TalkRecordSerializer, responses={201: TalkDetailSerializer})
    def post(self, request: Request) -> Response:
        """Planning managers: a talk, with who took part and what follows from it."""
        rules.may_record(request.user).require()
        sent = given(TalkRecordSerializer(data=request.data, context={"request": request}))
        follow_up = sent.pop("follow_up")
        to_do = services.ToDo(**follow_up) if follow_up else None
        made = services.talk_record(**sent, follow_up=to_do, by=request.user)
        return Response(_detail(request, made), status=status.HTTP_201_CREATED)


class TalkDetail(APIView):
    @extend_schema("talks_read", responses=TalkDetailSerializer)
    def get(self, request: Request, talk_id: uuid.UUID) -> Response:
        """Who reads the talks, and who has something to do after this one."""
        found = selectors.talk_get(talk_id)
        owns = selectors.owns_follow_up(request.user, found)
        rules.may_read_talk(request.user, owns_follow_up=owns).require()
        return Response(_detail(request, found))


class TalkCorrections(APIView):
    @extend_schema(
        "talks_correct", request=TalkCorrectingSerializer, responses={201: TalkCorrectionSerializer}
    )
    def post(self, request: Request, talk_id: uuid.UUID) -> Response:
        """Planning managers: what is right where the record is wrong."""
        rules.may_record(request.user).require()
        sent = given(TalkCorrectingSerializer(data=request.data))
        made = services.talk_correct(selectors.talk_get(talk_id), **sent, by=request.user)
        return Response(TalkCorrectionSerializer(made).data, status=status.HTTP_201_CREATED)


class TalkFollowUps(APIView):
    @extend_schema("talks_follow_up", request=FollowUpGivenSerializer, responses={201: FollowUpSerializer})
    def post(self, request: Request, talk_id: uuid.UUID) -> Response:
        """Planning managers: something that is to be done after the talk."""
        rules.may_record(request.user).require()
        to_do = services.ToDo(**given(FollowUpGivenSerializer(data=request.data)))
        made = services.follow_up_give(selectors.talk_get(talk_id), to_do, by=request.user)
        return Response(FollowUpSerializer(made).data, status=status.HTTP_201_CREATED)


class FollowUpClosing(APIView):
    @extend_schema("talks_follow_up_close", request=FollowUpClosingSerializer, responses=FollowUpSerializer)
    def post(self, request: Request, talk_id: uuid.UUID, follow_up_id: uuid.UUID) -> Response:
        """Its owner and planning managers: what came of it."""
        found = selectors.follow_up_get(talk_id, follow_up_id)
        rules.may_close(request.user, found).require()
        sent = given(FollowUpClosingSerializer(data=request.data))
        return Response(FollowUpSerializer(services.follow_up_close(found, **sent, by=request.user)).data)
