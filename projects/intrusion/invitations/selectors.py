"""Reading invitations: those of a test for who sees the project, and each tester's own."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from django.utils.timezone import localdate

from approvals.governance.person import Person
from projects.core.models import Project
from projects.workflow.posts import Post

from ..models import IntruderClaim, IntruderTest, Invitation


def invitations_of(test: IntruderTest) -> list[Invitation]:
    """All of them, the newest first."""
    found = Invitation.objects.filter(test=test)
    return list(found.select_related("test__project", "tester", "invited_by", "ended_by"))


def invitation_of(test: IntruderTest, invitation_id: uuid.UUID) -> Invitation:
    found = Invitation.objects.filter(test=test).select_related("test__project", "tester")
    return found.get(pk=invitation_id)


def invitations_to(tester: Person) -> QuerySet[Invitation]:
    """Those of one tester, the newest first; for who is none there is no such list."""
    if tester.post != Post.TESTER:
        raise Invitation.DoesNotExist
    found = Invitation.objects.filter(tester=tester)
    return found.select_related("test__project", "test__run", "tester")


def invitation_get(tester: Person, invitation_id: uuid.UUID) -> Invitation:
    """One of the tester's own; anybody else's does not exist for them."""
    return invitations_to(tester).get(pk=invitation_id)


def invited_from(test: IntruderTest) -> list[Invitation]:
    """Of each tester one invitation for each country or region that theirs state; who was invited twice is no two persons."""
    found = Invitation.objects.filter(test=test).select_related("tester")
    return list({(one.tester_id, one.country): one for one in found}.values())


def countries_of_testers(project: Project) -> list[str]:
    """The countries and regions that invitations in force state."""
    found = Invitation.objects.filter(
        test__project=project, test__closed_at=None, ended_at=None, until__gte=localdate()
    )
    return [str(one) for one in found.exclude(country=None).values_list("country", flat=True)]


def claims_by(invitation: Invitation) -> list[IntruderClaim]:
    return list(IntruderClaim.objects.filter(invitation=invitation).order_by("number"))


def testers() -> list[Any]:
    """Accounts for invited testers whose time lasts."""
    people = get_user_model().objects.filter(is_active=True, post=Post.TESTER)
    return list(people.filter(access_until__gte=localdate()).order_by("full_name", "username"))


def was_invited(person: Person, project: Project) -> bool:
    """Whether ``person`` is or was invited, under whatever account, to test a result of the project."""
    found = Invitation.objects.filter(test__project=project).select_related("tester")
    return any(person.is_same_person(one.tester) for one in found)
