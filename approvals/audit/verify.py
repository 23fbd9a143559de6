"""Finding what was altered, removed or reordered in the audit log."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import models
from django.utils.translation import gettext_lazy as _

from .chain import FIELDS, GENESIS, canonical, link, seal
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
    UNREADABLE = "unreadable", _("Line %(line)s of the file is not a row of the log.")
    EMPTIED = "emptied", _("The log is empty, with its sealed end, although people have signed in.")
    SHORTER = (
        "shorter",
        _(
            "The log ends at row %(last)s, but row %(seq)s was written down once: the database was replaced by "
            "an older copy, or the log's end was cut off."
        ),
    )
    ANOTHER = (
        "another",
        _("Row %(seq)s has another hash than was written down: the log was replaced by another one."),
    )
    NO_END = (
        "no_end",
        _("The file has no sealed end: nobody can tell whether rows are missing after row %(seq)s."),
    )


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
    end: ChainState = field(default_factory=lambda: ChainState())
    # Hashes of the rows that the caller wanted to know, by number.
    hashes: dict[int, str] = field(default_factory=dict)

    @property
    def sound(self) -> bool:
        return not self.faults


@dataclass
class ChainState:
    """How far a check has come: what the next row has to follow."""

    seq: int = 0
    hash: str = GENESIS


def chain_faults(rows: Iterable[dict[str, Any]], state: ChainState | None = None) -> Iterator[Fault]:
    """Check rows in order of ``seq``: numbers without gaps, each hash right, each link to the row before.

    ``state`` is moved along, so that a check can go on later where it stopped.
    """
    state = state or ChainState()
    for row in rows:
        seq = row["seq"]
        if link(row["previous_hash"], row) != row["hash"]:
            yield Fault(Finding.ALTERED, {"seq": seq})
        if seq <= state.seq:
            # Inserted before the first row, or behind rows that come after it.
            yield Fault(Finding.REORDERED, {"seq": seq})
            continue
        if seq > state.seq + 1:
            yield Fault(Finding.REMOVED, {"first": state.seq + 1, "last": seq - 1})
        elif row["previous_hash"] != state.hash:
            yield Fault(Finding.REORDERED, {"seq": seq})
        state.seq, state.hash = seq, row["hash"]


def end_faults(
    state: ChainState, head: dict[str, Any] | None, *, key: str, used: bool = False
) -> Iterator[Fault]:
    """Compare where the rows ended with the sealed end ``{"seq", "hash", "seal"}``.

    ``used`` says that somebody has signed in: then there is no such thing as an empty log.

    Without ``key`` (checking a file elsewhere) the seal itself cannot be checked.
    """
    if head is None:
        if state.seq:
            yield Fault(Finding.HEAD, {"seq": state.seq})
        elif used:
            yield Fault(Finding.EMPTIED, {})
        return
    if key and head["seal"] != seal(key, head["seq"], head["hash"]):
        yield Fault(Finding.SEAL, {})
    if state.seq < head["seq"]:
        yield Fault(Finding.CUT, {"first": state.seq + 1, "last": head["seq"]})
    elif state.seq != head["seq"] or state.hash != head["hash"]:
        yield Fault(Finding.HEAD, {"seq": state.seq})


def stored_head() -> dict[str, Any] | None:
    head = AuditHead.objects.filter(pk=1).values("seq", "hash", "seal").first()
    return dict(head) if head else None


def rows_after(seq: int, until: int | None = None, limit: int | None = None) -> Iterator[dict[str, Any]]:
    """The stored rows after ``seq``, as the chain hashes them, read in portions; ``limit`` rows at most."""
    events = AuditEvent.objects.filter(seq__gt=seq).order_by("seq")
    if until is not None:
        events = events.filter(seq__lte=until)
    if limit is not None:
        events = events[:limit]
    yield from events.values(*FIELDS, "previous_hash", "hash").iterator(2000)


def verify() -> Verification:
    """Check the whole log against its chain and its sealed end."""
    result, state = Verification(), ChainState()
    result.end = state

    def counted() -> Iterator[dict[str, Any]]:
        for row in rows_after(state.seq if result.rows else -1):
            result.rows += 1
            yield row

    while True:
        # The end is read before the rows that lead to it: while the portal goes on writing, a row that
        # came in between is no fault. The log is read to its end when nothing came any more.
        known, head = result.rows, stored_head()
        result.faults.extend(chain_faults(counted(), state))
        if result.rows == known:
            break
    result.faults.extend(end_faults(state, head, key=settings.DEID_MASTER_KEY, used=anybody_was_here()))
    return result


def anybody_was_here() -> bool:
    """Whether somebody has ever signed in: that alone leaves a row."""
    return get_user_model().objects.filter(last_login__isnull=False).exists()


def verify_lines(lines: Iterable[str], *, key: str = "", wanted: int | None = None) -> Verification:
    """Check an exported log (JSON Lines); needs no database. The hash of row ``wanted`` is noted.

    Rows that fell out of order in the file are named like rows of the log itself.
    """
    result, state = Verification(), ChainState()
    result.end = state
    ends: list[dict[str, Any]] = []

    def parsed() -> Iterator[dict[str, Any]]:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                if "head" in row:
                    ends.append({name: row["head"][name] for name in ("seq", "hash", "seal")})
                    continue
                canonical(row)
                row["previous_hash"], row["hash"], row["seq"] + 0
            except (ValueError, KeyError, TypeError):
                result.faults.append(Fault(Finding.UNREADABLE, {"line": number}))
                continue
            result.rows += 1
            if row["seq"] == wanted:
                result.hashes[row["seq"]] = str(row["hash"])
            yield row

    result.faults.extend(chain_faults(parsed(), state))
    if len(ends) == 1:
        result.faults.extend(end_faults(state, ends[0], key=key))
    else:
        result.faults.append(Fault(Finding.NO_END, {"seq": state.seq}))
    return result
