"""What is current: of the rows that a project has gathered, those that count.

The current data set, the recipe, the latest run … belong to different packages, and nearly every page
needs most of them. A package marks the selector of what is current among its rows::

    @current
    def current_recipe(project: Project) -> RecipeVersion | None:
        return project.recipes.select_related("created_by").first()

While a request only reads (:mod:`approvals.request_cache`), the first of them that is called reads all, so that what a
page says of a project was true at one moment. Else each call reads its own rows anew.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from approvals.request_cache import cached_read, is_caching, one_state, prime

from .models import Project

Result = TypeVar("Result")

_selectors: list[Callable[[Project], Any]] = []


def current(read: Callable[[Project], Result]) -> Callable[[Project], Result]:
    """Mark a selector of what is current in a project. It may call others that are marked."""
    cached = cached_read(read)
    _selectors.append(cached)

    @wraps(read)
    def selector(project: Project) -> Result:
        if is_caching():
            _read_all(project)
        return cached(project)

    return selector


def selectors() -> tuple[Callable[[Project], Any], ...]:
    """All that are marked."""
    return tuple(_selectors)


@cached_read
def _read_all(project: Project) -> None:
    # A selector that calls another one comes by here again.
    prime(_read_all, project, result=None)
    with one_state():
        for read in _selectors:
            read(project)
