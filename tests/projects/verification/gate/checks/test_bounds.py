"""A check passes at its bound and fails by the least that is beyond it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from projects.verification.gate.check import TableSubject
from projects.verification.gate.checks.integrity import Integrity
from projects.verification.gate.checks.losses.suppression import Suppression
from tests.projects.verification.gate.checks.test_checks import clinic

ROWS = "".join("a,x\n" for _ in range(200))


def passed(check, case):
    (row,) = check.measure(TableSubject(case), lambda share: None)
    return row.passed


@pytest.mark.parametrize("place", range(64))
def test_every_digit_of_the_hash_counts(place):
    digest = "0123456789abcdef" * 4
    case = replace(clinic("q,s\n", "q,s\n"), result_sha256=digest, read_sha256=digest)
    assert passed(Integrity(), case)
    other = digest[:place] + ("1" if digest[place] != "1" else "2") + digest[place + 1 :]
    assert not passed(Integrity(), replace(case, read_sha256=other))
    assert not passed(Integrity(), replace(case, read_sha256=""))


@pytest.mark.parametrize(
    ("removed", "limit", "passes"),
    [(10, 0.05, True), (11, 0.05, False), (1, 0.0, False), (0, 0.0, True), (200, 1.0, True)],
)
def test_suppression_passes_at_its_limit_and_not_one_row_beyond(removed, limit, passes):
    case = clinic(f"q,s\n{ROWS}", f"q,s\n{ROWS[4 * removed :]}", suppression_limit=limit)
    assert case.rows_drawn == 200
    assert passed(Suppression(), case) is passes
