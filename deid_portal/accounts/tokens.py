"""Tokens for programs: the only writer of them."""

from __future__ import annotations

import hashlib
import secrets
import uuid
from datetime import timedelta
from typing import Any

from django.utils import timezone

from approvals.audit.recording import recording
from approvals.request_cache import restart_cache

from . import events
from .models import ApiToken, User
from .services import subject_of

MAX_DAYS = 365


def key_hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def token_create(user: User, *, name: str, days: int = 90) -> tuple[ApiToken, str]:
    """Make a token for ``user`` (their own act) and return it with its key, which is never shown again."""
    days = min(max(days, 1), MAX_DAYS)
    facts: dict[str, Any] = {"name": name, "change": events.Change.CREATED.value, "days": days}
    with recording(events.TOKEN_CHANGED, by=user, subject=subject_of(user), **facts):
        key = "deid_" + secrets.token_urlsafe(32)
        token = ApiToken.objects.create(
            user=user,
            name=name,
            key_hash=key_hash(key),
            beginning=key[:10],
            expires_at=timezone.now() + timedelta(days=days),
        )
        return token, key


def token_revoke(user: User, token_id: uuid.UUID) -> None:
    """Revoke one of ``user``'s own tokens; raises ``ApiToken.DoesNotExist`` for anybody else's."""
    token = ApiToken.objects.get(pk=token_id, user=user)
    facts: dict[str, Any] = {"name": token.name, "change": events.Change.REVOKED.value}
    with recording(events.TOKEN_CHANGED, by=user, subject=subject_of(user), **facts):
        token.delete()


def token_valid(key: str) -> ApiToken | None:
    """The token that ``key`` opens, with its user. An account that may not sign in has no valid token."""
    token = ApiToken.objects.filter(key_hash=key_hash(key)).select_related("user").first()
    if token is None or token.expired:
        return None
    user = token.user
    if not user.is_active or user.access_ended or user.must_change_password:
        return None
    today = timezone.localdate()
    if token.last_used_on != today:
        ApiToken.objects.filter(pk=token.pk).update(last_used_on=today)
        restart_cache()
    return token
