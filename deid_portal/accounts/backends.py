"""Who asks, read together with what every request needs to know of them."""

from __future__ import annotations

import logging
import ssl
from datetime import date
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.hashers import get_hasher, identify_hasher
from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils import timezone

from approvals.audit.proof import explained_require
from approvals.audit.verify import stored_end_faults
from deid_portal.organisation.cryptography.policy import national_now, national_prime
from projects.core.models import Notification

from .appointments.tenure import posts_read
from .models import SecondStep, User
from .services import password_rehash

log = logging.getLogger(__name__)
DIRECTORY_SECONDS = 10


class AccountBackend(ModelBackend):
    """Passwords as Django checks them; the person of a request in one statement with what hangs on them.

    ``second_step_on``: whether two-step sign-in is switched on, for the gate that each request passes.
    ``unread_count``: how much news waits, for the frame of each page. Both are as of the beginning of the
    request; what changes them asks anew (``two_step.has_second_step``). ``posts_read``: which posts they hold today. The policy
    about cryptography, by which nearly every page of a project judges its recipe, comes along too.
    """

    def authenticate(self, request: Any, *args: Any, **credentials: Any) -> User | None:
        """A hash of an older strength is made anew, as Django does, but on the record: the log explains each password.

        An account that somebody wrote past the portal does not sign in, whatever password it was given
        (:class:`approvals.audit.rules.Unexplained`).
        """
        user: User | None = super().authenticate(request, *args, **credentials)
        if user is not None:
            _explained(user)
        if user is not None and (raw := credentials.get("password")):
            hasher = get_hasher()
            own = identify_hasher(user.password)
            if own.algorithm != hasher.algorithm or hasher.must_update(user.password):
                password_rehash(user, raw)
        return user

    def get_user(self, user_id: Any) -> User | None:
        try:
            user = _people_on(timezone.localdate()).get(pk=user_id)
        except User.DoesNotExist:
            return None
        national_prime(user.national_only)  # type: ignore[attr-defined]
        return user if self.user_can_authenticate(user) else None


class DirectoryBackend(AccountBackend):
    """Passwords as the organisation's directory (LDAP) knows them, for accounts that the portal has: it makes none and gives no post."""

    def authenticate(self, request: Any, *args: Any, **credentials: Any) -> User | None:
        username, password = credentials.get("username"), credentials.get("password")
        # A directory takes an empty password for nobody in particular, and says yes.
        if not settings.DEID_LDAP_URL or not username or not password:
            return None
        user = User.objects.filter(username=username).first()
        # What is no account's name is not told to the directory: it may be a password in the wrong field.
        if user is None or not self.user_can_authenticate(user) or not _directory_knows(username, password):
            return None
        _explained(user)
        return user


def came_by_directory(request: HttpRequest) -> bool:
    """Whether who is signed in gave the password of the directory."""
    return str(request.session.get(BACKEND_SESSION_KEY, "")).endswith(DirectoryBackend.__name__)


def _explained(user: User) -> None:
    """Over a log that does not hold people still read, for somebody has to look; nobody acts."""
    if not stored_end_faults():
        explained_require(None, by=user)


def _directory_knows(username: str, password: str) -> bool:
    """Whether the directory has exactly one entry for that name, and lets it in with that password; always within TLS."""
    # Loaded by the first who signs in by it: a portal without a directory never reads it.
    from ldap3 import AUTO_BIND_NO_TLS, AUTO_BIND_TLS_BEFORE_BIND, NONE, Connection, Server, Tls
    from ldap3.core.exceptions import LDAPBindError, LDAPException
    from ldap3.utils.conv import escape_filter_chars

    url = settings.DEID_LDAP_URL
    tls = Tls(validate=ssl.CERT_REQUIRED, ca_certs_file=settings.DEID_LDAP_CA_FILE or None)
    how = {
        "auto_bind": AUTO_BIND_NO_TLS if url.startswith("ldaps://") else AUTO_BIND_TLS_BEFORE_BIND,
        "receive_timeout": DIRECTORY_SECONDS,
        "auto_referrals": False,
    }
    try:
        server = Server(url, tls=tls, connect_timeout=DIRECTORY_SECONDS, get_info=NONE)
        asked = settings.DEID_LDAP_FILTER % {"user": escape_filter_chars(username)}
        bind = (settings.DEID_LDAP_BIND_DN or None, settings.DEID_LDAP_BIND_PASSWORD or None)
        with Connection(server, *bind, read_only=True, **how) as connection:
            connection.search(settings.DEID_LDAP_BASE, asked, size_limit=2)
            found = [one["dn"] for one in connection.response or () if one["type"] == "searchResEntry"]
        if len(found) != 1:
            return False
    except LDAPException as fault:
        log.warning("the directory cannot be asked: %s", type(fault).__name__)
        return False
    try:
        with Connection(server, found[0], password, **how):
            return True
    except LDAPBindError:
        return False
    except LDAPException as fault:
        log.warning("the directory cannot be asked: %s", type(fault).__name__)
        return False


@lru_cache(maxsize=1)
def _people_on(_today: date) -> QuerySet[User]:
    """Accounts with what a request wants to know of who sends it; posts are those of one day. Put together once for all requests,
    since that takes as long as to ask the database."""
    devices = SecondStep.objects.filter(user=OuterRef("pk"), confirmed=True)
    news = Notification.objects.filter(user=OuterRef("pk"), read_at=None).order_by().values("user")
    people: QuerySet[User] = User.objects.annotate(
        second_step_on=Exists(devices),
        unread_count=Coalesce(Subquery(news.annotate(count=Count("*")).values("count")), 0),
        national_only=national_now(),
        posts_read=posts_read(),
    )
    return people
