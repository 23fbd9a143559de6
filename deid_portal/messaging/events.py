"""Sentences of the audit log about messages."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words

from .enums import Pace, RobotKind

audit_words("robot_kind", RobotKind)
audit_words("pace", Pace)
audit_words("channel", {"mail": _("By mail")})

ROBOT_ADDED = audit_action(
    "robot.added", _("%(actor)s set up the robot “%(subject)s”: %(robot_kind)s, %(host)s")
)
ROBOT_REMOVED = audit_action("robot.removed", _("%(actor)s removed the robot “%(subject)s”"))
TESTED = audit_action("message.tested", _("%(actor)s requested a test message by %(channel)s"))
OFFERED_AGAIN = audit_action(
    "message.offered_again", _("%(actor)s requested that failed messages be sent again: %(count)s")
)
CHOSEN = audit_action(
    "message.chosen", _("%(actor)s chose when messages come (%(pace)s) and by which way (%(channel)s)")
)
