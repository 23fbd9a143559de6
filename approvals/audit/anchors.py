"""An anchor of the log outside the database: the number and hash of a row, as somebody wrote them down.

The chain and its seal show what was altered within the log. Who puts an older copy of the whole database in
its place, sealed and sound in itself, alters nothing in it; only what is kept elsewhere tells. Plans and
reports print the end of the log as it was when they were made, and people keep them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from .models import AuditEvent
from .verify import Fault, Finding, stored_head

# Fewer signs than these could be met on purpose.
SHORTEST = 16


@dataclass(frozen=True)
class Anchor:
    """Row ``seq`` of the log had this ``hash``: 64 hexadecimal digits, or the first of them."""

    seq: int
    hash: str


def anchor_now() -> Anchor | None:
    """The end of the log as it is; None before its first row."""
    head = stored_head()
    return Anchor(head["seq"], head["hash"]) if head else None


def anchor_read(seq: int | None, digits: str) -> Anchor | None:
    """What somebody typed, spaces and capitals as they please; None for nothing. ``ValueError`` says what is wrong."""
    plain = re.sub(r"\s", "", digits or "").lower()
    if seq is None and not plain:
        return None
    if seq is None or not plain:
        raise ValueError(_("Give both: the number of the row and its hash."))
    if seq < 1:
        raise ValueError(_("Rows are counted from 1."))
    if not re.fullmatch(rf"[0-9a-f]{{{SHORTEST},64}}", plain):
        raise ValueError(
            _("A hash has 64 signs, digits and the letters a to f; give at least its first %(n)s.")
            % {"n": SHORTEST}
        )
    return Anchor(seq, plain)


def anchor_faults(anchor: Anchor, *, last: int, found: str) -> Iterator[Fault]:
    """Compare with a log that ends at row ``last`` and whose row ``anchor.seq`` has the hash ``found``."""
    if last < anchor.seq:
        yield Fault(Finding.SHORTER, {"seq": anchor.seq, "last": last})
    elif not found.startswith(anchor.hash):
        yield Fault(Finding.ANOTHER, {"seq": anchor.seq})


def stored_faults(anchor: Anchor) -> Iterator[Fault]:
    """Compare with the log in the database, whose chain is checked besides."""
    head = stored_head()
    row = AuditEvent.objects.filter(pk=anchor.seq).values_list("hash", flat=True).first()
    yield from anchor_faults(anchor, last=head["seq"] if head else 0, found=row or "")
