"""Marks on views about who may reach them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

View = TypeVar("View", bound=Callable[..., object])


def public(view: View) -> View:
    """Let people who are not signed in reach this view."""
    view.is_public = True  # type: ignore[attr-defined]
    return view
