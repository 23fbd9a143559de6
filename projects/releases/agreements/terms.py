"""The terms of an agreement, typed: what is signed, proposed and accepted."""

from __future__ import annotations

from datetime import date

from pydantic import BaseModel, ConfigDict

from techniques.core.canonical import canonical_hash

from ..enums import CheckInterval
from ..models import Agreement

# Of the scan in the encrypted store.
SCAN_PURPOSE = "agreement"


class Terms(BaseModel):
    """What a recipient has signed; that it holds the three prohibitions is a condition of there being one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    organisation: str
    purpose: str
    signed_by: str
    signed_on: date
    valid_until: date
    check_months: CheckInterval | None = None
    country: str | None = None
    fetch_approval: bool | None = None


def terms_of(agreement: Agreement) -> Terms:
    return Terms(**{name: getattr(agreement, name) for name in Terms.model_fields})


def terms_hash(agreement: Agreement) -> str:
    """SHA-256, in hexadecimal, of the terms and of the scan that bears the signature.

    Terms about which nothing was agreed are left out, so that what was accepted before there were any keeps its hash.
    """
    return canonical_hash(
        [terms_of(agreement).model_dump(mode="json", exclude_none=True), agreement.scan_sha256]
    )
