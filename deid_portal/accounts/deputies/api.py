"""API of deputies: the same services, rules and reasons as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import PORTION, given, portion
from projects.workflow.posts import AppointedPost

from .. import rules as account_rules
from ..models import Deputation, User
from . import selectors, services
from .enums import DEPUTISED, DeputyTenure


class DeputationSerializer(serializers.ModelSerializer[Deputation]):
    """``tenure``: how it stands now; ``status``: what people made of it."""

    username = serializers.CharField(source="account.username")
    deputy = serializers.CharField(source="deputy.username")
    starts_on = serializers.DateField()
    ends_on = serializers.DateField()
    given_by = serializers.CharField(source="given_by.username")
    decided_by = serializers.CharField(source="decided_by.username", allow_null=True, default=None)
    tenure = serializers.ChoiceField(choices=DeputyTenure.choices)

    class Meta:
        model = Deputation
        fields = (
            "id", "username", "post", "deputy", "starts_on", "ends_on", "reason", "given_by", "given_at", "status",
            "decided_by", "decided_at", "ended_at", "end_reason", "tenure",
        )  # fmt: skip
        read_only_fields = fields


class DeputyNamedSerializer(serializers.Serializer[Any]):
    """``username``: who is to have the deputy; administrators name one for others, everybody else for themselves."""

    username = serializers.CharField(max_length=150, required=False)
    post = serializers.ChoiceField(choices=[one for one in AppointedPost.choices if one[0] in DEPUTISED])
    deputy = serializers.CharField(max_length=150)
    starts_on = serializers.DateField()
    ends_on = serializers.DateField()
    reason = serializers.CharField(max_length=500)


class DeputationDecisionSerializer(serializers.Serializer[Any]):
    confirm = serializers.BooleanField()


class DeputationEndSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=500)


class DeputationListView(APIView):
    """Everybody: those in which they have a deputy or are one; administrators: all, the newest first."""

    @extend_schema("deputations_list", parameters=PORTION, responses=DeputationSerializer(many=True))
    def get(self, request: Request) -> Response:
        every = account_rules.may_administer(request.user)
        found = selectors.deputations() if every else selectors.deputations_of(request.user)
        return portion(request, found, DeputationSerializer)

    @extend_schema("deputations_name", request=DeputyNamedSerializer, responses={201: DeputationSerializer})
    def post(self, request: Request) -> Response:
        """Name a deputy; an administrator confirms it."""
        sent = given(DeputyNamedSerializer(data=request.data))
        username = sent.pop("username", request.user.username)
        if username != request.user.username:
            account_rules.may_administer(request.user).require()
        account, deputy = (User.objects.get(username=name) for name in (username, sent.pop("deputy")))
        post = AppointedPost(sent.pop("post"))
        made = services.deputy_name(account, post=post, deputy=deputy, **sent, by=request.user)
        return Response(DeputationSerializer(made).data, status=status.HTTP_201_CREATED)


class DeputationDecisionView(APIView):
    """Another administrator than who named the deputy: confirm it, or turn it down."""

    @extend_schema("deputations_decide", request=DeputationDecisionSerializer, responses=DeputationSerializer)
    def post(self, request: Request, deputation_id: uuid.UUID) -> Response:
        account_rules.may_administer(request.user).require()
        deputation = selectors.deputations().get(pk=deputation_id)
        sent = given(DeputationDecisionSerializer(data=request.data))
        decided = services.deputation_decide(deputation, **sent, by=request.user)
        return Response(DeputationSerializer(decided).data)


class DeputationEndView(APIView):
    """Either of the two, or an administrator: end it at once."""

    @extend_schema("deputations_end", request=DeputationEndSerializer, responses=DeputationSerializer)
    def post(self, request: Request, deputation_id: uuid.UUID) -> Response:
        every = account_rules.may_administer(request.user)
        found = selectors.deputations() if every else selectors.deputations_of(request.user)
        sent = given(DeputationEndSerializer(data=request.data))
        ended = services.deputation_end(found.get(pk=deputation_id), **sent, by=request.user)
        return Response(DeputationSerializer(ended).data)
