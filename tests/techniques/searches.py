"""What a search is asked for, in the few words that tests need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from techniques.anonymization.settings import search_settings
from techniques.catalogue.models import Conditions, KAnonymitySettings


def search(
    k: int,
    sensitive: Mapping[str, Conditions] | None = None,
    limit: float = 0.0,
    hierarchies: Mapping[str, Any] | None = None,
    local: bool = False,
    *,
    columns: Iterable[str] = (),
    **more: Any,
) -> KAnonymitySettings:
    """``columns`` are the quasi-identifiers where there are no ``hierarchies``."""
    return search_settings(
        columns,
        k=k,
        sensitive=dict(sensitive or {}),
        suppression_limit=limit,
        hierarchies=hierarchies,
        recoding="local" if local else "full_domain",
        **more,
    )
