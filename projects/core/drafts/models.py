"""Drafts of forms."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Draft(models.Model):
    """A form as somebody left it. ``entries``: name in the form → the texts that were sent. Nothing counts from here, so no draft is
    governed."""

    entries = models.JSONField()
    saved_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    saved_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True


class FormDraft(Draft):
    """One person's draft of a form that begins or continues something of their own; nobody else reads it.

    ``form`` is the name under which the form declares that it keeps drafts, ``about`` the key of what it is filled in for: an incident,
    a policy; empty where it is for the project, or for something that does not exist yet.
    """

    project = models.ForeignKey(
        "core.Project", on_delete=models.CASCADE, related_name="form_drafts", null=True
    )
    form = models.CharField(max_length=40)
    about = models.CharField(max_length=120, blank=True)

    class Meta:
        verbose_name = _("draft of a form")
        indexes = [models.Index(fields=("saved_at",), name="form_draft_by_age")]
        constraints = [
            models.UniqueConstraint(
                fields=("saved_by", "project", "form", "about"),
                condition=Q(project__isnull=False),
                name="form_draft_once_in_a_project",
            ),
            models.UniqueConstraint(
                fields=("saved_by", "form", "about"),
                condition=Q(project__isnull=True),
                name="form_draft_once_without_a_project",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.form} {self.about}".strip()


class SavedForm(models.Model):
    """A form that was saved, as its writer had ``opened`` it: a draft of it that arrives afterwards comes too late.

    A page sends drafts by itself, and what it has sent is on its way when the form is sent for good.
    """

    opened = models.UUIDField()
    saved_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    saved_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("saved form")
        indexes = [models.Index(fields=("saved_at",), name="saved_form_by_age")]
        constraints = [models.UniqueConstraint(fields=("saved_by", "opened"), name="form_saved_once")]

    def __str__(self) -> str:
        return str(self.opened)
