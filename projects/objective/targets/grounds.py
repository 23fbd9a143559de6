"""What laws, standards and policies a target rests on, each in a version: the organisation's policy library says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Grounds = list[dict[str, Any]]
"""Rows of ``policy`` (id), ``title``, ``edition``, ``version`` (number) and ``hash``, in a fixed order."""


def _nothing(regulations: Sequence[str]) -> Grounds:
    return []


_source: Callable[[Sequence[str]], Grounds] = _nothing


def set_grounds_source(source: Callable[[Sequence[str]], Grounds]) -> None:
    """Let the organisation say which versions hold for a scope under ``regulations``."""
    global _source
    _source = source


def grounds_for(regulations: Sequence[str]) -> Grounds:
    """The versions that hold now for every project, and for one under these laws and standards; none while the library is empty."""
    return _source(regulations)
