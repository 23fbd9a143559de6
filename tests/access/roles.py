"""Everybody who may knock at an address: the roles of one project, those who look on, and strangers."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace

from django.utils import timezone

from deid_portal.accounts.models import User
from deid_portal.accounts.services import user_create
from deid_portal.organisation.services import ensure_defaults
from projects.workflow.posts import AppointedPost, Post
from tests.fixtures import PASSWORD, make_people

Roles = frozenset[str]

INSIDE: Roles = frozenset({"planner", "executor", "supervisor", "management"})
AUDITORS: Roles = frozenset({"auditor"})
# Who looks on in the project: auditors, and the assessor who has an order for it.
READERS: Roles = AUDITORS | {"assessor"}
# Who looks into the project; for everybody else it does not exist.
SEES: Roles = INSIDE | READERS
RECIPIENT: Roles = frozenset({"recipient"})
# Invited from outside to test the result; knows of nothing else.
TESTER: Roles = frozenset({"tester"})
# Signed in, without a role in the project (any more).
STRANGERS: Roles = frozenset({"outsider", "administrator", "superuser", "former"})
# Signed in at a portal that has more for them than one result to test.
SIGNED_IN: Roles = SEES | RECIPIENT | STRANGERS
STAFF: Roles = SIGNED_IN - RECIPIENT
PLANNERS: Roles = frozenset({"planner", "outsider"})
ADMINISTRATOR: Roles = frozenset({"administrator"})
# Not signed in, or no longer let in.
SHUT_OUT: Roles = frozenset({"anonymous", "expired", "inactive"})
EVERYBODY: tuple[str, ...] = (*sorted(SIGNED_IN | TESTER), *sorted(SHUT_OUT))

# The team of the other project; its planning manager is the "outsider" of the first.
OTHER_TEAM = {
    "planner": "outsider",
    "executor": "other_executor",
    "supervisor": "other_supervisor",
    "management": "other_management",
    "recipient": "other_recipient",
    "assessor": "other_assessor",
    "tester": "other_tester",
}
# Who may know of the other project.
KNOW_OTHER: Roles = AUDITORS | {"outsider"}


def people_of_two_projects() -> SimpleNamespace:
    """The usual people, two more for the first project, and the team of the other one."""
    people = make_people()
    ensure_defaults()
    yesterday = timezone.localdate() - timedelta(days=1)

    def add(name: str, post: Post, **more: object) -> None:
        user = user_create(
            username=name,
            password=PASSWORD,
            full_name=f"{name.title().replace('_', ' ')} Person",
            post=post,
            by=None,
            **more,
        )
        setattr(people, name, user)

    add("former", Post.STAFF)
    # Both would read everything.
    add("expired", Post.ASSESSOR, access_until=yesterday)
    add("inactive", Post.AUDITOR)
    add("other_executor", Post.STAFF)
    add("other_supervisor", Post.STAFF, appointed=(AppointedPost.SUPERVISOR,))
    add("other_management", Post.STAFF, appointed=(AppointedPost.MANAGEMENT,))
    add("other_recipient", Post.RECIPIENT)
    add("other_assessor", Post.ASSESSOR, access_until=timezone.localdate() + timedelta(days=30))
    add("other_tester", Post.TESTER, access_until=timezone.localdate() + timedelta(days=30))
    assert isinstance(people.expired, User)
    return people
