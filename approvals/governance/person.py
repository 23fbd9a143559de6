"""Who acts: a person with an account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    # Read by the type checker as the model that ``AUTH_USER_MODEL`` names (``scripts/mypy_signed_in.py``).
    from django.contrib.auth.base_user import AbstractBaseUser

    Person: TypeAlias = AbstractBaseUser
else:
    Person = Any

__all__ = ["Person"]
