"""Who gets the data, and under which agreement: said by the package that keeps agreements, which is of a later stage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from projects.core.models import Project


@dataclass(frozen=True)
class RecipientLine:
    """One recipient: ``name`` with organisation, and ``agreement`` as a sentence."""

    name: str
    agreement: str


_providers: list[Callable[[Project], list[RecipientLine]]] = []


def names_recipients(
    provider: Callable[[Project], list[RecipientLine]],
) -> Callable[[Project], list[RecipientLine]]:
    """Register who knows the recipients of a project and their agreements."""
    _providers.append(provider)
    return provider


def recipient_lines(project: Project) -> list[RecipientLine]:
    return [line for provider in _providers for line in provider(project)]
