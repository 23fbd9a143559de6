"""What a question would cost, what would be left, and how far off its answer would be: said before anything is paid."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from approvals.governance.person import Person
from approvals.governance.verdict import Refused, deny
from projects.identification.persons.rules import settled_key
from projects.releases.models import Release
from techniques.core.messages import filled
from techniques.models.differential_privacy.loss import Charge, parts_of
from techniques.models.differential_privacy.outcome import plain
from techniques.models.differential_privacy.planning import plan
from techniques.models.differential_privacy.question import Question

from .rules import QueryReason
from .selectors import account_of, charged_in, grants_of, left_after, opened_of, sources_of
from .services import source_in


def price_of(user: Person, release: Release, table: str, question: Question) -> dict[str, Any]:
    """As page and API show it. ``rise`` is by how much a question that is confined to parts raises what the recipient has spent, None
    where it is not; ``left_after`` is None where the budget does not allow it.

    Refused where there is no account, or no part of it that such a question is paid from.
    """
    # What says sentences loads the numerical libraries: only where there is something to say.
    from techniques.models.differential_privacy.expected import expected
    from techniques.models.differential_privacy.statements import CLAUSE

    dataset = source_in(sources_of(release.run_id), table)
    opened = opened_of(dataset)
    if opened is None:
        raise Refused(deny(QueryReason.NO_ACCOUNT))
    planned = plan(question, opened.neighbours)  # type: ignore[arg-type]
    parts = parts_of(question.where, opened.part or None, per_row=settled_key(dataset) == ())
    charge = Charge(planned.loss, parts)
    rise = None
    if parts is not None:
        own = account_of(dataset, list(grants_of(release.project)), charged_in(release.project), user)
        if own is None:
            raise Refused(deny(QueryReason.NO_ALLOTMENT))
        rise = own.rise(charge)
    left = left_after(dataset, release.project, user, question, charge)
    return {
        **planned.loss.as_dict(),
        "clause": CLAUSE,
        "rise": None if rise is None else plain(rise) if rise.is_finite() else "∞",
        "left_after": None if left is None else plain(left),
        "expected": [
            {"code": one.code, "text": filled(_(one.message), one.params), "params": one.params}
            for one in expected(planned)
        ],
    }


def price_row(price: dict[str, Any]) -> dict[str, Any]:
    """:func:`price_of` in the words of the page."""
    cost = plain(price["epsilon"])
    if price["rise"] is not None:
        cost = _(
            "%(cost)s in each part that it names, nothing in the others; it spends %(rise)s from your account"
        ) % {"cost": cost, "rise": price["rise"]}
    return price | {"cost": cost, "delta": plain(price["delta"])}
