"""People who sign in."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .enums import Post


class User(AbstractUser):
    """A person. ``post`` is fixed across projects; what they do in a project is their membership's role."""

    full_name = models.CharField(_("Name"), max_length=80)
    department = models.CharField(_("Department or organisation"), max_length=120, blank=True)
    post = models.CharField(_("Post"), max_length=20, choices=Post.choices, default=Post.STAFF)
    access_until = models.DateField(
        _("Access until"), null=True, blank=True, help_text=_("Required for external assessors.")
    )
    language = models.CharField(max_length=10, default="zh-hans")

    class Meta(AbstractUser.Meta):
        constraints = [
            models.CheckConstraint(
                condition=~Q(post="assessor") | Q(access_until__isnull=False),
                name="assessor_has_an_end_date",
                violation_error_message=_("An external assessor needs an end date."),
            )
        ]

    def __str__(self) -> str:
        return self.full_name or self.username

    @property
    def reads_all_projects(self) -> bool:
        """Auditors, and assessors until their time is over."""
        if self.post == Post.ASSESSOR:
            return self.access_until is not None and self.access_until >= timezone.localdate()
        return self.post == Post.AUDITOR
