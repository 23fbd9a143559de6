"""Utility targets as the portal keeps them: JSON, read through ``techniques.utility.targets``."""

from __future__ import annotations

from typing import Any


def parse_utility(rows: list[Any]) -> list[Any]:
    """The typed targets out of their JSON; raises ``pydantic.ValidationError``."""
    from pydantic import TypeAdapter

    from techniques.utility.targets import UtilityTarget  # type: ignore[import-not-found]

    return TypeAdapter(list[UtilityTarget]).validate_python(rows)
