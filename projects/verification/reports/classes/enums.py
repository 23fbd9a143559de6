"""Why no classes were listed of a table."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class WhyUnlisted(models.TextChoices):
    NEW_TABLE = (
        "new_table",
        _("This table was added after the measurement; a new measurement lists its classes."),
    )
    WITHOUT_RISK = (
        "without_risk",
        _("No classes were listed of this table: no risk was measured by quasi-identifiers."),
    )
    OF_GROUPS = "of_groups", _("No classes were listed of this table: its rows are those of groups.")
    SUBJECTS_UNKNOWN = (
        "verification.subjects_unknown",
        _(
            "No classes were listed of this table: it is not known whose the rows of the result are. Run the recipe again."
        ),
    )
    UNREAD = (
        "unread",
        _(
            "No classes were listed of this table: the files could not be read again after the measurement. Measure the result again."
        ),
    )
