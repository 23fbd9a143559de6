"""What a result tells together with other releases: said by the package that keeps releases, which is of a later stage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from projects.core.models import Project
from techniques.core.canonical import canonical_hash


@dataclass(frozen=True)
class Related:
    """Other releases that may concern the same persons. ``text`` says what they were measured to tell together with the result, or
    that nobody knows. ``open``: by what those are known that tell more, or of which that was not measured; ``is_measuring``: they are
    being measured."""

    text: str
    open: frozenset[str]
    is_measuring: bool

    @property
    def is_settled(self) -> bool:
        """Whether each was measured, in every combination, and nothing more of anybody was found."""
        return not self.open

    @property
    def mark(self) -> str:
        """By which a decision says what its signer read of them."""
        return canonical_hash(sorted(self.open))


Source = TypeVar("Source", bound=Callable[[Project], Related | None])
_sources: list[Callable[[Project], Related | None]] = []


def tells_related(function: Source) -> Source:
    """Register who knows the releases that are related to the result of a project; None where there are none."""
    _sources.append(function)
    return function


def related_of(project: Project) -> Related | None:
    """The releases that are related to the result that is signed or released; None without any."""
    return next((found for function in _sources if (found := function(project)) is not None), None)
