"""What the tests of copies that are out do: conclude, and know when the first is due."""

from __future__ import annotations

from django.utils import timezone

from deid_portal.accounts.services import user_create
from projects.core.deadlines import months_later
from projects.core.services import member_add
from projects.monitoring.afterwards.enums import LaterOutcome, Question
from projects.monitoring.afterwards.selectors import interval_of
from projects.monitoring.afterwards.services import later_conclude
from projects.releases.models import Delivery
from projects.workflow import Role
from projects.workflow.posts import Post
from tests.projects.rows import put

NO = {one.value: {"yes": False, "words": ""} for one in Question}


def concluded(later, people, outcome=LaterOutcome.NOTHING, **given):
    said = {"answers": NO, "reason": "Nothing has changed.", "by": people.supervisor}
    return later_conclude(later, outcome=outcome, **said | given)


def first_due(release):
    return months_later(timezone.localdate(release.ended_at), interval_of(release.project))


def recipient_more(project, people, number):
    """One more recipient of the project."""
    made = user_create(
        username=f"recipient{number}",
        password=None,
        full_name=f"Recipient {number}",
        post=Post.RECIPIENT,
        by=None,
    )
    member_add(project, user=made, role=Role.RECIPIENT, by=people.planner)
    return made


def handed_to(release, recipient):
    """They have fetched a file of it."""
    now = timezone.now()
    said = {"notice_acknowledged_at": now, "verified_at": now, "fetched_at": now}
    return put(Delivery, release=release, recipient=recipient, status="fetched", **said)
