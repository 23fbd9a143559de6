"""A search that ends early says so, and names a loss below which there is indeed no solution."""

from __future__ import annotations

import random
import re

import pytest

from tests.truth.statements.of_commands import _printed
from tests.truth.statements.of_preflight import _best, _loss, _lost

_SAID = re.compile(r"loss ([0-9.]+)( \(not proved; none below ([0-9.]+)\))?, granularity")
_NAMES = "abcdefg"


@pytest.mark.parametrize("effort", [10, 40, 2_000])
def test_what_is_not_proved_is_said_to_be_not_and_none_is_below_what_is_named(effort: int) -> None:
    draw = random.Random(2)
    rows = [{name: draw.choice("pqr") for name in _NAMES} for _ in range(150)]
    options = ("--qi", ",".join(_NAMES), "--subject", "rows", "--effort", str(effort))
    printed = _printed("preflight", rows, "--k", "3", "--suppression-limits", "0.1", *options)
    [(loss, unproved, bound)] = [match.groups() for line in printed.lines if (match := _SAID.search(line))]
    best = _best(printed, printed.quasi, {})
    assert best is not None
    least = _loss((_lost(printed, best) or (0.0, {}))[1])
    assert float(loss) >= least - 5e-5
    assert bool(unproved) == (effort < 2_000)
    if unproved:
        assert 0 < float(bound) <= least + 5e-5
    else:
        assert float(loss) == pytest.approx(least, abs=5e-5)
