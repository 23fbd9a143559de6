"""Finding what was altered, removed or reordered in the audit log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .chain import FIELDS, GENESIS, link, seal
from .models import AuditEvent, AuditHead


class Finding(models.TextChoices):
    """What is wrong with the chain at a row."""

    ALTERED = "altered", _("Row %(seq)s was altered: its content no longer gives its hash.")
    REMOVED = "removed", _("Rows %(first)s to %(last)s were removed.")
    REORDERED = (
        "reordered",
        _("Row %(seq)s does not follow the row before it: rows were exchanged or inserted."),
    )
    CUT = "cut", _("The end of the log was cut off: row %(first)s to %(last)s are gone.")
    HEAD = "head", _("The sealed end of the log does not match its last row (%(seq)s).")
    SEAL = "seal", _("The seal of the log's end was not made with this portal's key.")


@dataclass(frozen=True)
class Fault:
    kind: Finding
    params: dict[str, Any]

    def __str__(self) -> str:
        return str(self.kind.label) % self.params


@dataclass
class Verification:
    """The outcome of a check of the whole chain."""

    rows: int = 0
    faults: list[Fault] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        return not self.faults


def chain_faults(rows: Iterable[dict[str, Any]]) -> Iterator[Fault]:
    """Check rows in order of ``seq``: numbers without gaps, each hash right, each link to the row before."""
    previous_hash, expected = GENESIS, 1
    for row in rows:
        seq = row["seq"]
        removed = seq > expected
        if removed:
            yield Fault(Finding.REMOVED, {"first": expected, "last": seq - 1})
        elif row["previous_hash"] != previous_hash:
            yield Fault(Finding.REORDERED, {"seq": seq})
        if link(row["previous_hash"], row) != row["hash"]:
            yield Fault(Finding.ALTERED, {"seq": seq})
        previous_hash, expected = row["hash"], seq + 1


def verify() -> Verification:
    """Check the whole log against its chain and its sealed end."""
    result = Verification()
    last: dict[str, Any] = {"seq": 0, "hash": GENESIS}

    def rows() -> Iterator[dict[str, Any]]:
        for row in AuditEvent.objects.order_by("seq").values(*FIELDS, "previous_hash", "hash").iterator(2000):
            result.rows += 1
            last.update(seq=row["seq"], hash=row["hash"])
            yield row

    result.faults.extend(chain_faults(rows()))
    head = AuditHead.objects.filter(pk=1).first()
    if head is None:
        if result.rows:
            result.faults.append(Fault(Finding.HEAD, {"seq": last["seq"]}))
        return result
    if head.seal != seal(settings.DEID_MASTER_KEY, head.seq, head.hash):
        result.faults.append(Fault(Finding.SEAL, {}))
    if last["seq"] < head.seq:
        result.faults.append(Fault(Finding.CUT, {"first": last["seq"] + 1, "last": head.seq}))
    elif last["seq"] != head.seq or last["hash"] != head.hash:
        result.faults.append(Fault(Finding.HEAD, {"seq": last["seq"]}))
    return result
