"""Who acts: a person with an account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # Read by the type checker as the model that ``AUTH_USER_MODEL`` names; nothing here imports that model.
    from django.contrib.auth.models import _User as Person
else:
    Person = Any

__all__ = ["Person"]
