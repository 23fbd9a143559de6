"""Vocabulary of messages."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Pace(models.TextChoices):
    """When somebody is written to."""

    AT_ONCE = "at_once", _("As soon as something waits for me")
    DAILY = "daily", _("Once a day, in the morning, everything together")
    NEVER = "never", _("Never: I look at my tasks in the portal")


class RobotKind(models.TextChoices):
    """Whose form a robot takes."""

    WECOM = "wecom", _("WeCom")
    DINGTALK = "dingtalk", _("DingTalk")
    FEISHU = "feishu", _("Feishu")


class MessageKind(models.TextChoices):
    """Why somebody is written to."""

    NEW = "new", _("Newly waits")
    REMINDER = "reminder", _("Due soon")
    OVERDUE = "overdue", _("Overdue")
    ESCALATION = "escalation", _("Overdue with somebody else")
    DIGEST = "digest", _("Overview of the morning")
    TEST = "test", pgettext_lazy("message", "Test")


class MessageStatus(models.TextChoices):
    """What has become of a message."""

    WAITING = "waiting", _("Waits to be sent")
    SENT = "sent", _("Sent")
    FAILED = "failed", _("Failed")
    DROPPED = "dropped", _("Not sent: it was over before, or nobody is written to")


class Problem(models.TextChoices):
    """Why a message did not go out."""

    UNREACHABLE = "unreachable", _("The server could not be reached, or did not let the portal in")
    BUSY = "busy", _("The server asked to wait")
    REFUSED = "refused", _("The server refused the message or the address")
    HOST = "host", _("The address is not one that the settings permit")
    KEY = "key", _("The stored address of the robot cannot be opened")
