"""Target and plan under a name."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from projects.core.saved.models import SavedContent, name_once_per_person


class SavedPlan(SavedContent):
    """What a project's target and plan say, for whoever may begin a project with it: who saved it, or every planning manager.

    ``content`` (:mod:`.answers`) has the choices and numbers, and those texts alone that the person who saved it picked.
    """

    of_organisation = models.BooleanField(_("For every planning manager"), default=False)

    class Meta(SavedContent.Meta):
        verbose_name = _("project template")
        constraints = [name_once_per_person("saved_plan")]
