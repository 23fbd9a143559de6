"""Every field of an event is under its hash, and every part of what a seal covers under the seal."""

from __future__ import annotations

import hashlib
import uuid
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from approvals.audit.chain import GENESIS, canonical, key_check, link, row_is_ours, row_seal, seal
from approvals.audit.models import AuditEvent

KEY, OTHER_KEY = (
    "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVowMTIzNDU=",
    "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVowMTIzNDY=",
)
ROW: dict[str, Any] = {
    "seq": 7, "at": datetime(2026, 5, 4, 3, 2, 1, 5, tzinfo=UTC), "act": uuid.UUID(int=1), "actor_id": 3, "actor": "lin",
    "action": "project.created", "project_id": uuid.UUID(int=2), "subject_kind": "project", "subject_id": "2",
    "subject": "Visits", "subject_hash": "a" * 64, "reason": "agreed", "facts": {"number": 1}, "rows": {"core.project": "x"},
}  # fmt: skip
CHANGED: dict[str, Any] = {
    "seq": 8, "at": ROW["at"] + timedelta(microseconds=1), "act": uuid.UUID(int=9), "actor_id": 4, "actor": "Lin",
    "action": "project.edited", "project_id": None, "subject_kind": "plan", "subject_id": "3", "subject": "Visits ",
    "subject_hash": "a" * 63 + "b", "reason": "", "facts": {"number": 2}, "rows": {"core.project": "y"},
}  # fmt: skip


def test_these_are_the_fields_of_an_event() -> None:
    outside = {"hash", "previous_hash", "seal", "key"}
    names = {field.attname for field in AuditEvent._meta.concrete_fields}
    assert set(ROW) == set(CHANGED) == names - outside


@pytest.mark.parametrize("name", ROW)
def test_an_event_that_differs_in_one_field_has_another_hash(name: str) -> None:
    assert link(GENESIS, ROW | {name: CHANGED[name]}) != link(GENESIS, ROW)


def test_a_row_of_before_there_were_rows_has_the_hash_it_had() -> None:
    without = {name: value for name, value in ROW.items() if name != "rows"}
    assert canonical(without) == canonical(ROW | {"rows": {}}) != canonical(ROW)


def test_the_bytes_of_an_event_are_those_of_every_stored_one() -> None:
    """Written out by hand: sorted names, no spaces, signs as they are, time in UTC, empty texts kept, no number as a text."""
    east = timezone(timedelta(hours=8))
    row = ROW | {
        "at": datetime(2026, 5, 4, 11, 2, 1, 5, tzinfo=east), "actor": "林", "project_id": None, "reason": "",
        "subject": "", "facts": {"b": 1, "a": None}, "rows": {},
    }  # fmt: skip
    assert canonical(row).decode() == (
        '{"act":"00000000-0000-0000-0000-000000000001","action":"project.created","actor":"林","actor_id":3,'
        '"at":"2026-05-04T03:02:01.000005Z","facts":{"a":null,"b":1},"project_id":null,"reason":"","seq":7,'
        f'"subject":"","subject_hash":"{"a" * 64}","subject_id":"2","subject_kind":"project"}}'
    )
    with_project = canonical(ROW | {"actor_id": None}).decode()
    assert '"project_id":"00000000-0000-0000-0000-000000000002"' in with_project
    assert '"actor_id":null' in with_project
    assert '"rows":{"core.project":"x"}' in with_project


@pytest.mark.parametrize("name", sorted(set(ROW) - {"rows"}))
def test_an_event_without_one_of_its_fields_is_none(name: str) -> None:
    with pytest.raises(KeyError):
        canonical({field: value for field, value in ROW.items() if field != name})


def test_the_first_event_follows_a_hash_of_zeros() -> None:
    assert hashlib.sha256().hexdigest().translate(str.maketrans("123456789abcdef", "0" * 15)) == GENESIS


def test_the_hash_covers_the_event_before() -> None:
    assert link("1" + GENESIS[1:], ROW) != link(GENESIS, ROW)


@pytest.mark.parametrize("made", [seal, row_seal])
def test_a_seal_is_of_its_place_its_hash_and_its_key(made: Any) -> None:
    one = made(KEY, 7, GENESIS)
    assert one == made(KEY, 7, GENESIS)
    assert (
        len({one, made(OTHER_KEY, 7, GENESIS), made(KEY, 8, GENESIS), made(KEY, 7, GENESIS[:-1] + "1")}) == 4
    )


def test_no_seal_serves_for_another_purpose() -> None:
    assert len({seal(KEY, 7, GENESIS), row_seal(KEY, 7, GENESIS), key_check(KEY), key_check(OTHER_KEY)}) == 4


def test_a_row_is_ours_by_its_hash_and_its_seal() -> None:
    digest = link(GENESIS, ROW)
    row = ROW | {"previous_hash": GENESIS, "hash": digest, "seal": row_seal(KEY, 7, digest)}
    assert row_is_ours(KEY, row)
    assert not row_is_ours(OTHER_KEY, row)
    assert not row_is_ours(KEY, row | {"reason": ""})
    assert not row_is_ours(KEY, row | {"seal": ""})
    assert not row_is_ours(KEY, row | {"seal": row["seal"][:-1] + ("0" if row["seal"][-1] != "0" else "1")})
    for name in ("hash", "seal"):
        others = {row[name][:place] + digit + row[name][place + 1 :] for place in (0, 63) for digit in "0f"}
        for other in others - {row[name]}:
            assert not row_is_ours(KEY, row | {name: other})
    assert not row_is_ours(KEY, row | {"hash": "f" * 64, "seal": row_seal(KEY, 7, "f" * 64)})
    assert not row_is_ours(KEY, row | {"hash": "0" * 64, "seal": row_seal(KEY, 7, "0" * 64)})
    forged = link(GENESIS, ROW | {"reason": ""})
    assert not row_is_ours(KEY, row | {"reason": "", "hash": forged})
