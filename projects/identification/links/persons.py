"""By whose rows a scan counts, and whether that is what has been stated of the table since."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.utils.translation import gettext as _

from ..models import IdentificationRound
from ..persons.counts import Counted
from ..persons.selectors import (
    Candidate,
    Key,
    candidates_of,
    earlier_person_key,
    links_of_persons,
    signs_of,
)
from ..selectors import person_key_in


def stated_key(round_: IdentificationRound, names: Collection[str]) -> Key | None:
    """What was decided last of the table of a round that is still to be scanned, as far as its file has the columns ``names``
    and no link of persons says otherwise; else such a link. None where nobody said anything."""
    table = round_.dataset.table
    links = [key for key in links_of_persons(table) if set(key) <= set(names)]
    decided = earlier_person_key(round_)
    if decided is not None and set(decided.columns) <= set(names):
        key = tuple(decided.columns)
        if key in links or not links:
            return key
    return links[0] if links else None


def key_of_counts(round_: IdentificationRound) -> Key:
    """The columns by which the rows that a scan counted are of one person; () where each row is a person."""
    return tuple(round_.report.get("links", {}).get("key", ()))


def persons_text(round_: IdentificationRound) -> str:
    """What a person is in the counts of a scan."""
    key = key_of_counts(round_)
    if not key:
        return _("Each row counts as one person.")
    return _("Rows that agree in %(key)s count as one person.") % {"key": _(", ").join(key)}


def other_persons_text(round_: IdentificationRound) -> str:
    """That the counts of a scan are by other persons than was stated; empty where they are not."""
    stated = _stated_otherwise(round_)
    if stated is None:
        return ""
    if not stated:
        return _(
            "These figures count other persons and do not hold until the file is scanned again: it has been stated that each row is one person."
        )
    text = _(
        "These figures count other persons and do not hold until the file is scanned again: it has been stated that rows which agree in %(key)s are of one person."
    )
    return text % {"key": _(", ").join(stated)}


def _stated_otherwise(round_: IdentificationRound) -> Key | None:
    """The key that was stated, by a decision or else by a link, where it makes other persons than the counts have."""
    counted = key_of_counts(round_)
    decided = person_key_in(round_)
    if decided is None:
        links = [one for one in signs_of(round_) if one.link]
        if any(one.columns == counted for one in links):
            return None
        return next((one.columns for one in links if one.counted is None or one.counted.repeats), None)
    key = tuple(decided.columns)
    if set(key) == set(counted):
        return None
    rows_are_persons = [_is_row(one, candidates_of(round_)) for one in (counted, key)]
    return None if all(rows_are_persons) else key


def _is_row(key: Key, candidates: Sequence[Candidate]) -> bool:
    """Whether nobody has several rows by a key."""
    found: Counted | None = next((one.counted for one in candidates if one.columns == key), None)
    return not key or bool(found and not found.repeats)
