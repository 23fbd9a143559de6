"""What the list of classes says of itself, for page and API."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from projects.core.numbers import count

from .services import ClassesPage


def sentences(page: ClassesPage | None) -> list[str]:
    """How many classes there are, how many of them are too small, and what is not in the list; or that nothing was listed."""
    if page is None:
        return [
            _(
                "No classes were listed of this table: no risk was measured by quasi-identifiers, or its rows are those of groups."
            )
        ]
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
