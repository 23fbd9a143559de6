"""A recipe under a name."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from projects.core.saved.models import SavedContent, name_once_per_person


class SavedRecipe(SavedContent):
    """What a recipe does with which kinds of columns, for whoever may take it: who saved it, or everybody who writes recipes.

    ``content`` (:func:`.portability.portable`) has choices, numbers and names of columns; every other text stays behind, as it may be of the data.
    """

    of_organisation = models.BooleanField(_("For everybody who writes recipes"), default=False)

    class Meta(SavedContent.Meta):
        verbose_name = _("saved recipe")
        constraints = [name_once_per_person("saved_recipe")]
