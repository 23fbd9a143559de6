"""Registrations of monitoring."""

from . import reactions  # noqa: F401  subscribes to moves
