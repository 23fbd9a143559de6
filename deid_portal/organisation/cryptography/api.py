"""API of the policy about cryptography."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import given

from .. import rules
from ..models import CryptographyPolicy
from . import policy as cryptography


class CryptographyPolicySerializer(serializers.ModelSerializer[CryptographyPolicy]):
    made_by = serializers.CharField(source="made_by.username", read_only=True)

    class Meta:
        model = CryptographyPolicy
        fields = ("number", "national_only", "reason", "made_by", "made_at")
        read_only_fields = ("number", "made_by", "made_at")


class CryptographyPolicyView(APIView):
    """Every version of the policy, the newest first, which holds; and the next version."""

    @extend_schema("organisation_cryptography", responses=CryptographyPolicySerializer(many=True))
    def get(self, request: Request) -> Response:
        rules.may_read_organisation(request.user).require()
        return Response(CryptographyPolicySerializer(cryptography.policies(), many=True).data)

    @extend_schema(
        "organisation_cryptography_set",
        request=CryptographyPolicySerializer,
        responses={201: CryptographyPolicySerializer},
    )
    def post(self, request: Request) -> Response:
        rules.may_edit_metadata(request.user).require()
        data = given(CryptographyPolicySerializer(data=request.data))
        made = cryptography.policy_set(national=data["national_only"], reason=data["reason"], by=request.user)
        return Response(CryptographyPolicySerializer(made).data, status=201)
