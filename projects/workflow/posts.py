"""What a person may be across projects; the process decides which post may take which role."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Post(models.TextChoices):
    """What a person may be *across* projects; roles within a project are :class:`~projects.workflow.vocabulary.Role`."""

    STAFF = "staff", _("Staff")
    PLANNER = "planner", _("Planning manager (may open projects)")
    AUDITOR = "auditor", _("Auditor (reads everything)")
    ASSESSOR = "assessor", _("External assessor (reads everything for a limited time)")
    RECIPIENT = "recipient", _("Recipient (outside person)")
    ADMINISTRATOR = "administrator", _("Administrator of people and rules (no project data)")
