"""A change of recipients in rows: for its page, the page of the release and the API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from approvals.countries import country_name

from ...enums import ChangeOutcome, TermsChanged
from ...models import Agreement, RecipientChange
from ..approvals import approval_text
from ..checks import interval_text
from ..terms import Terms, terms_of

TONES = {
    ChangeOutcome.WAITING: "warn",
    ChangeOutcome.APPROVED: "ok",
    ChangeOutcome.REFUSED: "fail",
    ChangeOutcome.REPLACED: "neutral",
}


@dataclass(frozen=True)
class TermsRow:
    """One of the terms: as it is proposed, and as it is ("" where nothing is in force)."""

    label: Any
    proposed: str
    held: str

    @property
    def differs(self) -> bool:
        return bool(self.held) and self.held != self.proposed


def _country(code: str | None) -> str:
    return country_name(code) or _("not stated")


def change_labels(change: RecipientChange) -> list[str]:
    """What the change asks, in words."""
    return [str(TermsChanged(one).label) for one in change.asks]


def tone_of(change: RecipientChange) -> str:
    return TONES[ChangeOutcome(change.outcome)]


def terms_rows(terms: Terms, held: Agreement | None = None, *, enclave: bool = False) -> list[TermsRow]:
    """The terms, beside those in force with the same recipient; ``enclave``: nothing is handed over that they could check."""
    old = terms_of(held) if held is not None else None
    labels = {
        "organisation": _("Recipient organisation"),
        "purpose": _("Permitted purpose"),
        "signed_by": _("Signed by"),
        "signed_on": _("Signed on"),
        "valid_until": _("Valid until"),
    }
    rows = [
        TermsRow(label, str(getattr(terms, name)), str(getattr(old, name)) if old is not None else "")
        for name, label in labels.items()
    ]
    where = _country(old.country) if old is not None else ""
    rows.insert(1, TermsRow(_("Country or region of the recipient"), _country(terms.country), where))
    if enclave:
        return rows
    checks = interval_text(old.check_months) if old is not None else ""
    approval = approval_text(old.fetch_approval) if old is not None else ""
    return [
        *rows,
        TermsRow(_("Checks of samples by the recipient"), interval_text(terms.check_months), checks),
        TermsRow(_("Approval of each fetch"), approval_text(terms.fetch_approval), approval),
    ]
