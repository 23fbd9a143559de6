"""Who acts on whose behalf in a project, beside rows of memberships: confirmed deputations that are in force at this moment."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.contrib.auth import get_user_model
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Now

from approvals.governance.person import Person

from ..models import Membership, Project


def _confirmed() -> QuerySet[Any]:
    # The people are another package's, which knows this one.
    found: QuerySet[Any] = apps.get_model("accounts", "Deputation").objects.order_by()
    return found.filter(status="confirmed", begins_at__lte=Now(), over_at__gt=Now())


def deputy_now() -> Subquery:
    """Beside memberships: the key of the account that stands in for the member now; nobody's where the role has ended."""
    found = _confirmed().filter(account=OuterRef("user"), post=OuterRef("role"))
    return Subquery(found.values("deputy")[:1])


def deputises(user_id: Any) -> Q:
    """Of memberships: that the role has not ended, that ``user_id`` stands in for the member, and has no role there themself."""
    mine = _confirmed().filter(deputy=user_id)
    deputised = mine.filter(account=OuterRef("user"), post=OuterRef("role"))
    own = Membership.objects.filter(project=OuterRef("project"), user=user_id).order_by()
    # The accounts first, of which there are few: else every membership of the portal would be looked at.
    return Q(Exists(deputised), ~Exists(own), user__in=mine.values("account"), ended_at=None)


def acting_as(user_id: Any) -> QuerySet[Any]:
    """The keys of the accounts whose roles ``user_id`` may act in: their own, and those of whom they stand in for. Beside
    :func:`deputises` it tells a database that these are few, so that it begins with them and not with every membership."""
    own = get_user_model().objects.filter(pk=user_id).order_by().values("pk")
    return _confirmed().filter(deputy=user_id).values("account").union(own, all=True)


def projects_stood_in(user_id: Any) -> QuerySet[Any]:
    """The keys of the projects in which somebody stands in for a member now."""
    return Membership.objects.filter(deputises(user_id)).order_by().values("project")


def stood_in_as(user: Person, project: Project) -> set[str]:
    """The roles in ``project`` in which somebody acts or acted in another's stead, under whatever account."""
    of = {"deputy": user.pk} if user.person_id is None else {"deputy__person": user.person_id}
    found = apps.get_model("accounts", "Deputation").objects.filter(
        status__in=("confirmed", "ended"), account=OuterRef("user"), post=OuterRef("role"), **of
    )
    return set(project.memberships.filter(Exists(found)).order_by().values_list("role", flat=True))
