"""Who sets the ways of messages up, and who may be written to by which."""

from __future__ import annotations

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from deid_portal.accounts.rules import may_administer
from projects.workflow.posts import Post

from .channels.hosts import address_problem
from .models import Robot

FROM_OUTSIDE = (Post.RECIPIENT, Post.ASSESSOR, Post.TESTER)
"""The posts to which no robot writes."""


class MessageReason(Reason):
    OUTSIDE = (
        "message_outside",
        _("Robots write into chats of the organisation; who comes from outside gets mail."),
    )
    REMOVED = "robot_removed", _("This robot was removed.")
    ADDRESS_WRONG = (
        "robot_address_wrong",
        _(
            "The address of a robot begins with https:// and names a host on the internet, unless DEID_WEBHOOK_HOSTS permits the host."
        ),
    )
    NAME_TAKEN = "robot_name_taken", _("A robot of this name is there already.")
    NO_MAIL = "message_no_mail", _("No mail server is set (DEID_EMAIL_URL), or your account has no address.")


def may_manage(by: Person) -> Verdict:
    """Administrators, while they are appointed."""
    return may_administer(by)


def may_add(by: Person, *, name: str, url: str) -> Verdict:
    verdict = may_manage(by)
    if not verdict:
        return verdict
    if address_problem(url):
        return deny(MessageReason.ADDRESS_WRONG)
    taken = Robot.objects.filter(name=name, removed_at=None).exists()
    return deny(MessageReason.NAME_TAKEN) if taken else ALLOW


def may_remove(by: Person, robot: Robot) -> Verdict:
    verdict = may_manage(by)
    return deny(MessageReason.REMOVED) if verdict and robot.removed_at is not None else verdict


def may_test(by: Person, robot: Robot | None) -> Verdict:
    verdict = may_manage(by)
    if not verdict:
        return verdict
    if robot is not None:
        return deny(MessageReason.REMOVED) if robot.removed_at is not None else ALLOW
    return ALLOW if has_mail(by) else deny(MessageReason.NO_MAIL)


def has_mail(user: Person) -> bool:
    return bool(settings.DEID_MAIL_IS_SET and user.email)


def may_use(user: Person, robot: Robot) -> Verdict:
    """Who works in the organisation; what a robot writes is read by everybody in its chat."""
    if user.post in FROM_OUTSIDE:
        return deny(MessageReason.OUTSIDE)
    return deny(MessageReason.REMOVED) if robot.removed_at is not None else ALLOW
