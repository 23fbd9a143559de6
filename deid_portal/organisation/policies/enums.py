"""Vocabulary of the policy library."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from projects.workflow.posts import Post


class PolicyKind(models.TextChoices):
    """What an entry of the library is."""

    POLICY = "policy", _("Internal policy")
    PROCEDURE = "procedure", _("Procedure")
    LAW = "law", _("Law or regulation")
    STANDARD = "standard", _("Standard")
    CONTRACT = "contract", _("Contract template")


CONCERNED = (Post.STAFF, Post.PLANNER, Post.AUDITOR, Post.ADMINISTRATOR)
"""The posts whose people may be asked to acknowledge a version: everybody inside for good."""
