"""Which of its ways a model takes as a step of a recipe."""

from __future__ import annotations

from techniques.catalogue.models import KAnonymitySettings
from techniques.core.operations import Context, TableOperation, WholeOperation
from techniques.models.k_anonymity.operation import KAnonymity
from techniques.models.local_recoding.operation import LocalRecoding
from techniques.models.personalized.operation import TopDown


def operation(settings: KAnonymitySettings, context: Context) -> TableOperation | WholeOperation:
    """The step ready to run: columns as a whole, or class by class in one of two ways."""
    if settings.recoding == "top_down":
        return TopDown(settings, context)
    made = LocalRecoding if settings.recoding == "local" else KAnonymity
    return made(settings, context)
