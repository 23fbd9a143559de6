"""Which columns a scan left out of its search, and why."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.utils.translation import gettext as _

from techniques.core.attributes import AttributeRole

from ..models import IdentificationRound
from .persons import key_of_counts


def left_searchable(round_: IdentificationRound, searched: Collection[str]) -> bool:
    """Whether a column was left out that says something of persons: with several values, no direct identifier, not their key."""
    key = key_of_counts(round_)
    return any(
        one["column"] not in searched
        and one["column"] not in key
        and one["scan"]["distinct"] > 1
        and (one["suggestion"] or {}).get("role") != AttributeRole.DIRECT_IDENTIFIER
        for one in round_.report["columns"]
    )


def long_text(columns: Iterable[str]) -> str:
    """That columns were let go because of the length of their values."""
    text = _(
        "Not searched, because their values are too long and too many, as those of free text are: %(columns)s."
    )
    return text % {"columns": _(", ").join(columns)}
