"""What the search looks among."""

from __future__ import annotations

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Group(TextChoices):
    """The kinds of things that the search finds, in the order in which they are shown."""

    PROJECTS = "projects", _("Projects")
    RELEASES = "releases", _("Released to me")
    OUTSIDE = "outside", _("Releases made outside the portal")
    COLUMNS = "columns", _("Columns")
    PEOPLE = "people", _("People")
    EVENTS = "events", _("Events")
