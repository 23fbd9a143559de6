"""What of the policy library stands on a home page: versions to decide on, to acknowledge, and entries to look through again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.deadlines import Deadline, deadline_on
from projects.core.tasks_registry import Task, task_provider
from projects.workflow.posts import Post

from ..proposals.home import ProposalKind, proposal_kind
from ..proposals.models import ProposalStatus
from .enums import CONCERNED
from .models import PolicyAcknowledgement, PolicyVersion

# From so many days before its day on a review waits for the owner.
REVIEW_NEAR_DAYS = 30
# So long after its approval, and not before it takes effect, a version should have been read; by who came later, as long after that.
READING_DAYS = 14

proposal_kind(
    ProposalKind(
        PolicyVersion,
        title=lambda version: _("Decide on “%(name)s”") % {"name": version},
        address=lambda version: reverse("organisation:policy", args=[version.policy_id]),
        reads=("policy",),
    )
)


@task_provider
def library_to_do(user: Person) -> list[Task]:
    """What the versions in force ask of somebody inside: to read them, and to look through what is theirs."""
    if user.post not in CONCERNED:
        return []
    done = PolicyAcknowledgement.objects.filter(version=OuterRef("pk"), by=user.pk)
    versions = (
        PolicyVersion.objects.filter(status=ProposalStatus.IN_FORCE)
        .select_related("policy__owner")
        .defer("text", "reason")
        .annotate(is_read=Exists(done))
    )
    return [task for version in versions for task in _of_version(version, user)]


def _of_version(version: PolicyVersion, user: Person) -> Iterator[Task]:
    if user.post in version.concerns and not version.is_read:  # type: ignore[attr-defined]
        yield _to_read(version, user)
    if version.policy.review_on is None:
        return
    deadline = deadline_on(version.policy.review_on)
    if user.pk == version.policy.owner_id:
        if deadline.days <= REVIEW_NEAR_DAYS:
            yield _to_review(version, deadline)
    elif user.post == Post.ADMINISTRATOR and deadline.is_overdue:
        yield _left_alone(version, deadline)


def _to_read(version: PolicyVersion, user: Person) -> Task:
    assert version.decided_at is not None  # it is in force
    known = max(version.decided_at, user.date_joined)
    read_by = timezone.localdate(known) + timedelta(days=READING_DAYS)
    deadline = deadline_on(max(version.effective_on, read_by))
    return Task(
        _("Read and acknowledge “%(name)s”") % {"name": version},
        reverse("organisation:policy", args=[version.policy_id]) + "#version",
        tone="warn" if deadline.is_overdue else "info",
        word=version.policy.get_kind_display(),
        icon="file",
        rank=26,
        deadline=deadline,
        about=f"read {version.pk}",
    )


def _to_review(version: PolicyVersion, deadline: Deadline) -> Task:
    return Task(
        _("Review “%(name)s” of the policy library") % {"name": version.policy},
        reverse("organisation:policy", args=[version.policy_id]) + "#reviews",
        due=deadline.due,
        tone="fail" if deadline.is_overdue else "warn" if deadline.is_near else "info",
        word=version.policy.get_kind_display(),
        icon="clock",
        rank=13 if deadline.is_overdue else 26,
        deadline=deadline,
        about=f"review {deadline.due}",
    )


def _left_alone(version: PolicyVersion, deadline: Deadline) -> Task:
    return Task(
        _("The review of “%(name)s” is overdue: see to it, or give it to another owner")
        % {"name": version.policy},
        reverse("organisation:policy", args=[version.policy_id]),
        due=deadline.due,
        tone="warn",
        word=version.policy.get_kind_display(),
        hint=_("owner: %(person)s") % {"person": version.policy.owner},
        icon="clock",
        rank=26,
        deadline=deadline,
        about=f"left {deadline.due}",
    )
