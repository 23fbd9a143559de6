"""Finding what was altered, removed or reordered in the audit log."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.conf import settings
from django.db.models import QuerySet, Subquery

from approvals.governance.serialization import governed_act

from .chain import FIELDS, GENESIS, canonical, key_check, link, row_is_ours, seal
from .events import STATE_TAKEN_IN
from .findings import Fault, Finding
from .models import AuditEvent, AuditHead
from .proof import rows_exist, state_faults
from .state import State, digest_faults

READ = (*FIELDS, "previous_hash", "hash", "seal")
END = ("seq", "hash", "seal", "key_check", "state", "state_seal")


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
    # A row with a seal has come: from there on every row has one.
    sealed: bool = False


def chain_faults(rows: Iterable[dict[str, Any]], state: ChainState, *, key: str) -> Iterator[Fault]:
    """Check rows in order of ``seq``: numbers without gaps, each hash right, each link to the row before, each seal.

    ``state`` is moved along, so that a check can go on later where it stopped. Without ``key`` no seal is checked.
    """
    for row in rows:
        seq = row["seq"]
        if row["seal"] and not state.sealed:
            state.sealed = True
            if state.seq and row["action"] != STATE_TAKEN_IN:
                # Only the event that says so may follow rows without seals.
                yield Fault(Finding.FORGED, {"seq": state.seq})
        if link(row["previous_hash"], row) != row["hash"]:
            yield Fault(Finding.ALTERED, {"seq": seq})
        elif key and state.sealed and not row_is_ours(key, row):
            yield Fault(Finding.FORGED, {"seq": seq})
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

    ``used`` says that there are rows which an event has to explain: then there is no such thing as an empty log.
    Without ``key`` (checking a file elsewhere) the seal itself cannot be checked.
    """
    if head is None:
        if state.seq or used:
            yield Fault(Finding.EMPTIED, {})
        return
    if key and head["seal"] != seal(key, head["seq"], head["hash"]):
        yield Fault(Finding.SEAL, {})
    if state.seq < head["seq"]:
        yield Fault(Finding.CUT, {"first": state.seq + 1, "last": head["seq"]})
    elif state.seq != head["seq"] or state.hash != head["hash"]:
        yield Fault(Finding.HEAD, {"seq": state.seq})


def stored_end_faults() -> list[Fault]:
    """What is wrong with the log's end as it stands: key, seal, last row. One short read, however long the log."""

    def found() -> list[Fault]:
        head, last = _end_and_last()
        return list(_end_faults(head, last))

    # Somebody may be writing. In turn, nobody does.
    faults = found()
    if faults:
        with governed_act():
            faults = found()
    return faults


def _end_and_last() -> tuple[AuditHead | None, dict[str, Any] | None]:
    """The sealed end and the last row, at one moment. The end has less than half of a row's columns, so it comes beside the row."""
    last = _last_with_the_end().first()
    if last is None:
        return AuditHead.objects.filter(pk=1).first(), None
    sealed = {name: last.pop(f"end_{name}") for name in END}
    return (AuditHead(**sealed) if sealed["seq"] is not None else None), last


@cache
def _last_with_the_end() -> QuerySet[Any]:
    end = AuditHead.objects.filter(pk=1)
    beside = {f"end_{name}": Subquery(end.values(name)) for name in END}
    found: QuerySet[Any] = AuditEvent.objects.order_by("-seq").annotate(**beside).values(*READ, *beside)
    return found


def key_faults(head: AuditHead | None) -> Iterator[Fault]:
    """Whether the check value beside the end is that of the portal's key; a seal that fits tells which of the two is wrong."""
    key = settings.DEID_MASTER_KEY
    if head and head.key_check and head.key_check != key_check(key):
        fits = head.seal == seal(key, head.seq, head.hash)
        yield Fault(Finding.KEY_VALUE if fits else Finding.KEY, {})


def end_faults_now(head: AuditHead | None) -> Iterator[Fault]:
    """As :func:`stored_end_faults`, for who has read the end in the turn of an act."""
    yield from _end_faults(head, AuditEvent.objects.order_by("-seq").values(*READ).first())


def _end_faults(head: AuditHead | None, last: dict[str, Any] | None) -> Iterator[Fault]:
    key = settings.DEID_MASTER_KEY
    if faults := [*key_faults(head)]:
        yield from faults
        return
    state = ChainState(last["seq"], last["hash"]) if last else ChainState()
    sealed = {"seq": head.seq, "hash": head.hash, "seal": head.seal} if head else None
    faults = [*end_faults(state, sealed, key=key, used=head is None and rows_exist())]
    if last and not row_is_ours(key, last):
        faults.append(Fault(Finding.FORGED, {"seq": last["seq"]}))
    if head and not faults and not State(head).sound:
        faults.append(Fault(Finding.DIGESTS, {}))
    yield from faults


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
    yield from events.values(*READ).iterator(2000)


def verify(*, stated: bool = True, apps: Any = None) -> Verification:
    """Check the whole log against its chain, seals and sealed end, and the rows that it has to explain against it.

    ``apps``: before a migration, the models as they are then. Without ``stated`` only the log is checked, which may be from before rows had seals of their own.
    """
    key = settings.DEID_MASTER_KEY
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
        result.faults.extend(chain_faults(counted(), state, key=key))
        if result.rows == known:
            break
    if stated:
        result.faults.extend(last_faults(state, head, apps=apps))
    else:
        result.faults.extend(end_faults(state, head, key=key))
    return result


def last_faults(state: ChainState, head: dict[str, Any] | None, *, apps: Any = None) -> Iterator[Fault]:
    """What can be said when all rows of the stored log have been read: its end, and the rows that it explains."""
    ends = [*end_faults(state, head, key=settings.DEID_MASTER_KEY, used=head is None and rows_exist())]
    yield from ends
    if apps is None and not ends:
        yield from key_faults(AuditHead.objects.filter(pk=1).first())
    if state.seq and not state.sealed:
        yield Fault(Finding.FORGED, {"seq": state.seq})
    if state.seq:
        faults = state_faults(apps)
        yield from faults
        if apps is None and not ends:
            named = {fault.params["kind"] for fault in faults}
            yield from (fault for fault in digest_faults() if fault.params.get("kind") not in named)


def verify_lines(lines: Iterable[str], *, key: str = "", wanted: Iterable[int] = ()) -> Verification:
    """Check an exported log (JSON Lines); needs no database. The hashes of the rows ``wanted`` are noted.

    Rows that fell out of order in the file are named like rows of the log itself.
    """
    result, state, numbers = Verification(), ChainState(), set(wanted)
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
                row["previous_hash"], row["hash"], row["seq"] + 0, row.setdefault("seal", "") + ""
            except (ValueError, KeyError, TypeError):
                result.faults.append(Fault(Finding.UNREADABLE, {"line": number}))
                continue
            result.rows += 1
            if row["seq"] in numbers:
                result.hashes[row["seq"]] = str(row["hash"])
            yield row

    result.faults.extend(chain_faults(parsed(), state, key=key))
    if len(ends) == 1:
        result.faults.extend(end_faults(state, ends[0], key=key))
    else:
        result.faults.append(Fault(Finding.NO_END, {"seq": state.seq}))
    return result
