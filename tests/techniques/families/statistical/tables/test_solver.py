"""A long program hears that it is to stop, within a few of its own steps."""

from __future__ import annotations

import time

import numpy as np
import pytest

from techniques.families.statistical.tables.solver import program, solve


def hard(items: int = 60) -> object:
    """A knapsack of nearly equal items, which takes long."""
    rng = np.random.default_rng(1)
    solver = program()
    solver.addVars(items, np.zeros(items), np.ones(items))
    every = np.arange(items, dtype=np.int32)
    solver.changeColsCost(items, every, -(1000.0 + rng.integers(0, 50, items)))
    solver.changeColsIntegrality(items, every, np.full(items, 1, dtype=np.uint8))
    for _row in range(15):
        solver.addRow(-np.inf, 500.0 * items, items, every, 1000.0 + rng.integers(0, 50, items))
    solver.setOptionValue("time_limit", 60.0)
    return solver


def test_what_the_listener_raises_ends_the_run_and_comes_out() -> None:
    heard: list[float] = []

    def stop(share: float) -> None:
        heard.append(share)
        if len(heard) == 3:
            raise KeyboardInterrupt

    started = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        solve(hard(), stop, 0.5)
    assert heard == [0.5] * 3
    assert time.process_time() - started < 10


def test_a_run_ends_as_without_a_listener() -> None:
    solver = program()
    solver.addVars(1, np.array([0.0]), np.array([2.5]))
    solver.changeColCost(0, -1.0)
    solver.changeColsIntegrality(1, np.array([0], np.int32), np.array([1], np.uint8))
    solve(solver, lambda _share: None)
    assert solver.getSolution().col_value[0] == 2
