"""``Authorization: Token deid_…``: the token of a person, whose account is checked each time."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotFound
from rest_framework.request import Request


class PortalTokenAuthentication(TokenAuthentication):
    """Tokens of :mod:`deid_portal.accounts.tokens`, of which only a hash is stored."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        from deid_portal.access import is_out_of_reach

        found: tuple[Any, Any] | None = super().authenticate(request)
        if found is not None and is_out_of_reach(found[0], request.resolver_match):
            raise NotFound(_("Not found."))
        return found

    def authenticate_credentials(self, key: str) -> tuple[Any, Any]:
        from deid_portal.accounts.tokens import token_valid

        token = token_valid(key)
        if token is None:
            raise AuthenticationFailed(_("The token is not valid."), code="bad_token")
        return token.user, token
