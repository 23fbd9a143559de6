"""Vocabulary of live masking."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from projects.workflow.posts import Post

MASKED_POSTS = tuple(post for post in Post if post != Post.TESTER)
"""Those for whom an application asks; who is invited to test a result asks for no value."""


class Scene(models.TextChoices):
    """The scenes in which single values are shown to people."""

    LIVE_DISPLAY = "live_display", _("Live display in an application")
    OPERATIONS = "operations", _("Operations and maintenance")
