"""Models that are written inside a recording only; a direct ``save``, ``update`` or ``delete`` raises."""

from __future__ import annotations

import uuid
from typing import Any, TypeVar

from django.db import models

from .draft import current_draft
from .proven import update_note


class GovernanceBypassed(RuntimeError):
    """Somebody tried to write a governed model outside a service."""


def _require_recording(what: str) -> None:
    if current_draft.get() is None:
        raise GovernanceBypassed(f"{what} is written by its services only")


_M = TypeVar("_M", bound=models.Model, covariant=True)


class GovernedQuerySet(models.QuerySet[_M]):
    """Refuses bulk writes outside a recording."""

    def update(self, **kwargs: Any) -> int:
        _require_recording(self.model.__name__)
        update_note(self)
        return super().update(**kwargs)

    def delete(self) -> tuple[int, dict[str, int]]:
        _require_recording(self.model.__name__)
        return super().delete()

    def bulk_create(self, *args: Any, **kwargs: Any) -> Any:
        _require_recording(self.model.__name__)
        return super().bulk_create(*args, **kwargs)

    def bulk_update(self, *args: Any, **kwargs: Any) -> int:
        _require_recording(self.model.__name__)
        return super().bulk_update(*args, **kwargs)


class GovernedModel(models.Model):
    """A model whose every write leaves an audit event in the same transaction."""

    objects = GovernedQuerySet.as_manager()

    class Meta:
        abstract = True
        base_manager_name = "objects"

    def save(self, *args: Any, **kwargs: Any) -> None:
        _require_recording(type(self).__name__)
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        _require_recording(type(self).__name__)
        return super().delete(*args, **kwargs)


class GovernedRecord(GovernedModel):
    """A governed model whose rows have an id that nobody can guess."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)

    class Meta(GovernedModel.Meta):
        abstract = True
