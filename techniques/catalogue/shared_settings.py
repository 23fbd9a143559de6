"""Settings that techniques of several families have alike."""

from __future__ import annotations

from typing import Any

from techniques.core.messages import _
from techniques.core.settings import setting


def result_decimals(help: str = "", default: int = 2, least: int = 0) -> Any:
    """Decimal places of what a technique computes."""
    text = help or _("Results are rounded to so many places.")
    return setting(_("Decimal places of the result"), text, default, between=(least, 6))


def minimum_count(title: str, help: str, default: int = 5, least: int = 2) -> Any:
    """Fewest rows that must have something in common."""
    return setting(title, help, default, between=(least, 1_000_000))


def suppressed_rows(help: str = "") -> Any:
    """Greatest share of the rows that may be suppressed."""
    text = help or _("Share of the rows, 0 to 1; the run stops if more would be suppressed.")
    return setting(_("Upper limit of suppressed rows"), text, 0.05, between=(0, 1))


def suppressed_cells(help: str = "") -> Any:
    """Greatest share of the cells that may be suppressed."""
    text = help or _("Share of the rows, 0 to 1; the run stops if more would be suppressed.")
    return setting(_("Upper limit of suppressed cells"), text, 0.05, between=(0, 1))
