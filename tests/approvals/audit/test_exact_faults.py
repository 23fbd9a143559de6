"""What is found in a log of six rows that somebody touched: exactly that, at exactly this row."""

from __future__ import annotations

import json
from typing import Any

import pytest

from approvals.audit.chain import GENESIS, canonical, link, row_seal, seal
from approvals.audit.events import STATE_TAKEN_IN
from approvals.audit.findings import Finding
from approvals.audit.verify import ChainState, chain_faults, end_faults, verify_lines
from tests.approvals.audit.test_chain import KEY, OTHER_KEY, ROW

Row = dict[str, Any]


def log(actions: str = "abcdef", *, unsealed: int = 0, key: str = KEY, before: str = GENESIS) -> list[Row]:
    """Rows that follow each other, the first ``unsealed`` of them from before rows had seals."""
    rows = []
    for seq, action in enumerate(actions, 1):
        row = ROW | {
            "seq": seq,
            "action": STATE_TAKEN_IN if action == "!" else action,
            "previous_hash": before,
        }
        before = row["hash"] = link(before, row)
        rows.append(row | {"seal": row_seal(key, seq, before) if seq > unsealed else ""})
    return rows


def found(rows: list[Row], key: str = KEY) -> list[tuple[Finding, tuple[int, ...]]]:
    return [(one.kind, tuple(one.params.values())) for one in chain_faults(rows, ChainState(), key=key)]


def test_an_untouched_log_is_sound_and_is_read_to_its_end() -> None:
    rows, state = log(), ChainState()
    assert list(chain_faults(rows[:4], state, key=KEY)) == []
    assert (state.seq, state.hash, state.sealed) == (4, rows[3]["hash"], True)
    assert list(chain_faults(rows[4:], state, key=KEY)) == [], "a check goes on where it stopped"
    assert (state.seq, state.hash) == (6, rows[5]["hash"])


@pytest.mark.parametrize("place", range(6))
def test_an_altered_row_is_named_alone(place: int) -> None:
    rows = log()
    rows[place] |= {"reason": "none"}
    assert found(rows) == found(rows, key="") == [(Finding.ALTERED, (place + 1,))]


@pytest.mark.parametrize("place", range(6))
def test_a_row_that_was_written_anew_without_the_key(place: int) -> None:
    """Its hash can be made by anybody, its seal cannot, and the row after it tells."""
    rows = log()
    rows[place] |= {"reason": "none"}
    rows[place]["hash"] = link(rows[place]["previous_hash"], rows[place])
    after = [(Finding.REORDERED, (place + 2,))] if place < 5 else []
    assert found(rows) == [(Finding.FORGED, (place + 1,)), *after]
    assert found(rows, key="") == after


def test_a_log_under_another_key_is_forged_throughout() -> None:
    assert found(log(key=OTHER_KEY)) == [(Finding.FORGED, (seq,)) for seq in range(1, 7)]


@pytest.mark.parametrize(("first", "last"), [(1, 1), (1, 3), (2, 2), (3, 5)])
def test_rows_that_were_taken_out(first: int, last: int) -> None:
    rows = log()
    assert found(rows[: first - 1] + rows[last:]) == [(Finding.REMOVED, (first, last))]


def test_rows_that_were_exchanged_or_repeated() -> None:
    one, two, three, four, *rest = log()
    assert found([one, three, two, four, *rest]) == [(Finding.REMOVED, (2, 2)), (Finding.REORDERED, (2,))]
    assert found([one, two, two, three, four, *rest]) == [(Finding.REORDERED, (2,))]
    assert found([two, one]) == [(Finding.REMOVED, (1, 1)), (Finding.REORDERED, (1,))]
    assert found(log(before="1" * 64)) == [(Finding.REORDERED, (1,))]


@pytest.mark.parametrize(
    ("actions", "unsealed", "faults"),
    [
        ("ab!def", 2, []),
        ("!bcdef", 0, []),
        ("abcdef", 1, [(Finding.FORGED, (1,))]),
        ("abcdef", 3, [(Finding.FORGED, (3,))]),
        ("ab!def", 3, [(Finding.FORGED, (3,))]),
        # Whatever comes before or after it in the order of letters.
        ("abZdef", 2, [(Finding.FORGED, (2,))]),
        ("abzdef", 2, [(Finding.FORGED, (2,))]),
        ("abcdef", 6, []),
    ],
)
def test_only_the_taking_in_follows_rows_without_seals(
    actions: str, unsealed: int, faults: list[Any]
) -> None:
    assert found(log(actions, unsealed=unsealed)) == faults


def test_after_the_first_seal_every_row_has_one() -> None:
    rows = log()
    rows[3]["seal"] = ""
    assert found(rows) == [(Finding.FORGED, (4,))]


def ends(seq: int, digest: str, head: Row | None, **more: Any) -> list[tuple[Finding, tuple[int, ...]]]:
    state = ChainState(seq, digest)
    return [
        (one.kind, tuple(one.params.values())) for one in end_faults(state, head, **({"key": KEY} | more))
    ]


def test_the_end_is_the_sealed_one() -> None:
    head = {"seq": 6, "hash": "a" * 64, "seal": seal(KEY, 6, "a" * 64)}
    assert ends(6, "a" * 64, head) == []
    assert ends(4, "b" * 64, head) == [(Finding.CUT, (5, 6))]
    assert ends(7, "a" * 64, head) == [(Finding.HEAD, (7,))]
    assert ends(6, "a" * 63 + "b", head) == [(Finding.HEAD, (6,))]
    assert ends(6, "a" * 64, head, key=OTHER_KEY) == [(Finding.SEAL, ())]
    assert ends(6, "a" * 64, head | {"seal": ""}, key="") == []
    assert ends(5, "a" * 64, head | {"seal": ""}) == [(Finding.SEAL, ()), (Finding.CUT, (6, 6))]


def test_an_empty_log_beside_rows_was_emptied() -> None:
    assert ends(0, GENESIS, None) == []
    assert ends(0, GENESIS, None, used=True) == [(Finding.EMPTIED, ())]
    assert ends(1, "a" * 64, None) == [(Finding.EMPTIED, ())]


def exported(rows: list[Row]) -> list[str]:
    lines = [
        json.dumps(
            json.loads(canonical(row)) | {name: row[name] for name in ("previous_hash", "hash", "seal")}
        )
        for row in rows
    ]
    last = rows[-1]
    head = {"seq": last["seq"], "hash": last["hash"], "seal": seal(KEY, last["seq"], last["hash"])}
    return [*lines, json.dumps({"head": head})]


def read(lines: list[str], **more: Any) -> list[tuple[Finding, tuple[int, ...]]]:
    return [(one.kind, tuple(one.params.values())) for one in verify_lines(lines, key=KEY, **more).faults]


def test_an_export_is_checked_line_by_line() -> None:
    rows = log()
    lines = exported(rows)
    whole = verify_lines(["", *lines[:3], " \n", *lines[3:]], key=KEY, wanted=[2, 6, 9])
    assert (whole.sound, whole.rows, whole.end.seq) == (True, 6, 6)
    assert whole.hashes == {2: rows[1]["hash"], 6: rows[5]["hash"]}
    for strange in ("{", "7", "[]", "{}", '{"head": 5}', lines[1].replace('"seq": 2', '"seq": "2"')):
        assert (Finding.UNREADABLE, (3,)) in read([*lines[:2], strange, *lines[2:]])
        assert len(read([*lines[:2], strange, *lines[2:]])) == 1
    assert read(lines[:-1]) == read([*lines, lines[-1]]) == [(Finding.NO_END, (6,))]
    assert read([*lines[:4], lines[-1]]) == [(Finding.CUT, (5, 6))]
