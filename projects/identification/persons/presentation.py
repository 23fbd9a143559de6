"""What page, report and API say of whose rows a table holds: the choices with their figures, and what each would mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.passages import passage
from projects.core.numbers import count

from ..models import IdentificationRound, PersonKey
from ..wording import kind_name
from .counts import Counted
from .selectors import Candidate, Key


@dataclass(frozen=True)
class Choice:
    """A key, or none, as somebody can choose it: ``figures`` are counted and None where nobody has counted yet."""

    columns: Key
    label: str
    lead: str
    figures: Counted | None
    why: Sequence[str] = ()
    chosen: bool = False

    @property
    def bars(self) -> list[tuple[str, int]]:
        """The histogram: rows of a person, and how many persons have so many."""
        return (
            []
            if self.figures is None
            else [(bar_label(low, high), n) for low, high, n in self.figures.histogram]
        )

    @property
    def caption(self) -> str:
        return "" if self.figures is None else figures_text(self.figures)


def bar_label(low: int, high: int | None) -> str:
    if high is None:
        return _("%(low)s and more") % {"low": count(low)}
    return count(low) if low == high else f"{count(low)}–{count(high)}"


def choices_of(
    round_: IdentificationRound, candidates: Sequence[Candidate], key: PersonKey | None
) -> list[Choice]:
    """Every key with its figures, the likeliest first, and that one row is one person."""
    chosen = None if key is None else tuple(key.columns)
    found = [
        Choice(
            one.columns,
            _("The key %(columns)s: rows with the same values belong to one person")
            % {"columns": _(", ").join(one.columns)},
            key_lead(one.counted),
            one.counted,
            _reasons(one),
            one.columns == chosen,
        )
        for one in candidates
    ]
    rows = round_.report["rows"]
    return [
        *found,
        Choice((), _("One row is one person"), _rows_lead(rows, candidates), None, (), chosen == ()),
    ]


def figures_text(counted: Counted) -> str:
    """Persons, rows, and the person who has most."""
    text = _("%(persons)s persons in %(rows)s rows; the person with the most has %(most)s.")
    said = text % {
        "persons": count(counted.persons),
        "rows": count(counted.rows),
        "most": count(counted.most),
    }
    if counted.unknown:
        more = ngettext(
            "In %(unknown)s row the key is missing: it counts as a separate person.",
            "In %(unknown)s rows the key is missing: each counts as a separate person.",
            counted.unknown,
        )
        said = passage((said, more % {"unknown": count(counted.unknown)}))
    return said


def key_lead(counted: Counted | None) -> str:
    """What the choice of a key means for what is measured from then on."""
    if counted is None:
        return _("The rows have not been counted by this key yet.")
    return _(
        "%(figures)s All rows stay, and the size of every class is the number of different persons in it."
    ) % {"figures": figures_text(counted)}


def _rows_lead(rows: int, candidates: Sequence[Candidate]) -> str:
    text = _("Each of the %(rows)s rows counts as a person, and the size of a class is its number of rows.")
    said = text % {"rows": count(rows)}
    sign = next((one for one in candidates if one.is_sign), None)
    if sign is not None:
        more = _(
            "According to %(columns)s that looks wrong: if several rows belong to one person, a class"
            " of many rows may contain only one person."
        )
        said = passage((said, more % {"columns": _(", ").join(sign.columns)}))
    return said


def _reasons(candidate: Candidate) -> list[str]:
    """What speaks for a key."""
    reasons = []
    if candidate.counted is not None and candidate.counted.kind:
        text = _("The scan identifies it as this kind of identifier, and its values repeat: %(kind)s")
        reasons.append(text % {"kind": kind_name(candidate.counted.kind)})
    if candidate.link:
        reasons.append(
            _("The link %(link)s says that its values stand for persons.") % {"link": candidate.link}
        )
    if not reasons:
        reasons.append(_("Someone had the rows of each person counted by this key."))
    return reasons


def alternatives(candidates: Sequence[Candidate]) -> list[tuple[str, str]]:
    """What else could be made of several rows of a person, by the likeliest key: name and consequence with figures."""
    counted = next(
        (one.counted for one in candidates if one.counted is not None and one.counted.repeats), None
    )
    if counted is None:
        return []
    figures: dict[str, Any] = {
        "persons": count(counted.persons),
        "rows": count(counted.rows),
        "gone": count(counted.rows - counted.persons),
        "most": count(counted.most),
    }
    said = [
        (
            _("Count persons"),
            _(
                "All %(rows)s rows stay as they are. k, l, t, the risk and suppression are counted "
                "over %(persons)s persons. Someone who knows several rows of one person at once can "
                "learn more than one row says."
            ),
        ),
        (
            _("Keep one row for each person"),
            _(
                "%(persons)s rows remain; what the other %(gone)s rows say is lost. One row is then one person."
            ),
        ),
        (
            _("Aggregate"),
            _(
                "%(persons)s rows, one for each person, with counts, sums or means in place of the "
                "individual rows. One row is then one person."
            ),
        ),
        (
            _("Pivot"),
            _(
                "%(persons)s rows with up to %(most)s groups of columns, one for each row of a person"
                " and mostly empty. One row is then one person, but the number of filled groups also "
                "distinguishes people."
            ),
        ),
    ]
    return [(name, text % figures) for name, text in said]


def decision_text(round_: IdentificationRound, key: PersonKey | None) -> str:
    """What was decided, with persons and rows; that nobody said where nobody did."""
    rows = round_.report["rows"]
    if key is None:
        return _("Nobody has stated whose rows they are; everything is measured over rows.")
    if not key.columns:
        return _("One row is one person: %(rows)s rows are %(rows)s persons.") % {"rows": count(rows)}
    said = _("By the key %(columns)s: %(figures)s") % {
        "columns": _(", ").join(key.columns),
        "figures": figures_text(Counted.from_json(key.counted)),
    }
    return said
