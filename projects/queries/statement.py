"""The account read as a bank's: what was granted, what each answer cost, and the balance after each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from projects.datasets.models import Dataset
from techniques.models.differential_privacy.loss import NOTHING, Charge, Loss, spent
from techniques.models.differential_privacy.outcome import plain

from .enums import CHARGED, KINDS, GrantStatus, QueryStatus
from .models import Grant, Query
from .selectors import Account, charge_in


@dataclass(frozen=True)
class Line:
    """One entry: ``received`` and ``paid`` are empty where the entry moves nothing; ``balance`` is what was granted less what all
    answers up to it cost together."""

    at: datetime
    number: str
    what: str
    who: str
    received: str
    paid: str
    balance: str
    entry: Grant | Query

    @property
    def query(self) -> Query | None:
        return self.entry if isinstance(self.entry, Query) else None


def statement(
    dataset: Dataset,
    account: Account,
    grants: Iterable[Grant],
    queries: Iterable[Query],
    recipient: Any = None,
) -> list[Line]:
    """The entries of the account of ``dataset``, or of the part of ``recipient``, the newest first.

    A part that is granted to a recipient is an entry of the whole account that moves nothing: it is paid from the same balance.
    Refused and failed questions were never charged and are no entries.
    """
    granted = [
        (one.decided_at, one)
        for one in grants
        if one.dataset_id == dataset.pk and one.status == GrantStatus.GRANTED and one.decided_at is not None
    ]
    asked = [
        (one.asked_at, one)
        for one in queries
        if one.dataset_id == dataset.pk and one.status in (*CHARGED, QueryStatus.REPEATED)
    ]
    # A budget that was granted at the very moment of a question stands before it.
    entries: list[tuple[datetime, Grant | Query]] = sorted([*granted, *asked], key=lambda one: one[0])
    running = _Running(account, None if recipient is None else recipient.pk)
    lines = [
        running.granted(at, entry) if isinstance(entry, Grant) else running.asked(at, entry)
        for at, entry in entries
        if running.is_of(entry)
    ]
    return lines[::-1]


class _Running:
    """The balance so far of the whole account, or of that of ``whose``."""

    def __init__(self, account: Account, whose: Any) -> None:
        self.account, self.whose = account, whose
        self.received = Decimal(0)
        self.losses: dict[frozenset[str] | None, Loss] = {}

    def is_of(self, entry: Grant | Query) -> bool:
        """The whole data set's budget is no entry of a recipient's part."""
        return self.whose is None or entry.recipient_id == self.whose

    @property
    def balance(self) -> str:
        # Costs of the same parts add up before they are turned into an ε: one charge of the sum is what the account counts.
        charges = [Charge(loss, parts) for parts, loss in self.losses.items()]
        return plain(max(self.received - spent(charges, self.account.budget).epsilon, Decimal(0)))

    def granted(self, at: datetime, grant: Grant) -> Line:
        is_deposit = grant.recipient_id == self.whose
        if is_deposit:
            self.received += grant.epsilon
            what = _("Budget granted")
        else:
            what = _("Part for a recipient: ε = %(epsilon)s of the account") % {
                "epsilon": plain(grant.epsilon)
            }
        return Line(
            at,
            f"B{grant.number}",
            what,
            str(grant.recipient or grant.decided_by),
            plain(grant.epsilon) if is_deposit else "",
            "",
            self.balance,
            grant,
        )

    def asked(self, at: datetime, query: Query) -> Line:
        is_charged = query.status in CHARGED
        loss, parts = charge_in(self.account.opened, query)
        kind = str(KINDS.get(query.question["kind"], query.question["kind"]))
        if is_charged:
            self.losses[parts] = self.losses.get(parts, NOTHING).together(loss)
            if parts is not None:
                kind = _("%(kind)s, some parts only") % {"kind": kind}
        else:
            kind = _("%(kind)s, asked before: no cost") % {"kind": kind}
        return Line(
            at,
            f"Q{query.number}",
            kind,
            str(query.recipient),
            "",
            plain(loss.epsilon) if is_charged else "0",
            self.balance,
            query,
        )
