"""API of the table of people: the same plan, rules and reasons as the page."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import given
from deid_portal.organisation.exchange import LIMIT_BYTES, BadTable, Problem
from projects.workflow.posts import AppointedPost, Post

from .. import rules
from . import services
from .plan import Action, Plan


class IntakeSerializer(serializers.Serializer[Any]):
    file = serializers.FileField()
    fingerprint = serializers.CharField(
        max_length=64,
        required=False,
        allow_blank=True,
        help_text="That of the preview which is to be carried out; without it nothing is made.",
    )
    reason = serializers.CharField(max_length=500, required=False, allow_blank=True)


class IntakeChangeSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class IntakeRowSerializer(serializers.Serializer[Any]):
    """One row of the table and what becomes of its account."""

    row = serializers.IntegerField(source="place")
    username = serializers.CharField()
    name = serializers.CharField(source="full_name")
    post = serializers.ChoiceField(choices=Post.choices)
    action = serializers.ChoiceField(choices=Action.choices)
    changes = IntakeChangeSerializer(many=True)
    proposed = serializers.ListField(child=serializers.ChoiceField(choices=AppointedPost.choices))
    notes = serializers.ListField(child=serializers.CharField())


class IntakePlanSerializer(serializers.Serializer[Any]):
    fingerprint = serializers.CharField()
    created = serializers.IntegerField()
    changed = serializers.IntegerField()
    kept = serializers.IntegerField()
    proposed = serializers.IntegerField(help_text="Posts that wait for a second administrator afterwards.")
    rows = IntakeRowSerializer(many=True)


class IntakeMadeSerializer(serializers.Serializer[Any]):
    username = serializers.CharField()
    one_time_password = serializers.CharField(
        help_text="Shown only here; it is changed at the first sign-in."
    )


class IntakeView(APIView):
    """Administrators: what a table of people would do; with its fingerprint and a reason, do it."""

    @extend_schema(
        "account_intake",
        request={"multipart/form-data": IntakeSerializer},
        responses={
            200: IntakePlanSerializer,
            201: IntakeMadeSerializer(many=True),
            400: OpenApiTypes.OBJECT,
        },
    )
    def post(self, request: Request) -> Response:
        rules.may_administer(request.user).require()
        sent = given(IntakeSerializer(data=request.data))
        if sent["file"].size > LIMIT_BYTES:
            raise serializers.ValidationError({"file": [_("The file is larger than 1 MB.")]})
        content = sent["file"].read()
        try:
            if not sent.get("fingerprint"):
                plan: Plan = services.intake_look(content, by=request.user)
                if plan.problems:
                    raise BadTable(plan.problems)
                return Response(IntakePlanSerializer(plan).data)
            made = services.intake_carry_out(
                content, fingerprint=sent["fingerprint"], reason=sent.get("reason", ""), by=request.user
            )
        except BadTable as bad:
            return _bad(bad.problems)
        rows = [{"username": account.username, "one_time_password": password} for account, password in made]
        return Response(IntakeMadeSerializer(rows, many=True).data, status=status.HTTP_201_CREATED)


def _bad(problems: list[Problem]) -> Response:
    rows = [{"row": one.row, "column": one.column, "text": one.text} for one in problems]
    return Response({"code": "bad_table", "problems": rows}, status=status.HTTP_400_BAD_REQUEST)
