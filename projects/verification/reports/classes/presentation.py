"""What the list of classes says of itself, for page and API."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from projects.core.numbers import count

from ...models import Verification
from ...selectors import was_requested_anew
from .selectors import ClassesPage, Unlisted


def sentences(verification: Verification, page: ClassesPage | Unlisted) -> list[str]:
    """Which measurement it is where a newer one was requested, and what was listed."""
    said = said_of(page)
    if was_requested_anew(verification):
        text = _(
            "These are the classes of measurement V%(number)s; a newer one was requested and has no answer, or none yet."
        )
        said.insert(0, text % {"number": verification.number})
    return said


def said_of(page: ClassesPage | Unlisted) -> list[str]:
    """How many classes there are, how many of them are too small, and what is not in the list; or that nothing was listed."""
    if isinstance(page, Unlisted):
        return [str(page.why.label)]
    said = [
        ngettext(
            "The result has %(total)s class by these columns.",
            "The result has %(total)s classes by these columns.",
            page.total,
        )
        % {"total": count(page.total)}
    ]
    if page.listed < page.total:
        said.append(
            _("The %(listed)s smallest are listed; the others were not kept.")
            % {"listed": count(page.listed)}
        )
    # Where even the largest that is kept is too small, others may be as well.
    if page.below == page.listed < page.total:
        text = _("All that are listed are smaller than %(k)s, the k that the target asks for; others may be.")
    elif page.below:
        text = ngettext(
            "%(below)s is smaller than %(k)s, the k that the target asks for.",
            "%(below)s are smaller than %(k)s, the k that the target asks for.",
            page.below,
        )
    else:
        text = _("None is smaller than %(k)s, the k that the target asks for.")
    said.append(text % {"below": count(page.below), "k": count(page.k)})
    if page.is_looser:
        said.append(
            _(
                "An emptied cell is a value of its own in this list. The check reads it as any value, so a class can be "
                "smaller here than what the check counts."
            )
        )
    return said
