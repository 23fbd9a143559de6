"""API of accounts: who am I, and tokens."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth import authenticate, load_backend
from django.http import HttpRequest
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import given

from . import rules, tokens, two_step
from .backends import DirectoryBackend
from .clients import SignInThrottle
from .confirmation import person_is_right
from .models import ApiToken, User


class MeSerializer(serializers.ModelSerializer[Any]):
    name = serializers.CharField(source="full_name")

    class Meta:
        model = User
        fields = ("username", "name", "department", "post", "access_until", "language")
        read_only_fields = fields


class TokenSerializer(serializers.ModelSerializer[Any]):
    class Meta:
        model = ApiToken
        fields = ("id", "name", "beginning", "created_at", "expires_at", "last_used_on")
        read_only_fields = fields


class TokenMadeSerializer(TokenSerializer):
    key = serializers.CharField(help_text="The key; shown only here.")

    class Meta(TokenSerializer.Meta):
        fields = (*TokenSerializer.Meta.fields, "key")  # type: ignore[assignment]
        read_only_fields = fields  # type: ignore[assignment]


class TokenRequestSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=60)
    days = serializers.IntegerField(min_value=1, max_value=tokens.MAX_DAYS, default=90)


class TokenConfirmedSerializer(TokenRequestSerializer):
    password = serializers.CharField(max_length=256, write_only=True)
    code = serializers.CharField(
        max_length=20, required=False, allow_blank=True, help_text="With two-step sign-in: the second code."
    )


class TokenSignInSerializer(TokenConfirmedSerializer):
    username = serializers.CharField(max_length=150)


def _made(token: ApiToken, key: str) -> dict[str, Any]:
    return {**TokenSerializer(token).data, "key": key}


class MeView(APIView):
    """Every signed-in person."""

    @extend_schema("account_me", responses=MeSerializer)
    def get(self, request: Request) -> Response:
        return Response(MeSerializer(request.user).data)


def _asking(request: Request) -> ApiToken | None:
    """The token that a request came with; None with a session."""
    return request.auth if isinstance(request.auth, ApiToken) else None


class _AsReceived(APIView):
    """Signing in counts tries on the request as Django received it."""

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        self.received = request
        return super().initialize_request(request, *args, **kwargs)


class TokenListView(_AsReceived):
    """Every signed-in person: their own tokens; a token sees itself alone and makes no others."""

    @extend_schema(
        "account_tokens_list",
        responses=TokenSerializer(many=True),
        description="Your tokens. A request that comes with a token is told of that token alone.",
    )
    def get(self, request: Request) -> Response:
        user, asking = request.user, _asking(request)
        found = user.api_tokens.all() if asking is None else [asking]
        return Response(TokenSerializer(found, many=True).data)

    @extend_schema(
        "account_tokens_create",
        request=TokenConfirmedSerializer,
        responses={201: TokenMadeSerializer},
        description=(
            "Make a token. With a session and the person's password (and code): a session alone makes none (401 "
            "`confirmation_failed`), nor does a token (403 `token_is_no_session`). "
            "A program without a session asks `POST /api/account/token/` with its person's password."
        ),
    )
    def post(self, request: Request) -> Response:
        rules.may_make_token(_asking(request)).require()
        sent = given(TokenConfirmedSerializer(data=request.data))
        password, code = sent.pop("password"), sent.pop("code", "")
        if not person_is_right(self.received, request.user, password, code):
            answer = {"code": "confirmation_failed", "reason": _("Password or code is wrong.")}
            return Response(answer, status=status.HTTP_401_UNAUTHORIZED)
        made = tokens.token_create(request.user, **sent)
        return Response(_made(*made), status=status.HTTP_201_CREATED)


class TokenView(APIView):
    """Every signed-in person: revoke a token of their own; a token itself alone."""

    @extend_schema(
        "account_tokens_revoke",
        responses={204: None},
        description="Revoke a token of yours. A request that comes with a token can revoke that one alone.",
    )
    def delete(self, request: Request, token_id: uuid.UUID) -> Response:
        rules.may_revoke_token(_asking(request), token_id).require()
        user = request.user
        tokens.token_revoke(user, token_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


class TokenSignInView(_AsReceived):
    """Anybody: user name, password and (with two-step sign-in) code for a token."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = (SignInThrottle,)
    throttle_scope = "sign_in"

    @extend_schema(
        "account_token_sign_in", request=TokenSignInSerializer, responses={201: TokenMadeSerializer}, auth=[]
    )
    def post(self, request: Request) -> Response:
        sent = given(TokenSignInSerializer(data=request.data))
        user = authenticate(request=self.received, username=sent["username"], password=sent["password"])
        refused = Response(
            {"code": "sign_in_failed", "reason": _("User name, password or code is wrong.")},
            status=status.HTTP_401_UNAUTHORIZED,
        )
        if user is None or user.access_ended:
            return refused
        if user.must_change_password and not isinstance(load_backend(user.backend), DirectoryBackend):
            reason = _("Choose a password of your own first.")
            return Response(
                {"code": "password_change_needed", "reason": reason}, status=status.HTTP_403_FORBIDDEN
            )
        if two_step.has_second_step(user) and not two_step.second_step(user, sent.get("code", "")):
            return refused
        if rules.must_have_second_step(user) and not two_step.has_second_step(user):
            reason = _("Your post requires two-step sign-in. Set it up first.")
            return Response(
                {"code": "second_step_demanded", "reason": reason}, status=status.HTTP_403_FORBIDDEN
            )
        token = tokens.token_create(user, name=sent["name"], days=sent["days"])
        return Response(_made(*token), status=status.HTTP_201_CREATED)
