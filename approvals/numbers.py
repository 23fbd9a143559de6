"""Whole numbers as a reader sees them; the other kinds of numbers are in ``projects.core.numbers``."""

from __future__ import annotations


def separated(value: int) -> str:
    """With a comma between thousands, and a minus sign that is one."""
    return f"{value:,}".replace("-", "−")
