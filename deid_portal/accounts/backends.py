"""Who asks, read together with what every request needs to know of them."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.hashers import get_hasher, identify_hasher
from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from approvals.audit.proof import explained_require
from approvals.audit.verify import stored_end_faults
from deid_portal.organisation.cryptography.policy import national_now, national_prime
from projects.core.models import Notification

from .appointments.tenure import posts_read
from .models import SecondStep, User
from .services import password_rehash


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
        # Over a log that does not hold people still read, for somebody has to look; nobody acts.
        if user is not None and not stored_end_faults():
            explained_require(None, by=user)
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
