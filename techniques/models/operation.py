"""Which of its two ways a model takes as a step of a recipe."""

from __future__ import annotations

from techniques.catalogue.models import KAnonymitySettings
from techniques.core.operations import Context, TableOperation
from techniques.models.k_anonymity.operation import KAnonymity
from techniques.models.local_recoding.operation import LocalRecoding


def operation(settings: KAnonymitySettings, context: Context) -> TableOperation:
    """The step ready to run: columns as a whole, or class by class."""
    made = LocalRecoding if settings.recoding == "local" else KAnonymity
    return made(settings, context)
