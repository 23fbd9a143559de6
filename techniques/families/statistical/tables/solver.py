"""The library that solves linear and mixed-integer programs, HiGHS, silent."""

from __future__ import annotations

from typing import Any


def program() -> Any:
    """An empty program (``highspy.Highs``); the library is loaded when the first one is made."""
    import highspy

    made: Any = highspy.Highs  # The library has no types.
    solver = made()
    solver.setOptionValue("output_flag", False)
    return solver
