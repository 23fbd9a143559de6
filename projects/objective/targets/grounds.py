"""What laws, standards and policies a target rests on, each in a version: the organisation's policy library says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import Value
from django.db.models.expressions import Combinable

Grounds = list[dict[str, Any]]
"""Rows of ``policy`` (id), ``title``, ``edition``, ``version`` (number) and ``hash``, in a fixed order."""


def _nothing(regulations: Sequence[str]) -> Grounds:
    return []


_source: Callable[[Sequence[str]], Grounds] = _nothing
_some: Combinable = Value(False)


def set_grounds_source(source: Callable[[Sequence[str]], Grounds], some: Combinable) -> None:
    """Let the organisation say which versions hold for a scope under ``regulations``, and by ``some``, an expression that is read with
    a target, whether there are any at all."""
    global _source, _some
    _source, _some = source, some


def grounds_exist() -> Combinable:
    """Whether the library has anything that a target may rest on, to be read with the target at no cost of a statement."""
    return _some


def grounds_for(regulations: Sequence[str]) -> Grounds:
    """The versions that hold now for every project, and for one under these laws and standards; none while the library is empty."""
    return _source(regulations)
