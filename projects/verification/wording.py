"""Numbers and stored texts in the reader's words; never a bare number."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from projects.core.numbers import count, number, percent
from techniques.core.messages import filled, of_one

from .reports.stored import Text

_ROUNDING = 1e-9
_WHOLE = re.compile(r"%\((\w+)\)d")

FOUND = {
    "untreated": gettext_lazy("Judged a direct identifier, not treated"),
    "kept": gettext_lazy("Values of the source, unchanged"),
    "elsewhere": gettext_lazy("Values of a direct identifier in another column"),
    "within": gettext_lazy("Values of a direct identifier within others"),
    "written_otherwise": gettext_lazy("Values of a direct identifier, written otherwise"),
    "too_few": gettext_lazy("Too little of a direct identifier is hidden"),
}
"""What the search found where that is no kind of identifier."""

KEPT_MESSAGES = (
    gettext_noop("The easiest person to find is found one time in %(k)d; one in %(least)d is allowed."),
    gettext_noop(
        "Someone who knows these %(count)d columns of a person would be right one time in %(k)d at best: %(classes)d classes have only %(k)d records."
    ),
    gettext_noop(
        "Someone who knows these %(count)d columns of one row of a person would be right one time in %(k)d at best: %(classes)d classes have rows of only %(k)d persons."
    ),
    gettext_noop("No column outside the quasi-identifiers tells the records apart"),
    gettext_noop("%(columns)s may stay because a person said why: %(number)d columns."),
    gettext_noop("%(points)d points are to be weighed."),
    gettext_noop(
        "%(removed)d of %(rows)d records are not in the result, and of %(gone)d of %(persons)d persons none is."
    ),
    gettext_noop(
        "%(removed)d of the %(rows)d records that the sample drew are not in the result, and of %(gone)d of its "
        "%(persons)d persons none is; %(left)d records were not drawn."
    ),
    gettext_noop(
        "Data risk %(data).4f times the probability %(context).2f that somebody tries gives %(value).4f."
    ),
)
"""Sentences of reports that were kept before they were put otherwise; a page still shows them in the reader's language."""


def translated(text: Text | None) -> str:
    """A stored text in the reader's language. ``columns`` beside it names what it is about, joined by commas."""
    if text is None or not text.message:
        return ""
    params = dict(text.params)
    if "columns" in params:
        params["columns"] = str(params["columns"]).replace(", ", _(", ")) or _("all columns")
    if params.get("technique"):
        params["technique"] = _(str(params["technique"]))
    message = _(text.message)
    if params:
        # A count has its thousands separated, as everywhere.
        message = _WHOLE.sub(lambda found: count(params[found[1]]), of_one(message, params))
        message = filled(message, params, _figure)
    if not text.columns:
        return message
    return _("%(what)s: %(columns)s") % {"what": message, "columns": text.columns.replace(", ", _(", "))}


def _figure(value: float, _decimals: int, is_share: bool) -> str:
    """The figure with the decimals that every other number has: 0.00 would be false for what is not nothing."""
    return percent(value / 100) if is_share else number(value)


def signed(value: float) -> str:
    """A relative change with its sign; none where only rounding differs, as between sums in another order."""
    text = percent(abs(value) if abs(value) >= _ROUNDING else 0)
    return text if abs(value) < _ROUNDING else f"+{text}" if value > 0 else f"−{text}"
