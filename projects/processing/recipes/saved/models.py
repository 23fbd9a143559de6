"""A recipe under a name."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedRecord
from projects.core.models import Project


class SavedRecipe(GovernedRecord):
    """What a recipe does with which kinds of columns, for whoever may take it: who saved it, or everybody who writes recipes.

    ``content`` (:func:`.portability.portable`) has choices, numbers and names of columns; every other text stays behind, as it may be of the data.
    ``project`` is where it comes from. A saved recipe is never changed; who saved it withdraws it.
    """

    name = models.CharField(_("Name"), max_length=120)
    content = models.JSONField()
    content_hash = models.CharField(_("Content hash"), max_length=64)
    of_organisation = models.BooleanField(_("For everybody who writes recipes"), default=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="saved_recipes")
    saved_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    saved_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("name", "saved_at")
        verbose_name = _("saved recipe")
        constraints = [
            models.UniqueConstraint(
                fields=("saved_by", "name"),
                condition=Q(withdrawn_at=None),
                name="saved_recipe_name_once_per_person",
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def subject(self) -> Subject:
        return Subject("savedrecipe", str(self.pk), self.name, self.content_hash)
