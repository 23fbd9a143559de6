"""Numbers as people say them, for every stage."""

from __future__ import annotations

from django.utils.formats import number_format
from django.utils.translation import gettext as _


def count(value: float) -> str:
    """A count with its thousands separated."""
    return number_format(round(value), use_l10n=True, force_grouping=True)


def one_in(risk: float | None) -> str:
    """A probability as people say it: “one time in 12”; rounded down, so that it never sounds safer."""
    if not risk:
        return ""
    if risk >= 1:
        return _("every time")
    times = 1 / risk
    shown = int(times + 1e-9) if times >= 10 else float(f"{int(times * 10 + 1e-9) / 10:g}")
    return _("one time in %(n)s") % {"n": count(shown) if times >= 10 else f"{shown:g}"}
