"""Vocabulary about the identification of identifiers (GB/T 37964 5.3)."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class ColumnRole(models.TextChoices):
    """What a column is for re-identification (3.6 to 3.10), by the executor's verdict."""

    DIRECT = "direct", _("Direct identifier")
    QUASI = "quasi", _("Quasi-identifier")
    SENSITIVE = "sensitive", _("Sensitive attribute")
    OTHER = "other", _("Other")


# The engine spells its roles out.
ROLE_OF_ENGINE: dict[str, ColumnRole] = {
    "direct_identifier": ColumnRole.DIRECT,
    "quasi_identifier": ColumnRole.QUASI,
    "sensitive_attribute": ColumnRole.SENSITIVE,
    "other": ColumnRole.OTHER,
}
ENGINE_ROLE: dict[ColumnRole, str] = {role: name for name, role in ROLE_OF_ENGINE.items()}

# From the most to the least guarded; a verdict below what a finding shows overrules that finding.
GUARD: dict[ColumnRole, int] = {
    ColumnRole.DIRECT: 3,
    ColumnRole.QUASI: 2,
    ColumnRole.SENSITIVE: 1,
    ColumnRole.OTHER: 0,
}


class Severity(models.TextChoices):
    """How much harm it does to a person when a sensitive attribute becomes known (3.10): it asks for the threshold of B.1.4
    for a high, medium or low invasion of privacy."""

    HIGH = "high", _("Great harm")
    MEDIUM = "medium", _("Medium harm")
    LOW = "low", _("Little harm")


class Method(models.TextChoices):
    """The three methods of 5.3.1, in the order in which they are used (5.3.3)."""

    LOOKUP = "lookup", _("Table look-up method")
    RULES = "rules", _("Rule judgement method")
    MANUAL = "manual", _("Manual analysis method")


class RoundStatus(models.TextChoices):
    """The state of a scan; only a finished one can carry verdicts."""

    RUNNING = "running", _("Running")
    FINISHED = "finished", _("Finished")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Cancelled")
