"""What a person may be across projects, and which post a role in a project asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.db import models
from django.utils.translation import gettext_lazy as _

from .vocabulary import Role


class Post(models.TextChoices):
    """What a person may be *across* projects; roles within a project are :class:`~projects.workflow.vocabulary.Role`."""

    STAFF = "staff", _("Staff")
    PLANNER = "planner", _("Planning manager (may open projects)")
    AUDITOR = "auditor", _("Auditor (reads everything)")
    ASSESSOR = "assessor", _("External assessor (reads what they have an order to assess)")
    RECIPIENT = "recipient", _("Recipient (outside person)")
    TESTER = "tester", _("Invited tester (sees the results that they are invited to test)")
    ADMINISTRATOR = "administrator", _("Administrator of people and rules (no project data)")


class AppointedPost(models.TextChoices):
    """The posts that one administrator gives and another confirms, from one day to another."""

    PLANNER = "planner", _("Planning manager")
    SUPERVISOR = "supervisor", _("Supervisor")
    MANAGEMENT = "management", _("Senior management")
    AUDITOR = "auditor", _("Auditor")
    ASSESSOR = "assessor", _("External assessor")
    ADMINISTRATOR = "administrator", _("Administrator")


_DECIDES = (AppointedPost.SUPERVISOR, AppointedPost.MANAGEMENT)

OPEN_TO: Mapping[Post, tuple[AppointedPost, ...]] = {
    Post.STAFF: _DECIDES,
    Post.PLANNER: (AppointedPost.PLANNER, *_DECIDES),
    Post.AUDITOR: (AppointedPost.AUDITOR,),
    Post.ASSESSOR: (AppointedPost.ASSESSOR,),
    Post.RECIPIENT: (),
    Post.TESTER: (),
    Post.ADMINISTRATOR: (AppointedPost.ADMINISTRATOR,),
}
"""The posts that an account of each kind may be appointed to."""

LIMITED = (Post.ASSESSOR, Post.TESTER)
"""The posts of outside persons whose accounts have a last day."""

COMES_WITH: Mapping[Post, AppointedPost] = {
    Post.PLANNER: AppointedPost.PLANNER,
    Post.AUDITOR: AppointedPost.AUDITOR,
    Post.ASSESSOR: AppointedPost.ASSESSOR,
    Post.ADMINISTRATOR: AppointedPost.ADMINISTRATOR,
}
"""The appointment that an account of this kind is made for; it counts for nothing before it is confirmed."""

POST_OF_ROLE: Mapping[Role, AppointedPost] = {
    Role.PLANNER: AppointedPost.PLANNER,
    Role.SUPERVISOR: AppointedPost.SUPERVISOR,
    Role.MANAGEMENT: AppointedPost.MANAGEMENT,
}
"""The post that who has a role in a project must hold, when the role is given and whenever they act in it."""


class TenureKind(models.TextChoices):
    """How somebody stands to a post today."""

    IN_FORCE = "in_force", _("In force")
    TO_COME = "to_come", _("Begins later")
    WAITS = "waits", _("Waits for a second administrator")
    OVER = "over", _("Ended")
    NONE = "none", _("Not appointed")


@dataclass(frozen=True)
class Tenure:
    """``day``: the last day of what is in force (None: without end), the first of what is to come, the last of what is over."""

    kind: TenureKind
    day: date | None = None

    def __bool__(self) -> bool:
        return self.kind == TenureKind.IN_FORCE
