"""Accounts as lying bars: what was granted is the bar, what was spent its dark part."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from deid_portal.ui import drawing as draw
from projects.core.numbers import number

_ROWS = 20


def balances(accounts: Iterable[Any], title: str, label: str = "") -> draw.Chart:
    """``accounts``: (name, granted, spent), in order, on one scale; at most 20 are drawn, the table has all.

    ``label`` says what they are.
    """
    found = [
        (str(name), top := max(draw.finite(granted), 0.0), min(max(draw.finite(spent), 0.0), top))
        for name, granted, spent in accounts
    ]
    if not found:
        return draw.empty(title, draw.WIDTH)
    row, head, bar = 54, 26, 16
    scale = draw.WIDTH / draw.nice_top(max(granted for _name, granted, _spent in found))
    parts = draw.Parts()
    for x, fill, words in ((0, draw.ACCENT, _("Spent")), (120, draw.TINT, _("Left"))):
        parts.rect(x, 3, 14, 14, fill)
        parts.text(x + 20, 15, words, size=13, fill=draw.INK)
    for place, (name, granted, spent) in enumerate(found[:_ROWS]):
        y = head + row * place
        parts.text(0, y + 18, draw.shorten(name, 34), size=14, fill=draw.INK)
        of_all = _("%(spent)s of %(granted)s") % {"spent": number(spent), "granted": number(granted)}
        parts.text(draw.WIDTH, y + 18, of_all, "end", 14, draw.INK, True)
        parts.rect(0, y + 26, granted * scale, bar, draw.TINT)
        parts.rect(0, y + 26, spent * scale, bar, draw.ACCENT)
        # Where nothing is drawn dark, and where all is, the end of the account is seen all the same.
        parts.line(granted * scale, y + 22, granted * scale, y + 30 + bar, draw.INK, 2)
    bottom = head + row * min(len(found), _ROWS)
    rows = tuple(
        (name, number(granted), number(spent), number(granted - spent)) for name, granted, spent in found
    )
    columns = (label or _("Category"), _("Granted"), _("Spent"), _("Left"))
    description = _("; ").join(
        f"{name}: {number(spent)} / {number(granted)}" for name, granted, spent in found[:8]
    )
    return draw.Chart(draw.svg(draw.WIDTH, bottom + 6, title, description, parts), title, columns, rows)
