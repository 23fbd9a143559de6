"""What a key was used for: said by the package whose runs use keys, which is of a later stage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from .models import Secret


@dataclass(frozen=True)
class KeyUse:
    """One run that had the key: ``columns`` are those whose values rest on keys or draws of it, ``results`` the hashes of what it wrote."""

    title: str
    at: datetime
    columns: list[str]
    results: list[str]


_providers: list[Callable[[Secret], list[KeyUse]]] = []


def names_uses(provider: Callable[[Secret], list[KeyUse]]) -> Callable[[Secret], list[KeyUse]]:
    """Register who knows what keys were used for."""
    if provider not in _providers:
        _providers.append(provider)
    return provider


def uses_of(secret: Secret) -> list[KeyUse]:
    """Every use of ``secret``, the oldest first."""
    return sorted((use for provider in _providers for use in provider(secret)), key=lambda use: use.at)
